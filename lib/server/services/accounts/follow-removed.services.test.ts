import { randomUUID } from "node:crypto";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { jobs } from "@/lib/contracts/jobs.ts";
import type { Exchange } from "@/lib/exchange/start.ts";
import type { Context } from "../../context.ts";
import { openBench } from "@/lib/proof/fixtures/bench.ts";
import {
  allPass,
  buyBracket,
  decide,
  hastyBroker,
  openAccount,
  otherSymbol,
  plannedOrder,
  truthOf,
  withBroker,
} from "@/lib/proof/fixtures/orders.ts";
import { asOwnerOf } from "@/lib/proof/fixtures/owner.ts";
import type { Account } from "../../core/row-types.ts";
import { openKeys, sealKeys } from "../../secrets/seal.ts";
import { checkAccount } from "../invariants/check-account.ts";
import { readCashLedger } from "../ledger/read-cash-ledger.ts";
import { submitPlan } from "../orders/submit-plan.ts";
import { reconcileAccount } from "../sync/reconcile-account.ts";
import { syncOrders } from "./sync-orders.ts";
import { takeForAccounts } from "../schedule/take-due.ts";
import { closeAccounts } from "../erasure/close-accounts.ts";
import { KEYS_KEPT_DAYS } from "./follow-removed.ts";
import { removeAccount } from "./remove-account.ts";

let exchange: Exchange;
let context: Context;
let account: Account;
openBench((bench) => ({ exchange, context, account } = bench));

const asOwner = (on = context) => asOwnerOf(account, on);
const row = () => context.db.account.findUniqueOrThrow({ where: { id: account.id } });
const messages = async () =>
  (await context.db.logEvent.findMany({ where: { accountId: account.id }, orderBy: { id: "asc" } })).map(
    ({ message }) => message,
  );
/** A minute of wall time after the last reading. */
async function follow(): Promise<void> {
  const { reconciledAt } = await row();
  if (reconciledAt !== null)
    await context.db.account.update({
      where: { id: account.id },
      data: { reconciledAt: new Date(reconciledAt.getTime() - 60_000) },
    });
  await syncOrders(context, { accountId: account.id });
}
const isFlat = () => truthOf(exchange, account).positions.length === 0;

it("a removed account is read until its stops have sold its last shares; then its keys are erased", async () => {
  await buyBracket(exchange, context, account, { stopRoom: "0.002", targetRoom: "0.002" });
  expect(isFlat()).toBe(false);
  expect(await removeAccount(asOwner(), { id: account.id })).toMatchObject({ state: "deleted" });
  expect(await row()).toMatchObject({ status: "INACTIVE", keyPrefix: null });
  expect((await row()).sealedKeys).not.toBeNull();
  expect((await messages()).at(-1)).toMatch(
    /kept encrypted, for reading only, until its last shares are sold, 90 days/,
  );

  await follow();
  expect((await row()).sealedKeys).not.toBeNull();
  const sent = exchange.control.arrivals().arrivals.length;
  for (let minutes = 0; minutes < 390 && !isFlat(); minutes += 5) await exchange.control.clock({ advanceMinutes: 5 });
  expect(isFlat()).toBe(true);
  await follow();
  const truth = truthOf(exchange, account);
  expect((await readCashLedger(context.db, account.id)).cash.toFixed(2)).toBe(Number(truth.cash).toFixed(2));
  expect(await context.db.position.count({ where: { accountId: account.id } })).toBe(0);
  expect(await context.db.roundTrip.findMany({ where: { accountId: account.id } })).toMatchObject([
    { closedAt: expect.any(Date) as Date },
  ]);
  expect(exchange.control.arrivals().arrivals).toHaveLength(sent);
  expect(await row()).toMatchObject({ sealedKeys: null, haltedAt: null });
  expect((await messages()).at(-1)).toBe("The keys of a deleted account are erased: its last shares are sold.");
  const erased = { subjectUserId: account.userId, eventType: "ACCOUNT_KEYS_ERASED" };
  expect(await context.db.auditEvent.count({ where: erased })).toBe(1);
});

it("it is followed by the one job that reads, and by no other", async () => {
  await buyBracket(exchange, context, account);
  await removeAccount(asOwner(), { id: account.id });
  const later = { ...context, now: () => new Date(Date.now() + 3_600_000) };
  for (const job of [jobs.orderStatus, jobs.invariants]) {
    await takeForAccounts(context, job, 1_000);
    const taken = await takeForAccounts(later, job, 1_000);
    expect(taken.includes(account.id)).toBe(job === jobs.orderStatus);
  }
});

