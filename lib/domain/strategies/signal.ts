import type { RegimeView, SeatView, StrategyName } from "../engine/plan.ts";
import type { Policy } from "../policy.ts";
import type { FeatureRow } from "../screening/features.ts";

export interface SignalInput {
  seat: SeatView;
  features: FeatureRow;
  regime: RegimeView;
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
  strategy: StrategyName;
  hasSignal: boolean;
  /** Null when there is a signal; else the first unmet conditions in words. */
  noSignal: string | null;
  /** What would make a signal; null when there is one or no number says it. */
  nearestFlip: string | null;
}

/** The smallest step of so many digits that, applied as written, meets the condition. */
function neededText(lacking: number, digits: number, isMetBy: (amount: number) => boolean): string {
  const unit = 10 ** digits;
  let steps = Math.max(0, Math.ceil(lacking * unit - 1e-6));
  while (!isMetBy(steps / unit)) steps++;
  return (steps / unit).toFixed(digits);
}

const MET: EntryCondition = { isMet: true, words: "", flip: null };

/** A condition "value ≥ line" (or > line) on a number that may be missing; missing never passes. */
export function atLeast(
  name: string,
  value: number | null,
  line: number,
  digits = 2,
  isStrict = false,
): EntryCondition {
  if (value === null) return { isMet: false, words: `${name} is not known`, flip: null };
  const isMet = (candidate: number) => (isStrict ? candidate > line : candidate >= line);
  if (isMet(value)) return MET;
  return {
    isMet: false,
    words: `${name} ${value.toFixed(digits)} is ${isStrict ? "not above" : "below"} ${line.toFixed(digits)}`,
    flip: `needs ${name} +${neededText(line - value, digits, (amount) => isMet(value + amount))}`,
  };
}

/** A condition "value ≤ line" (or < line) on a number that may be missing; missing never passes. */
export function atMost(name: string, value: number | null, line: number, digits = 2, isStrict = false): EntryCondition {
  if (value === null) return { isMet: false, words: `${name} is not known`, flip: null };
  const isMet = (candidate: number) => (isStrict ? candidate < line : candidate <= line);
  if (isMet(value)) return MET;
  return {
    isMet: false,
    words: `${name} ${value.toFixed(digits)} is ${isStrict ? "not below" : "above"} ${line.toFixed(digits)}`,
    flip: `needs ${name} −${neededText(value - line, digits, (amount) => isMet(value - amount))}`,
  };
}

/** All conditions must hold. */
export function signalFrom(strategy: StrategyName, conditions: EntryCondition[]): EntrySignal {
  const unmet = conditions.filter(({ isMet }) => !isMet);
  if (unmet.length === 0) return { strategy, hasSignal: true, noSignal: null, nearestFlip: null };
  const flips = unmet.map(({ flip }) => flip);
  return {
    strategy,
    hasSignal: false,
    noSignal: unmet.map(({ words }) => words).join("; "),
    nearestFlip: flips.includes(null) ? null : flips.join(", "),
  };
}
