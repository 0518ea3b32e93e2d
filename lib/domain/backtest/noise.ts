/** 32 bits of a text and a start value: FNV-1a, then the finalizer of MurmurHash3, so that near texts give far values. */
function hash(text: string, start: number): number {
  let value = (0x811c9dc5 ^ start) >>> 0;
  for (let i = 0; i < text.length; i++) value = Math.imul(value ^ text.charCodeAt(i), 0x01000193);
  value = Math.imul(value ^ (value >>> 16), 0x85ebca6b);
  value = Math.imul(value ^ (value >>> 13), 0xc2b2ae35);
  return (value ^ (value >>> 16)) >>> 0;
}

/**
 * A draw from the standard normal distribution that depends on the seed and the key alone: the same fill meets the same
 * noise whatever else is traded. Box–Muller on two hashes.
 */
export function standardNormal(seed: number, key: string): number {
  const unit = (start: number) => (hash(key, start ^ Math.imul(seed, 0x9e3779b1)) + 0.5) / 2 ** 32;
  return Math.sqrt(-2 * Math.log(unit(1))) * Math.cos(2 * Math.PI * unit(2));
}

/** A seed that depends on a text alone. */
export const seedOf = (text: string): number => hash(text, 0);

/** Doubles in [0, 1), one after the other (mulberry32): the same seed gives the same row. */
export function uniforms(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let value = Math.imul(state ^ (state >>> 15), state | 1);
    value ^= value + Math.imul(value ^ (value >>> 7), value | 61);
    return ((value ^ (value >>> 14)) >>> 0) / 2 ** 32;
  };
}
