import { afterAll, beforeAll, expect, it } from "vitest";
import type { Exchange } from "@/lib/exchange/start.ts";
import type { Context } from "../../context.ts";
import { db } from "../../db.ts";
import { systemContext } from "../../system-context.ts";
import { openTrader, ROOMY, startMarketDay } from "@/lib/proof/fixtures/cycles.ts";
import { comparePractice } from "@/lib/proof/practice/compare-truth.ts";
import { syncOrders } from "../accounts/sync-orders.ts";
import { readTrade } from "../trades/read-trade.ts";
import { administrator, planNow, rounds, screenOnly, tradeLive } from "@/lib/proof/fixtures/rotation.ts";
import { approvePlan } from "./decide-plan.ts";
import { executePlan } from "./execute-plan.ts";
import { planRotations } from "./plan-rotation.ts";
import { readPlan } from "./read-plan.ts";

let exchange: Exchange;
const context = systemContext("test");
let admin: Context<"admin">;
let traders: Awaited<ReturnType<typeof openTrader>>[];

beforeAll(async () => {
  exchange = await startMarketDay({ isWhole: true });
  admin = { ...context, actor: await administrator() };
  traders = [await openTrader(context, ROOMY), await openTrader(context, { ...ROOMY, strategy: "BREAKOUT" })];
  for (const { accountId } of traders) await syncOrders(context, { accountId });
  await tradeLive();
}, 120_000);
afterAll(() => exchange.close());

it("no plan before the first screening; then one for the session, whichever workers make it", async () => {
  await exchange.control.clock({ advanceMinutes: 6 });
  await planRotations(context, { market: "PRACTICE" });
  expect(await db().rotationPlan.count()).toBe(0);
  await screenOnly(exchange, context, 1);
  await Promise.all(Array.from({ length: 4 }, () => planRotations(context, { market: "PRACTICE" })));
  const plan = await db().rotationPlan.findFirstOrThrow({ include: { qaResults: true, legs: true } });
  expect(await db().rotationPlan.count()).toBe(1);
  expect(plan.qaResults.map(({ ruleId, status }) => `${ruleId} ${status}`).sort()).toEqual([
    "allocation PASS",
    "conviction_gates PASS",
    "fast_track_events PASS",
    "promotion_quality PASS",
    "sector_quotas PASS",
    "swap_limits PASS",
  ]);
  expect(plan).toMatchObject({ approvalStatus: "PENDING", isAdvisoryOnly: false, closedAs: null });
  expect(plan.legs.length).toBeGreaterThan(2);
  expect(new Set(plan.legs.map(({ accountId }) => accountId)).size).toBe(2);
  expect(await db().auditEvent.count({ where: { eventType: "ROTATION_PLANNED" } })).toBe(1);
}, 120_000);

it("an approved plan is executed: each leg goes out once as a bracket, is seen, and agrees with the exchange", async () => {
  const planId = await planNow(context);
  await approvePlan(admin, { planId });
  await executePlan(admin, { planId });
  await rounds(exchange, context, 4);
  const { plan, accounts } = await readPlan(admin, { planId });
  expect(plan.approvalStatus).toBe("EXECUTED");
  const legs = accounts.flatMap((one) => one.legs);
  const filled = legs.filter(({ outcome }) => outcome === "filled");
  expect(filled.length).toBeGreaterThan(1);
  expect(legs.filter(({ outcome, outcomeReason }) => outcome === "refused" && outcomeReason === null)).toEqual([]);
  const intents = await db().intent.findMany({ where: { planId } });
  expect(intents.every(({ orderClass, stopLossPrice }) => orderClass === "BRACKET" && stopLossPrice !== null)).toBe(
    true,
  );
  expect(new Set(intents.map(({ rotationLegId }) => rotationLegId)).size).toBe(intents.length);
  const [first] = accounts;
  const owner = traders.find(({ accountId }) => accountId === first!.account.id)!;
  const asOwner: Context<"user"> = {
    ...context,
    actor: { kind: "user", userId: owner.user.id, role: "USER", signInId: "test" },
  };
  const traded = first!.legs.find(({ outcome }) => outcome === "filled")!;
  expect(await readTrade(asOwner, { id: traded.tradeId! })).toMatchObject({
    rotationPlanId: planId,
    reason: "Rotation",
  });
  expect(await db().logEvent.count({ where: { userId: owner.user.id, message: { contains: "(Rotation)" } } })).toBe(
    first!.legs.filter(({ outcome }) => outcome !== "waiting").length,
  );
  const report = await comparePractice(context, (accountId) => syncOrders(context, { accountId }));
  expect(report.accounts.flatMap((row) => row.undecided ?? row.differences)).toEqual([]);
}, 240_000);

it("positions opened by a rotation keep their entry ATR, and their round trips the regime, as those of a cycle do", async () => {
  const [, breakout] = traders;
  const accountId = breakout!.accountId;
  const positions = await db().position.findMany({ where: { accountId }, select: { strategy: true, review: true } });
  expect(positions.length).toBeGreaterThan(0);
  for (const position of positions)
    expect(position).toMatchObject({ strategy: "BREAKOUT", review: { entryAtr: expect.any(Number) as number } });
  const trips = await db().roundTrip.findMany({ where: { accountId }, select: { entryReason: true, regime: true } });
  expect(trips.length).toBe(positions.length);
  for (const trip of trips)
    expect(trip).toEqual({ entryReason: "rotation", regime: expect.stringMatching(/^(risk_on|neutral|risk_off)/) });
}, 120_000);

it("the next plan waits for its sessions, supersedes what waits, is a preview where rotation is one, and none is made while disabled", async () => {
  const config = (data: object) => db().rotationConfig.update({ where: { id: 1 }, data });
  const [first] = await db().rotationPlan.findMany();
  const again = async () => {
    await planRotations(context, { market: "PRACTICE" });
    return db().rotationPlan.findMany({ where: { id: { not: first!.id } } });
  };
  const date = (day: string) => new Date(`${day}T00:00:00.000Z`);
  const change = (data: object) => db().rotationPlan.update({ where: { id: first!.id }, data });
  // One session ago, still waiting for an approval.
  await change({ sessionDate: date("2020-01-31"), approvalStatus: "PENDING", executedAt: null });
  expect(await again()).toEqual([]);
  await config({ cadenceDays: 1, enabled: false });
  expect(await again()).toEqual([]);
  await config({ enabled: true, advisoryOnly: true });
  expect(await again()).toMatchObject([{ isAdvisoryOnly: true, approvalStatus: "PENDING", closedAs: null }]);
  expect(await db().rotationPlan.findUnique({ where: { id: first!.id } })).toMatchObject({ closedAs: "superseded" });
  await expect(approvePlan(admin, { planId: first!.id })).rejects.toThrow("A newer plan has taken the place");

  const [newer] = await again();
  await db().rotationPlan.update({ where: { id: newer!.id }, data: { expiresAt: new Date("2020-02-03T14:00:00Z") } });
  expect(await again()).toMatchObject([{ id: newer!.id, closedAs: "expired" }]);
  await config({ cadenceDays: null, advisoryOnly: false });
}, 120_000);
