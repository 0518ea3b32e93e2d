import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { STRATEGY_NAMES } from "@/lib/domain/enums.ts";
import { POLICY_2_9_0 } from "@/lib/domain/policy.ts";
import { readOptions } from "./options.ts";
import { sweepPoints } from "./sweep.ts";

let tape: string;
beforeAll(() => {
  tape = mkdtempSync(path.join(os.tmpdir(), "tape-"));
  writeFileSync(path.join(tape, "bars.csv.gz"), "");
});
afterAll(() => rmSync(tape, { recursive: true, force: true }));

const read = (...given: string[]) => readOptions(["--tape", tape, ...given]);

describe("options of the backtest", () => {
  it("defaults follow from the cash", () => {
    expect(read("--cash", "50000")).toMatchObject({
      cash: "50000",
      seed: 1,
      policy: { version: "2.9.0" },
      preferences: { strategy: "MOMENTUM", defaultOrderSize: "2500", maxPositionValue: "4000", maxPositions: 20 },
      sweep: [],
      walkForward: null,
    });
  });
  it("every option is read", () => {
    const given = read("--strategy=breakout", "--risk-tolerance", "high", "--max-positions", "7", "--stop-loss", "2.5");
    expect(given?.preferences).toMatchObject({
      strategy: "BREAKOUT",
      riskTolerance: "HIGH",
      maxPositions: 7,
      stopLoss: "2.5",
    });
  });
  it("help wins over everything", () => {
    expect(readOptions(["--nonsense", "--help"])).toBeNull();
  });

  const wrong: [string, string[], string][] = [
    ["an unknown option", ["--speed", "9"], "There is no option --speed. See --help."],
    ["a stray word", ["now"], '"now" is not an option. See --help.'],
    ["a missing value", ["--from"], "--from needs a value. See --help."],
    ["an option given twice", ["--seed", "1", "--seed", "2"], "--seed is given twice."],
    ["a wrong strategy", ["--strategy", "LUCK"], `--strategy is one of ${STRATEGY_NAMES.join(", ")}, not "LUCK".`],
    ["a wrong date", ["--from", "2020-13-01"], '--from is a date like 2020-01-31, not "2020-13-01".'],
    [
      "dates the wrong way round",
      ["--from", "2020-03-01", "--to", "2020-02-01"],
      "--from 2020-03-01 lies after --to 2020-02-01.",
    ],
    ["cash that is no amount", ["--cash", "lots"], '--cash is a positive number of USD, not "lots".'],
    ["no cash", ["--cash", "0"], '--cash is a positive number of USD, not "0".'],
    ["a broken count", ["--max-positions", "1.5"], '--max-positions is a whole number from 1 on, not "1.5".'],
    ["a stop of everything", ["--stop-loss", "100"], '--stop-loss is a percentage above 0 and at most 99, not "100".'],
    ["a policy that is not there", ["--policy", "/nowhere.json"], "There is no policy file /nowhere.json."],
    [
      "a sweep of no field",
      ["--sweep", "exits.luck=1"],
      '--sweep: the policy has no field "exits.luck". Write section.key=a,b,c.',
    ],
    [
      "a sweep without numbers",
      ["--sweep", "exits.trend_closes=1,,2"],
      '--sweep exits.trend_closes needs numbers with commas between them, not "1,,2".',
    ],
    [
      "a sweep out of bounds",
      ["--sweep", "exits.trend_closes=99"],
      "--sweep exits.trend_closes: 99 lies outside 1 to 20 closes.",
    ],
    [
      "a sweep of broken closes",
      ["--sweep", "exits.trend_closes=1.5"],
      "--sweep exits.trend_closes: 1.5 must be a whole number of closes.",
    ],
    [
      "walk-forward without a sweep",
      ["--walk-forward", "60,20"],
      "--walk-forward needs a --sweep: without it there is nothing to choose from.",
    ],
    [
      "walk-forward of one number",
      ["--sweep", "exits.trend_closes=1,2", "--walk-forward", "60"],
      '--walk-forward is TRAIN,TEST in sessions, like 120,40, not "60".',
    ],
    [
      "too short a training",
      ["--sweep", "exits.trend_closes=1,2", "--walk-forward", "59,20"],
      "--walk-forward needs at least 60 training sessions: fewer have no Sharpe ratio.",
    ],
  ];
  it.each(wrong)("%s is refused with a sentence", (_, given, sentence) => {
    expect(() => read(...given)).toThrow(sentence);
  });
  it("a tape that is not there is refused", () => {
    expect(() => readOptions(["--tape", "/nowhere"])).toThrow("There is no tape at /nowhere: bars.csv.gz is missing.");
    expect(() => readOptions([])).toThrow("Give the tape: --tape DIR. See --help.");
  });
  it("a policy from a file is checked, and its first fault is named", () => {
    const file = path.join(tape, "policy.json");
    writeFileSync(file, JSON.stringify({ ...POLICY_2_9_0, version: "2.9.1" }));
    expect(read("--policy", file)?.policy.version).toBe("2.9.1");
    writeFileSync(file, JSON.stringify({ ...POLICY_2_9_0, exits: { ...POLICY_2_9_0.exits, trend_closes: 0 } }));
    expect(() => read("--policy", file)).toThrow("exits.trend_closes must lie between 1 and 20 closes.");
    writeFileSync(file, "{");
    expect(() => read("--policy", file)).toThrow("is not valid JSON");
  });
});

describe("points of a sweep", () => {
  it("several axes make all combinations, in the order given", () => {
    const points = sweepPoints(POLICY_2_9_0, [
      { path: "exits.trend_closes", values: [1, 2] },
      { path: "selector_top50.seats", values: [40, 60] },
    ]);
    expect(points.map(({ parameters }) => Object.values(parameters))).toEqual([
      [1, 40],
      [1, 60],
      [2, 40],
      [2, 60],
    ]);
    expect(points[2]!.policy.exits.trend_closes).toBe(2);
    expect(POLICY_2_9_0.exits.trend_closes).toBe(2);
    expect(points[0]!.policy.exits.trend_closes).toBe(1);
  });
  it("a combination that is no valid policy is named", () => {
    expect(() => sweepPoints(POLICY_2_9_0, [{ path: "portfolio_limits.drawdown_soft", values: [0.2] }])).toThrow(
      "The sweep point portfolio_limits.drawdown_soft=0.2 is no valid policy: portfolio_limits.drawdown_hard must not be smaller than drawdown_soft.",
    );
  });
});
