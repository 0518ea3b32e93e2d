import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { gunzipSync, gzipSync } from "node:zlib";
import { afterAll, beforeEach, describe, expect, it } from "vitest";
import { sessionsBetween } from "@/lib/domain/market-calendar.ts";
import { commandFailure } from "@/lib/command.ts";
import { checkTape } from "@/lib/tape/check.ts";
import { type TapeRows, writeTape } from "@/lib/tape/write-tape.ts";
import { backtest } from "./main.ts";

const PROGRAM = pathToFileURL(path.resolve(import.meta.dirname, "../../workers/cli/backtest.ts")).href;
const SESSIONS = sessionsBetween("2019-01-02", "2020-02-28");
const TRADED = ["--from", "2020-02-03"];
/** The second Wednesday; its rows are the ones that are spoilt. */
const DAY = "2019-01-09";
const root = mkdtempSync(path.join(os.tmpdir(), "bad-tapes-"));
const tape = path.join(root, "tape");
afterAll(() => rmSync(root, { recursive: true, force: true }));

function soundTape(): TapeRows {
  const bars = SESSIONS.flatMap((date, i) =>
    ["AAA", "BBB", "SPY"].map((symbol, k) => {
      const close = (100 + 10 * k) * 1.001 ** i;
      const prices = [close * 0.999, close * 1.01, close * 0.99, close].map((value) => value.toFixed(2));
      return [date, symbol, ...prices, 900_000].join(",");
    }),
  );
  return {
    "assets.csv": ["AAA,A Inc.,Energy", "BBB,B Corp,Utilities", "SPY,Index,ETF"],
    "bars.csv.gz": bars,
    "splits.csv": [],
    "dividends.csv": [],
    "vix.csv": SESSIONS.map((date) => `${date},13,14,12,13`),
    "earnings.csv": ["2019-01-18,AAA"],
  };
}

beforeEach(() => {
  rmSync(tape, { recursive: true, force: true });
  writeTape(tape, soundTape());
});

/** The command within this process: its exit code and what it said and complained of. */
async function run(...argv: string[]) {
  const said: string[] = [];
  const complaints: string[] = [];
  const code = await backtest(argv, {
    registry: path.join(root, "registry"),
    program: PROGRAM,
    say: (line) => said.push(line),
    complain: (error) => complaints.push(error instanceof Error ? (error.stack ?? error.message) : String(error)),
    progress: () => ({ at: () => undefined, end: () => undefined }),
  });
  return { code, said: said.join("\n"), complaints: complaints.join("\n").split("\n").filter(Boolean) };
}
const runTape = (...given: string[]) => run("--tape", tape, "--out", path.join(root, "out"), ...TRADED, ...given);

const file = (name: string) => path.join(tape, name);
const barsText = () => gunzipSync(readFileSync(file("bars.csv.gz"))).toString();
const writeBars = (content: string) => writeFileSync(file("bars.csv.gz"), gzipSync(content));
/** Changes the row of AAA of that day: date, symbol, open, high, low, close, volume. */
function spoilRow(change: (cells: string[]) => string[][]): void {
  const lines = barsText().split("\n");
  const at = lines.findIndex((line) => line.startsWith(`${DAY},AAA,`));
  lines.splice(at, 1, ...change(lines[at]!.split(",")).map((cells) => cells.join(",")));
  writeBars(lines.join("\n"));
}
const withCell = (place: number, value: string) => () =>
  spoilRow((cells) => [cells.map((cell, i) => (i === place ? value : cell))]);

