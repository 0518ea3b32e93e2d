import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { sessionsBetween } from "@/lib/domain/market-calendar.ts";
import { fixtureTape } from "@/lib/proof/market/fixture-tape.ts";
import { checkTape } from "./check.ts";
import { reportText } from "./report.ts";
import { type TapeRows, writeTape } from "./write-tape.ts";

vi.setConfig({ testTimeout: 30_000, hookTimeout: 30_000 });

const SESSIONS = sessionsBetween("2024-01-02", "2024-01-31");

let directory: string;

beforeEach(() => {
  directory = mkdtempSync(path.join(tmpdir(), "tape-"));
});

afterEach(() => rmSync(directory, { recursive: true }));

/** A sound tape of two symbols, one of which is split two for one on 16 January. */
function soundTape(): TapeRows {
  const bars = SESSIONS.flatMap((date, i) => {
    const price = date >= "2024-01-16" ? 50 : 100;
    return [
      `${date},AAA,${price},${price + 1},${price - 1},${price + 0.5},1000`,
      `${date},BBB,${20 + i},${21 + i},${19 + i},${20 + i},500`,
      `${date},SPY,300,301,299,300,9000`,
    ];
  });
  return {
    "assets.csv": ['AAA,"A, Inc.",Energy', "BBB,B Corp,Utilities", "SPY,Index,ETF"],
    "bars.csv.gz": bars,
    "splits.csv": ["2024-01-16,AAA,2"],
    "dividends.csv": ["2024-01-10,BBB,0.2"],
    "vix.csv": SESSIONS.map((date) => `${date},15,16,14,15.5`),
    "earnings.csv": ["2024-01-18,AAA"],
  };
}

function errorsAfter(change: (tape: TapeRows) => void): string[] {
  const tape = soundTape();
  change(tape);
  writeTape(directory, tape);
  return checkTape(directory).findings.map(({ level, place, rule }) => `${level} ${place}: ${rule}`);
}

