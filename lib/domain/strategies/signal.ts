import type { SeatView } from "../engine/plan.ts";
import type { Policy } from "../policy.ts";
import type { FeatureRow } from "../screening/features.ts";

export interface SignalInput {
  seat: SeatView;
  features: FeatureRow;
  policy: Policy;
}

/** One condition of an entry: a value beside its line. Its text is made on demand. */
export interface EntryCondition {
  isMet: boolean;
  name: string;
  /** Null where it is not known: missing never passes. */
  value: number | null;
  line: number;
  digits: number;
  /** True where the line itself does not pass. */
  isStrict: boolean;
  /** 1 where more is asked for, −1 where less is. */
  direction: 1 | -1;
}

/** Why a seat has no signal, in words, and what would make one. */
export interface NoSignal {
  /** "momentum percentile 74.1 is below 80" */
  noSignal: string;
  /** "needs momentum percentile +5.9"; null where no number says it. */
  nearestFlip: string | null;
}

function isOver(value: number, line: number, isStrict: boolean): boolean {
  return isStrict ? value > line : value >= line;
}

/** A condition "value ≥ line" (or > line) on a number that may be missing; missing never passes. */
export function atLeast(
  name: string,
  value: number | null,
  line: number,
  digits = 2,
  isStrict = false,
): EntryCondition {
  const isMet = value !== null && isOver(value, line, isStrict);
  return { isMet, name, value, line, digits, isStrict, direction: 1 };
}

/** A condition "value ≤ line" (or < line) on a number that may be missing; missing never passes. */
export function atMost(name: string, value: number | null, line: number, digits = 2, isStrict = false): EntryCondition {
  const isMet = value !== null && isOver(-value, -line, isStrict);
  return { isMet, name, value, line, digits, isStrict, direction: -1 };
}

/** Says what is lacking. */
function unmet({ name, value, line, digits, isStrict, direction }: EntryCondition): NoSignal {
  if (value === null) return { noSignal: `${name} is not known`, nearestFlip: null };
  // The smallest step of so many digits that, applied as written, meets the condition.
  const unit = 10 ** digits;
  let steps = Math.max(0, Math.ceil(direction * (line - value) * unit - 1e-6));
  while (!isOver(direction * (value + direction * (steps / unit)), direction * line, isStrict)) steps++;
  const [strict, loose, sign] = direction === 1 ? ["not above", "below", "+"] : ["not below", "above", "−"];
  return {
    noSignal: `${name} ${value.toFixed(digits)} is ${isStrict ? strict : loose} ${line.toFixed(digits)}`,
    nearestFlip: `needs ${name} ${sign}${(steps / unit).toFixed(digits)}`,
  };
}

/** True where all conditions of a strategy hold. */
export function hasSignal(conditions: readonly EntryCondition[]): boolean {
  for (const { isMet } of conditions) if (!isMet) return false;
  return true;
}

/** The unmet conditions in words. */
export function noSignalOf(conditions: readonly EntryCondition[]): NoSignal {
  const reasons = conditions.filter(({ isMet }) => !isMet).map(unmet);
  const flips = reasons.map(({ nearestFlip }) => nearestFlip);
  return {
    noSignal: reasons.map(({ noSignal }) => noSignal).join("; "),
    nearestFlip: flips.includes(null) ? null : flips.join(", "),
  };
}
