import { existsSync, readFileSync, statSync } from "node:fs";
import path from "node:path";
import { gunzipSync } from "node:zlib";
import type { SessionDate } from "../../domain/time.ts";
import { uuidOf } from "./seeded.ts";
import type { Asset, Dividend, EarningsReport, Market, Series, Split, VixDay } from "./source.ts";

/** Rows of a small CSV file with quoted cells, without its header; a missing file has none. */
function rowsOf(directory: string, name: string): string[][] {
  const file = path.join(directory, name);
  if (!existsSync(file)) return [];
  const lines = readFileSync(file, "utf8").split(/\r?\n/).slice(1);
  return lines.filter((line) => line !== "").map(cellsOf);
}

/** The cells of a CSV line, quoted ones without their quotes. */
export function cellsOf(line: string): string[] {
  if (!line.includes('"')) return line.split(",");
  const cells: string[] = [];
  for (const match of line.matchAll(/(?:^|,)(?:"((?:[^"]|"")*)"|([^,]*))/g)) {
    cells.push(match[1] === undefined ? (match[2] ?? "") : match[1].replaceAll('""', '"'));
  }
  return cells;
}

interface Columns {
  open: Float64Array;
  high: Float64Array;
  low: Float64Array;
  close: Float64Array;
  volume: Float64Array;
}

function emptyColumns(length: number): Columns {
  const column = () => new Float64Array(length).fill(Number.NaN);
  return { open: column(), high: column(), low: column(), close: column(), volume: column() };
}

interface Bars {
  sessions: SessionDate[];
  columns: Map<string, Columns>;
}

/** The tape that was read last: many exchanges of one process run on the same one, and its columns are never changed. */
let lastRead: { key: string; bars: Bars } | undefined;

function readBars(directory: string): Bars {
  const file = path.join(directory, "bars.csv.gz");
  const key = `${path.resolve(file)} ${statSync(file).mtimeMs}`;
  if (lastRead?.key !== key) lastRead = { key, bars: parseBars(gunzipSync(readFileSync(file)).toString("latin1")) };
  return lastRead.bars;
}

/** Rows of bars.csv.gz (sorted by date) as columns per symbol. Rows without a usable price are left out as gaps. */
function parseBars(content: string): Bars {
  const rows: string[][] = [];
  const sessions: SessionDate[] = [];
  let start = content.indexOf("\n") + 1;
  while (start > 0 && start < content.length) {
    let end = content.indexOf("\n", start);
    if (end === -1) end = content.length;
    const row = content.slice(start, end).trimEnd().split(",");
    if (row.length === 7) {
      rows.push(row);
      if (row[0] !== sessions[sessions.length - 1]) sessions.push(row[0] as string);
    }
    start = end + 1;
  }
  const ordered = [...new Set(sessions)].sort();
  const indexOf = new Map(ordered.map((date, i) => [date, i]));
  const columns = new Map<string, Columns>();
  for (const [date, symbol, open, high, low, close, volume] of rows as [
    string,
    string,
    string,
    string,
    string,
    string,
    string,
  ][]) {
    const o = Number(open);
    const c = Number(close);
    const h = Math.max(Number(high), o, c);
    const l = Math.min(Number(low), o, c);
    if (!(l > 0) || !Number.isFinite(h)) continue;
    let column = columns.get(symbol);
    if (column === undefined) columns.set(symbol, (column = emptyColumns(ordered.length)));
    const i = indexOf.get(date) as number;
    column.open[i] = o;
    column.high[i] = h;
    column.low[i] = l;
    column.close[i] = c;
    column.volume[i] = Math.max(0, Math.round(Number(volume)) || 0);
  }
  return { sessions: ordered, columns };
}

/** A market read from a tape directory. */
export function readTape(directory: string, seed: number): Market {
  if (!existsSync(path.join(directory, "bars.csv.gz")))
    throw new Error(`no tape at ${directory}: bars.csv.gz is missing`);
  const { sessions, columns } = readBars(directory);
  const described = new Map(
    rowsOf(directory, "assets.csv").map(([symbol, name, sector]) => [symbol, { name, sector }]),
  );
  const symbols = [...columns.keys()].sort();
  const assets = new Map<string, Asset>();
  for (const symbol of symbols) {
    const found = described.get(symbol);
    const sector = found?.sector === undefined || found.sector === "" ? null : found.sector;
    assets.set(symbol, {
      id: uuidOf(`asset:${symbol}`),
      symbol,
      name: found?.name ?? symbol,
      sector,
      exchange: sector === "ETF" ? "ARCA" : symbol.length >= 4 ? "NASDAQ" : "NYSE",
    });
  }
  const known = (row: string[]) => columns.has(row[1] ?? "");
  const index = new Map(sessions.map((date, i) => [date, i]));
  const earnings = rowsOf(directory, "earnings.csv").filter(known);
  return {
    kind: "tape",
    name: path.basename(path.resolve(directory)),
    seed,
    symbols,
    assets,
    sessions,
    // A year of bars for twelve-month momentum, and some sessions before the start to be played by hand.
    defaultStart: sessions[Math.min(272, Math.floor(sessions.length / 2))] as SessionDate,
    lastSession: sessions[sessions.length - 1] as SessionDate,
    splits: rowsOf(directory, "splits.csv")
      .filter(known)
      .map(([date, symbol, ratio]) => ({ date, symbol, ratio }) as Split),
    dividends: rowsOf(directory, "dividends.csv")
      .filter(known)
      .map(([date, symbol, amount]) => ({ date, symbol, amount }) as Dividend),
    earnings: earnings.map(
      ([date, symbol]) => ({ date, symbol, hour: "", epsEstimate: null, epsActual: null }) as EarningsReport,
    ),
    vix: rowsOf(directory, "vix.csv").map(
      ([date, open, high, low, close]) =>
        ({ date, open: Number(open), high: Number(high), low: Number(low), close: Number(close) }) as VixDay,
    ),
    // Daily bars do not tell of halts.
    halts: [],
    extendTo() {
      // A tape ends where it ends.
    },
    series: (symbol) => columns.get(symbol) as Series | undefined,
    sessionIndex: (date) => index.get(date),
  };
}
