import { expect, it } from "vitest";
import { planHolding } from "@/lib/proof/example-plan.ts";
import { plannedOrder, testContext } from "@/lib/proof/fixtures/orders.ts";
import { makeAccount, makeUser } from "@/prisma/factories.ts";
import { db } from "../../db.ts";
import type { SubmittedLeg } from "../orders/submit-leg.ts";
import { logLegs } from "./log-legs.ts";

const context = testContext();
const order = plannedOrder({ symbol: "SPY", qty: "10" });
const WHAT = "order to buy 10 SPY";

it.each([
  ["LIVE", null, "info", `Sent: ${WHAT} (Momentum entry)`],
  ["DENIED", "order rate", "warn", `Not sent: ${WHAT}: order rate`],
  ["REJECTED", "40310000: no cash", "error", `Rejected by the broker: ${WHAT}: 40310000: no cash`],
  [
    "PARKED",
    "tw-1: quantity 5 instead of 10",
    "error",
    `An administrator has to decide what becomes of this: ${WHAT}: tw-1: quantity 5 instead of 10`,
  ],
  [
    "PARKED",
    "not found at the broker within the settle window",
    "error",
    `An administrator has to decide what becomes of this: ${WHAT}: not found at the broker within the settle window`,
  ],
] as const)(
  "the owner reads in the log what an order that is %s (%s) waits for",
  async (status, reason, level, message) => {
    const { id: userId } = await makeUser(db());
    const account = await makeAccount(db(), userId);
    const at = new Date();
    const cycle = await db().cycle.create({ data: { market: "PRACTICE", startedAt: at, sessionDate: at } });
    const leg: SubmittedLeg = { leg: order.leg, symbol: order.symbol, status, reason };
    await logLegs(context, { cycleId: cycle.id, account, plan: { ...planHolding({}), orders: [order] } }, [leg]);
    expect(await db().logEvent.findMany({ where: { userId }, select: { level: true, message: true } })).toEqual([
      { level, message },
    ]);
  },
);