/** Name, what is done to the tape, the sentence, and what `--repair` changes; null where nothing can be done. */
const BAD: [string, () => void, string, string | null][] = [
  ["a NaN", withCell(2, "NaN"), 'breaks the rule "prices and volumes are numbers" in 1 case', "left out"],
  ["text in a number", withCell(5, "12abc"), 'breaks the rule "prices and volumes are numbers" in 1 case', "left out"],
  ["an empty cell", withCell(6, ""), 'breaks the rule "prices and volumes are numbers" in 1 case', "left out"],
  ["a negative price", withCell(4, "-1"), 'breaks the rule "prices are above 0" in 1 case', "left out"],
  ["a negative volume", withCell(6, "-5"), 'breaks the rule "volumes are whole numbers from 0"', "rounded"],
  ["a high below the close", withCell(3, "1"), 'breaks the rule "low ≤ open, close ≤ high" in 1 case', "widened"],
  [
    "a day that comes twice",
    () => spoilRow((cells) => [cells, cells]),
    'breaks the rule "no row comes twice" in 1 case: 2019-01-09 AAA.',
    "the first of them is kept",
  ],
  [
    "rows out of order",
    () => writeBars([barsText().split("\n")[0], ...barsText().trimEnd().split("\n").slice(1).reverse(), ""].join("\n")),
    'breaks the rule "rows are sorted"',
    "the rows are sorted",
  ],
  ["a date that is none", withCell(0, "2019-02-30"), 'breaks the rule "dates are dates" in 1 case', "left out"],
  [
    "bars on a Saturday",
    () => writeBars(barsText().replace("2019-01-14,AAA", "2019-01-12,AAA,1,1,1,1,1\n2019-01-14,AAA")),
    'breaks the rule "bars lie on sessions of the exchange" in 1 case: 2019-01-12.',
    "left out",
  ],
  [
    "bars on a holiday",
    () => writeBars(barsText().replace("2019-01-22,AAA", "2019-01-21,AAA,1,1,1,1,1\n2019-01-22,AAA")),
    'breaks the rule "bars lie on sessions of the exchange" in 1 case: 2019-01-21.',
    "left out",
  ],
  [
    "a session without bars",
    () => writeBars(barsText().replaceAll(new RegExp(`${DAY},.*\n`, "g"), "")),
    'breaks the rule "every session of the exchange has bars" in 1 case: 2019-01-09.',
    "not traded",
  ],
  [
    "a gzip file that is cut off",
    () => writeFileSync(file("bars.csv.gz"), readFileSync(file("bars.csv.gz")).subarray(0, 2_000)),
    "bars.csv.gz cannot be read: the gzip file is cut off.",
    null,
  ],
  [
    "a gzip file that is damaged",
    () => writeFileSync(file("bars.csv.gz"), Buffer.from("date,symbol,open")),
    "bars.csv.gz cannot be read: the gzip file is damaged, or it is none.",
    null,
  ],
  ["empty bars", () => writeBars("date,symbol,open,high,low,close,volume\n"), "bars.csv.gz holds no bars.", null],
  ["nothing in the bars", () => writeBars(""), 'bars.csv.gz begins with nothing instead of its header "date', null],
  [
    "another header",
    () => writeFileSync(file("splits.csv"), "Date;Ratio\n"),
    'splits.csv begins with "Date;Ratio" instead of its header "date,symbol,ratio".',
    "no split is known",
  ],
  [
    "no bars of SPY",
    () => writeBars(barsText().replaceAll(/.*,SPY,.*\n/g, "")),
    "bars.csv.gz has no bars of SPY, from which the regime and the benchmark are made.",
    "risk off",
  ],
  ["no vix.csv", () => rmSync(file("vix.csv")), "vix.csv is missing.", "never risk on"],
  [
    "no values of the VIX",
    () => writeFileSync(file("vix.csv"), "date,open,high,low,close\n"),
    "vix.csv has no values of the VIX, which the regime is read from.",
    "never risk on",
  ],
  ["no assets.csv", () => rmSync(file("assets.csv")), "assets.csv is missing.", "symbols stand for names"],
  ["no splits.csv", () => rmSync(file("splits.csv")), "splits.csv is missing.", "no split is known"],
  ["no dividends.csv", () => rmSync(file("dividends.csv")), "dividends.csv is missing.", "no dividend is known"],
  [
    "a directory in place of a file",
    () => {
      rmSync(file("vix.csv"));
      mkdirSync(file("vix.csv"));
    },
    "vix.csv cannot be read: it is a directory.",
    "never risk on",
  ],
];

