/**
 * A function of one or two objects that remembers its answers for as long as the objects live. Only for inputs that nobody
 * changes once they are made (a market view, an account state, a policy): the answer is then the same value, found sooner.
 */
export function rememberOne<A extends object, V>(make: (a: A) => V): (a: A) => V {
  const answers = new WeakMap<A, { value: V }>();
  return (a) => {
    let known = answers.get(a);
    if (known === undefined) {
      known = { value: make(a) };
      answers.set(a, known);
    }
    return known.value;
  };
}

export function rememberTwo<A extends object, B extends object, V>(make: (a: A, b: B) => V): (a: A, b: B) => V {
  const of = rememberOne((a: A) => rememberOne((b: B) => make(a, b)));
  return (a, b) => of(a)(b);
}
