import {
  addBarFault,
  brokenBarRule,
  checkIngredients,
  checkSessions,
  createFindings,
  faultsOf,
  ORDER_RULES,
} from "@/lib/domain/backtest/check.ts";
import { INDEX_SYMBOL } from "@/lib/domain/backtest/history.ts";
import { Failure } from "@/lib/domain/failures.ts";
import type { DailyBar } from "../../providers/market-data.ts";

const MARKETS = { PRACTICE: "practice market", US: "US market" } as const;

/**
 * Holds a source's bars to the rules that a tape is held to before the first bar is traded. Throws a Failure with one
 * sentence per fault.
 */
export function checkHistory(
  market: keyof typeof MARKETS,
  bars: ReadonlyMap<string, readonly DailyBar[]>,
  vixDays: number,
): void {
  const place = `The history of the ${MARKETS[market]}`;
  const findings = createFindings();
  const dates = new Set<string>();
  let count = 0;
  for (const [symbol, rows] of bars) {
    let before = "";
    for (const { session, open, high, low, close, volume } of rows) {
      const broken = brokenBarRule(open, high, low, close, volume);
      const said = `${symbol} ${session}`;
      if (broken !== null)
        addBarFault(findings, place, broken, `${said}: ${[open, high, low, close, volume].join(" ")}`);
      if (session === before) findings.add("error", place, ORDER_RULES.double, said);
      else if (session < before) findings.add("error", place, ORDER_RULES.sorted, `${said} after ${before}`);
      before = session;
      dates.add(session);
      count += 1;
    }
  }
  checkSessions([...dates].sort(), place, findings);
  checkIngredients({ bars: count, hasIndex: bars.has(INDEX_SYMBOL), vixDays }, { bars: place, vix: place }, findings);
  const faults = faultsOf(findings.list());
  if (faults.length > 0) throw new Failure("invalid_input", faults.join(" "));
}
