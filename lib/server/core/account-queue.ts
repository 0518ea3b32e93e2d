const tails = new Map<string, Promise<unknown>>();

/**
 * Work of one account, one at a time and in order, within this process. A call to the broker and its
 * record are one piece of work, so trade updates that arrive before the answer wait for it. Work must not
 * queue more work of the same account and wait for it.
 */
export function inAccountQueue<T>(accountId: string, work: () => Promise<T>): Promise<T> {
  const before = tails.get(accountId) ?? Promise.resolve();
  const run = before.then(work, work);
  const tail = run.catch(() => undefined);
  tails.set(accountId, tail);
  void tail.then(() => {
    if (tails.get(accountId) === tail) tails.delete(accountId);
  });
  return run;
}
