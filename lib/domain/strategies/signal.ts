import { besideLine } from "../beside-line.ts";
import type { SeatView } from "../engine/plan.ts";
import type { Policy } from "../policy.ts";
import type { FeatureRow } from "../screening/features.ts";

export interface SignalInput {
  seat: SeatView;
  features: FeatureRow;
  policy: Policy;
}

/** A value beside its line, which it has to reach; missing (null) never passes. */
type Ask<T> = (name: string, value: number | null, line: number, digits?: number, isStrict?: boolean) => T;

/** Puts the conditions of an entry, one after the other, and continues while they are met. */
export interface Asks {
  atLeast: Ask<boolean>;
  atMost: Ask<boolean>;
}

/** The conditions of a strategy: true where all of them hold. */
export type Signal = (input: SignalInput, asks: Asks) => boolean;

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

const conditionOf =
  (direction: 1 | -1): Ask<EntryCondition> =>
  (name, value, line, digits = 2, isStrict = false) => {
    const isMet = value !== null && isOver(direction * value, direction * line, isStrict);
    return { isMet, name, value, line, digits, isStrict, direction };
  };

/** "value ≥ line" (or > line) as a condition. */
export const atLeast = conditionOf(1);

/** "value ≤ line" (or < line) as a condition. */
export const atMost = conditionOf(-1);

/** Says what is lacking. */
function unmet({ name, value, line, digits, isStrict, direction }: EntryCondition): NoSignal {
  if (value === null || !Number.isFinite(value)) return { noSignal: `${name} is not known`, nearestFlip: null };
  // The smallest step of so many digits that, applied as written, meets the condition.
  const unit = 10 ** digits;
  let steps = Math.max(0, Math.ceil(direction * (line - value) * unit - 1e-6));
  while (!isOver(direction * (value + direction * (steps / unit)), direction * line, isStrict)) steps++;
  const [is, needed] = besideLine(value, line, digits, digits);
  const [strict, loose, sign] = direction === 1 ? ["not above", "below", "+"] : ["not below", "above", "−"];
  return {
    noSignal: `${name} ${is} is ${isStrict ? strict : loose} ${needed}`,
    nearestFlip: `needs ${name} ${sign}${(steps / unit).toFixed(digits)}`,
  };
}

/** Numbers alone: most seats are asked no further than the first condition that fails. */
const JUDGED: Asks = {
  atLeast: (_, value, line, _digits, isStrict = false) => value !== null && isOver(value, line, isStrict),
  atMost: (_, value, line, _digits, isStrict = false) => value !== null && isOver(-value, -line, isStrict),
};

/** True where all conditions of a strategy hold. */
export function hasSignal(signal: Signal, input: SignalInput): boolean {
  return signal(input, JUDGED);
}

/** All conditions of a strategy, as they are told to people. */
export function conditionsOf(signal: Signal, input: SignalInput): EntryCondition[] {
  const conditions: EntryCondition[] = [];
  const noting =
    (ask: Ask<EntryCondition>): Ask<boolean> =>
    (...asked) =>
      conditions.push(ask(...asked)) > 0;
  signal(input, { atLeast: noting(atLeast), atMost: noting(atMost) });
  return conditions;
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
