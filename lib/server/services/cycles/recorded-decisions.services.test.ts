import { spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import fc from "fast-check";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { canonicalJson } from "@/lib/domain/engine/canonical.ts";
import type { AccountState, Plan } from "@/lib/domain/engine/plan.ts";
import type { OwnVerdicts } from "@/lib/domain/engine/verdict-sheet.ts";
import { POLICY_2_9_0 } from "@/lib/domain/policy.ts";
import { QA_RULE_IDS } from "@/lib/domain/qa/rule.ts";
import type { Exchange } from "@/lib/exchange/start.ts";
import { cycleText } from "@/lib/domain/insight/cycle-text.ts";
import { WITH_SHEET, wholePlanOf } from "../../core/json.ts";
import { db } from "../../db.ts";
import { systemContext } from "../../system-context.ts";
import { ensureFlags } from "../flags/ensure-flags.ts";
import { programArgs } from "@/lib/proof/bundled.ts";
import { look, openTrader, startMarketDay } from "@/lib/proof/fixtures/cycles.ts";
import { superuserUrl } from "@/lib/proof/fixtures/every-right.ts";
import { hashOf } from "./market-record.ts";
import { replayDecisions, type ReplayedDecision, type ReplayOptions } from "./replay-decisions.ts";

const ACCOUNTS = 2;

let exchange: Exchange;

async function replayed(options: ReplayOptions = {}): Promise<ReplayedDecision[]> {
  const found: ReplayedDecision[] = [];
  for await (const decision of replayDecisions({ db: db() }, options)) found.push(decision);
  return found;
}

/** Changes rows that the product itself cannot change, and puts them back. */
async function whileTampered(change: string, check: () => Promise<void>): Promise<void> {
  const client = new pg.Client({ connectionString: superuserUrl() });
  await client.connect();
  try {
    await client.query("set session_replication_role = replica");
    await client.query('create table kept as select * from "DecisionRecord"');
    await client.query('create table kept_sheets as select * from "VerdictSheet"');
    await client.query(change);
    await check();
  } finally {
    await client.query(
      `update "DecisionRecord" d set ("accountState", "plan", "engineVersion") =
       (select k."accountState", k."plan", k."engineVersion" from kept k where k."id" = d."id"),
       ("verdicts", "sheetId") = (select k."verdicts", k."sheetId" from kept k where k."id" = d."id")`,
    );
    await client.query(
      'update "VerdictSheet" s set "content" = (select k."content" from kept_sheets k where k."id" = s."id")',
    );
    await client.query("drop table kept, kept_sheets");
    await client.end();
  }
}

/** The command itself, in a process of its own. */
async function command(file: string, ...args: string[]): Promise<{ code: number | null; said: string }> {
  const child = spawn(process.execPath, [...(await programArgs(file)), ...args], { stdio: ["ignore", "pipe", "pipe"] });
  let said = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk) => (said += String(chunk)));
  const code = await new Promise<number | null>((resolve) => child.on("close", resolve));
  return { code, said };
}

beforeAll(async () => {
  exchange = await startMarketDay({ isWhole: true });
  const context = systemContext("test");
  for (let i = 0; i < ACCOUNTS; i += 1) {
    await openTrader(context, { maxPositions: 5, maxPositionValue: 8000, defaultOrderSize: 4000 + 1000 * i });
  }
  for (const minutes of [0, 6, 10, 10, 60]) await look(exchange, context, minutes);
}, 240_000);
afterAll(() => exchange.close());

