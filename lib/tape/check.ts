import {
  checkIngredients,
  checkSessions,
  createFindings,
  type Finding,
  type Findings,
} from "@/lib/domain/backtest/check.ts";
import { INDEX_SYMBOL } from "@/lib/domain/backtest/history.ts";
import { barsBySymbol, numberOf, soundBars, type SymbolBars } from "./check-bars.ts";
import { checkJumps, readRatios } from "./check-jumps.ts";
import { inOrder, readFile } from "./read-files.ts";
import type { TapeFile } from "./write-tape.ts";

export interface TapeReport {
  /** What the tape holds, as name and value. */
  contents: [string, string][];
  findings: Finding[];
  /** The rows of each file as they are without what the errors are about. */
  repaired: Record<TapeFile, string[][]>;
}

/** Share of the sessions that a symbol, and the VIX, should have. */
const COVERED = 0.95;
/** A dividend above this share of the last close is worth a look. */
const LARGE_DIVIDEND = 0.15;

const percent = (share: number) => `${(100 * share).toFixed(1)} %`;
const LEFT_OUT = "the rows are left out";
const RULES = {
  covered: { rule: `symbols have ${percent(COVERED)} of their sessions`, repair: null },
  vixNumbers: { rule: "values are numbers above 0 and below 200", repair: LEFT_OUT },
  vixClose: { rule: "the close lies between low and high", repair: LEFT_OUT },
  vixOpen: { rule: "the open lies between low and high", repair: null },
  vixCovered: { rule: `it covers ${percent(COVERED)} of the sessions`, repair: null },
  dividend: { rule: "amounts are positive", repair: LEFT_OUT },
  largeDividend: { rule: `dividends are below ${percent(LARGE_DIVIDEND)} of the price`, repair: null },
  listed: { rule: "it lists every symbol with bars", repair: null },
  sector: { rule: "every symbol has a sector", repair: null },
  earnings: { rule: "there are earnings dates", repair: null },
};

/** Symbols that miss sessions between their own first and last one; a late listing is no gap. */
function checkCoverage(bySymbol: Map<string, SymbolBars>, sessions: string[], findings: Findings): void {
  const place = new Map(sessions.map((date, i) => [date, i]));
  for (const [symbol, { dates }] of bySymbol) {
    const from = place.get(dates[0] as string) as number;
    const to = place.get(dates.at(-1) as string) as number;
    const share = dates.length / (to - from + 1);
    const said = `${symbol}: ${dates.length} of ${to - from + 1} sessions`;
    if (share < COVERED) findings.add("warning", "bars.csv.gz", RULES.covered, said);
  }
}

function soundVix(rows: string[][], sessions: string[], findings: Findings): string[][] {
  const sound = rows.filter((row) => {
    const [open, high, low, close] = row.slice(1).map(numberOf) as [number, number, number, number];
    const areNumbers = [open, high, low, close].every((value) => value > 0 && value < 200);
    const isSound = areNumbers && low <= close && close <= high;
    if (!isSound) findings.add("error", "vix.csv", areNumbers ? RULES.vixClose : RULES.vixNumbers, row.join(","));
    // Only closes are read: an open out of range is a blemish of the source.
    else if (open < low || open > high) findings.add("warning", "vix.csv", RULES.vixOpen, row.join(","));
    return isSound;
  });
  const dates = new Set(sound.map(([date]) => date));
  const covered = sessions.filter((date) => dates.has(date)).length / Math.max(1, sessions.length);
  if (covered < COVERED && sound.length > 0) findings.add("warning", "vix.csv", RULES.vixCovered, percent(covered));
  return sound;
}

