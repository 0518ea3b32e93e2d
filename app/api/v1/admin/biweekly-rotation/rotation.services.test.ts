import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import type { SideName } from "@/lib/domain/enums.ts";
import type { Exchange } from "@/lib/exchange/start.ts";
import { startTestExchange } from "@/lib/proof/market/test-exchange.ts";
import { db } from "@/lib/server/db.ts";
import { forgetEnv } from "@/lib/server/env.ts";
import { ensureFlags } from "@/lib/server/services/flags/ensure-flags.ts";
import { makePlan, tradeLive } from "@/lib/proof/fixtures/rotation.ts";
import { activePolicy } from "@/lib/server/core/active-policy.ts";
import { systemContext } from "@/lib/server/system-context.ts";
import { makeAccount, makeSignIn, makeUser } from "@/prisma/factories.ts";
import { type Call, callDoor, type Door } from "@/lib/proof/call-door.ts";
import * as configDoor from "./config/route.ts";
import * as approveDoor from "./plans/[planId]/approve/route.ts";
import * as executeDoor from "./plans/[planId]/execute/route.ts";
import * as rejectDoor from "./plans/[planId]/reject/route.ts";
import * as planDoor from "./plans/[planId]/route.ts";
import * as plansDoor from "./plans/route.ts";

/** The long run: `npm run prove -- rotation`. */
const ROUNDS = Number(process.env.ROTATION_ROUNDS ?? 3);
const AT_ONCE = 100;

let exchange: Exchange;
let token: string;
let accountId: string;
let ownerToken: string;
const context = systemContext("test");

beforeAll(async () => {
  exchange = await startTestExchange({ port: 0, controlToken: "test-control-token", databaseUrl: null, paused: true });
  process.env.EXCHANGE_URL = exchange.url;
  forgetEnv();
  await ensureFlags(context);
}, 60_000);
afterAll(() => exchange.close());
beforeEach(async () => {
  token = await signInAsAdmin();
  const owner = await makeUser(db());
  ownerToken = await makeSignIn(db(), owner);
  ({ id: accountId } = await makeAccount(db(), owner.id));
  await tradeLive();
  await db().systemState.update({ where: { id: 1 }, data: { killState: "NONE", isQueueActive: true } });
  await db().featureFlag.updateMany({ where: { name: "automation_enabled" }, data: { enabled: true } });
});

const signInAsAdmin = async () => makeSignIn(db(), await makeUser(db(), { role: "ADMIN" }));
const legs = (side: SideName = "BUY") => [{ accountId, side, symbol: "AAA", qty: "10", decisionPrice: "100" }];
const make = (change: Parameters<typeof makePlan>[2] = {}, side: SideName = "BUY") =>
  makePlan(context, legs(side), change);
const call = (door: Door, method: string, planId: string, rest: Call = {}) =>
  callDoor(door, method, { token, params: { planId }, ...rest });
const approve = (planId: string, rest: Call = {}) => call(approveDoor, "POST", planId, { body: {}, ...rest });
const reject = (planId: string, body: object) => call(rejectDoor, "POST", planId, { body });
const execute = (planId: string, rest: Call = {}) => call(executeDoor, "POST", planId, { body: {}, ...rest });
const audits = (eventType: string) => db().auditEvent.count({ where: { eventType } });
const refused = (error: string) => ({ status: 409, json: { success: false, code: "conflict", error } });

