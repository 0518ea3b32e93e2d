import { execFileSync, spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import ts from "typescript";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { applyChange, changesOf } from "./how-to.ts";

/**
 * What the first changes of a newcomer cost: they are made in a copy of the checkout, compiled, and asked whether they are complete. Those that
 * docs/how-to tells are read from there, to the letter; the tests that they bring are run.
 */
const copy = mkdtempSync(path.join(tmpdir(), "first-changes-"));

/** A file of the copy to its new text; from null for a new file. */
type Change = Record<string, (text: string | null) => string>;

function told(howTo: string): Change {
  const made: Change = {};
  for (const change of changesOf(readFileSync(`docs/how-to/${howTo}.md`, "utf8"))) {
    const before = made[change.file];
    made[change.file] = (text) => applyChange(change, before ? before(text) : text);
  }
  return made;
}

const GATE = told("add-a-gate");
const STRATEGY = told("add-a-strategy");
const PROVIDER = told("add-a-provider");
const PAGE = told("add-a-page");

const addLine = (after: string, line: string) => (text: string | null) => {
  if (!text?.includes(after)) throw new Error(`not found: ${after}`);
  return text.replace(after, `${after}\n${line}`);
};

const SETTING: Change = {
  "lib/domain/preferences.ts": (text) =>
    addLine(
      "export const PREFERENCES = {",
      `  leastPrice: {
    label: "Least Price",
    kind: "amount",
    hint: "Cheapest stock that is bought",
    bounds: { min: 1, max: 500, step: 1 },
    default: "5",
  },`,
    )(text),
  "prisma/schema.prisma": (text) =>
    addLine("model TradingPreferences {", "  leastPrice Decimal @default(5) @db.Decimal(24, 9)")(text),
  "lib/domain/gates/automation-off.ts": (text) =>
    String(text).replace(
      "byCondition(state.automationOff === null,",
      "byCondition(state.automationOff === null && Number(state.preferences.leastPrice) >= 1,",
    ),
};

const JOB: Change = {
  "lib/contracts/jobs.ts": (text) =>
    addLine(
      "export const jobs = {",
      '  countStars: job({ name: "count-stars", ...every(MINUTE_MS), priority: 9, attempts: 1, concurrency: 1 }),',
    )(text),
  "lib/server/services/system/count-stars.ts": () => `
import type { Context } from "../../context.ts";

export const countStars = ({ db }: Context) => db.user.count();
`,
  "workers/doors.ts": (text) =>
    addLine(
      "export const doors = {",
      "  countStars: defineJob(jobs.countStars, countStars),",
    )(
      addLine(
        'import { jobs } from "@/lib/contracts/jobs.ts";',
        'import { countStars } from "@/lib/server/services/system/count-stars.ts";',
      )(text),
    ),
};

const CHANGES = { GATE, STRATEGY, SETTING, JOB, PROVIDER, PAGE };
const files = [...new Set(Object.values(CHANGES).flatMap(Object.keys))];
const added = files.filter((file) => !existsSync(file));
const isTest = (file: string) => /\.(?:test|spec)\.ts$/.test(file);

/** Asks the changed copy; what it writes is compared below. */
const QUESTIONS = `
import { writeFileSync } from "node:fs";
import { test } from "vitest";
import { PAGE_READS } from "@/app/_prefetch/pages.ts";
import { PAGES } from "@/e2e/page-watch.ts";
import { backtestsApi } from "@/lib/contracts/backtests.ts";
import { consoleApi } from "@/lib/contracts/console.ts";
import { preferencesApi } from "@/lib/contracts/preferences.ts";
import { decide } from "@/lib/domain/engine/decide.ts";
import { DEFAULT_PREFERENCES } from "@/lib/domain/preferences.ts";
import * as example from "@/lib/proof/example-market.ts";
import { useLeastEnv } from "@/lib/proof/fixtures/least-env.ts";
import { REASON_TEXT } from "@/lib/domain/engine/reasons.ts";
import { GATE_CODES } from "@/lib/domain/gates/gates.ts";
import { readCycleLine } from "@/lib/domain/insight/read-cycle-line.ts";
import { envSchema } from "@/lib/server/env.ts";
import { unitedStates } from "@/lib/server/providers/market-data-registry.ts";
import { PROBES } from "@/lib/server/providers/probes.ts";

const account = example.exampleAccount();
const preferences = { ...account.preferences, strategy: "GAP_UP" as const };
// From a close of 100 it opened at 103 and closed at 104.
const features = example.exampleFeatures({ close: 104, dayReturn: 0.04, gap: 3 });
const ask = (last: string) => {
  const quote = { last, bid: last, ask: last, at: example.exampleMarket([], []).at };
  return decide(
    { ...account, preferences },
    example.exampleMarket([example.exampleSymbol("AAA", { features, quote })], [example.exampleSeat("AAA", { composite: 95 })]),
    example.examplePolicy,
  );
};
const [bought, refused] = [ask("104"), ask("117")];
const said = readCycleLine(refused.line);

useLeastEnv();
const settings = { ...process.env, ALPACA_DATA_KEY_ID: "key", ALPACA_DATA_SECRET: "secret", TIINGO_TOKEN: "token" };
const vendors = (given: object) => unitedStates(envSchema.parse(given)).priceSources.map(({ vendor }) => vendor);

const answers = JSON.stringify({
    order: GATE_CODES.filter((code) => ["price_collar", "moved_today", "order_rate"].includes(code)),
    failing: refused.candidates[0]?.failing,
    flip: refused.candidates[0]?.nearestFlip,
    told: said?.refusals,
    reason: bought.orders[0]?.reason,
    text: (REASON_TEXT as Record<string, string>)[bought.orders[0]?.reason ?? ""],
    offered: JSON.stringify(backtestsApi.create.input).includes("GAP_UP"),
    saved: preferencesApi.saveTrading.input.shape.leastPrice.safeParse(0.5).error?.issues[0]?.message,
    tried: "leastPrice" in backtestsApi.create.input.shape.settings.shape,
    begins: DEFAULT_PREFERENCES.leastPrice,
    sources: vendors(settings),
    without: vendors({ ...settings, TIINGO_TOKEN: undefined }),
    probe: PROBES.find(({ provider }) => provider === "Tiingo")?.absence(),
    shown: JSON.stringify(consoleApi.metrics.output).includes("Tiingo"),
    prefetched: PAGE_READS.cash("USER", {}).map(({ address }) => address),
    watchedAs: PAGES.filter(({ path }) => path === "/cash").map((page) => page.as),
});
test("answers", () => writeFileSync("answers.json", answers));
`;

function make(change: Change): void {
  for (const [file, write] of Object.entries(change)) {
    const place = path.join(copy, file);
    const before = existsSync(place) ? readFileSync(place, "utf8") : null;
    const after = write(before);
    if (after === before) throw new Error(`${file} was not changed`);
    mkdirSync(path.dirname(place), { recursive: true });
    writeFileSync(place, after);
  }
}

/** What a tool says that is run in the copy; the end of it where it is long. */
function said(tool: string, ...args: string[]): { isGood: boolean; lines: string[] } {
  const found = path.resolve("node_modules", tool);
  const { status, stdout, stderr } = spawnSync(process.execPath, [found, ...args], { cwd: copy, encoding: "utf8" });
  const lines = `${stdout}${stderr}`.split("\n").filter((line) => line !== "");
  return { isGood: status === 0, lines: status === 0 ? [] : lines.slice(-40) };
}
const GOOD = { isGood: true, lines: [] };

const COPIED = [
  ...["app", "e2e", "emails", "lib", "prisma", "scripts", "workers"],
  ...[
    ".dependency-cruiser.mjs",
    ".env.example",
    "package.json",
    "prisma.config.ts",
    "next.config.mjs",
    "vitest.config.ts",
  ],
];

beforeAll(() => {
  for (const part of COPIED) cpSync(part, path.join(copy, part), { recursive: true });
  symlinkSync(path.resolve("node_modules"), path.join(copy, "node_modules"));
  const { compilerOptions } = ts.readConfigFile("tsconfig.json", (file) => ts.sys.readFile(file)).config as {
    compilerOptions: object;
  };
  for (const change of Object.values(CHANGES)) make(change);
  const program = {
    compilerOptions: { ...compilerOptions, incremental: false, plugins: [] },
    include: ["lib/domain/**/*.ts", "lib/contracts/**/*.ts", "lib/server/**/*.ts", "workers/doors.ts"],
    exclude: ["**/*.test.ts"],
    // With the tests of the how-tos, and pages by their names.
    files: ["questions.test.ts", ...added.filter((file) => /\.tsx?$/.test(file))],
  };
  writeFileSync(path.join(copy, "tsconfig.json"), JSON.stringify(program));
  // The client of the changed schema.
  execFileSync(process.execPath, [path.resolve("node_modules/prisma/build/index.js"), "generate"], {
    cwd: copy,
    stdio: "pipe",
  });
  writeFileSync(path.join(copy, "questions.test.ts"), QUESTIONS);
}, 600_000);
afterAll(() => rmSync(copy, { recursive: true }));

describe("a newcomer's first change", () => {
  it("costs few files, a gate two of its four for its words: the schema and tests come on top", () => {
    const isCode = (file: string) => /^(?:app|e2e|lib|workers)\//.test(file) && !isTest(file);
    const cost = Object.entries(CHANGES).map(([what, change]) => [what, Object.keys(change).filter(isCode).length]);
    expect(Object.fromEntries(cost)).toEqual({ GATE: 4, SETTING: 2, STRATEGY: 3, JOB: 3, PROVIDER: 5, PAGE: 5 });
  });

  // The whole of the services is compiled.
  it("is complete for the compiler", { timeout: 600_000 }, () => {
    expect(said("typescript-native/bin/tsc", "--project", copy, "--noEmit", "--pretty", "false")).toEqual(GOOD);
  });

  it("breaks no wall", { timeout: 600_000 }, () => {
    const changed = files.filter((file) => /^(?:app|lib)\/.*\.tsx?$/.test(file) && !isTest(file));
    const walls = ["--config", ".dependency-cruiser.mjs", "--max-depth", "1", ...changed];
    expect(said("dependency-cruiser/bin/dependency-cruise.mjs", ...walls)).toEqual(GOOD);
  });

  it("passes the tests that it brings, and those of what it is added to", { timeout: 600_000 }, () => {
    const words = ["reason-groups", "today-timeline", "trade-sentences", "settings-text"];
    const neighbours = [
      ...["lib/domain/gates/gates.test.ts", "lib/backtest/options.test.ts", "lib/server/env.test.ts"],
      ...words.map((name) => `lib/domain/insight/${name}.test.ts`),
    ];
    const tests = [...added.filter(isTest), ...neighbours, "questions.test.ts"];
    expect(said("vitest/vitest.mjs", "run", "--project", "unit", "--no-file-parallelism", ...tests)).toEqual(GOOD);
  });

  it("is asked, named, offered and watched wherever its like is", () => {
    expect(JSON.parse(readFileSync(path.join(copy, "answers.json"), "utf8"))).toEqual({
      order: ["price_collar", "moved_today", "order_rate"],
      failing: ["moved_today"],
      flip: "needs moved today to clear (12.5 % from the last close, at most 10.0 %)",
      told: [{ code: "moved_today", count: 1 }],
      reason: "entry_gap_up",
      text: "Gap up entry",
      offered: true,
      saved: "Least Price must be between 1 and 500.",
      tried: true,
      begins: "5",
      sources: ["Tiingo"],
      without: [],
      probe: "Not configured: TIINGO_TOKEN is not set.",
      shown: true,
      prefetched: ["/api/v1/portfolio/summary"],
      watchedAs: ["trader"],
    });
  });
});