it("keys are not kept for an account without shares, for ever, for a broker that refuses them, or for a user to be erased", async () => {
  await removeAccount(asOwner(), { id: account.id });
  expect((await row()).sealedKeys).toBeNull();

  const removed = async (change: (kept: Account) => Promise<unknown>) => {
    account = await openAccount(context);
    await buyBracket(exchange, context, account);
    await removeAccount(asOwner(), { id: account.id });
    await change(account);
    await follow();
    return row();
  };
  const old = new Date(Date.now() - (KEYS_KEPT_DAYS + 1) * 86_400_000);
  expect(
    await removed(({ id }) => context.db.account.update({ where: { id }, data: { deletedAt: old } })),
  ).toMatchObject({
    sealedKeys: null,
  });
  expect(
    await removed(() => {
      const { account_number } = truthOf(exchange, account);
      return exchange.control.venueActions.changeAccountStatus(account_number, { areKeysRevoked: true });
    }),
  ).toMatchObject({ sealedKeys: null, haltedAt: null });
  expect(await removed(({ userId }) => closeAccounts(asOwner(), userId))).toMatchObject({ sealedKeys: null });
});

describe("an owner who removes the account", () => {
  const remove = (on = context) => removeAccount(asOwner(on), account);
  const submit = (decisionId: string) => submitPlan(context, { decisionId, epoch: 0, regate: allPass });
  const resting = () => plannedOrder({ symbol: "SPY", type: "LIMIT", limitPrice: "50" });
  const truth = () => truthOf(exchange, account);
  /** Every request for an order that arrived at the broker for this account. */
  const posts = () =>
    exchange.control.arrivals({ account_number: truth().account_number, method: "POST", path: "/v2/orders" }).arrivals;
  beforeEach(() => reconcileAccount(context, account.id));
  afterEach(() => exchange.control.clearFaults());

  it("with open orders keeps its stops, and keys to read them; entries are final before, and nothing is sent after (H4)", async () => {
    await buyBracket(exchange, context, account);
    const other = await otherSymbol(exchange);
    await submit(await decide(context, account, [plannedOrder({ symbol: other, type: "LIMIT", limitPrice: "1" })]));
    const unsent = await decide(context, account, [resting()]);
    exchange.control.addFault({ account: truth().account_number, kind: "slow_cancel", ms: 500 });
    await remove();
    const status = (isEntry: boolean) =>
      truth()
        .orders.filter(({ symbol, side }) => (symbol === other) === isEntry && (isEntry || side === "sell"))
        .map((order) => order.status)
        .sort();
    expect(status(true)).toEqual(["canceled"]);
    expect(status(false)).toEqual(["new", "new"]);
    expect(await row()).toMatchObject({ keyPrefix: null, status: "INACTIVE", writerEpoch: 1 });
    expect((await row()).sealedKeys).not.toBeNull();
    expect(
      await context.db.auditEvent.findMany({ where: { subjectUserId: account.userId, eventType: "ACCOUNT_REMOVED" } }),
    ).toMatchObject([{ data: { accountId: account.id, cancelledEntryOrders: 1, areKeysKept: true } }]);
    const before = posts().length;
    expect(await submit(unsent)).toMatchObject([{ status: "HALTED", reason: "the account was deleted" }]);
    expect(posts()).toHaveLength(before);
  });

  it("and connects it again finds its former orders as outside ones, and no halt (H4)", async () => {
    await buyBracket(exchange, context, account);
    await remove();
    const id = randomUUID();
    const { userId, environment, broker, market, brokerAccountId } = account;
    const keys = openKeys(account.sealedKeys ?? "", { userId, accountId: account.id, environment });
    const sealedKeys = sealKeys(keys, { userId, accountId: id, environment });
    const rejoined = await context.db.account.create({
      data: { id, userId, environment, broker, market, brokerAccountId, sealedKeys, keyPrefix: "again" },
    });
    for (let round = 0; round < 2; round += 1) {
      expect(await reconcileAccount(context, rejoined.id)).toMatchObject({ differences: [], haltReason: null });
      expect(await checkAccount(context, { accountId: rejoined.id })).toEqual([]);
    }
    const orders = await context.db.order.findMany({ where: { accountId: rejoined.id } });
    expect(orders.map(({ origin }) => origin)).toEqual(["EXTERNAL", "EXTERNAL", "EXTERNAL"]);
  });

  it("whose entry does not become final keeps the account with its keys (H4)", async () => {
    await submit(await decide(context, account, [resting()]));
    const real = hastyBroker(account, 5_000);
    // A cancel that is taken and never done.
    const pending = withBroker(context, { ...real, cancel: () => Promise.resolve({ kind: "requested" }) });
    await expect(remove(pending)).rejects.toMatchObject({ code: "broker_unavailable" });
    expect(await row()).toMatchObject({ status: "ACTIVE", deletedAt: null });
    expect((await row()).sealedKeys).not.toBeNull();
  });
});
