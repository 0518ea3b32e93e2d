import type { GateResult } from "../engine/plan.ts";
import type { GateCode } from "../engine/reasons.ts";
import { counted, percentText } from "./gate.ts";
import { dollarText, usdOf } from "../risk/usd.ts";

const dollars = (margin: number) => dollarText(usdOf(Number(margin.toFixed(6))));
const whole = (noun: string) => (margin: number) => counted(margin, noun);
/** Time runs in parts of a unit: what passed did so by at least this, what was refused by at most this. */
const units =
  (noun: string) =>
  (margin: number, { passed }: GateResult) =>
    counted(passed ? Math.floor(margin) : Math.ceil(margin), noun);

/** What the margin of a gate counts; gates that only say yes or no have none. */
const UNITS: Partial<Record<GateCode, (margin: number, result: GateResult) => string>> = {
  market_hours: units("minute"),
  data_stale: units("second"),
  earnings_blackout: whole("session"),
  // A missing factor family weighs a whole one, a confidence always less.
  conviction: (margin, { passed }) =>
    !passed && margin >= 1
      ? `${margin} factor ${margin === 1 ? "family" : "families"}`
      : `${margin.toFixed(3)} of confidence`,
  max_positions: whole("position"),
  position_value: dollars,
  sector: (margin, { detail }) => (detail.includes("mean-reversion") ? counted(margin, "position") : dollars(margin)),
  gross: dollars,
  adv: dollars,
  price_collar: (margin) => percentText(margin, 2),
  order_rate: whole("order"),
  daily_loss: (margin) => percentText(margin, 2),
  drawdown: (margin) => percentText(margin, 2),
  cooldown: whole("session"),
  stop_guard: whole("session"),
  buying_power: dollars,
  day_trades: whole("day trade"),
};

/** How far from its line a gate passed or refused, with the unit: "$2,331.25", "3 sessions"; null where it says only yes or no. */
export function marginText(result: GateResult): string | null {
  const { code, margin, passed } = result;
  if (margin === null || margin === 0) return null;
  // A closed market is no minutes away from its hours.
  if (code === "market_hours" && !passed && margin === -1) return null;
  return UNITS[code]?.(Math.abs(margin), result) ?? null;
}
