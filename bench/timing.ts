/** CPU milliseconds of the fastest, the median and the slowest of several rounds; the first round warms up and does not count. */
export interface Timing {
  medianMs: number;
  leastMs: number;
  mostMs: number;
  rounds: number;
}

export function measure(rounds: number, work: () => unknown): Timing {
  work();
  const times: number[] = [];
  for (let round = 0; round < rounds; round++) {
    const before = process.cpuUsage();
    work();
    const { user, system } = process.cpuUsage(before);
    times.push((user + system) / 1000);
  }
  times.sort((a, b) => a - b);
  return { medianMs: times[rounds >> 1]!, leastMs: times[0]!, mostMs: times[rounds - 1]!, rounds };
}

/** Numbers in [0, 1) from a seed: every run measures the same work. */
export function randomFrom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 4294967296;
  };
}
