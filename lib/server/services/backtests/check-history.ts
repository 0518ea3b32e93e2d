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
import type { MarketName } from "@/lib/domain/enums.ts";
import { Failure } from "@/lib/domain/failures.ts";
import type { DailyBar } from "../../providers/market-data.ts";

const MARKETS = { PRACTICE: "practice market", US: "US market" } as const;

/**
 * Holds a source's bars to the rules that a tape is held to before the first bar is traded, symbol by symbol as they are read:
 * the bars of a whole market are not held at once. `end` throws a Failure with one sentence per fault.
 */
export function createHistoryCheck(market: MarketName) {
  const place = `The history of the ${MARKETS[market]}`;
  const findings = createFindings();
  const dates = new Set<string>();
  let count = 0;
  let hasIndex = false;
  return {
    add(symbol: string, rows: readonly DailyBar[]): void {
      hasIndex ||= symbol === INDEX_SYMBOL && rows.length > 0;
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
    },
    end(vixDays: number): void {
      checkSessions([...dates].sort(), place, findings);
      checkIngredients({ bars: count, hasIndex, vixDays }, { bars: place, vix: place }, findings);
      const faults = faultsOf(findings.list());
      if (faults.length > 0) throw new Failure("invalid_input", faults.join(" "));
    },
  };
}
