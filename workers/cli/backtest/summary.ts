import type { Statistic } from "@/lib/domain/engine/statistics.ts";
import { countText, moneyText, signedPercentText } from "@/lib/domain/format.ts";

const NO_VALUE = "—";

/** A figure as it reads; "—" where it is not defined. */
export function statisticText({ value, unit }: Statistic): string {
  if (value === null) return NO_VALUE;
  switch (unit) {
    case "USD":
      return moneyText(value);
    case "fraction":
      return signedPercentText(value * 100);
    case "share":
    case "probability":
      return `${(value * 100).toFixed(1)}%`;
    case "count":
      return countText(value);
    case "sessions":
      return value.toFixed(1);
    case "ratio":
      return value.toFixed(2);
  }
}

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
