import type { SymbolBars } from "./check-bars.ts";
import type { Findings } from "./read-files.ts";

/** Ratios below this (and above its inverse) drown in a day's ordinary move. */
const CLEAR_RATIO = 1.4;
/** How far, as a factor, an overnight move may be from a whole ratio to look like a split that is not listed. */
const LIKE_A_SPLIT = 1.03;
const USUAL_RATIOS = [2, 3, 4, 5, 6, 7, 8, 10, 15, 20];

/** Ratios by symbol and date. */
export type Ratios = Map<string, number>;

export function readRatios(rows: string[][], findings: Findings): Ratios {
  const ratios: Ratios = new Map();
  for (const [date = "", symbol = "", text] of rows) {
    const ratio = Number(text);
    if (ratio > 0 && ratio !== 1) ratios.set(`${symbol} ${date}`, ratio);
    else findings.add("error", "splits.csv", "ratios are positive and not 1", `${date},${symbol},${text ?? ""}`);
  }
  return ratios;
}

/** The whole ratio that an overnight move looks like, null when it looks like none. */
function likeness(move: number): number | null {
  const factor = move < 1 ? 1 / move : move;
  return USUAL_RATIOS.find((ratio) => factor / ratio < LIKE_A_SPLIT && ratio / factor < LIKE_A_SPLIT) ?? null;
}

/**
 * Splits and prices tell the same story: the price falls by the ratio on the split's morning (bars that were adjusted already do
 * not), and no other morning looks like a split.
 */
export function checkJumps(bySymbol: Map<string, SymbolBars>, ratios: Ratios, findings: Findings): void {
  const seen = new Set<string>();
  for (const [symbol, { dates, opens, closes }] of bySymbol) {
    for (let i = 1; i < dates.length; i += 1) {
      const date = dates[i] as string;
      const move = (closes[i - 1] as number) / (opens[i] as number);
      const ratio = ratios.get(`${symbol} ${date}`);
      const said = `${date} ${symbol}: ${closes[i - 1] ?? ""} → ${opens[i] ?? ""}`;
      if (ratio === undefined) {
        const like = likeness(move);
        if (like !== null)
          findings.add(
            "warning",
            "splits.csv",
            "no price jumps like a split that is not listed",
            `${said}, like ${like}`,
          );
        continue;
      }
      seen.add(`${symbol} ${date}`);
      const isClear = ratio >= CLEAR_RATIO || ratio <= 1 / CLEAR_RATIO;
      // On a logarithmic scale the move has to be nearer to the ratio than to none.
      const misfit = Math.abs(Math.log(move / ratio));
      if (isClear && misfit > Math.abs(Math.log(ratio)) / 2)
        findings.add(
          "error",
          "splits.csv",
          "prices fall by the ratio (bars are not adjusted)",
          `${said}, ratio ${ratio}`,
        );
    }
  }
  for (const key of ratios.keys())
    if (!seen.has(key)) findings.add("warning", "splits.csv", "splits lie between two bars of their symbol", key);
}