it("the configuration is read, changed by one switch at a time, audited once, and gives numbers back to the policy", async () => {
  const before = await audits("ROTATION_CONFIG_CHANGED");
  const patch = (body: object) => callDoor(configDoor, "PATCH", { token, body });
  expect((await patch({ advisory_only: true })).json?.data).toMatchObject({
    enabled: true,
    advisory_only: true,
    cadence_days: 14,
    turnover_cap_pct_per_period: 30,
    cost_aware_threshold_bps: 10,
    overrides: [],
  });
  await patch({ advisory_only: true });
  expect((await patch({ enabled: false })).json?.data).toMatchObject({ enabled: false, advisory_only: true });
  expect((await patch({ cadence_days: 1, turnover_cap_pct_per_period: 80 })).json?.data).toMatchObject({
    cadence_days: 1,
    // A limit of the policy is only ever tightened here.
    turnover_cap_pct_per_period: 30,
    overrides: ["cadence_days"],
  });
  // What was set is named where it is the number in force, and no longer where the policy's is the stricter one.
  expect(
    (await patch({ cadence_days: null, turnover_cap_pct_per_period: 20, cost_aware_threshold_bps: 2 })).json?.data,
  ).toMatchObject({
    turnover_cap_pct_per_period: 20,
    cost_aware_threshold_bps: 10,
    overrides: ["turnover_cap_pct_per_period"],
  });
  await patch({ turnover_cap_pct_per_period: null, cost_aware_threshold_bps: null });
  expect(await audits("ROTATION_CONFIG_CHANGED")).toBe(before + 5);
  await patch({ enabled: true, advisory_only: false, cadence_days: 7 });
  const lines = await db().logEvent.findMany({ orderBy: { id: "desc" }, take: 1 });
  expect(lines[0]?.message).toBe(
    "Biweekly rotation was enabled. It is in Live Trading: plans can be executed once approved. Its numbers were changed.",
  );
  await patch({ enabled: false, cadence_days: 7 });
  const [event] = await db().auditEvent.findMany({
    where: { eventType: "ROTATION_CONFIG_CHANGED" },
    orderBy: { seq: "desc" },
    take: 1,
  });
  expect(event?.data, "a number that was sent as it was is not changed").toEqual({ enabled: false });
  await patch({ advisory_only: true, cadence_days: null });
  expect((await callDoor(configDoor, "GET", { token })).json?.data).toMatchObject({ cadence_days: 14, overrides: [] });
  for (const body of [{}, { cadence_days: 0 }, { cadence_days: 91 }, { other: true }, { enabled: "yes" }])
    expect((await patch(body)).status).toBe(400);
});

it("a pending plan is approved once, or rejected with a reason, and never both", async () => {
  const approved = await make({ approvalStatus: "PENDING" });
  const audited = [await audits("ROTATION_APPROVED"), await audits("ROTATION_REJECTED")];
  expect(await approve(approved)).toMatchObject({
    status: 200,
    json: { data: { planId: approved, approvalStatus: "APPROVED", version: 1 } },
  });
  expect(await approve(approved)).toMatchObject(refused("This plan was approved already."));
  expect(await reject(approved, { reason: "no" })).toMatchObject(refused("This plan was approved already."));
  const rejected = await make({ approvalStatus: "PENDING" });
  for (const body of [{}, { reason: "" }, { reason: "   " }, { reason: "x".repeat(301) }])
    expect((await reject(rejected, body)).status).toBe(400);
  expect(await reject(rejected, { reason: " Too dear " })).toMatchObject({
    status: 200,
    json: { data: { approvalStatus: "REJECTED", rejectReason: "Too dear" } },
  });
  expect(await approve(rejected)).toMatchObject(refused("This plan was rejected."));
  expect(await execute(rejected)).toMatchObject(refused("This plan was rejected."));
  expect([await audits("ROTATION_APPROVED"), await audits("ROTATION_REJECTED")]).toEqual([
    audited[0]! + 1,
    audited[1]! + 1,
  ]);
});

it("a plan that another administrator changed, that is stale, superseded or edited is refused (H2) (H3)", async () => {
  const planId = await make({ approvalStatus: "PENDING" });
  expect(await approve(planId, { body: { version: 7 } })).toMatchObject(
    refused("This plan was changed since you looked at it. Load it again."),
  );
  expect((await approve(planId, { body: { version: 0 } })).status).toBe(200);
  expect(await execute(planId, { body: { version: 0 } })).toMatchObject(
    refused("This plan was changed since you looked at it. Load it again."),
  );
  await db().rotationLeg.updateMany({ where: { planId }, data: { qty: 11 } });
  expect(await execute(planId)).toMatchObject(
    refused("The legs of this plan were edited after it was made: it cannot be executed."),
  );
  expect(await execute(await make({ expiresAt: new Date("2000-01-01") }))).toMatchObject(
    refused("This plan has expired."),
  );
  expect(await approve(await make({ approvalStatus: "PENDING", expiresAt: new Date("2000-01-01") }))).toMatchObject(
    refused("This plan has expired."),
  );
  expect(await execute(await make({ closedAs: "superseded" }))).toMatchObject(
    refused("A newer plan has taken the place of this one."),
  );
});

