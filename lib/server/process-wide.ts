/** A value of which there is one in a process. */
export interface ProcessWide<T> {
  /** The value, made at first use. */
  orMake(make: () => T): T;
  /** Takes the value away and answers it: the next reader makes another. */
  remove(): T | undefined;
}

/** A build may hold a file several times, each with its own module state: what all of them share is kept under a name of the global object. */
export function processWide<T>(name: `tradewind${string}`): ProcessWide<T> {
  const shared = globalThis as unknown as Record<string, T | undefined>;
  return {
    orMake: (make) => (shared[name] ??= make()),
    remove() {
      const value = shared[name];
      delete shared[name];
      return value;
    },
  };
}
