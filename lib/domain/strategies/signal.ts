import type { SeatView } from "../engine/plan.ts";
import type { Policy } from "../policy.ts";
import type { FeatureRow } from "../screening/features.ts";

export interface SignalInput {
  seat: SeatView;
  features: FeatureRow;
  policy: Policy;
}

/** One condition of an entry: whether it holds, and in words why it does not. */
export interface EntryCondition {
  isMet: boolean;
  /** "momentum percentile 74.1 is below 80" */
  words: string;
  /** What would have to change, when a number says it: "needs momentum percentile +5.9". */
  flip: string | null;
}

export interface EntrySignal {
  hasSignal: boolean;
  /** Null when there is a signal; else the first unmet conditions in words. */
  noSignal: string | null;
  /** What would make a signal; null when there is one or no number says it. */
  nearestFlip: string | null;
}

const MET: EntryCondition = { isMet: true, words: "", flip: null };

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
  if (value === null) return { isMet: false, words: `${name} is not known`, flip: null };
  return isOver(value, line, isStrict) ? MET : unmet(name, value, line, digits, isStrict, 1);
}

/** A condition "value ≤ line" (or < line) on a number that may be missing; missing never passes. */
export function atMost(name: string, value: number | null, line: number, digits = 2, isStrict = false): EntryCondition {
  if (value === null) return { isMet: false, words: `${name} is not known`, flip: null };
  return isOver(-value, -line, isStrict) ? MET : unmet(name, value, line, digits, isStrict, -1);
}

/** Says what is lacking: `direction` 1 asks for more, −1 for less. */
function unmet(
  name: string,
  value: number,
  line: number,
  digits: number,
  isStrict: boolean,
  direction: 1 | -1,
): EntryCondition {
  // The smallest step of so many digits that, applied as written, meets the condition.
  const unit = 10 ** digits;
  let steps = Math.max(0, Math.ceil(direction * (line - value) * unit - 1e-6));
  while (!isOver(direction * (value + direction * (steps / unit)), direction * line, isStrict)) steps++;
  const [strict, loose, sign] = direction === 1 ? ["not above", "below", "+"] : ["not below", "above", "−"];
  return {
    isMet: false,
    words: `${name} ${value.toFixed(digits)} is ${isStrict ? strict : loose} ${line.toFixed(digits)}`,
    flip: `needs ${name} ${sign}${(steps / unit).toFixed(digits)}`,
  };
}

/** What a strategy says of a seat: all conditions must hold. */
export function signalFrom(conditions: readonly EntryCondition[]): EntrySignal {
  let noSignal = "";
  let flips: string | null = "";
  for (const condition of conditions) {
    if (condition.isMet) continue;
    noSignal += noSignal === "" ? condition.words : `; ${condition.words}`;
    if (condition.flip === null || flips === null) flips = null;
    else flips += flips === "" ? condition.flip : `, ${condition.flip}`;
  }
  if (noSignal === "") return { hasSignal: true, noSignal: null, nearestFlip: null };
  return { hasSignal: false, noSignal, nearestFlip: flips };
}
