import { afterAll, beforeAll, expect, it } from "vitest";
import { ORDER_PROTOCOL } from "@/lib/domain/protocol/settings.ts";
import type { Exchange } from "@/lib/exchange/start.ts";
import { asCanary } from "@/lib/proof/fixtures/split.ts";
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

it("a canary's first order fences off older builds in its own account alone, until an operator takes the canary back", async () => {
  const context = testContext();
  const [ofCanary, other] = [await openAccount(context), await openAccount(context)];
  const older = ORDER_PROTOCOL - 1;
  await context.db.systemState.update({ where: { id: 1 }, data: { orderProtocol: older } });
  const send = async (account: typeof other) => {
    const entry = await decide(context, account, [plannedOrder({ symbol: "SPY", type: "LIMIT", limitPrice: "50" })]);
    const [sent] = await submitPlan(context, { decisionId: entry, epoch: 0, regate: allPass });
    return sent;
  };
  expect(await asCanary(() => send(ofCanary))).toMatchObject({ status: "LIVE" });
  const protocols = async () => {
    const rows = await context.db.account.findMany({ where: { id: { in: [ofCanary.id, other.id] } } });
    return Object.fromEntries(rows.map(({ id, orderProtocol }) => [id, orderProtocol]));
  };
  expect(await protocols()).toEqual({ [ofCanary.id]: ORDER_PROTOCOL, [other.id]: 0 });
  expect(await context.db.systemState.findUniqueOrThrow({ where: { id: 1 } })).toMatchObject({ orderProtocol: older });

  // A canary that spoke a newer protocol than this build: this one sends for the other account, and not for the canary's.
  const newer = await openAccount(context);
  await context.db.account.update({ where: { id: newer.id }, data: { orderProtocol: ORDER_PROTOCOL + 1 } });
  const refusal = { status: "HALTED", reason: expect.stringContaining("newer build") as string };
  expect(await send(newer)).toMatchObject(refusal);
  expect(await send(other)).toMatchObject({ status: "LIVE" });
  expect(await acceptBuild(context, { reason: "the canary was taken back" })).toBe(ORDER_PROTOCOL + 1);
  expect(await send(newer)).toMatchObject({ status: "LIVE" });
});
