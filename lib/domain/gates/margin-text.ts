import { percentBeside } from "../beside-line.ts";
import type { GateResult } from "../engine/plan.ts";
import type { Unit, Verdict } from "./gate.ts";
import { GATE_OF } from "./gates.ts";
import { counted } from "../counted.ts";
import { dollars } from "./texts.ts";

const whole = (noun: string) => (margin: number) => counted(margin, noun);
/** Time runs in parts of a unit: what passed did so by at least this, what was refused by at most this. */
const part =
  (noun: string) =>
  (margin: number, { passed }: Verdict) =>
    counted(passed ? Math.floor(margin) : Math.ceil(margin), noun);

const IN_UNIT: Record<Unit, (margin: number, verdict: Verdict) => string> = {
  USD: dollars,
  percent: (margin) => percentBeside(margin, [0], { digits: 2, lineDigits: 2 })[0],
  minute: part("minute"),
  second: part("second"),
  session: whole("session"),
  position: whole("position"),
  order: whole("order"),
  "day trade": whole("day trade"),
};

/** How far from its line a gate passed or refused, with the unit: "$2,331.25", "3 sessions"; null where it says only yes or no. */
export function marginText(result: GateResult): string | null {
  const { code, margin, passed } = result;
  if (margin === null || margin === 0) return null;
  // A closed market is no minutes away from its hours.
  if (code === "market_hours" && !passed && margin === -1) return null;
  const { unit } = GATE_OF[code];
  if (unit === undefined) return null;
  return (typeof unit === "string" ? IN_UNIT[unit] : unit)(Math.abs(margin), result);
}
