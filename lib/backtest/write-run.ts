import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import type { Repair } from "@/lib/domain/backtest/check.ts";
import type { BacktestResult } from "@/lib/domain/backtest/result.ts";
import {
  indexEquity,
  type Statistic,
  statisticsOf,
  type Trials,
  universeEquity,
} from "@/lib/domain/statistics/statistics.ts";
import { tablesOf } from "@/lib/domain/statistics/tables.ts";

type Cell = string | number | boolean | null;

/** RFC 4180, with a header. A cell that a spreadsheet would take for a formula is quoted as text. */
export function csv(rows: readonly Readonly<Record<string, Cell>>[], columns: readonly string[]): string {
  const cellText = (value: Cell | undefined) => {
    const content = value === null || value === undefined ? "" : String(value);
    const harmless = typeof value === "string" && /^[=+@\t]/.test(content) ? `'${content}` : content;
    return /[",\n\r]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
  };
  const lines = rows.map((row) => columns.map((column) => cellText(row[column])).join(","));
  return `${[columns.join(","), ...lines].join("\r\n")}\r\n`;
}

const EQUITY_COLUMNS = [
  "session",
  "equity",
  "cash",
  "gross",
  "exposure",
  "drawdown",
  "regime",
  "positions",
  "realised",
  "unrealised",
  "dividends",
  "fees",
  "flows",
  "traded",
  "indexClose",
  "indexReturn",
  "universeReturn",
  "indexEquity",
  "universeEquity",
  "line",
];
const TRADE_COLUMNS = [
  "symbol",
  "name",
  "sector",
  "strategy",
  "opened",
  "closed",
  "sessionsHeld",
  "qty",
  "entryPrice",
  "exitPrice",
  "fees",
  "pnl",
  "pnlFraction",
  "outcome",
  "entryReason",
  "exitReason",
  "entryRegime",
];
const FILL_COLUMNS = [
  "id",
  "orderId",
  "session",
  "symbol",
  "side",
  "qty",
  "price",
  "spreadCost",
  "impactCost",
  "fees",
  "reason",
];

/** How a run differs from a plain one on the tape as it is. */
export interface RunChanges {
  parameters: Record<string, number>;
  repairs: readonly Repair[];
}

/** Writes result.json, equity.csv, trades.csv and fills.csv; answers the statistics. */
export function writeRun(
  directory: string,
  result: BacktestResult,
  trials: Trials,
  { parameters, repairs }: RunChanges,
): Statistic[] {
  const statistics = statisticsOf(result, trials);
  const tables = tablesOf(result);
  const index = indexEquity(result);
  const universe = universeEquity(result);
  mkdirSync(directory, { recursive: true });
  const write = (name: string, content: string) => writeFileSync(path.join(directory, name), content);
  write("result.json", `${JSON.stringify({ ...result, parameters, repairs, trials, statistics, tables }, null, 1)}\n`);
  const days = result.days.map(({ refusals: _, ...day }, i) => ({
    ...day,
    indexEquity: index[i] ?? null,
    universeEquity: universe[i] ?? null,
  }));
  write("equity.csv", csv(days, EQUITY_COLUMNS));
  write(
    "trades.csv",
    csv(
      result.trades.map((row) => ({ ...row })),
      TRADE_COLUMNS,
    ),
  );
  write(
    "fills.csv",
    csv(
      result.fills.map((row) => ({ ...row })),
      FILL_COLUMNS,
    ),
  );
  return statistics;
}
