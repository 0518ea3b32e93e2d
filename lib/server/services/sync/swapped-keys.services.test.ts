import { afterAll, beforeAll, expect, it } from "vitest";
import type { Exchange } from "@/lib/exchange/start.ts";
import { Failure } from "@/lib/domain/failures.ts";
import {
  allPass,
  decide,
  openAccount,
  plannedOrder,
  startBench,
  testContext,
  truthOf,
} from "@/lib/proof/fixtures/orders.ts";
import { streamAccounts } from "./stream-accounts.ts";
import { ACCESS_TEXT } from "@/lib/domain/account-access.ts";
import { recoverAccount } from "./recover-account.ts";
import type { Account } from "../../core/row-types.ts";
import { submitPlan } from "../orders/submit-plan.ts";
import { syncOrders } from "../accounts/sync-orders.ts";

let exchange: Exchange;
beforeAll(async () => {
  exchange = await startBench();
});
afterAll(() => exchange.close());

const ordersOf = (account: Account) =>
  truthOf<ReturnType<Exchange["control"]["truth"]>[number]>(exchange, account).orders.length;

const row = ({ id }: Account) => testContext().db.account.findUniqueOrThrow({ where: { id } });
const halts = ({ userId }: Account) =>
  testContext().db.auditEvent.findMany({ where: { subjectUserId: userId, eventType: "ACCOUNT_HALTED" } });

it("keys that were moved into another account's row open nothing: no order goes out on either account", async () => {
  const context = testContext();
  const victim = await openAccount(context);
  const thief = await openAccount(context);
  for (const { id } of [victim, thief]) await syncOrders(context, { accountId: id });
  const decisionId = await decide(context, thief, [plannedOrder({ symbol: "SPY" })]);
  await context.db.account.update({ where: { id: thief.id }, data: { sealedKeys: victim.sealedKeys } });
  const epochNow = async () => (await context.db.account.findUniqueOrThrow({ where: { id: thief.id } })).writerEpoch;
  const submit = async () => submitPlan(context, { decisionId, epoch: await epochNow(), regate: allPass });

  const refused = { name: "Failure", code: "conflict" };
  await expect(submit()).rejects.toMatchObject(refused);
  await expect(syncOrders(context, { accountId: thief.id })).rejects.toMatchObject(refused);
  await expect(recoverAccount(context, thief.id)).rejects.toMatchObject(refused);
  expect([ordersOf(victim), ordersOf(thief)]).toEqual([0, 0]);
  // Told once: later readings of a halted account end as done.
  await syncOrders(context, { accountId: thief.id });
  expect([ordersOf(victim), ordersOf(thief)]).toEqual([0, 0]);
  expect(await row(thief)).toMatchObject({ haltReason: ACCESS_TEXT.KEYS.unopenable });
  expect(await halts(thief), "told once").toMatchObject([{ data: { reason: ACCESS_TEXT.KEYS.unopenable } }]);

  // The rightful row is whole, and the thief's is again once its own keys are back.
  await syncOrders(context, { accountId: victim.id });
  expect(await row(victim)).toMatchObject({ haltReason: null });
  await context.db.account.update({ where: { id: thief.id }, data: { sealedKeys: thief.sealedKeys } });
  await syncOrders(context, { accountId: thief.id });
  expect(await row(thief)).toMatchObject({ haltedAt: null });
  await expect(submit()).resolves.toMatchObject([{ status: "LIVE" }]);
  expect([ordersOf(victim), ordersOf(thief)]).toEqual([0, 1]);
});

it("keys that open nothing keep no other account from being followed", async () => {
  const context = testContext();
  const [thief, other] = await Promise.all([openAccount(context), openAccount(context)]);
  await context.db.account.update({ where: { id: thief.id }, data: { sealedKeys: other.sealedKeys } });
  const follower = await streamAccounts(context);
  await expect.poll(async () => (await row(other)).reconciledAt, { timeout: 10_000 }).not.toBeNull();
  follower.close();
  expect(context.lines).toContainEqual(expect.objectContaining({ level: "error", event: "account-follow.failed" }));
});

it("a paper row that was changed to a live one does not open its keys", async () => {
  const context = testContext();
  const account = await openAccount(context);
  await context.db.account.update({
    where: { id: account.id },
    data: { broker: "ALPACA", market: "US", environment: "LIVE", liveConfirmedAt: new Date() },
  });
  const turned = await context.db.account.findUniqueOrThrow({ where: { id: account.id } });
  expect(() => context.brokers.forAccount(turned)).toThrow(Failure);
  expect(ordersOf(account)).toBe(0);
});
