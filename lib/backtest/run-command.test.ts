import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { BacktestResult } from "@/lib/domain/backtest/result.ts";
import { sessionsBetween } from "@/lib/domain/market-calendar.ts";
import { readOptions } from "./options.ts";
import { readRegistry } from "./registry.ts";
import { runCommand } from "./run-command.ts";
import { csv } from "./write-run.ts";

const PROGRAM = pathToFileURL(path.resolve(import.meta.dirname, "../../workers/cli/backtest.ts")).href;
const SESSIONS = sessionsBetween("2019-01-02", "2020-07-31");
let root: string;
let tape: string;

/** Twelve rising names that swing, and an index that does not. */
function writeTape(directory: string): void {
  const names = [..."ABCDEFGHIJKL"].map((letter) => `${letter}${letter}`);
  const rows = SESSIONS.flatMap((date, i) =>
    [...names, "SPY"].map((symbol, k) => {
      const swing = symbol === "SPY" ? 0 : 0.04 * Math.sin(i / (2 + k / 5) + k);
      const close = (100 + k) * 1.0012 ** (i * (1 + k / 20)) * (1 + swing);
      const [open, high, low] = [close * 0.998, close * 1.012, close * 0.985];
      return [date, symbol, ...[open, high, low, close].map((value) => value.toFixed(2)), 2_000_000].join(",");
    }),
  );
  const write = (name: string, lines: string[]) => writeFileSync(path.join(directory, name), `${lines.join("\n")}\n`);
  const bars = ["date,symbol,open,high,low,close,volume", ...rows].join("\n");
  writeFileSync(path.join(directory, "bars.csv.gz"), gzipSync(bars));
  write("assets.csv", [
    "symbol,name,sector",
    ...names.map((symbol, k) => `${symbol},"${symbol}, Inc.",Sector ${k % 6}`),
    "SPY,Index,ETF",
  ]);
  write("vix.csv", ["date,open,high,low,close", ...SESSIONS.map((date) => `${date},13,13,13,13`)]);
  write("splits.csv", ["date,symbol,ratio"]);
  write("dividends.csv", ["date,symbol,amount"]);
  write("earnings.csv", ["date,symbol", "2019-01-03,AA"]);
}

beforeAll(() => {
  root = mkdtempSync(path.join(os.tmpdir(), "backtest-"));
  tape = mkdtempSync(path.join(os.tmpdir(), "tape-"));
  writeTape(tape);
});
afterAll(() => {
  for (const directory of [root, tape]) rmSync(directory, { recursive: true, force: true });
});

async function command(name: string, ...given: string[]) {
  const out = path.join(root, name);
  const options = readOptions(["--tape", tape, "--strategy", "MEAN_REVERSION", "--out", out, ...given])!;
  const said: string[] = [];
  const registry = path.join(root, `registry-${name}`);
  await runCommand(options, {
    registry,
    program: PROGRAM,
    say: (line) => said.push(line),
    progress: () => ({ at: () => undefined, end: () => undefined }),
  });
  return { out, said: said.join("\n"), registry: readRegistry(registry) };
}

const resultIn = (directory: string) =>
  JSON.parse(readFileSync(path.join(directory, "result.json"), "utf8")) as BacktestResult;

describe("the backtest command", { timeout: 60_000 }, () => {
  it("one run writes its files and one row of the registry", async () => {
    const { out, said, registry } = await command("once");
    expect(readdirSync(out).sort()).toEqual(["equity.csv", "fills.csv", "result.json", "trades.csv"]);
    const result = resultIn(out);
    expect(result.trades.length).toBeGreaterThan(0);
    expect(said).toContain("Hypothetical");
    expect(said).toContain("survivorship");
    expect(registry).toMatchObject([{ kind: "run", strategy: "MEAN_REVERSION", trades: result.trades.length }]);
    const lines = readFileSync(path.join(out, "equity.csv"), "utf8").trimEnd().split("\r\n");
    expect(lines).toHaveLength(result.days.length + 1);
  });

  it("a sweep gives in threads what single runs give, and registers every point", async () => {
    const { out, registry } = await command("sweep", "--sweep", "exits.reversion_time_sessions=2,7", "--threads", "2");
    expect(registry.map(({ kind, parameters }) => `${kind} ${parameters["exits.reversion_time_sessions"]}`)).toEqual([
      "sweep 2",
      "sweep 7",
    ]);
    const single = resultIn((await command("single")).out);
    expect(resultIn(path.join(out, "point-2")).fills).toEqual(single.fills);
    expect(resultIn(path.join(out, "point-1")).fills).not.toEqual(single.fills);
    expect(readFileSync(path.join(out, "sweep.csv"), "utf8").split("\r\n")[0]).toContain("deflated_sharpe");
  });

  it("walk-forward trades every session after the first training once, with the money of the window before", async () => {
    const sweep = ["--sweep", "exits.reversion_time_sessions=2,7"];
    const { out, registry } = await command("walk", ...sweep, "--walk-forward", "60,30");
    const traded = SESSIONS.slice(253 + 60);
    const result = resultIn(out);
    expect(result.days.map(({ session }) => session)).toEqual(traded);
    const windows = Math.ceil(traded.length / 30);
    expect(registry.filter(({ kind }) => kind === "walk_forward_train")).toHaveLength(2 * windows);
    const tests = registry.filter(({ kind }) => kind === "walk_forward_test");
    expect(tests).toHaveLength(windows);
    for (const [i, { cash }] of tests.entries()) if (i > 0) expect(cash).toBe(tests[i - 1]!.finalEquity);
    expect(result.days.at(-1)!.equity).toBe(tests.at(-1)!.finalEquity);
  });

  it("a window longer than the tape is refused before anything is run", async () => {
    const sweep = ["--sweep", "exits.reversion_time_sessions=2,7", "--walk-forward", "9000,30"];
    await expect(command("long", ...sweep)).rejects.toThrow("nothing is left to test on");
  });

  it("a period outside the tape is refused with the tape's own", async () => {
    await expect(command("outside", "--from", "2031-01-02")).rejects.toThrow("it runs from 2019-01-02 to 2020-07-31");
  });

  it("cells that a spreadsheet would run as formulas are text, and quotes survive", () => {
    expect(csv([{ a: "=1+1", b: 'say "no", please', c: -1.5, d: null }], ["a", "b", "c", "d"])).toBe(
      'a,b,c,d\r\n\'=1+1,"say ""no"", please",-1.5,\r\n',
    );
  });
});
