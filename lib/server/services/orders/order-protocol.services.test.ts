import { afterAll, beforeAll, expect, it } from "vitest";
import { ORDER_PROTOCOL } from "@/lib/domain/protocol/settings.ts";
import type { Exchange } from "@/lib/exchange/start.ts";
import { acceptBuild, readBuildFence } from "./order-protocol.ts";
import {
  allPass,
  decide,
  openAccount,
  plannedOrder,
  startBench,
  testContext,
  truthOf,
} from "@/lib/proof/fixtures/orders.ts";
import { submitPlan } from "./submit-plan.ts";

let exchange: Exchange;
beforeAll(async () => {
  exchange = await startBench();
});
afterAll(() => exchange.close());

it("from a newer build's first order on, this one sends nothing, until an operator takes the newer one back (W12)", async () => {
  const context = testContext();
  const account = await openAccount(context);
  const submit = async () => {
    const entry = await decide(context, account, [plannedOrder({ symbol: "SPY", type: "LIMIT", limitPrice: "50" })]);
    const [sent] = await submitPlan(context, { decisionId: entry, epoch: 0, regate: allPass });
    return sent;
  };
  const newer = ORDER_PROTOCOL + 1;
  await context.db.systemState.update({ where: { id: 1 }, data: { orderProtocol: newer } });

  expect(await submit()).toMatchObject({ status: "HALTED", reason: expect.stringContaining("newer build") as string });
  expect(truthOf(exchange, account).orders).toEqual([]);
  expect(await readBuildFence(context)).toContain(`order protocol ${newer}`);

  expect(await acceptBuild(context, { reason: "the release was taken back" })).toBe(newer);
  expect(await readBuildFence(context)).toBeNull();
  expect(await submit()).toMatchObject({ status: "LIVE" });
  expect(truthOf(exchange, account).orders).toHaveLength(1);
  expect(await context.db.auditEvent.count({ where: { eventType: "BUILD_ACCEPTED" } })).toBe(1);
});

it("this build's first order fences off the builds before it, and says so in its verdict", async () => {
  const context = testContext();
  const account = await openAccount(context);
  await context.db.systemState.update({ where: { id: 1 }, data: { orderProtocol: ORDER_PROTOCOL - 1 } });
  const entry = await decide(context, account, [plannedOrder({ symbol: "SPY", type: "LIMIT", limitPrice: "50" })]);
  await submitPlan(context, { decisionId: entry, epoch: 0, regate: allPass });
  expect(await context.db.systemState.findUniqueOrThrow({ where: { id: 1 } })).toMatchObject({
    orderProtocol: ORDER_PROTOCOL,
  });
  const verdict = await context.db.gateVerdict.findFirstOrThrow({
    where: { phase: "T2", intent: { accountId: account.id } },
  });
  expect(verdict.inputs).toMatchObject({ orderProtocol: ORDER_PROTOCOL });
});