describe("replay", () => {
  it("every recorded decision comes out again byte for byte", async () => {
    const decisions = await replayed();
    expect(decisions).toHaveLength(await db().decisionRecord.count());
    expect(decisions.length).toBeGreaterThanOrEqual(4 * ACCOUNTS);
    expect(decisions.filter(({ differences, refusal }) => differences.length > 0 || refusal !== null)).toEqual([]);
    // Decisions that had something to decide, not empty ones.
    expect(await db().intent.count()).toBeGreaterThan(0);
  });

  it("replays one cycle, one account, or a range of dates", async () => {
    const { cycleId, accountId } = await db().decisionRecord.findFirstOrThrow();
    expect(await replayed({ cycleId })).toHaveLength(ACCOUNTS);
    expect((await replayed({ accountId })).every((row) => row.accountId === accountId)).toBe(true);
    const { sessionDate } = await db().cycle.findUniqueOrThrow({ where: { id: cycleId } });
    const date = sessionDate.toISOString().slice(0, 10);
    expect(await replayed({ from: date, to: date })).toHaveLength(await db().decisionRecord.count());
    expect(await replayed({ to: "2000-01-01" })).toEqual([]);
  });

  it("a tampered plan is named by its field, in its record only", async () => {
    const row = await db().decisionRecord.findFirstOrThrow({ where: { intents: { some: {} } } });
    const qty = (row.plan as unknown as Plan).orders[0]?.qty ?? "";
    const change = `update "DecisionRecord" set "plan" = jsonb_set("plan", '{orders,0,qty}', '"7777"') where "id" = '${row.id}'`;
    await whileTampered(change, async () => {
      const wrong = (await replayed()).filter(({ differences }) => differences.length > 0);
      expect(wrong).toHaveLength(1);
      expect(wrong[0]).toMatchObject({ decisionId: row.id, cycleId: row.cycleId, accountId: row.accountId });
      expect(wrong[0]?.differences).toEqual([
        { path: "plan.orders[0].qty", recorded: '"7777"', recomputed: `"${qty}"` },
      ]);
    });
    expect((await replayed()).flatMap(({ differences }) => differences)).toEqual([]);
  });

  it("a tampered verdict is named by its field: an own one in its record, one on a sheet in every record of the sheet", async () => {
    const rows = await db().decisionRecord.findMany({ include: WITH_SHEET });
    const row = rows.find((each) => wholePlanOf(each).candidates.some(({ hasSignal }) => hasSignal))!;
    const recorded = row.verdicts as unknown as OwnVerdicts;
    const own = `update "DecisionRecord" set "verdicts" = jsonb_set("verdicts", '{results,0,detail}', '"changed"') where "id" = '${row.id}'`;
    const changed = async () =>
      (await replayed()).flatMap(({ decisionId, differences }) =>
        differences.map(({ path, recorded: said }) => ({ decisionId, path, said })),
      );
    await whileTampered(own, async () => {
      const path = expect.stringMatching(/^plan\.candidates\[\d+\]\.gates\[\d+\]\.detail$/);
      expect(await changed()).toEqual([{ decisionId: row.id, path, said: '"changed"' }]);
    });
    const silent = `update "VerdictSheet" set "content" = jsonb_set("content", '{silent,0,noSignal}', '"changed"') where "id" = '${row.sheetId}'`;
    await whileTampered(silent, async () => {
      const ids = rows.filter(({ sheetId }) => sheetId === row.sheetId).map(({ id }) => id);
      expect((await changed()).map(({ decisionId }) => decisionId).sort()).toEqual(ids.sort());
    });
    const beyond = JSON.stringify({ ...recorded, candidates: [9_999] });
    await whileTampered(`update "DecisionRecord" set "verdicts" = '${beyond}' where "id" = '${row.id}'`, async () => {
      const wrong = (await replayed()).filter(({ differences }) => differences.length > 0);
      expect(wrong).toHaveLength(1);
      expect(wrong[0]?.differences).toEqual([
        { path: "input", recorded: "a decision", recomputed: "verdicts hold no place 9999" },
      ]);
    });
  });

  it("a record from before there were sheets holds its candidates itself, and is read and replayed as it was", async () => {
    const rows = await db().decisionRecord.findMany({ include: WITH_SHEET });
    const whole = new Map(rows.map((row) => [row.id, wholePlanOf(row)]));
    const [row] = rows;
    const text = JSON.stringify(whole.get(row!.id)).replaceAll("'", "''");
    await whileTampered(
      `update "DecisionRecord" set "plan" = '${text}', "verdicts" = null, "sheetId" = null where "id" = '${row!.id}'`,
      async () => {
        expect(await replayed()).toHaveLength(rows.length);
        expect((await replayed()).flatMap(({ differences }) => differences)).toEqual([]);
        const before = await db().decisionRecord.findUniqueOrThrow({ where: { id: row!.id }, include: WITH_SHEET });
        expect(before.sheetId).toBeNull();
        expect(wholePlanOf(before)).toEqual(whole.get(row!.id));
      },
    );
  });

  it("decisions of one cycle, strategy and risk level are on one sheet, which no process can change", async () => {
    const rows = await db().decisionRecord.findMany({ include: { sheet: true } });
    for (const { sheetId, sheet } of rows) expect(hashOf(sheet?.content)).toBe(sheetId);
    const perCycle = new Map<string, Set<string | null>>();
    for (const { cycleId, sheetId } of rows) perCycle.set(cycleId, (perCycle.get(cycleId) ?? new Set()).add(sheetId));
    expect([...perCycle.values()].every((ids) => ids.size === 1)).toBe(true);
    const [id] = rows.map(({ sheetId }) => sheetId!);
    await expect(db().verdictSheet.update({ where: { id: id! }, data: { content: {} } })).rejects.toThrow();
  });

  it("a tampered input no longer has its address, and what it changes in the plan is named too", async () => {
    const row = await db().decisionRecord.findFirstOrThrow({ where: { intents: { some: {} } } });
    const change = `update "DecisionRecord" set "accountState" = jsonb_set("accountState", '{killState}', '"NO_NEW_ENTRIES"') where "id" = '${row.id}'`;
    await whileTampered(change, async () => {
      const [wrong] = (await replayed({ cycleId: row.cycleId })).filter(({ differences }) => differences.length > 0);
      expect(wrong?.differences.map(({ path }) => path)[0]).toBe("inputHash");
      expect(wrong?.differences[1]?.path).toMatch(/^plan\.c/);
    });
  });

  it("records of another engine are refused with a sentence, and replayed when asked for", async () => {
    const change = `update "DecisionRecord" set "engineVersion" = '0.0.1', "plan" = jsonb_set("plan", '{engineVersion}', '"0.0.1"')`;
    await whileTampered(change, async () => {
      const refused = await replayed();
      expect(refused.every(({ refusal }) => refusal?.startsWith("decided by engine 0.0.1"))).toBe(true);
      const forced = await replayed({ isAnyEngine: true });
      // The plan agrees; only the addresses, which hold the version, do not.
      expect(new Set(forced.flatMap(({ differences }) => differences.map(({ path }) => path)))).toEqual(
        new Set(["inputHash", "outputHash"]),
      );
    });
  });
});

