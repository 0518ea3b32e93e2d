import {
  dateText,
  easternText,
  moneyText,
  ratioText,
  shareText,
  signedMoneyText,
  signedPercentText,
} from "@/lib/domain/format.ts";
import { type MetricDefinition, METRICS } from "@/lib/domain/metrics-registry.ts";
import { toneOfText } from "../../_ui/tone-of-text.ts";
import type { Performance } from "./performance-screen.tsx";

const byId = new Map(METRICS.map((metric) => [metric.id, metric]));

export function metricOf(id: string): MetricDefinition {
  const metric = byId.get(id);
  if (!metric) throw new RangeError(`the figure ${id} has no definition`);
  return metric;
}

/** Shares of a whole, which have no sign. */
const PLAIN = new Set(["winRate", "meanExposure", "volatility"]);
/** Amounts that only cost. */
const COSTS = new Set(["tradingFees"]);

/** A figure as it reads, by its unit: "+3.20%", "62.5%", "1.43", "-$20.00", "3.1 bps". */
export function figureText(id: string, value: number): string {
  const { unit } = metricOf(id);
  if (unit === "fraction") return PLAIN.has(id) ? shareText(value) : signedPercentText(100 * value);
  if (unit === "USD") return COSTS.has(id) ? moneyText(value) : signedMoneyText(value);
  if (unit === "bps") return `${ratioText(value, 1)} bps`;
  return ratioText(value, 2);
}

type Comparison = NonNullable<Performance["comparison"]>;

const endOf = ({ lastSession, at }: Comparison) =>
  at === null ? `the close of ${dateText(lastSession)}` : easternText(at);

const benchmarkFrom = ({ firstSession }: Comparison) => `from the close before ${dateText(firstSession)}`;

/** Where SPY beside the account begins and ends: "from the close before 2 Jan 2018 to the close of 30 Jan 2018". */
export const benchmarkPeriod = (comparison: Comparison): string =>
  `${benchmarkFrom(comparison)} to ${endOf(comparison)}`;

/** The same of both: what the account grew by begins with itself where there was none at that close. */
export const comparisonPeriod = (comparison: Comparison): string =>
  comparison.hasOwnStart
    ? `the account from its beginning, SPY ${benchmarkFrom(comparison)}, both to ${endOf(comparison)}`
    : `both ${benchmarkPeriod(comparison)}`;

/** Which way a figure points; only those of which more or less is better have one. */
export function toneOf(id: string, value: number): string {
  const { unit } = metricOf(id);
  const isDirected = unit === "USD" ? !COSTS.has(id) : unit === "fraction" && !PLAIN.has(id);
  return isDirected ? toneOfText(figureText(id, value)) : "";
}
