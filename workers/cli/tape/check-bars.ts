import type { Findings } from "./read-files.ts";

/** A symbol's bars in order of date. */
export interface SymbolBars {
  dates: string[];
  opens: number[];
  closes: number[];
}

/** Prices are positive and lie between low and high; volumes are whole and not negative. */
export function checkBars(rows: string[][], findings: Findings): void {
  for (const row of rows) {
    const [open, high, low, close, volume] = row.slice(2).map(Number) as [number, number, number, number, number];
    const isSane = low > 0 && low <= Math.min(open, close) && high >= Math.max(open, close) && high < Infinity;
    if (!isSane) findings.add("error", "bars.csv.gz", "low ≤ open, close ≤ high, all above 0", row.join(","));
    if (!(volume >= 0 && Number.isInteger(volume)))
      findings.add("error", "bars.csv.gz", "volumes are whole numbers from 0", row.join(","));
  }
}

export function barsBySymbol(rows: string[][]): Map<string, SymbolBars> {
  const bySymbol = new Map<string, SymbolBars>();
  for (const [date = "", symbol = "", open, , , close] of rows) {
    const bars = bySymbol.get(symbol) ?? { dates: [], opens: [], closes: [] };
    bySymbol.set(symbol, bars);
    bars.dates.push(date);
    bars.opens.push(Number(open));
    bars.closes.push(Number(close));
  }
  return bySymbol;
}
