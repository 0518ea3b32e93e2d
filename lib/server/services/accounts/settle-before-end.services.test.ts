import { afterEach, expect, it } from "vitest";
import type { Exchange } from "@/lib/exchange/start.ts";
import { openBench, type Bench } from "@/lib/proof/fixtures/bench.ts";
import {
  allPass,
  buyBracket,
  changeLimitByHand,
  decide,
  hastyBroker,
  orderByHand,
  plannedOrder,
  truthOf,
  withBroker,
} from "@/lib/proof/fixtures/orders.ts";
import { asOwnerOf } from "@/lib/proof/fixtures/owner.ts";
import type { Context } from "../../context.ts";
import type { Account } from "../../core/row-types.ts";
import { closeAccounts } from "../erasure/close-accounts.ts";
import { submitPlan } from "../orders/submit-plan.ts";
import { reconcileAccount } from "../sync/reconcile-account.ts";
import { removeAccount } from "./remove-account.ts";

let exchange: Exchange;
let context: Bench["context"];
let account: Account;
openBench((bench) => ({ exchange, context, account } = bench));
afterEach(() => exchange.control.clearFaults());

const asOwner = (on: Context = context) => asOwnerOf(account, on);
const remove = (on: Context = context) => removeAccount(asOwner(on), { id: account.id });
const row = () => context.db.account.findUniqueOrThrow({ where: { id: account.id } });
const broker = () => hastyBroker(account, 5_000);

it("a purchase whose outcome is not known keeps the account until it is, and is cancelled then", async () => {
  const entry = plannedOrder({ symbol: "SPY", type: "LIMIT", limitPrice: "50", timeInForce: "gtc" });
  const decisionId = await decide(context, account, [entry]);
  exchange.control.addFault({ kind: "drop_after_accept", method: "POST", path: "/v2/orders" });
  const { writerEpoch } = await row();
  expect(await submitPlan(context, { decisionId, epoch: writerEpoch, regate: allPass })).toMatchObject([
    { status: "UNKNOWN" },
  ]);
  exchange.control.clearFaults();
  const late = withBroker(context, {
    ...broker(),
    orderByClientId: () => Promise.resolve(null),
    openOrders: () => Promise.resolve([]),
  });
  await expect(remove(late)).rejects.toMatchObject({
    code: "conflict",
    message:
      "The account is not deleted: the broker is still being asked about an order of SPY. Try again in a minute.",
  });
  expect(await row()).toMatchObject({ deletedAt: null, status: "ACTIVE" });
  expect(await remove()).toMatchObject({ state: "deleted" });
  expect(truthOf(exchange, account).orders).toMatchObject([{ side: "buy", status: "canceled" }]);
});

it("an erasure goes on beside an order whose outcome is not known, and says so", async () => {
  const decisionId = await decide(context, account, [plannedOrder({ symbol: "SPY", type: "LIMIT", limitPrice: "50" })]);
  const silent = withBroker(context, {
    ...broker(),
    submit: () => Promise.resolve({ kind: "unknown", cause: "test" }),
  });
  await submitPlan(silent, { decisionId, epoch: (await row()).writerEpoch, regate: allPass });
  await closeAccounts(asOwner(), account.userId);
  expect((await row()).deletedAt).not.toBeNull();
  const messages = await context.db.logEvent.findMany({ where: { accountId: account.id } });
  expect(messages.map(({ message }) => message).join("\n")).toContain(
    "It is not known what became of an order of SPY: look for it at the broker.",
  );
});

it("a sale whose answer was lost and that works at the broker keeps the account, found there or parked", async () => {
  await buyBracket(exchange, context, account);
  await exchange.control.venueActions.setSymbol("SPY", { isHalted: true });
  exchange.control.addFault({ kind: "drop_after_accept", method: "POST", path: "/v2/orders" });
  const decisionId = await decide(context, account, [plannedOrder({ symbol: "SPY", side: "SELL" })]);
  const { writerEpoch } = await row();
  expect(await submitPlan(context, { decisionId, epoch: writerEpoch, regate: allPass })).toMatchObject([
    { status: "UNKNOWN" },
  ]);
  exchange.control.clearFaults();
  const lagging = withBroker(context, { ...broker(), orderByClientId: () => Promise.resolve(null) });
  await context.db.intent.updateMany({
    where: { accountId: account.id, status: "UNKNOWN" },
    data: { status: "PARKED" },
  });
  const notDeleted = {
    code: "conflict",
    message: expect.stringContaining("no stop rests at the broker for 10 SPY") as string,
  };
  await expect(remove(lagging), "parked").rejects.toMatchObject(notDeleted);
  await expect(remove(), "found").rejects.toMatchObject(notDeleted);
  expect(await row()).toMatchObject({ deletedAt: null });
  await exchange.control.venueActions.setSymbol("SPY", { isHalted: false });
});

it.each(["read", "not read yet"])(
  "a purchase that its owner changed at the broker is cancelled with the others, its replacement %s",
  async (isRead) => {
    const entry = plannedOrder({ symbol: "SPY", type: "LIMIT", limitPrice: "50", timeInForce: "gtc" });
    const decisionId = await decide(context, account, [entry]);
    await submitPlan(context, { decisionId, epoch: (await row()).writerEpoch, regate: allPass });
    const { brokerOrderId } = await context.db.order.findFirstOrThrow({ where: { accountId: account.id } });
    await changeLimitByHand(account, brokerOrderId, "51");
    if (isRead === "read") await reconcileAccount(context, account.id);
    const external = { clientOrderId: "by-hand", limitPrice: "49" };
    expect(await broker().submit(orderByHand(external))).toMatchObject({ kind: "accepted" });
    expect(await remove()).toMatchObject({ state: "deleted" });
    const open = truthOf(exchange, account).orders.filter(({ status }) => status === "new" || status === "accepted");
    expect(open.map(({ client_order_id }) => client_order_id)).toEqual(["by-hand"]);
  },
);
