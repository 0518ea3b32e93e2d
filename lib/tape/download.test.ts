import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { generateMarket } from "@/lib/exchange/market/generated.ts";
import type { Market } from "@/lib/exchange/market/source.ts";
import { readTape } from "@/lib/exchange/market/tape.ts";
import type { Exchange } from "@/lib/exchange/start.ts";
import { startTestExchange } from "@/lib/proof/market/test-exchange.ts";
import { checkTape } from "./check.ts";
import { download } from "./download.ts";
import { type DownloadCommand, readTapeCommand } from "./options.ts";

const TOKEN = "a-control-token-of-the-test";
const FROM = "2023-03-01";
const TO = "2024-01-05";

let exchange: Exchange;
let market: Market;
let folder: string;
let symbols: string[];
let waits: number[];
let said: string[];

vi.setConfig({ testTimeout: 30_000, hookTimeout: 30_000 });

beforeAll(async () => {
  folder = mkdtempSync(path.join(tmpdir(), "tape-"));
  market = generateMarket({ seed: 3, start: "2024-01-08" });
  exchange = await startTestExchange({ port: 0, paused: true, seed: 3, controlToken: TOKEN });
  await exchange.control.clock({ advanceMinutes: 90 });
  const split = market.splits.find(({ date }) => date > FROM && date < TO)?.symbol as string;
  symbols = [...new Set(["SPY", split, ...market.symbols.slice(0, 130)])].sort();
  writeFileSync(path.join(folder, "symbols.csv"), `symbol,name\n${[...symbols, "ZZZZ"].join(",\n")},\n`);
});

beforeEach(() => {
  waits = [];
  said = [];
  exchange.control.clearFaults();
});

afterAll(async () => {
  await exchange.close();
  rmSync(folder, { recursive: true });
});

function commandFor(out: string, more: Record<string, string> = {}): DownloadCommand {
  const file = path.join(folder, "symbols.csv");
  const args = ["download", "--from", FROM, "--to", "2024-01-31", "--symbols", file, "--out", path.join(folder, out)];
  return readTapeCommand([...args, "--calls-per-minute", "1000000"], {
    ALPACA_DATA_KEY_ID: "TPDATA",
    ALPACA_DATA_SECRET: TOKEN,
    ALPACA_DATA_URL: exchange.url,
    ALPACA_PAPER_URL: exchange.url,
    FINNHUB_URL: `${exchange.url}/vendors/finnhub`,
    FINNHUB_TOKEN: "practice",
    FMP_URL: `${exchange.url}/vendors/fmp`,
    FMP_API_KEY: "practice",
    CBOE_URL: `${exchange.url}/vendors/cboe`,
    ...more,
  }) as DownloadCommand;
}

const fetchTape = (command: DownloadCommand) =>
  download(command, {
    say: (line) => void said.push(line),
    pause: (ms) => {
      waits.push(ms);
      return Promise.resolve();
    },
    progress: () => ({ at() {}, end() {} }),
  });

const inRange = ({ date, symbol }: { date: string; symbol: string }) =>
  date >= FROM && date <= TO && symbols.includes(symbol);
const sorted = <T extends { date: string; symbol: string }>(rows: T[]) =>
  rows.toSorted((a, b) => (`${a.date} ${a.symbol}` < `${b.date} ${b.symbol}` ? -1 : 1));