describe("the commands", () => {
  const REPLAY = "workers/cli/replay.ts";
  const WHATIF = "workers/cli/whatif.ts";

  it("replay in a fresh process agrees, and ends with 1 and the field's name when a record was changed", async () => {
    const count = await db().decisionRecord.count();
    const clean = await command(REPLAY, "--all");
    expect(clean).toEqual({ code: 0, said: `replayed ${count} decisions: all agree byte for byte\n` });
    const { id, cycleId, accountId } = await db().decisionRecord.findFirstOrThrow();
    const change = `update "DecisionRecord" set "plan" = jsonb_set("plan", '{counts,signals}', '7777') where "id" = '${id}'`;
    await whileTampered(change, async () => {
      const { code, said } = await command(REPLAY, "--all");
      expect(code).toBe(1);
      expect(said).toContain(`cycle ${cycleId}, account ${accountId}`);
      expect(said).toMatch(/plan\.counts\.signals: recorded 7777, recomputed \d+/);
      expect(said).toContain(`replayed ${count} decisions: 1 DIFFER`);
    });
  });

  it("replay that checked nothing, or was asked wrongly, does not say that all agree", async () => {
    const nothing = await command(REPLAY, "--cycle", randomUUID());
    expect(nothing).toEqual({ code: 2, said: "no recorded decision was replayed\n" });
    const wrong = await command(REPLAY, "--all", "--cycle", randomUUID());
    expect(wrong.code).toBe(2);
    expect(wrong.said).toContain("Usage: npm run replay");
  });

  it("what-if compares a draft from a file, and an unchanged one changes nothing", async () => {
    const folder = mkdtempSync(path.join(tmpdir(), "tradewind-whatif-"));
    try {
      const file = path.join(folder, "draft.json");
      const limits = { ...POLICY_2_9_0.portfolio_limits, tolerance_medium: 0.5 };
      writeFileSync(file, JSON.stringify({ ...POLICY_2_9_0, version: "2.9.1", portfolio_limits: limits }));
      const changed = await command(WHATIF, "--policy", file, "--json");
      expect(changed.code).toBe(0);
      const [report] = JSON.parse(changed.said) as {
        environment: string;
        decisionsChanged: number;
        sizesChanged: { count: number };
      }[];
      if (!report) throw new Error("no report");
      expect(report.environment).toBe("PRACTICE");
      expect(report.sizesChanged.count).toBeGreaterThan(0);
      expect(report.decisionsChanged).toBeGreaterThan(0);
      const same = await command(WHATIF, "--policy", "2.9.0");
      expect(same.code).toBe(0);
      expect(same.said).toMatch(/^Practice: \d+ recorded decisions/);
      expect(same.said).toContain("decisions changed: 0");
      writeFileSync(file, JSON.stringify({ ...POLICY_2_9_0, version: "2.9.1", exits: {} }));
      const broken = await command(WHATIF, "--policy", file);
      expect(broken.code).toBe(2);
      expect(broken.said).toContain("is not a policy");
      for (const [name, sentence] of [
        ["2.9.99", '"2.9.99" is neither a file nor a stored version of the policy.\n'],
        [folder, `${folder} is a directory, not a file.\n`],
      ] as const)
        expect(await command(WHATIF, "--policy", name)).toEqual({ code: 2, said: sentence });
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});

describe("numbers in records", () => {
  const store = async (content: Record<string, unknown>) => {
    const id = hashOf(randomUUID());
    await db().marketSnapshot.create({
      data: { id, market: "PRACTICE", asOf: new Date(), content: content as object },
    });
    return (await db().marketSnapshot.findUniqueOrThrow({ where: { id } })).content;
  };

  it.each([0, -0, 1e-7, 5e-324, 2.2250738585072014e-308, 1e21, 1.7976931348623157e308, 0.1 + 0.2, 2 ** 53, -1e-300])(
    "%s comes back from the database in the same canonical form",
    async (value) => {
      expect(canonicalJson(await store({ value }))).toBe(canonicalJson({ value }));
    },
  );

  it("no double changes its canonical form in the database, nor does any text", async () => {
    const double = fc.double({ noNaN: true, noDefaultInfinity: true });
    // The database holds no NUL in its JSON: such a decision is refused at its record, before anything is sent.
    const strings = fc.string({ unit: "binary" }).filter((text) => !text.includes("\u0000") && text.isWellFormed());
    // Its client drops this one key. Keys are field names and symbols, and a record that lost one has lost its address.
    const keys = strings.filter((text) => text !== "__proto__");
    await fc.assert(
      fc.asyncProperty(fc.array(double, { maxLength: 200 }), fc.dictionary(keys, strings), async (numbers, texts) => {
        const content = { numbers, texts };
        expect(canonicalJson(await store(content))).toBe(canonicalJson(content));
      }),
      { numRuns: 50 },
    );
  });

  it("a text that the database cannot hold is refused, not changed", async () => {
    await expect(store({ value: "a\u0000b" })).rejects.toThrow();
  });
});

describe("what a cycle leaves behind", () => {
  it("the line of each decision counts what its stored candidates and orders are, and what stopped them", async () => {
    const cycles = await db().cycle.findMany({ include: { decisions: { include: WITH_SHEET } } });
    expect(cycles.length).toBeGreaterThanOrEqual(4);
    let stopped = 0;
    for (const { seated, screened, decisions } of cycles) {
      expect(decisions).toHaveLength(ACCOUNTS);
      for (const decision of decisions) {
        const { line } = decision;
        const { candidates, orders } = wholePlanOf(decision);
        expect(candidates).toHaveLength(seated);
        const signals = candidates.filter(({ hasSignal }) => hasSignal).length;
        expect(line).toMatch(
          new RegExp(
            `^\\d\\d:\\d\\d: ${screened} screened, ${seated} seated, ${signals} signals?, ${orders.length} orders?`,
          ),
        );
        const failing = candidates.filter((row) => row.failing.length > 0);
        stopped += failing.length;
        const counted = [...line.replace(/^.* orders?/, "").matchAll(/\d+/g)].map(([count]) => Number(count));
        expect(counted.reduce((sum, count) => sum + count, 0)).toBe(failing.length);
        for (const candidate of failing) {
          expect(candidate.nearestFlip, `${candidate.symbol} knows what would let it pass`).not.toBe("");
          expect(candidate.gates.some((gate) => !gate.passed && candidate.failing.includes(gate.code))).toBe(true);
        }
      }
    }
    expect(stopped).toBeGreaterThan(0);
  });

  it("the user's log has decisions once while they stay the same, orders sent, and fills", async () => {
    const account = await db().account.findFirstOrThrow({
      include: { decisions: { orderBy: { decidedAt: "asc" }, include: { sheet: { select: { content: true } } } } },
    });
    const events = await db().logEvent.findMany({ where: { accountId: account.id }, orderBy: { id: "asc" } });
    expect(events.every((event) => event.userId === account.userId && event.marketAt !== null)).toBe(true);
    const { decisions } = account;
    const changed = decisions.filter(({ line }, i) => line.slice(7) !== decisions[i - 1]?.line.slice(7));
    const looks = events.flatMap(({ message }) => (message.startsWith("Looked at ") ? [message] : []));
    expect(looks).toEqual(changed.map((decision) => cycleText(decision.line, wholePlanOf(decision).orders)));
    const sent = await db().intent.count({
      where: { accountId: account.id, status: { in: ["LIVE", "FILLED", "CANCELED"] } },
    });
    expect(events.filter(({ message }) => message.startsWith("Sent: "))).toHaveLength(sent);
    const fills = await db().fill.count({ where: { accountId: account.id } });
    expect(fills).toBeGreaterThan(0);
    expect(events.filter(({ message }) => message.startsWith("Filled: "))).toHaveLength(fills);
  });

  it("every selection has the verdicts of the six rules once", async () => {
    const selections = await db().selection.findMany({ include: { qaResults: true } });
    expect(selections.length).toBeGreaterThan(0);
    for (const { qaResults } of selections) {
      expect(qaResults.map(({ ruleId }) => ruleId).toSorted()).toEqual([...QA_RULE_IDS].toSorted());
      expect(
        qaResults.filter(({ status }) => status !== "PASS").map(({ ruleId, message }) => [ruleId, message]),
      ).toEqual([]);
    }
  });

  it("the session has one watchlist: reports within two weeks, largest expected move first", async () => {
    const rows = await db().earningsWatch.findMany({ orderBy: { rank: "asc" } });
    expect(rows.length).toBeGreaterThan(0);
    expect(rows.length).toBeLessThanOrEqual(20);
    expect(rows.map(({ rank }) => rank)).toEqual(rows.map((_, i) => i + 1));
    for (const [i, row] of rows.entries()) {
      const days = (row.earningsDate.getTime() - row.sessionDate.getTime()) / 86_400_000;
      expect(days).toBeGreaterThanOrEqual(0);
      expect(days).toBeLessThanOrEqual(14);
      expect(row.expectedMove).toBeLessThanOrEqual(rows[i - 1]?.expectedMove ?? 1);
      expect(row.watchlistReason).toMatch(/^Moves \d/);
    }
    // Past reports were found: a move rests on the symbol's own, not on its sector's alone.
    expect(rows.some(({ watchlistReason }) => /the mean of [3-8] reports/.test(watchlistReason))).toBe(true);
  });

  it("with the QA gate on, a failed critical rule stops entries with its name, and the record replays", async () => {
    await ensureFlags({ db: db() });
    await db().featureFlag.updateMany({ where: { name: "qa_live_gate" }, data: { enabled: true } });
    await db().qaResult.updateMany({
      where: { ruleId: "swap_limits" },
      data: { status: "FAIL", severity: "critical" },
    });
    await look(exchange, systemContext("test"), 10);
    const last = await db().cycle.findFirstOrThrow({
      orderBy: { startedAt: "desc" },
      include: { decisions: { include: WITH_SHEET } },
    });
    expect(last.decisions).toHaveLength(ACCOUNTS);
    for (const decision of last.decisions) {
      const { orders, candidates } = wholePlanOf(decision);
      const { accountState } = decision;
      expect(orders.filter(({ purpose }) => purpose === "ENTRY")).toEqual([]);
      expect((accountState as unknown as AccountState).automationOff).toMatch(/^QA: swap_limits/);
      const signalled = candidates.filter(({ hasSignal }) => hasSignal);
      expect(signalled.length).toBeGreaterThan(0);
      for (const { failing } of signalled) expect(failing).toContain("automation_off");
    }
    expect((await replayed({ cycleId: last.id })).flatMap(({ differences }) => differences)).toEqual([]);
  });
});
