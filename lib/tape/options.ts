import { existsSync, readFileSync } from "node:fs";
import { anyText, date, positiveNumber, readArguments, refuse } from "@/lib/command.ts";
import type { SessionDate } from "@/lib/domain/time.ts";
import { cellsOf } from "@/lib/exchange/market/tape.ts";

export const HELP = `Usage: npm run tape -- download --from DATE --to DATE --symbols FILE --out DIR [options]
       npm run tape -- check DIR

download builds a tape directory (assets.csv bars.csv.gz splits.csv dividends.csv vix.csv earnings.csv) from Alpaca's market
data with the keys ALPACA_DATA_KEY_ID and ALPACA_DATA_SECRET, and then checks it. An interrupted download is taken up where it
stopped when the same command is given again.

  --from DATE  --to DATE     first and last session
  --symbols FILE             one symbol a line, or a CSV with the columns symbol, name, sector
  --out DIR                  where the tape goes
  --feed FEED                sip or iex (default: sip, which every plan gives of the past)
  --calls-per-minute N       at most so many calls (default 180; the free plan allows 200)

Earnings dates come from Finnhub (FINNHUB_TOKEN) or Financial Modeling Prep (FMP_API_KEY), which also knows sectors; without either
there are none. The VIX comes from CBOE.

Addresses: ALPACA_DATA_URL, ALPACA_PAPER_URL, FINNHUB_URL, FMP_URL, CBOE_URL.

check prints what the tape holds and what is wrong with it. It ends with 1 when there is an error, 0 otherwise.
`;

export interface WantedSymbol {
  symbol: string;
  name: string | null;
  sector: string | null;
}

export interface DownloadCommand {
  kind: "download";
  directory: string;
  from: SessionDate;
  to: SessionDate;
  symbols: WantedSymbol[];
  feed: string;
  callsPerMinute: number;
  dataUrl: string;
  tradingUrl: string;
  keyId: string;
  secret: string;
  cboeUrl: string;
  finnhub: { url: string; token: string } | null;
  fmp: { url: string; key: string } | null;
}

export type TapeCommand = DownloadCommand | { kind: "check"; directory: string };

const OPTIONS = {
  from: date.optional(),
  to: date.optional(),
  symbols: anyText.optional(),
  out: anyText.optional(),
  feed: anyText.optional(),
  "calls-per-minute": positiveNumber.default(180),
};

/** Reads the symbols file: the first column is the symbol; with a header, columns are found by name. */
export function readSymbols(text: string): WantedSymbol[] {
  const rows = text
    .split(/\r?\n/)
    .map((line) => line.trim())
    .filter((line) => line !== "" && !line.startsWith("#"))
    .map(cellsOf);
  const header = rows[0]?.[0]?.toLowerCase() === "symbol" ? (rows.shift() ?? []).map((cell) => cell.toLowerCase()) : [];
  const column = (row: string[], name: string) => {
    const at = header.indexOf(name);
    return at === -1 || row[at] === undefined || row[at] === "" ? null : row[at];
  };
  const found = new Map<string, WantedSymbol>();
  for (const row of rows) {
    const symbol = (row[0] ?? "").trim().toUpperCase();
    if (!/^[A-Z][A-Z0-9./-]*$/.test(symbol)) throw refuse(`"${row[0] ?? ""}" is not a symbol.`);
    found.set(symbol, { symbol, name: column(row, "name"), sector: column(row, "sector") });
  }
  if (found.size === 0) throw refuse("The symbols file names no symbol.");
  return [...found.values()].sort((a, b) => (a.symbol < b.symbol ? -1 : 1));
}

/** The command line and the environment as a command, null when help is asked for. */
export function readTapeCommand(args: string[], environment: Record<string, string | undefined>): TapeCommand | null {
  const given = readArguments(args, OPTIONS, 2);
  const [kind, directory] = given?.positionals ?? [];
  if (given === null || kind === undefined) return null;
  const { from, to, symbols, out, feed, ...values } = given.values;
  if (kind === "check") {
    if (directory === undefined) throw refuse("Which tape? npm run tape -- check DIR");
    return { kind: "check", directory };
  }
  if (kind !== "download") throw refuse(`There is no "${kind}"; there are download and check.`);

  if (from === undefined || to === undefined || out === undefined || symbols === undefined)
    throw refuse("download needs --from DATE, --to DATE, --symbols FILE and --out DIR.");
  if (from > to) throw refuse("--from lies after --to.");
  if (!existsSync(symbols)) throw refuse(`There is no file ${symbols}.`);
  const set = (name: string) => (environment[name] === "" ? undefined : environment[name]);
  const keyId = set("ALPACA_DATA_KEY_ID");
  const secret = set("ALPACA_DATA_SECRET");
  if (keyId === undefined || secret === undefined)
    throw refuse("Alpaca's keys are missing: set ALPACA_DATA_KEY_ID and ALPACA_DATA_SECRET.");
  const token = set("FINNHUB_TOKEN");
  const key = set("FMP_API_KEY");
  const address = (name: string, usual: string) => (set(name) ?? usual).replace(/\/$/, "");
  return {
    kind: "download",
    directory: out,
    from,
    to,
    symbols: readSymbols(readFileSync(symbols, "utf8")),
    feed: feed ?? "sip",
    callsPerMinute: values["calls-per-minute"],
    dataUrl: address("ALPACA_DATA_URL", "https://data.alpaca.markets"),
    tradingUrl: address("ALPACA_PAPER_URL", "https://paper-api.alpaca.markets"),
    keyId,
    secret,
    cboeUrl: address("CBOE_URL", "https://cdn.cboe.com/api/global/us_indices/daily_prices"),
    finnhub: token === undefined ? null : { url: address("FINNHUB_URL", "https://finnhub.io"), token },
    fmp: key === undefined ? null : { url: address("FMP_URL", "https://financialmodelingprep.com"), key },
  };
}