describe("npm run tape -- download", () => {
  it("brings the market home exactly: bars, splits, dividends, earnings, VIX, names and sectors", async () => {
    const command = commandFor("whole");
    await fetchTape(command);
    expect(said[0]).toContain("tape ends there");
    expect(said).toContain("No bars of ZZZZ.");
    const { findings } = checkTape(command.directory);
    expect(findings.filter(({ level }) => level === "error")).toEqual([]);

    const tape = readTape(command.directory, 1);
    const offset = market.sessionIndex(FROM) as number;
    expect(tape.sessions).toEqual(market.sessions.slice(offset, (market.sessionIndex(TO) as number) + 1));
    expect(tape.symbols).toEqual(symbols);
    for (const symbol of symbols)
      for (const column of ["open", "high", "low", "close", "volume"] as const) {
        const original = Array.from(market.series(symbol)?.[column] ?? []).slice(offset, offset + tape.sessions.length);
        expect(Array.from(tape.series(symbol)?.[column] ?? [])).toEqual(original);
      }
    expect(tape.splits.length).toBeGreaterThan(0);
    expect(tape.splits).toEqual(sorted(market.splits.filter(inRange)));
    expect(tape.dividends).toEqual(sorted(market.dividends.filter(inRange)));
    const dates = (rows: Market["earnings"]) => sorted(rows.filter(inRange)).map(({ date, symbol }) => [date, symbol]);
    expect(dates(tape.earnings)).toEqual(dates(market.earnings));
    expect(tape.vix).toEqual(market.vix.filter(({ date }) => date >= FROM && date <= TO));
    for (const symbol of symbols) {
      const { name, sector } = market.assets.get(symbol) ?? {};
      expect(tape.assets.get(symbol)).toMatchObject({ name, sector });
    }
    expect(readdirSync(command.directory).sort()).toEqual([
      "assets.csv",
      "bars.csv.gz",
      "dividends.csv",
      "earnings.csv",
      "splits.csv",
      "vix.csv",
    ]);
  });

  it("makes a tape on which a new exchange shows the same history", async () => {
    const { directory } = commandFor("whole");
    const second = await startTestExchange({ port: 0, paused: true, tape: directory, start: "2024-01-04" });
    try {
      await second.control.clock({ jumpTo: "2024-01-05" });
      const ask = async (url: string, key: { key_id: string; secret: string }) => {
        const query = `symbols=${symbols.slice(0, 20).join(",")}&timeframe=1Day&start=${FROM}&end=2024-01-04&limit=10000`;
        const headers = { "APCA-API-KEY-ID": key.key_id, "APCA-API-SECRET-KEY": key.secret };
        return (await fetch(`${url}/v2/stocks/bars?${query}&adjustment=split`, { headers })).json();
      };
      const original = await ask(exchange.url, await exchange.control.createAccount());
      expect(await ask(second.url, await second.control.createAccount())).toEqual(original);
    } finally {
      await second.close();
    }
  });

  it("continues where it was interrupted, and does not mix two downloads", async () => {
    const command = { ...commandFor("interrupted"), finnhub: null, fmp: null };
    const counter = exchange.control.addFault({ kind: "delay", ms: 0, path: "/v2/stocks/bars", count: 0 });
    await fetchTape({ ...command, directory: path.join(folder, "uninterrupted") });
    const needed = counter.struck;
    expect(needed).toBeGreaterThan(6);

    exchange.control.clearFaults();
    exchange.control.addFault({ kind: "status", status: 503, path: "/v2/stocks/bars", skip: 4, count: 0 });
    await expect(fetchTape(command)).rejects.toMatchObject({ code: "unavailable" });
    expect(readdirSync(command.directory)).toEqual([".parts"]);
    await expect(fetchTape({ ...command, from: "2023-04-03" })).rejects.toMatchObject({ code: "invalid_input" });

    exchange.control.clearFaults();
    const rest = exchange.control.addFault({ kind: "delay", ms: 0, path: "/v2/stocks/bars", count: 0 });
    await fetchTape(command);
    expect(rest.struck).toBe(needed - 4);
    for (const name of readdirSync(path.join(folder, "uninterrupted")))
      expect(readFileSync(path.join(command.directory, name))).toEqual(
        readFileSync(path.join(folder, "uninterrupted", name)),
      );
  });

  it("waits as long as a limit asks it to, and never calls faster than allowed", async () => {
    exchange.control.addFault({
      kind: "status",
      status: 429,
      path: "/v2/stocks/bars",
      count: 2,
      headers: { "Retry-After": "7" },
    });
    await fetchTape({ ...commandFor("limited"), finnhub: null, fmp: null });
    expect(waits.filter((ms) => ms === 7_000)).toHaveLength(2);
    waits = [];
    const begun = performance.now();
    await fetchTape({ ...commandFor("paced"), callsPerMinute: 60, fmp: null, finnhub: null });
    const took = performance.now() - begun;
    // The waits are not slept here: each call comes at once and has to wait a second longer than the one before it, less the time that passed.
    expect(waits.length).toBeGreaterThan(8);
    waits.forEach((ms, i) => expect(ms).toBeGreaterThan(1_000 * i - took));
  });

  it("stops at once when the keys are refused", async () => {
    await expect(fetchTape({ ...commandFor("refused"), secret: "wrong" })).rejects.toMatchObject({
      code: "invalid_input",
    });
    expect(waits).toEqual([]);
  });

  it("asks Financial Modeling Prep for one day at a time, which answers a part of longer ranges", async () => {
    const command = { ...commandFor("fmp"), from: "2023-11-01", finnhub: null };
    await fetchTape(command);
    const tape = readTape(command.directory, 1);
    const expected = sorted(market.earnings.filter((report) => inRange(report) && report.date >= command.from));
    expect(tape.earnings.map(({ date, symbol }) => [date, symbol])).toEqual(
      expected.map(({ date, symbol }) => [date, symbol]),
    );
  });
});

describe("the command line", () => {
  const file = () => path.join(folder, "symbols.csv");
  it.each([
    [["download", "--from", "2023-01-01", "--to", "2022-01-01"]],
    [["download", "--from", "soon", "--to", "2022-01-01"]],
    [["download", "--from", "2021-01-04", "--to", "2022-01-03", "--out", "x"]],
    [["download", "--from", "2021-01-04", "--to", "2022-01-03", "--out", "x", "--symbols", "no-such-file"]],
    [["check"]],
    [["bake"]],
    [["download", "--colour", "red"]],
  ])("refuses %j with what is missing", (args) => {
    expect(() => readTapeCommand(args, {})).toThrow(expect.objectContaining({ code: "invalid_input" }));
  });

  it("refuses to download without keys, and helps where nothing is asked", () => {
    const args = ["download", "--from", "2021-01-04", "--to", "2022-01-03", "--out", "x", "--symbols", file()];
    expect(() => readTapeCommand(args, { ALPACA_DATA_KEY_ID: "id" })).toThrow("ALPACA_DATA_SECRET");
    expect(readTapeCommand([], {})).toBeNull();
    expect(readTapeCommand(["check", "dir"], {})).toEqual({ kind: "check", directory: "dir" });
  });
});
