import type { Findings } from "@/lib/domain/backtest/check.ts";
import { numberOf, type SymbolBars } from "./check-bars.ts";

/** Ratios below this (and above its inverse) drown in a day's ordinary move. */
const CLEAR_RATIO = 1.4;
/** How far, as a factor, an overnight move may be from a whole ratio to look like a split that is not listed. */
const LIKE_A_SPLIT = 1.03;
const USUAL_RATIOS = [2, 3, 4, 5, 6, 7, 8, 10, 15, 20];

const RATIOS = { rule: "ratios are positive and not 1", repair: "the rows are left out" };
const UNLISTED = { rule: "no price jumps like a split that is not listed", repair: null };
const BETWEEN = { rule: "splits lie between two bars of their symbol", repair: null };
const MISFIT = {
  rule: "prices fall by the ratio (bars are not adjusted)",
  repair: "the splits that the prices do not show are left out",
};
/** From this share of the clear splits on, misfits are no blemishes: the bars were adjusted already. */
const ADJUSTED_SHARE = 0.5;

/** Ratios by symbol and date. */
export type Ratios = Map<string, number>;

export function readRatios(rows: string[][], findings: Findings): Ratios {
  const ratios: Ratios = new Map();
  for (const [date = "", symbol = "", text] of rows) {
    const ratio = numberOf(text);
    if (ratio > 0 && ratio !== 1) ratios.set(`${symbol} ${date}`, ratio);
    else findings.add("error", "splits.csv", RATIOS, `${date},${symbol},${text ?? ""}`);
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
 * not), and no other morning looks like a split. Answers the splits that the prices do not show, as symbol and date, where they
 * are so many that the tape is at fault; a few are blemishes of a source (spin-offs), and a warning.
 */
export function checkJumps(bySymbol: Map<string, SymbolBars>, ratios: Ratios, findings: Findings): Set<string> {
  const seen = new Set<string>();
  const misfits = new Map<string, string>();
  let clear = 0;
  for (const [symbol, { dates, opens, closes }] of bySymbol) {
    for (let i = 1; i < dates.length; i += 1) {
      const date = dates[i] as string;
      const move = (closes[i - 1] as number) / (opens[i] as number);
      const ratio = ratios.get(`${symbol} ${date}`);
      const said = `${date} ${symbol}: ${closes[i - 1] ?? ""} → ${opens[i] ?? ""}`;
      if (ratio === undefined) {
        const like = likeness(move);
        if (like !== null) findings.add("warning", "splits.csv", UNLISTED, `${said}, like ${like}`);
        continue;
      }
      seen.add(`${symbol} ${date}`);
      if (ratio < CLEAR_RATIO && ratio > 1 / CLEAR_RATIO) continue;
      clear += 1;
      // On a logarithmic scale the move has to be nearer to the ratio than to none.
      const misfit = Math.abs(Math.log(move / ratio));
      if (misfit > Math.abs(Math.log(ratio)) / 2) misfits.set(`${symbol} ${date}`, `${said}, ratio ${ratio}`);
    }
  }
  const isAdjusted = misfits.size > 0 && misfits.size >= clear * ADJUSTED_SHARE;
  for (const said of misfits.values()) findings.add(isAdjusted ? "error" : "warning", "splits.csv", MISFIT, said);
  for (const key of ratios.keys()) if (!seen.has(key)) findings.add("warning", "splits.csv", BETWEEN, key);
  return isAdjusted ? new Set(misfits.keys()) : new Set();
}
