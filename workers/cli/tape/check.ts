import { sessionsBetween } from "@/lib/domain/market-calendar.ts";
import { barsBySymbol, checkBars, type SymbolBars } from "./check-bars.ts";
import { checkJumps, readRatios } from "./check-jumps.ts";
import { checkOrder, createFindings, type Finding, type Findings, readFile } from "./read-files.ts";

export interface TapeReport {
  /** What the tape holds, as name and value. */
  contents: [string, string][];
  findings: Finding[];
}

/** Share of the sessions that a symbol, and the VIX, should have. */
const COVERED = 0.95;
/** A dividend above this share of the last close is worth a look. */
const LARGE_DIVIDEND = 0.15;

const percent = (share: number) => `${(100 * share).toFixed(1)} %`;

function checkSessions(sessions: string[], findings: Findings): void {
  const [first, last] = [sessions[0], sessions.at(-1)];
  if (first === undefined || last === undefined) return;
  const calendar = new Set(sessionsBetween(first, last));
  const own = new Set(sessions);
  for (const date of calendar)
    if (!own.has(date)) findings.add("error", "bars.csv.gz", "every session of the exchange has bars", date);
  for (const date of own)
    if (!calendar.has(date)) findings.add("error", "bars.csv.gz", "bars lie on sessions of the exchange", date);
}

/** Symbols that miss sessions between their own first and last one; a late listing is no gap. */
function checkCoverage(bySymbol: Map<string, SymbolBars>, sessions: string[], findings: Findings): void {
  const place = new Map(sessions.map((date, i) => [date, i]));
  for (const [symbol, { dates }] of bySymbol) {
    const from = place.get(dates[0] as string) as number;
    const to = place.get(dates.at(-1) as string) as number;
    const share = dates.length / (to - from + 1);
    const said = `${symbol}: ${dates.length} of ${to - from + 1} sessions`;
    if (share < COVERED)
      findings.add("warning", "bars.csv.gz", `symbols have ${percent(COVERED)} of their sessions`, said);
  }
}

function checkVix(rows: string[][], sessions: string[], findings: Findings): void {
  for (const row of rows) {
    const [open, high, low, close] = row.slice(1).map(Number) as [number, number, number, number];
    const isSane = low > 0 && low <= Math.min(open, close) && high >= Math.max(open, close) && high < 200;
    if (!isSane) findings.add("error", "vix.csv", "values are a day's open, high, low and close", row.join(","));
  }
  const dates = new Set(rows.map(([date]) => date));
  const covered = sessions.filter((date) => dates.has(date)).length / Math.max(1, sessions.length);
  if (covered < COVERED)
    findings.add("warning", "vix.csv", `it covers ${percent(COVERED)} of the sessions`, percent(covered));
}

function checkDividends(rows: string[][], bySymbol: Map<string, SymbolBars>, findings: Findings): void {
  for (const [date = "", symbol = "", amount] of rows) {
    const value = Number(amount);
    if (!(value > 0))
      findings.add("error", "dividends.csv", "amounts are positive", `${date},${symbol},${amount ?? ""}`);
    const bars = bySymbol.get(symbol);
    const before = bars?.closes[bars.dates.findLastIndex((own) => own < date)];
    if (before !== undefined && value > before * LARGE_DIVIDEND)
      findings.add(
        "warning",
        "dividends.csv",
        `dividends are below ${percent(LARGE_DIVIDEND)} of the price`,
        `${date} ${symbol}: ${amount ?? ""} of ${before}`,
      );
  }
}

/** Reads a tape and says what it holds and what is wrong with it. */
export function checkTape(directory: string): TapeReport {
  const findings = createFindings();
  const byDateAndSymbol = ([date = "", symbol = ""]: string[]) => `${date} ${symbol}`;
  const byFirst = ([first = ""]: string[]) => first;
  const read = (name: Parameters<typeof readFile>[1], keyOf: (row: string[]) => string) => {
    const rows = readFile(directory, name, findings);
    checkOrder(name, rows, keyOf, findings);
    return rows;
  };
  const assets = read("assets.csv", byFirst);
  const bars = read("bars.csv.gz", byDateAndSymbol);
  const splits = read("splits.csv", byDateAndSymbol);
  const dividends = read("dividends.csv", byDateAndSymbol);
  const vix = read("vix.csv", byFirst);
  const earnings = read("earnings.csv", byDateAndSymbol);

  checkBars(bars, findings);
  const sessions = [...new Set(bars.map(byFirst))].sort();
  const bySymbol = barsBySymbol(bars);
  if (bars.length === 0) findings.add("error", "bars.csv.gz", "there are bars", "none");
  checkSessions(sessions, findings);
  checkCoverage(bySymbol, sessions, findings);
  checkJumps(bySymbol, readRatios(splits, findings), findings);
  checkDividends(dividends, bySymbol, findings);
  checkVix(vix, sessions, findings);
  const listed = new Set(assets.map(byFirst));
  for (const symbol of bySymbol.keys())
    if (!listed.has(symbol)) findings.add("warning", "assets.csv", "it lists every symbol with bars", symbol);
  for (const [symbol = "", , sector] of assets)
    if (sector === "") findings.add("warning", "assets.csv", "every symbol has a sector", symbol);
  const reporting = new Set(earnings.map(([, symbol]) => symbol));
  if (earnings.length === 0)
    findings.add("warning", "earnings.csv", "there are earnings dates", "none: the backtest refuses every entry");

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
  };
}
