import { existsSync } from "node:fs";
import path from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { runBacktest } from "@/lib/domain/backtest/run-backtest.ts";
import { type FeatureTable, prepareFeatures } from "@/lib/domain/backtest/features.ts";
import type { BacktestResult } from "@/lib/domain/backtest/result.ts";
import { openTape, type OpenTape } from "@/lib/backtest/open-tape.ts";
import { readOptions } from "@/lib/backtest/options.ts";
import { tradedSessions } from "@/lib/backtest/read-history.ts";
import { type RegimeLabel, STRATEGY_NAMES, type StrategyName } from "@/lib/domain/enums.ts";

/** The years of the crash, 2007 to 2010, on recorded bars: what must hold whatever the strategies earn. */

const TAPE = path.resolve(import.meta.dirname, "../../../../shared/market/sp500-2006-2010");
/** Of the equity, by the regime in force. */
const GROSS_CAPS: Record<RegimeLabel, number> = { risk_on: 1, neutral: 0.6, risk_off: 0.25 };
/** Prices move a book above its cap after it was entered within it. */
const DRIFT = 1.1;
const LONG = 120_000;

let tape: OpenTape;
let features: FeatureTable;
const results = new Map<StrategyName, BacktestResult>();

function run(strategy: StrategyName): BacktestResult {
  const { policy, preferences, cash, seed } = readOptions(["--tape", TAPE, "--strategy", strategy])!;
  const { from, to } = tradedSessions(tape.index, policy.selector_top50.min_bars, { from: null, to: null });
  return runBacktest({
    index: tape.index,
    features,
    policy,
    preferences,
    cash,
    seed,
    isWithoutEarnings: true,
    from,
    to,
  });
}

beforeAll(() => {
  if (!existsSync(TAPE)) throw new Error(`the market tape is missing: expected it at ${TAPE}`);
  tape = openTape(TAPE, 1, false);
  features = prepareFeatures(tape.index, 252, tape.index.history.sessions.length - 2);
  for (const strategy of STRATEGY_NAMES) results.set(strategy, run(strategy));
}, LONG);

describe.each(STRATEGY_NAMES)("%s through 2008", (strategy) => {
  it("explains every day's change of equity to the cent", () => {
    const { config, days } = results.get(strategy)!;
    let [before, unrealised] = [Number(config.cash), 0];
    for (const day of days) {
      const explained =
        Number(day.realised) + Number(day.unrealised) - unrealised + Number(day.dividends) - Number(day.fees);
      expect(Math.abs(Number(day.equity) - before - explained), day.session).toBeLessThan(0.005);
      [before, unrealised] = [Number(day.equity), Number(day.unrealised)];
    }
  });

  it("never borrows, and enters nothing while the book is above the regime's cap", () => {
    const { days, orders } = results.get(strategy)!;
    const filled = new Set(
      orders.filter(({ purpose, status }) => purpose === "ENTRY" && status === "FILLED").map(({ session }) => session),
    );
    for (const { session, exposure, regime, cash } of days) {
      expect(Number(cash), session).toBeGreaterThanOrEqual(0);
      if (filled.has(session)) expect([session, exposure <= GROSS_CAPS[regime] * DRIFT]).toEqual([session, true]);
    }
  });

  it("is cut to a quarter within a session of risk off, all through 2008", () => {
    const { days } = results.get(strategy)!;
    let off = 0;
    for (const { session, exposure, regime } of days) {
      off = regime === "risk_off" ? off + 1 : 0;
      if (session.startsWith("2008") && off >= 2)
        expect([session, exposure <= GROSS_CAPS.risk_off * DRIFT]).toEqual([session, true]);
    }
    expect(days.some(({ session, regime }) => session.startsWith("2008-10") && regime === "risk_off")).toBe(true);
  });

  it("is stopped by nothing but the drawdown line, which a person resumes", () => {
    const { days, orders, halted } = results.get(strategy)!;
    if (halted !== null) return expect(halted.reason).toContain("a person must resume");
    const lately = days.at(-120)!.session;
    expect(orders.some(({ purpose, session }) => purpose === "ENTRY" && session >= lately)).toBe(true);
  });
});
