/**
 * Functions that remember their answers. Only for inputs that nobody changes once they are made (a market view, an account
 * state, a policy): the answer is then the same value, found sooner.
 */

/** Remembers by one object, for as long as it lives. */
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

interface Answer<A, B, V> {
  a: A;
  b: B;
  value: V;
  next: Answer<A, B, V> | null;
}

/** Remembers by two objects, for as long as the first one lives. The second is one of few, such as a policy. */
export function rememberTwo<A extends object, B extends object, V>(make: (a: A, b: B) => V): (a: A, b: B) => V {
  const answers = new WeakMap<A, Answer<A, B, V>>();
  // The same question is mostly asked several times running.
  let last: Answer<A, B, V> | null = null;
  return (a, b) => {
    if (last !== null && last.a === a && last.b === b) return last.value;
    const first = answers.get(a) ?? null;
    let known = first;
    while (known !== null && known.b !== b) known = known.next;
    if (known === null) {
      known = { a, b, value: make(a, b), next: first };
      answers.set(a, known);
    }
    last = known;
    return known.value;
  };
}

const FEW = 4;

/**
 * Remembers the last few pairs asked for. For large answers about what is young: a weak map would carry each of them over into
 * the old generation before it lets go.
 */
export function rememberFew<A extends object, B extends object, V>(make: (a: A, b: B) => V): (a: A, b: B) => V {
  const answers: { a: A; b: B; value: V }[] = [];
  let place = 0;
  return (a, b) => {
    for (const known of answers) if (known.a === a && known.b === b) return known.value;
    const made = { a, b, value: make(a, b) };
    answers[place] = made;
    place = (place + 1) % FEW;
    return made.value;
  };
}

const LATELY_MOST = 4096;

/** Remembers the answers to the keys asked lately, a few thousand of them. */
export function rememberLately<K extends string | number, V>(make: (key: K) => V): (key: K) => V {
  const answers = new Map<K, V>();
  return (key) => {
    let value = answers.get(key);
    if (value === undefined) {
      value = make(key);
      if (answers.size >= LATELY_MOST) answers.clear();
      answers.set(key, value);
    }
    return value;
  };
}
