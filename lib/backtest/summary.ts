import type { Statistic } from "@/lib/domain/statistics/statistics.ts";
import { statisticText } from "@/lib/domain/statistics/text.ts";

export const CAVEAT =
  "Hypothetical result of a backtest. The tape holds the symbols that exist at its end (survivorship), fills come from a model, and past prices are no evidence of an edge. No account was traded.";

/** Lines of a table, first column left, the others right. */
export function textTable(rows: readonly (readonly string[])[]): string {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  return rows
    .map((row) =>
      row.map((cell, column) => (column === 0 ? cell.padEnd(widths[0]!) : cell.padStart(widths[column]!))).join("  "),
    )
    .join("\n");
}

/** The figures of one run for a terminal, each undefined one with its reason. */
export function summaryText(statistics: readonly Statistic[]): string {
  const lines = textTable(statistics.map((statistic) => [statistic.name, statisticText(statistic)])).split("\n");
  return lines.map((line, i) => (statistics[i]?.reason ? `${line}  (${statistics[i].reason})` : line)).join("\n");
}