it("what stands against an execution says so: not approved, preview, switched off, kill switch, QA", async () => {
  expect(await execute(await make({ approvalStatus: "PENDING" }))).toMatchObject(
    refused("This plan has not been approved."),
  );
  const preview = await make({ isAdvisoryOnly: true, approvalStatus: "PENDING" });
  expect((await approve(preview)).status).toBe(200);
  expect((await execute(preview)).json?.error).toMatch(/^This plan was made as a preview and is never executed\./);

  const planId = await make();
  const config = (data: object) => db().rotationConfig.update({ where: { id: 1 }, data });
  await config({ advisoryOnly: true });
  expect(await execute(planId)).toMatchObject(refused("Rotation is in Preview Only: no plan is executed."));
  await config({ advisoryOnly: false, enabled: false });
  expect(await execute(planId)).toMatchObject(refused("Biweekly rotation is disabled."));
  await config({ enabled: true });
  const system = (data: object) => db().systemState.update({ where: { id: 1 }, data });
  await system({ killState: "NO_NEW_ENTRIES" });
  expect(await execute(planId)).toMatchObject(refused("The kill switch of the system is on (no new entries)."));
  await system({ killState: "NONE", isQueueActive: false });
  expect(await execute(planId)).toMatchObject(refused("The job queue is stopped: nothing would execute the plan."));
  await system({ isQueueActive: true });
  await db().featureFlag.updateMany({ where: { name: "automation_enabled" }, data: { enabled: false } });
  expect(await execute(planId)).toMatchObject(refused("Automation is switched off (flag automation_enabled)."));
  await db().featureFlag.updateMany({ where: { name: "automation_enabled" }, data: { enabled: true } });
  for (const status of ["FAIL", "UNKNOWN"] as const) {
    await db().qaResult.updateMany({
      where: { rotationPlanId: planId, ruleId: "sector_quotas" },
      data: { status, message: "Energy has 21 seats" },
    });
    expect((await execute(planId)).json?.error).toContain("sector_quotas");
  }
  expect(await db().intent.count({ where: { planId } })).toBe(0);

  // What only sells adds no risk: the rules do not hold it back.
  const selling = await make({}, "SELL");
  await db().qaResult.updateMany({ where: { rotationPlanId: selling }, data: { status: "FAIL" } });
  expect((await execute(selling)).json?.data).toMatchObject({ approvalStatus: "EXECUTED" });
});

/** What `work` does under a policy that asks a second administrator above these lines. */
async function withLines({ all, live }: { all: number; live: number }, work: () => Promise<void>): Promise<void> {
  const policy = await activePolicy(context);
  const status = (version: string, name: "ACTIVE" | "RETIRED") =>
    db().policyVersion.update({ where: { version }, data: { status: name } });
  await status(policy.version, "RETIRED");
  const version = `2.9.1-${all}-${live}`;
  const content = {
    ...policy,
    version,
    orders_execution: { ...policy.orders_execution, two_person_rotation_usd: all },
    portfolio_limits: { ...policy.portfolio_limits, live_second_approver_usd: live },
  };
  await db().policyVersion.create({ data: { version, status: "ACTIVE", content } });
  try {
    await work();
  } finally {
    await status(version, "RETIRED");
    await status(policy.version, "ACTIVE");
  }
}

it("above the policy's line a second administrator has to confirm; the first one cannot do it alone", () =>
  withLines({ all: 500, live: 0 }, async () => {
    const planId = await make();
    const [asked, done] = [await audits("ROTATION_SECOND_NEEDED"), await audits("ROTATION_EXECUTED")];
    const first = await execute(planId);
    expect(first.json?.data).toMatchObject({ approvalStatus: "APPROVED", executedAt: null, needsSecond: true });
    expect((first.json?.data as unknown as { secondNeededUntil: string }).secondNeededUntil).toMatch(/^20/);
    expect((await execute(planId)).json?.error).toContain("a second administrator has to confirm it");
    const other = await makeSignIn(db(), await makeUser(db(), { role: "ADMIN" }));
    expect((await execute(planId, { token: other })).json?.data).toMatchObject({
      approvalStatus: "EXECUTED",
      secondNeededUntil: null,
    });
    expect([await audits("ROTATION_SECOND_NEEDED"), await audits("ROTATION_EXECUTED")]).toEqual([asked + 1, done + 1]);
    const { executedById, secondId } = await db().rotationPlan.findUniqueOrThrow({ where: { id: planId } });
    expect(executedById).not.toBe(secondId);
  }));

it("of a LIVE plan the lower of the two lines that are set asks for the second administrator; of a PAPER plan the common one", async () => {
  const isHeld = async (environment: "LIVE" | "PAPER") =>
    ((await execute(await make({ environment }))).json?.data as { executedAt: string | null } | undefined)
      ?.executedAt === null;
  // The plan trades 1,000.
  for (const [lines, live, paper] of [
    [{ all: 0, live: 0 }, false, false],
    [{ all: 0, live: 100 }, true, false],
    [{ all: 100, live: 0 }, true, true],
    [{ all: 100, live: 5_000 }, true, true],
    [{ all: 5_000, live: 100 }, true, false],
    [{ all: 0, live: 1_000 }, false, false],
  ] as const)
    await withLines(lines, async () => {
      expect({ ...lines, held: [await isHeld("LIVE"), await isHeld("PAPER")] }).toEqual({
        ...lines,
        held: [live, paper],
      });
    });
});