describe("a tape with a fault", { timeout: 60_000 }, () => {
  it("a sound tape is traded, so that the refusals below say something", async () => {
    expect(await runTape()).toMatchObject({ code: 0, complaints: [] });
  });

  it.each(BAD)(
    "%s ends with 2 and one sentence, which `npm run tape -- check` says too",
    async (_, spoil, sentence) => {
      spoil();
      const { code, said, complaints } = await runTape();
      expect({ code, said, count: complaints.length }).toEqual({ code: 2, said: "", count: 1 });
      expect(complaints[0]).toContain(sentence);
      expect(complaints[0]).toMatch(/^[^\n]+\.$/);
      const errors = checkTape(tape).findings.filter(({ level }) => level === "error");
      expect(errors).toHaveLength(1);
    },
  );

  it.each(BAD)("%s is gone on with by --repair, or refused all the same", async (_, spoil, sentence, change) => {
    spoil();
    const { code, said, complaints } = await runTape("--repair");
    if (change === null) {
      expect(code).toBe(2);
      expect(complaints.join("\n")).toContain(sentence);
      return;
    }
    expect({ code, complaints }).toEqual({ code: 0, complaints: [] });
    expect(said).toContain("Repaired: ");
    expect(said).toContain(change);
    const result = JSON.parse(readFileSync(path.join(root, "out", "result.json"), "utf8")) as { repairs: unknown };
    expect(result.repairs).toEqual([
      expect.objectContaining({ count: expect.any(Number), change: expect.stringContaining(change) }),
    ]);
  });

  it("several faults get a sentence each", async () => {
    withCell(2, "NaN")();
    rmSync(file("vix.csv"));
    const { code, complaints } = await runTape();
    expect([code, complaints.length]).toEqual([2, 2]);
  });

  it("sweeps and walk-forward refuse it as a single run does", async () => {
    withCell(2, "NaN")();
    const sweep = ["--sweep", "exits.trend_closes=1,2"];
    for (const more of [sweep, [...sweep, "--walk-forward", "60,20"]]) {
      const { code, complaints } = await runTape(...more);
      expect([code, complaints.length]).toEqual([2, 1]);
    }
  });

  it("the process itself ends with 2, one line and no stack", async () => {
    withCell(2, "NaN")();
    const program = ["--import", "tsx", fileURLToPath(PROGRAM), "--tape", tape, ...TRADED];
    const ended = promisify(execFile)(process.execPath, program, { env: { ...process.env, DATA_DIR: root } });
    const { code, stderr } = await ended.then(
      () => ({ code: 0, stderr: "" }),
      (error: { code: number; stderr: string }) => error,
    );
    expect(code).toBe(2);
    expect(stderr.trimEnd().split("\n")).toEqual([expect.stringMatching(/^bars\.csv\.gz breaks the rule/)]);
  });
});

describe("a wrong option", () => {
  const wrong: [string, () => string[], string][] = [
    ["unknown", () => ["--tape", tape, "--speed", "9"], "There is no option --speed. See --help."],
    [
      "a bad date",
      () => ["--tape", tape, "--from", "2020-02-30"],
      '--from is a date like 2020-01-31, not "2020-02-30".',
    ],
    ["a tape that is a file", () => ["--tape", file("vix.csv")], "There is no tape at"],
    ["a tape that is not there", () => ["--tape", path.join(root, "none")], "There is no tape at"],
    [
      "an --out that is a file",
      () => ["--tape", tape, ...TRADED, "--out", file("vix.csv")],
      "exists and is not a directory.",
    ],
    ["a policy that is a directory", () => ["--tape", tape, "--policy", tape], "cannot be read."],
    ["a value for a flag", () => ["--tape", tape, "--repair=all"], "--repair takes no value. See --help."],
  ];
  it.each(wrong)("%s ends with 2 and one sentence", async (_, argv, sentence) => {
    const { code, complaints } = await run(...argv());
    expect([code, complaints.length]).toEqual([2, 1]);
    expect(complaints[0]).toContain(sentence);
  });

  it("a path that the system refuses is reported in one sentence, and anything else with its stack", () => {
    const refused = Object.assign(new Error("EACCES: permission denied"), { code: "EACCES", path: "/some/tape" });
    expect(commandFailure(refused)).toEqual({
      said: "/some/tape cannot be used: permission is denied.",
      code: 2,
    });
    const unforeseen = new TypeError("this is a defect");
    expect(commandFailure(unforeseen)).toEqual({ said: unforeseen, code: 1 });
  });
});