function soundDividends(rows: string[][], bySymbol: Map<string, SymbolBars>, findings: Findings): string[][] {
  return rows.filter(([date = "", symbol = "", amount]) => {
    const value = numberOf(amount);
    if (!(value > 0)) {
      findings.add("error", "dividends.csv", RULES.dividend, `${date},${symbol},${amount ?? ""}`);
      return false;
    }
    const bars = bySymbol.get(symbol);
    const before = bars?.closes[bars.dates.findLastIndex((own) => own < date)];
    if (before !== undefined && value > before * LARGE_DIVIDEND)
      findings.add("warning", "dividends.csv", RULES.largeDividend, `${date} ${symbol}: ${amount ?? ""} of ${before}`);
    return true;
  });
}

/** Reads a tape and says what it holds and what is wrong with it. */
export function checkTape(directory: string): TapeReport {
  const findings = createFindings();
  const byDateAndSymbol = ([date = "", symbol = ""]: string[]) => `${date} ${symbol}`;
  const byFirst = ([first = ""]: string[]) => first;
  const read = (name: TapeFile, keyOf: (row: string[]) => string) =>
    inOrder(name, readFile(directory, name, findings), keyOf, findings);
  const assets = read("assets.csv", byFirst);
  const all = soundBars(read("bars.csv.gz", byDateAndSymbol), findings);
  const splits = read("splits.csv", byDateAndSymbol);
  const paid = read("dividends.csv", byDateAndSymbol);
  const vixDays = read("vix.csv", byFirst);
  const earnings = read("earnings.csv", byDateAndSymbol);

  const calendar = checkSessions([...new Set(all.map(byFirst))], "bars.csv.gz", findings);
  const bars = all.filter((row) => calendar.has(byFirst(row)));
  const sessions = [...new Set(bars.map(byFirst))];
  const bySymbol = barsBySymbol(bars);
  checkCoverage(bySymbol, sessions, findings);
  const ratios = readRatios(splits, findings);
  const misfits = checkJumps(bySymbol, ratios, findings);
  const dividends = soundDividends(paid, bySymbol, findings);
  const vix = soundVix(vixDays, sessions, findings);
  // A file that could not be read has been told of.
  const isRead = (name: TapeFile) =>
    !findings.list().some(({ place, sentence }) => place === name && sentence !== null);
  if (isRead("bars.csv.gz"))
    checkIngredients(
      { bars: bars.length, hasIndex: bySymbol.has(INDEX_SYMBOL), vixDays: isRead("vix.csv") ? vix.length : null },
      { bars: "bars.csv.gz", vix: "vix.csv" },
      findings,
    );
  const listed = new Set(assets.map(byFirst));
  if (isRead("assets.csv"))
    for (const symbol of bySymbol.keys())
      if (!listed.has(symbol)) findings.add("warning", "assets.csv", RULES.listed, symbol);
  for (const [symbol = "", , sector] of assets)
    if (sector === "") findings.add("warning", "assets.csv", RULES.sector, symbol);
  const reporting = new Set(earnings.map(([, symbol]) => symbol));
  if (earnings.length === 0)
    findings.add("warning", "earnings.csv", RULES.earnings, "none: the backtest refuses every entry");

  const cells = bySymbol.size * sessions.length;
  const count = (rows: unknown[]) => rows.length.toLocaleString("en-US");
  return {
    contents: [
      ["sessions", `${count(sessions)}, ${sessions[0] ?? "none"} to ${sessions.at(-1) ?? "none"}`],
      ["symbols", `${bySymbol.size} with bars, ${assets.length} listed`],
      ["bars", `${count(bars)}, ${percent(cells === 0 ? 0 : bars.length / cells)} of symbols × sessions`],
      ["splits", count(splits)],
      ["dividends", count(dividends)],
      ["VIX", `${count(vix)} days`],
      ["earnings", `${count(earnings)} dates of ${reporting.size} symbols`],
    ],
    findings: findings.list(),
    repaired: {
      "assets.csv": assets,
      "bars.csv.gz": bars,
      "splits.csv": splits.filter(
        ([date, symbol]) => ratios.has(`${symbol} ${date}`) && !misfits.has(`${symbol} ${date}`),
      ),
      "dividends.csv": dividends,
      "vix.csv": vix,
      "earnings.csv": earnings,
    },
  };
}
