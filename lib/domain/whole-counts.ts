/** Whole counts of decimal places, as doubles while they are safe integers and as bigints: what decimal.ts is made of. */

export type Rounding = "half-even" | "half-up" | "up" | "down" | "floor" | "ceil";

const SAFE = Number.MAX_SAFE_INTEGER;
export const SAFE_BIG = BigInt(SAFE);
/** Powers of ten that a double holds exactly, up to 10^PLACES_MOST. */
export const POW: readonly number[] = Array.from({ length: 23 }, (_, i) => Number(`1e${i}`));
export const PLACES_MOST = 22;
const BIG_POW: bigint[] = Array.from({ length: 96 }, (_, i) => 10n ** BigInt(i));

export function bigPow(exponent: number): bigint {
  return BIG_POW[exponent] ?? 10n ** BigInt(exponent);
}

export function isSafe(count: number): boolean {
  return count <= SAFE && count >= -SAFE;
}

/** Whether the rest of a division, of a positive count, rounds the count away from zero. */
export function roundsUp(comparedToHalf: number, isOdd: boolean, isNegative: boolean, rounding: Rounding): boolean {
  switch (rounding) {
    case "half-even":
      return comparedToHalf > 0 || (comparedToHalf === 0 && isOdd);
    case "half-up":
      return comparedToHalf >= 0;
    case "up":
      return true;
    case "down":
      return false;
    case "floor":
      return isNegative;
    case "ceil":
      return !isNegative;
  }
}

/** A quotient of two counts as a whole number. */
export function divided(top: bigint, bottom: bigint, rounding: Rounding): bigint {
  const quotient = top / bottom;
  const rest = top % bottom;
  if (rest === 0n) return quotient;
  const isNegative = rest < 0n !== bottom < 0n;
  const double = 2n * (rest < 0n ? -rest : rest);
  const size = bottom < 0n ? -bottom : bottom;
  const half = double > size ? 1 : double < size ? -1 : 0;
  if (!roundsUp(half, (quotient & 1n) === 1n, isNegative, rounding)) return quotient;
  return isNegative ? quotient - 1n : quotient + 1n;
}

export function digitsOf(count: bigint): number {
  return (count < 0n ? -count : count).toString().length;
}

export const ZERO_DIGIT = 48;

/** The digits of a count that is not negative, with so many places; without trailing zeros unless they are asked for. */
export function written(digits: string, places: number, keepsZeros: boolean): string {
  if (places === 0) return digits;
  const all = digits.length > places ? digits : digits.padStart(places + 1, "0");
  const whole = all.slice(0, -places);
  let end = all.length;
  if (!keepsZeros) while (end > whole.length && all.charCodeAt(end - 1) === ZERO_DIGIT) end--;
  return end === whole.length ? whole : `${whole}.${all.slice(whole.length, end)}`;
}