it(
  `${AT_ONCE} requests at once execute a plan once, in each of ${ROUNDS} rounds (H1)`,
  async () => {
    const done = await audits("ROTATION_EXECUTED");
    for (let turn = 0; turn < ROUNDS; turn += 1) {
      // Each administrator may call 600 times a minute.
      token = await signInAsAdmin();
      const planId = await make();
      const answers = await Promise.all(Array.from({ length: AT_ONCE }, () => execute(planId)));
      const statuses = answers.map(({ status }) => status);
      expect(statuses.filter((status) => status === 200)).toHaveLength(1);
      // A busy machine tells some to retry (503); none of them has executed anything.
      expect(statuses.filter((status) => status === 409 || status === 503)).toHaveLength(AT_ONCE - 1);
    }
    expect(await audits("ROTATION_EXECUTED")).toBe(done + ROUNDS);
  },
  60_000 + 20_000 * ROUNDS,
);

it("plans are listed newest first, by cursor, in the specified shape; one is read with its legs", async () => {
  const planId = await make();
  const newer = await make();
  const page = async (query: string) =>
    (await callDoor(plansDoor, "GET", { token, query })).json?.data as unknown as {
      plans: { planId: string }[];
      pagination: { nextCursor: string | null };
    };
  const first = await page("limit=1");
  expect(first.plans.map((plan) => plan.planId)).toEqual([newer]);
  const second = await page(`limit=1&cursor=${first.pagination.nextCursor}`);
  expect(second.plans[0]).toMatchObject({
    planId,
    approvalStatus: "APPROVED",
    executedAt: null,
    actions: [],
    metrics: {
      turnover: { turnoverPct: 1 },
      costs: { estimatedCostsBps: 5 },
      guardrails: { allChecksPassed: true, violations: [] },
      currentPortfolio: { totalValue: 100000, cashBufferPct: 100, grossExposurePct: 0, positionCount: 0 },
    },
    kpiSnapshot: { avgWinToLoss: null, hitRate: null, timeStopRate: null, slippagePct: null },
    tradedUsd: 1000,
    outcomes: { waiting: 1, filled: 0 },
  });
  expect((await callDoor(plansDoor, "GET", { token, query: "cursor=x" })).status).toBe(400);
  expect((await call(planDoor, "GET", planId)).json?.data).toMatchObject({
    plan: { planId },
    qaResults: expect.arrayContaining([{ ...QA_PASS, ruleId: "allocation" }]) as unknown,
  });
  expect((await call(planDoor, "GET", "01890000-0000-7000-8000-000000000000")).status).toBe(404);
});

const QA_PASS = { status: "PASS", severity: "high", message: "holds", expected: "", actual: "", margin: null };

it("a plan counts the accounts that it has orders for apart from those that it covers; a cost that is not known is null", async () => {
  const planId = await makePlan(
    context,
    legs().map((leg) => ({ ...leg, costBps: null })),
    { accounts: [{}, {}] },
  );
  expect((await callDoor(plansDoor, "GET", { token, query: "limit=1" })).json?.data).toMatchObject({
    plans: [{ planId, accountCount: 2, tradedAccountCount: 1 }],
  });
  const account = { ...BOOK, accountId };
  await db().rotationPlan.update({ where: { id: planId }, data: { accounts: [account] } });
  expect((await call(planDoor, "GET", planId)).json?.data).toMatchObject({
    accounts: [{ legs: [{ symbol: "AAA", costBps: null }] }],
  });
});

const VIEW = { totalValue: "100000", cashBufferPct: 100, grossExposurePct: 0, positionCount: 0 };
const BOOK = {
  equity: "100000",
  turnover: 0,
  swaps: 0,
  current: VIEW,
  projected: VIEW,
  weights: {},
  weightsBefore: {},
  skipped: [],
};

it("callers who are no administrators are refused", async () => {
  const planId = await make();
  for (const [door, method] of [
    [configDoor, "GET"],
    [plansDoor, "GET"],
    [planDoor, "GET"],
    [approveDoor, "POST"],
    [executeDoor, "POST"],
  ] as const) {
    const rest = method === "POST" ? { body: {} } : {};
    expect((await callDoor(door, method, { token: ownerToken, params: { planId }, ...rest })).status).toBe(403);
    expect((await callDoor(door, method, { params: { planId }, ...rest })).status).toBe(401);
  }
});
