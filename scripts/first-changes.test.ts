import { execFileSync, spawnSync } from "node:child_process";
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import ts from "typescript";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

/**
 * What the first changes of a newcomer cost: they are made in a copy of the domain and the contracts, compiled, and asked
 * whether they are complete. Tests beside the code, and the migration of the database, come on top.
 */
const copy = mkdtempSync(path.join(tmpdir(), "first-changes-"));

/** A file of the copy to its new text; from nothing for a new file. */
type Change = Record<string, (text: string) => string>;

const addLine = (after: string, line: string) => (text: string) => {
  if (!text.includes(after)) throw new Error(`not found: ${after}`);
  return text.replace(after, `${after}\n${line}`);
};

const GATE: Change = {
  "lib/domain/gates/ticker-length.ts": () => `
import { byCondition, type Gate } from "./gate.ts";

export const tickerLength = {
  code: "ticker_length",
  label: "ticker length",
  explanation: "A ticker may have two letters at most.",
  scope: "seat",
  check: ({ symbol }) => byCondition(symbol.length <= 2, \`\${symbol} has \${symbol.length} letters\`),
} as const satisfies Gate;
`,
  "lib/domain/gates/gates.ts": (text) =>
    addLine(
      "  sizeGate,",
      "  tickerLength,",
    )(
      addLine(
        'import { stopGuard } from "./stop-guard.ts";',
        'import { tickerLength } from "./ticker-length.ts";',
      )(text),
    ),
};

