/** A small market for tests of backtests, as a tape that the practice market and the command both read. */
import { mkdtempSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { gzipSync } from "node:zlib";
import { sessionsBetween } from "@/lib/domain/market-calendar.ts";
import { startExchange, type Exchange } from "@/lib/exchange/start.ts";

const SESSIONS = sessionsBetween("2019-01-02", "2020-07-31");
/** The session in which the practice market stands. */
export const MARKET_TODAY = "2020-07-01";
export const THREAD_PROGRAM = pathToFileURL(path.resolve("workers/threads/backtest.ts")).href;

/** Twelve rising names that swing, one of them split and one paying a dividend, and an index that does not swing. */
export function writeTape(): string {
  const directory = mkdtempSync(path.join(os.tmpdir(), "backtest-tape-"));
  const names = [..."ABCDEFGHIJKL"].map((letter) => `${letter}${letter}`);
  const rows = SESSIONS.flatMap((date, i) =>
    [...names, "SPY"].map((symbol, k) => {
      const swing = symbol === "SPY" ? 0 : 0.04 * Math.sin(i / (2 + k / 5) + k);
      const halved = symbol === "AA" && date >= "2020-03-16" ? 0.5 : 1;
      const close = halved * (100 + k) * 1.0012 ** (i * (1 + k / 20)) * (1 + swing);
      const [open, high, low] = [close * 0.998, close * 1.012, close * 0.985];
      return [date, symbol, ...[open, high, low, close].map((value) => value.toFixed(2)), 2_000_000].join(",");
    }),
  );
  const write = (name: string, lines: string[]) => writeFileSync(path.join(directory, name), `${lines.join("\n")}\n`);
  writeFileSync(
    path.join(directory, "bars.csv.gz"),
    gzipSync(["date,symbol,open,high,low,close,volume", ...rows].join("\n")),
  );
  write("assets.csv", [
    "symbol,name,sector",
    ...names.map((symbol, k) => `${symbol},${symbol} Inc,Sector ${k % 6}`),
    "SPY,Index,ETF",
  ]);
  write("splits.csv", ["date,symbol,ratio", "2020-03-16,AA,2"]);
  write("dividends.csv", ["date,symbol,amount", "2020-02-12,BB,0.35", "2020-05-13,BB,0.4"]);
  write("vix.csv", ["date,open,high,low,close", ...SESSIONS.map((date) => `${date},13,13,13,13`)]);
  write("earnings.csv", ["date,symbol", "2019-01-03,AA", "2020-04-21,CC"]);
  return directory;
}

/** The practice market on that tape, at rest before the open of `MARKET_TODAY`. */
export function startMarket(tape: string): Promise<Exchange> {
  return startExchange({
    port: 0,
    databaseUrl: null,
    controlToken: "test-control-token",
    paused: true,
    tape,
    start: MARKET_TODAY,
  });
}