describe("npm run tape -- check", () => {
  it("finds nothing wrong with a sound tape", () => {
    expect(errorsAfter(() => {})).toEqual([]);
    expect(reportText(checkTape(directory))).toContain("The tape is sound");
  });

  it("finds the fixture market's tape sound", () => {
    const report = checkTape(fixtureTape());
    expect(report.findings.filter(({ level }) => level === "error")).toEqual([]);
    expect(Object.fromEntries(report.contents)).toMatchObject({ sessions: "568, 2018-10-01 to 2020-12-31" });
  });

  it.each<[string, (tape: TapeRows) => void, string]>([
    [
      "a missing session",
      (t) => (t["bars.csv.gz"] = t["bars.csv.gz"].filter((row) => !row.startsWith("2024-01-09"))),
      "error bars.csv.gz: every session of the exchange has bars",
    ],
    [
      "bars on a holiday",
      (t) => t["bars.csv.gz"].splice(18, 0, "2024-01-15,AAA,100,101,99,100,10"),
      "error bars.csv.gz: bars lie on sessions of the exchange",
    ],
    [
      "a bar that comes twice",
      (t) => t["bars.csv.gz"].splice(1, 0, t["bars.csv.gz"][0] as string),
      "error bars.csv.gz: no row comes twice",
    ],
    ["bars out of order", (t) => t["bars.csv.gz"].reverse(), "error bars.csv.gz: rows are sorted"],
    [
      "a high below the close",
      (t) => (t["bars.csv.gz"][0] = "2024-01-02,AAA,100,100,99,101,10"),
      "error bars.csv.gz: low ≤ open, close ≤ high",
    ],
    [
      "a price of nothing",
      (t) => (t["bars.csv.gz"][0] = "2024-01-02,AAA,100,101,0,101,10"),
      "error bars.csv.gz: prices are above 0",
    ],
    [
      "a price that is no number",
      (t) => (t["bars.csv.gz"][0] = "2024-01-02,AAA,NaN,101,99,101,10"),
      "error bars.csv.gz: prices and volumes are numbers",
    ],
    [
      "half a share",
      (t) => (t["bars.csv.gz"][0] = "2024-01-02,AAA,100,101,99,101,10.5"),
      "error bars.csv.gz: volumes are whole numbers from 0",
    ],
    [
      "a row cut off",
      (t) => (t["bars.csv.gz"][0] = "2024-01-02,AAA,100,101"),
      "error bars.csv.gz: every row has 7 cells",
    ],
    [
      "prices that were adjusted already",
      (t) => (t["splits.csv"] = ["2024-01-10,AAA,4", "2024-01-16,AAA,2"]),
      "error splits.csv: prices fall by the ratio (bars are not adjusted)",
    ],
    [
      "a split that is not listed",
      (t) => (t["splits.csv"] = []),
      "warning splits.csv: no price jumps like a split that is not listed",
    ],
    [
      "a split of one for one",
      (t) => t["splits.csv"].push("2024-01-17,BBB,1"),
      "error splits.csv: ratios are positive and not 1",
    ],
    [
      "a symbol with gaps",
      (t) => (t["bars.csv.gz"] = t["bars.csv.gz"].filter((row) => !/^2024-01-(09|1[0-2]),BBB/.test(row))),
      "warning bars.csv.gz: symbols have 95.0 % of their sessions",
    ],
    [
      "no bars of SPY",
      (t) => (t["bars.csv.gz"] = t["bars.csv.gz"].filter((row) => !row.includes("SPY"))),
      "error bars.csv.gz: there are bars of SPY",
    ],
    ["no values of the VIX", (t) => t["vix.csv"].splice(0), "error vix.csv: there are values of the VIX"],
    ["a 30 February", (t) => t["dividends.csv"].push("2024-02-30,BBB,0.2"), "error dividends.csv: dates are dates"],
    [
      "a VIX that opens out of its range, as a source had it once,",
      (t) => (t["vix.csv"][0] = "2024-01-02,41.6,16,14,15"),
      "warning vix.csv: the open lies between low and high",
    ],
    ["a VIX that ends early", (t) => t["vix.csv"].splice(10), "warning vix.csv: it covers 95.0 % of the sessions"],
    [
      "a VIX turned around",
      (t) => (t["vix.csv"][0] = "2024-01-02,15,14,16,15"),
      "error vix.csv: the close lies between low and high",
    ],
    [
      "a dividend of nothing",
      (t) => t["dividends.csv"].push("2024-01-11,BBB,0"),
      "error dividends.csv: amounts are positive",
    ],
    [
      "a dividend of half the price",
      (t) => t["dividends.csv"].push("2024-01-11,BBB,12"),
      "warning dividends.csv: dividends are below 15.0 % of the price",
    ],
    [
      "a symbol that is not listed",
      (t) => t["assets.csv"].pop(),
      "warning assets.csv: it lists every symbol with bars",
    ],
    ["no earnings dates", (t) => t["earnings.csv"].pop(), "warning earnings.csv: there are earnings dates"],
    ["a date that is none", (t) => (t["earnings.csv"] = ["18.1.2024,AAA"]), "error earnings.csv: dates are dates"],
  ])("finds %s", (_, change, expected) => {
    expect(errorsAfter(change)).toContain(expected);
  });

  it("finds a wrong header, a missing file and a file that is cut off", () => {
    writeTape(directory, soundTape());
    writeFileSync(path.join(directory, "vix.csv"), "Date,Close\n");
    rmSync(path.join(directory, "assets.csv"));
    writeFileSync(path.join(directory, "bars.csv.gz"), "not gzip");
    const rules = checkTape(directory).findings.map(({ place, rule }) => `${place}: ${rule}`);
    expect(rules).toEqual(
      expect.arrayContaining([
        "vix.csv: the header is date,open,high,low,close",
        "assets.csv: the file is there",
        "bars.csv.gz: the file can be read",
      ]),
    );
    expect(reportText(checkTape(directory))).toContain("NOT sound");
  });
});
