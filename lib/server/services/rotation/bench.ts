/**
 * The test bench of the rotation: traders on the fixture market after its first screening, plans of the session, and rounds of
 * the worker without a queue between them.
 * Only tests import it.
 */
import type { Exchange } from "@/lib/exchange/start.ts";
import { makeUser } from "@/prisma/factories.ts";
import { money, text } from "@/lib/domain/money.ts";
import { QA_RULE_IDS } from "@/lib/domain/qa/rule.ts";
import { tradedValue } from "@/lib/domain/rotation/approval.ts";
import type { RotationLegPlan } from "@/lib/domain/rotation/proposal.ts";
import type { Context, SignedIn } from "../../context.ts";
import { db, type Prisma } from "../../db.ts";
import { readMarketView } from "../cycles/market-record.ts";
import { screenForCycle } from "../cycles/run-screening.ts";
import { syncOrders } from "../accounts/sync-orders.ts";
import { activePolicy } from "../../core/active-policy.ts";
import { fingerprintOf } from "./fingerprint.ts";
import { followRotations } from "./follow-rotations.ts";
import { planRotations } from "./plan-rotation.ts";
import { sendRotationLegs } from "./send-legs.ts";

export async function administrator(): Promise<SignedIn> {
  const { id } = await makeUser(db(), { role: "ADMIN" });
  return { kind: "user", userId: id, role: "ADMIN", signInId: "test" };
}

/** Rotation trades live from here on. */
export async function tradeLive(change: { cadenceDays?: number | null } = {}): Promise<void> {
  const data = { enabled: true, advisoryOnly: false, ...change };
  await db().rotationConfig.upsert({ where: { id: 1 }, create: { id: 1, ...data }, update: data });
}

/** Minutes pass, every account reads its broker, and the market is screened; no account decides in a cycle. */
export async function screenOnly(exchange: Exchange, context: Context, minutes: number): Promise<void> {
  await exchange.control.clock({ advanceMinutes: minutes });
  for (const { id: accountId } of await db().account.findMany()) await syncOrders(context, { accountId });
  await screenForCycle(context, { market: "PRACTICE" });
}

/** The plan of this session. */
export async function planNow(context: Context): Promise<string> {
  await planRotations(context, { market: "PRACTICE" });
  const plan = await db().rotationPlan.findFirstOrThrow({ orderBy: { createdAt: "desc" }, select: { id: true } });
  return plan.id;
}

/** One round of the worker: what became of the legs is noted, and every account that is woken sends. */
export async function round(context: Context): Promise<void> {
  const woken: string[] = [];
  const listening: Context = {
    ...context,
    queue: {
      enqueue: (_job, input) => {
        const { accountId } = input as { accountId?: string };
        if (accountId !== undefined) woken.push(accountId);
        return Promise.resolve();
      },
    },
  };
  await followRotations(listening);
  for (const accountId of woken) await sendRotationLegs(listening, { accountId });
}

/** Rounds with a minute of market time and a reading of the brokers between them. */
export async function rounds(exchange: Exchange, context: Context, count: number): Promise<void> {
  for (let turn = 0; turn < count; turn += 1) {
    await round(context);
    await exchange.control.clock({ advanceMinutes: 1 });
    for (const { id: accountId } of await db().account.findMany({ where: { deletedAt: null } }))
      await syncOrders(context, { accountId });
  }
  await round(context);
}

type Leg = Pick<RotationLegPlan, "symbol" | "side" | "qty"> & Partial<RotationLegPlan>;

let made = 0;

/** A plan with these legs as the planner would have stored it, guards of 3 % around a price; approved unless said otherwise. */
export async function makePlan(
  context: Context,
  legs: readonly (Leg & { accountId: string; decisionPrice: string })[],
  change: Prisma.RotationPlanUncheckedUpdateInput = {},
): Promise<string> {
  const { version } = await activePolicy(context);
  const { now } = await context.marketData("PRACTICE").clock();
  const guards = (price: string) => ({
    priceGuardLow: text(money(price).times(0.97).toDecimalPlaces(2)),
    priceGuardHigh: text(money(price).times(1.03).toDecimalPlaces(2)),
  });
  const planned = legs.map((leg, place) => ({
    leg: place,
    kind: leg.side === "SELL" ? ("forced_exit" as const) : ("enter" as const),
    reason: "test",
    costBps: 5,
    ...guards(leg.decisionPrice),
    ...leg,
  }));
  made += 1;
  const { id } = await db().rotationPlan.create({
    data: {
      market: "PRACTICE",
      // One plan for a session: these are of sessions long past.
      sessionDate: new Date(Date.UTC(1990, 0, made)),
      policyVersion: version,
      approvalStatus: "APPROVED",
      isAdvisoryOnly: false,
      fingerprint: fingerprintOf(planned),
      tradedUsd: text(tradedValue(planned)),
      actions: [],
      metrics: {
        turnover: { turnoverPct: 1 },
        costs: { estimatedCostsBps: 5 },
        guardrails: { allChecksPassed: true, violations: [], details: [] },
        currentPortfolio: { totalValue: "100000", cashBufferPct: 100, grossExposurePct: 0, positionCount: 0 },
        projectedPortfolio: { totalValue: "100000", cashBufferPct: 95, grossExposurePct: 5, positionCount: 1 },
      },
      kpiSnapshot: { avgWinToLoss: null, hitRate: null, timeStopRate: null, slippagePct: null },
      plannedAt: new Date(now),
      expiresAt: new Date(Date.parse(now) + 24 * 60 * 60_000),
      decidedAt: new Date(),
      decidedById: (await administrator()).userId,
      legs: { create: planned },
      qaResults: {
        create: QA_RULE_IDS.map((ruleId) => ({
          ruleId,
          status: "PASS" as const,
          severity: "high" as const,
          message: "holds",
          expected: "",
          actual: "",
          at: new Date(now),
        })),
      },
    },
  });
  await db().rotationPlan.update({ where: { id }, data: change });
  return id;
}

/** A plan that was claimed for execution. */
export const EXECUTED = () => ({ approvalStatus: "EXECUTED" as const, executedAt: new Date() });

/** Last prices of the seats that a rotation could buy, the best seat first. */
export async function seatPrices(): Promise<{ symbol: string; price: string }[]> {
  const { snapshotId } = await db().cycle.findFirstOrThrow({
    where: { status: "DONE" },
    orderBy: { startedAt: "desc" },
  });
  const view = await readMarketView({ db: db() }, snapshotId!);
  return view.seats.flatMap(({ symbol }) => {
    const last = view.symbols[symbol]?.quote?.last;
    return last === undefined ? [] : [{ symbol, price: last }];
  });
}
