/** A small seeded generator (mulberry32): one integer is its whole state, and the same integer gives the same numbers. */
export interface Random {
  state: number;
}

/** Spreads neighbouring integers over all 32 bits; no two integers meet (each step can be undone). */
export function spread(value: number): number {
  let mixed = value | 0;
  mixed = Math.imul(mixed ^ (mixed >>> 16), 0x85ebca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
  return (mixed ^ (mixed >>> 16)) >>> 0;
}

/** A whole number from 0 to `below` - 1. */
export function draw(random: Random, below: number): number {
  random.state = (random.state + 0x6d2b79f5) | 0;
  let mixed = Math.imul(random.state ^ (random.state >>> 15), 1 | random.state);
  mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
  return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
}
