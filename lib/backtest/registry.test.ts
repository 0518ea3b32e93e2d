import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { enterRuns, readRegistry, type RegistryEntry, trialsOf } from "./registry.ts";

const AT = "2026-01-02T03:04:05.000Z";
let directory: string;
const file = () => path.join(directory, "registry.jsonl");

beforeEach(() => {
  directory = mkdtempSync(path.join(os.tmpdir(), "registry-"));
});
afterEach(() => rmSync(directory, { recursive: true, force: true }));

function entry(change: Partial<RegistryEntry> = {}): RegistryEntry {
  return {
    kind: "run",
    tape: "tape",
    tapeHash: "t1",
    strategy: "MOMENTUM",
    policyHash: "p",
    parameters: {},
    preferences: { maxPositions: 20 },
    from: "2020-01-02",
    to: "2020-01-31",
    cash: "100000",
    seed: 1,
    finalEquity: "101000",
    sharpe: 1,
    maxDrawdown: -0.1,
    trades: 3,
    ...change,
  };
}

function lines(): string[] {
  return readFileSync(file(), "utf8").trimEnd().split("\n");
}

const broken = () => {
  try {
    readRegistry(directory);
  } catch (error) {
    return (error as Error).message;
  }
  return "not broken";
};

describe("the registry of runs", () => {
  it("an empty registry has no rows", () => {
    expect(readRegistry(directory)).toEqual([]);
  });
  it("rows are appended in a chain that holds", async () => {
    await enterRuns(directory, [entry(), entry({ sharpe: 2 })], AT);
    const rows = await enterRuns(directory, [entry({ sharpe: null })], AT);
    expect(rows.map(({ row }) => row)).toEqual([1, 2, 3]);
    expect(rows[2]!.previous).toBe(rows[1]!.hash);
    expect(readRegistry(directory)).toEqual(rows);
  });
  it("an edited row is named", async () => {
    await enterRuns(directory, [entry(), entry({ sharpe: 2 }), entry()], AT);
    writeFileSync(file(), readFileSync(file(), "utf8").replace('"sharpe":2', '"sharpe":0.5'));
    expect(broken()).toContain("broken at row 2: its content does not match its hash");
    await expect(enterRuns(directory, [entry()], AT)).rejects.toThrow("row 2");
    expect(lines()).toHaveLength(3);
  });
  it("a deleted row in the middle is named", async () => {
    await enterRuns(directory, [entry(), entry({ sharpe: 2 }), entry()], AT);
    const [first, , third] = lines();
    writeFileSync(file(), `${first}\n${third}\n`);
    expect(broken()).toContain("broken at row 2");
  });
  it("a deleted last row is named, and so is a registry that is gone", async () => {
    await enterRuns(directory, [entry(), entry()], AT);
    writeFileSync(file(), `${lines()[0]}\n`);
    expect(broken()).toContain("broken at row 2: 2 rows were entered, 1 are left");
    rmSync(file());
    expect(broken()).toContain("broken at row 1");
  });
  it("a row that is no JSON is named", async () => {
    await enterRuns(directory, [entry()], AT);
    writeFileSync(file(), `${lines()[0]}\n{"row":2,\n`);
    expect(broken()).toContain("broken at row 2: it is not JSON");
  });
  it("a crash between the row and the head loses nothing", async () => {
    await enterRuns(directory, [entry()], AT);
    const head = readFileSync(path.join(directory, "registry.head"), "utf8");
    await enterRuns(directory, [entry()], AT);
    writeFileSync(path.join(directory, "registry.head"), head);
    expect(readRegistry(directory)).toHaveLength(2);
  });
  it("writers at the same time all get their row", async () => {
    await Promise.all(Array.from({ length: 8 }, () => enterRuns(directory, [entry()], AT)));
    expect(readRegistry(directory)).toHaveLength(8);
  });
  it("the lock of a process that is gone is taken over", async () => {
    writeFileSync(path.join(directory, "registry.lock"), "4194304999");
    expect(await enterRuns(directory, [entry()], AT)).toHaveLength(1);
  });
  it("trials are the runs of the same tape and strategy", async () => {
    const rows = await enterRuns(
      directory,
      [
        entry(),
        entry({ sharpe: null }),
        entry({ sharpe: 3 }),
        entry({ strategy: "BREAKOUT" }),
        entry({ tapeHash: "t2" }),
      ],
      AT,
    );
    expect(trialsOf(rows, "t1", "MOMENTUM")).toEqual({ count: 3, sharpes: [1, 3] });
  });
});