const STRATEGY: Change = {
  "lib/domain/enums.ts": (text) => text.replace('"BREAKOUT"] as const', '"BREAKOUT", "GAP_UP"] as const'),
  "prisma/schema.prisma": (text) => addLine("  MEAN_REVERSION", "  GAP_UP")(text),
  "lib/domain/strategies/gap-up.ts": () => `
import { atLeast } from "./signal.ts";
import type { Strategy } from "./strategy.ts";

export const gapUp = {
  label: "Gap up",
  adjective: "gap-up",
  words: () => ({ does: ["Buys gaps."], trades: "Daily.", holds: "A day.", struggles: "Never." }),
  signal: ({ features }) => [atLeast("gap", features.gap, -1000)],
  strength: (_, features) => features?.gap ?? null,
  isStrengthPercentile: false,
  regime: ({ regime, word }) => ({ isAllowed: regime.label === "risk_on", detail: word }),
  isForOneSession: true,
  atr: ({ atr14 }) => atr14,
  stop: () => 2,
  edge: () => 300,
  sizeScale: () => 1,
  exit: () => null,
  exitLines: () => [],
} as const satisfies Strategy;
`,
  "lib/domain/strategies/strategies.ts": (text) =>
    addLine(
      "  BREAKOUT: breakout,",
      "  GAP_UP: gapUp,",
    )(addLine('import { breakout } from "./breakout.ts";', 'import { gapUp } from "./gap-up.ts";')(text)),
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
    text.replace(
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

/** Asks the changed copy; what it prints is compared below. */
const QUESTIONS = `
import { backtestsApi } from "@/lib/contracts/backtests.ts";
import { preferencesApi } from "@/lib/contracts/preferences.ts";
import { decide } from "@/lib/domain/engine/decide.ts";
import { DEFAULT_PREFERENCES } from "@/lib/domain/preferences.ts";
import * as example from "@/lib/proof/example-market.ts";
import { REASON_TEXT } from "@/lib/domain/engine/reasons.ts";
import { GATE_CODES } from "@/lib/domain/gates/gates.ts";
import { readCycleLine } from "@/lib/domain/insight/read-cycle-line.ts";

const account = example.exampleAccount();
const preferences = { ...account.preferences, strategy: "GAP_UP" as const };
const ask = (symbol: string) =>
  decide(
    { ...account, preferences },
    example.exampleMarket([example.exampleSymbol(symbol)], [example.exampleSeat(symbol, { composite: 95 })]),
    example.examplePolicy,
  );
const [bought, refused] = [ask("AA"), ask("AAA")];
const said = readCycleLine(refused.line);
console.log(
  JSON.stringify({
    codes: GATE_CODES.slice(-1),
    failing: refused.candidates[0]?.failing,
    flip: refused.candidates[0]?.nearestFlip,
    told: said?.refusals,
    reason: bought.orders[0]?.reason,
    text: (REASON_TEXT as Record<string, string>)[bought.orders[0]?.reason ?? ""],
    offered: JSON.stringify(backtestsApi.create.input).includes("GAP_UP"),
    saved: preferencesApi.saveTrading.input.shape.leastPrice.safeParse(0.5).error?.issues[0]?.message,
    tried: "leastPrice" in backtestsApi.create.input.shape.settings.shape,
    begins: DEFAULT_PREFERENCES.leastPrice,
  }),
);
`;

function make(change: Change): void {
  for (const [file, write] of Object.entries(change)) {
    const place = path.join(copy, file);
    const before = ts.sys.fileExists(place) ? readFileSync(place, "utf8") : "";
    const after = write(before);
    if (after === before) throw new Error(`${file} was not changed`);
    writeFileSync(place, after);
  }
}

/** What the compiler says of the copy without its tests. */
function complaints(): string[] {
  const tsc = path.resolve("node_modules/typescript-native/bin/tsc");
  const { stdout } = spawnSync(process.execPath, [tsc, "--project", copy, "--noEmit", "--pretty", "false"], {
    encoding: "utf8",
  });
  return stdout.split("\n").filter((line) => line !== "");
}

beforeAll(() => {
  for (const part of ["lib", "workers", "emails", "prisma", "prisma.config.ts", "package.json"])
    cpSync(part, path.join(copy, part), { recursive: true });
  symlinkSync(path.resolve("node_modules"), path.join(copy, "node_modules"));
  const { compilerOptions } = ts.readConfigFile("tsconfig.json", (file) => ts.sys.readFile(file)).config as {
    compilerOptions: object;
  };
  const program = {
    compilerOptions: { ...compilerOptions, incremental: false, plugins: [] },
    include: ["questions.ts", "lib/domain/**/*.ts", "lib/contracts/**/*.ts", "lib/server/**/*.ts", "workers/doors.ts"],
    exclude: ["**/*.test.ts"],
  };
  writeFileSync(path.join(copy, "tsconfig.json"), JSON.stringify(program));
  for (const change of [GATE, STRATEGY, SETTING, JOB]) make(change);
  // The client of the changed schema.
  execFileSync(process.execPath, [path.resolve("node_modules/prisma/build/index.js"), "generate"], {
    cwd: copy,
    stdio: "pipe",
  });
  writeFileSync(path.join(copy, "questions.ts"), QUESTIONS);
}, 600_000);
afterAll(() => rmSync(copy, { recursive: true }));

describe("a newcomer's first change", () => {
  it("costs two files for a gate, two and the schema for a setting, three and the schema for a strategy, three for a job", () => {
    const files = [GATE, SETTING, STRATEGY, JOB].map((change) => Object.keys(change));
    const ofCode = files.map((names) => names.filter((name) => name !== "prisma/schema.prisma").length);
    expect(ofCode).toEqual([2, 2, 3, 3]);
  });

  // The whole of the services is compiled.
  it("is complete for the compiler", { timeout: 600_000 }, () => expect(complaints()).toEqual([]));

  it("is asked, named and offered wherever gates and strategies are", () => {
    const said = execFileSync("node", ["--import", "tsx", "questions.ts"], { cwd: copy, encoding: "utf8" });
    expect(JSON.parse(said)).toEqual({
      codes: ["ticker_length"],
      failing: ["ticker_length"],
      flip: "needs ticker length to clear (AAA has 3 letters)",
      told: [{ code: "ticker_length", count: 1 }],
      reason: "entry_gap_up",
      text: "Gap up entry",
      offered: true,
      saved: "Least Price must be between 1 and 500.",
      tried: true,
      begins: "5",
    });
  });
});
