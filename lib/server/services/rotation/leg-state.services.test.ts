import { randomUUID } from "node:crypto";
import { expect, it } from "vitest";
import type { IntentStatusName } from "@/lib/domain/enums.ts";
import { testContext } from "@/lib/proof/fixtures/orders.ts";
import { EXECUTED, makePlan } from "@/lib/proof/fixtures/rotation.ts";
import { makeAccount, makeUser } from "@/prisma/factories.ts";
import { db, type Prisma } from "../../db.ts";
import { followRotations } from "./follow-rotations.ts";

const AT = "2020-02-03T15:00:00.000Z";
const clock = { now: AT, isOpen: true, nextOpen: AT, nextClose: AT };
const context = testContext({ marketData: () => ({ clock: () => Promise.resolve(clock) }) as never });
const WHAT = "order to buy 5 AAA (Rotation)";

async function accountOf() {
  return makeAccount(db(), (await makeUser(db())).id);
}

const planOf = (accountId: string) =>
  makePlan(context, [{ accountId, side: "BUY", qty: "5", symbol: "AAA", decisionPrice: "100" }], EXECUTED());

async function storeIntent(
  given: Pick<Prisma.IntentUncheckedCreateInput, "accountId" | "planId" | "rotationLegId" | "status" | "lastError">,
): Promise<void> {
  const [intentId, at] = [randomUUID(), new Date(AT)];
  const verdict = { id: randomUUID(), intentId, phase: "T2" as const, passed: true, results: [], inputs: {} };
  const order = { symbol: "AAA", side: "BUY", qty: "5", type: "MARKET", timeInForce: "day" } as const;
  const decided = { leg: 0, purpose: "ENTRY", reason: "rotation", decisionPrice: "100", decidedAt: at } as const;
  const marked = { gateVerdictId: verdict.id, submitEpoch: 0, submittedAt: at };
  await db().$transaction([
    db().intent.create({
      data: { ...given, ...order, ...decided, ...marked, id: intentId, clientOrderId: `tw-${intentId}` },
    }),
    db().gateVerdict.create({ data: { ...verdict, policyVersion: "1", at } }),
  ]);
}

it.each<[IntentStatusName, string | null, string, string]>([
  ["LIVE", null, "info", `Sent: ${WHAT}`],
  ["FILLED", null, "info", `Sent: ${WHAT}`],
  ["DENIED", "order rate", "warn", `Not sent: ${WHAT}: order rate`],
  ["HALTED", "the account is halted", "warn", `Not sent: ${WHAT}: the account is halted`],
  ["REJECTED", "40310000: no cash", "error", `Rejected by the broker: ${WHAT}: 40310000: no cash`],
  ["SUBMITTING", null, "warn", `No answer yet, so the broker is being asked: ${WHAT}`],
  ["UNKNOWN", null, "warn", `No answer yet, so the broker is being asked: ${WHAT}`],
  ["PARKED", "not found", "error", `An administrator has to decide what becomes of this: ${WHAT}: not found`],
  ["EXPIRED", null, "info", `Not traded: ${WHAT}: The order expired: no share was traded.`],
])("the owner reads of a rotation's order that is %s what became of it", async (status, lastError, level, message) => {
  const { id: accountId, userId } = await accountOf();
  const planId = await planOf(accountId);
  const { id: rotationLegId } = await db().rotationLeg.findFirstOrThrow({ where: { planId } });
  await storeIntent({ accountId, planId, rotationLegId, status, lastError });
  await followRotations(context);
  expect(await db().logEvent.findMany({ where: { userId }, select: { level: true, message: true } })).toEqual([
    { level, message },
  ]);
});
