import { addBarFault, brokenBarRule, type Findings } from "@/lib/domain/backtest/check.ts";

/** A symbol's bars in order of date. */
export interface SymbolBars {
  dates: string[];
  opens: number[];
  closes: number[];
}

const NUMBER = /^-?\d+(\.\d+)?(e[+-]?\d+)?$/i;

/** The number that a cell holds; NaN for a cell that holds none. */
export function numberOf(cell: string | undefined): number {
  return cell !== undefined && NUMBER.test(cell) ? Number(cell) : Number.NaN;
}

/** The bars that hold: prices are positive and lie between low and high, volumes are whole. What does not is noted, and mended where it can be. */
export function soundBars(rows: string[][], findings: Findings): string[][] {
  const sound: string[][] = [];
  for (const row of rows) {
    const [date = "", symbol = ""] = row;
    const [open, high, low, close, volume] = [2, 3, 4, 5, 6].map((i) => numberOf(row[i])) as [
      number,
      number,
      number,
      number,
      number,
    ];
    const broken = brokenBarRule(open, high, low, close, volume);
    if (broken !== null) addBarFault(findings, "bars.csv.gz", broken, row.join(","));
    if (broken === null) sound.push(row);
    else if (broken === "range" || broken === "volume") {
      const prices = [open, Math.max(high, open, close), Math.min(low, open, close), close].map(String);
      sound.push([date, symbol, ...prices, String(Math.max(0, Math.round(volume)))]);
    }
  }
  return sound;
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
