import { type DecimalText, isDecimalText, type Money, money } from "../money.ts";

/** What one source says of a figure. */
export interface SourceValue {
  source: string;
  /** USD a share */
  value: DecimalText;
  /** When it was so: the instant of a quote, the session of a close. */
  at: string;
}

export interface ConsensusRules {
  /** The source that is traded on: where it counts, it has to be among those that agree. */
  own: string;
  /** Sources that have to agree. */
  quorum: number;
  /** Largest difference between two sources that agree, in bps of the lower value. */
  limitBps: number;
  /** At 0 a source does not count. */
  weightOf: (source: string) => number;
  /** False where a value is older than the policy allows. */
  isCurrent: (value: SourceValue) => boolean;
}

/**
 * What the sources of one figure say together. `counted` are those that were heard: the own one first, then by name.
 *
 * agreed: enough of them, of more than half of the weight, lie within the limit of each other; `value` is their weighted median.
 * disagreement: enough were heard, and they do not.
 * too_few: fewer were heard than have to agree.
 */
export type Consensus =
  | { kind: "agreed"; value: DecimalText; agreeing: string[]; counted: SourceValue[] }
  | { kind: "disagreement"; deviationBps: number; counted: SourceValue[] }
  | { kind: "too_few"; counted: SourceValue[] };

interface Counted {
  from: SourceValue;
  value: Money;
  weight: number;
}

const BPS = 10_000;

/** A source counts once, with its newest value; of two as new as each other the lower one, so that order does not matter. */
function countedOf(values: readonly SourceValue[], rules: ConsensusRules): Counted[] {
  const bySource = new Map<string, Counted>();
  for (const from of values) {
    const weight = rules.weightOf(from.source);
    if (!(weight > 0) || !isDecimalText(from.value) || !rules.isCurrent(from)) continue;
    const value = money(from.value);
    if (value.lte(0)) continue;
    const known = bySource.get(from.source);
    const isBetter =
      known === undefined || from.at > known.from.at || (from.at === known.from.at && value.lt(known.value));
    if (isBetter) bySource.set(from.source, { from, value, weight });
  }
  return [...bySource.values()];
}

const byName = (own: string) => (a: Counted, b: Counted) =>
  Number(b.from.source === own) - Number(a.from.source === own) || (a.from.source < b.from.source ? -1 : 1);

const byValue = (a: Counted, b: Counted) => a.value.cmp(b.value) || (a.from.source < b.from.source ? -1 : 1);

/** Exact, where a quotient would have been rounded. */
const isWithin = (low: Money, high: Money, limitBps: number) => high.minus(low).times(BPS).lte(low.times(limitBps));

const weightOf = (group: readonly Counted[]) => group.reduce((total, { weight }) => total + weight, 0);

/** All groups that lie within the limit and to which nothing can be added, ascending by their lowest value. */
function groupsOf(ascending: readonly Counted[], limitBps: number): Counted[][] {
  return ascending.map((lowest, from) =>
    ascending.slice(from).filter(({ value }) => isWithin(lowest.value, value, limitBps)),
  );
}

/** The value at which half of the weight is reached from below. */
function weightedMedian(ascending: readonly Counted[]): Money {
  const half = weightOf(ascending) / 2;
  let reached = 0;
  for (const { value, weight } of ascending) {
    reached += weight;
    if (reached >= half) return value;
  }
  return ascending.at(-1)!.value;
}

/** Distance of two prices in bps of the lower one. */
export function deviationBps(a: Money, b: Money): number {
  const [low, high] = a.lt(b) ? [a, b] : [b, a];
  return high.minus(low).times(BPS).div(low).toNumber();
}

/**
 * Judges the values of one figure of a symbol. Half of the weight is no majority, and what is missing never helps: with one
 * value and a quorum of one that value stands, as without any comparison.
 */
export function consensusOf(values: readonly SourceValue[], rules: ConsensusRules): Consensus {
  const all = countedOf(values, rules);
  const counted = all.toSorted(byName(rules.own)).map(({ from }) => from);
  const quorum = Math.max(1, rules.quorum);
  if (all.length < quorum) return { kind: "too_few", counted };
  const ascending = all.toSorted(byValue);
  const total = weightOf(ascending);
  const hasOwn = counted.some(({ source }) => source === rules.own);
  const agreeing = groupsOf(ascending, rules.limitBps)
    .filter(
      (group) =>
        group.length >= quorum &&
        2 * weightOf(group) > total &&
        (!hasOwn || group.some(({ from }) => from.source === rules.own)),
    )
    .reduce<Counted[] | null>(
      (best, group) => (best !== null && weightOf(best) >= weightOf(group) ? best : group),
      null,
    );
  if (agreeing === null)
    return { kind: "disagreement", deviationBps: deviationBps(ascending[0]!.value, ascending.at(-1)!.value), counted };
  return {
    kind: "agreed",
    value: weightedMedian(agreeing).toFixed(),
    agreeing: agreeing.toSorted(byName(rules.own)).map(({ from }) => from.source),
    counted,
  };
}
