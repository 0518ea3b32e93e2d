/** The account's owner bids for a stock that the automation holds: brokers refuse sales at market and stops alone beside it. */
import { afterEach, beforeEach, expect, it } from "vitest";
import type { Exchange } from "@/lib/exchange/start.ts";
import type { Account } from "../../core/row-types.ts";
import type { Context } from "../../context.ts";
import { openBench } from "@/lib/proof/fixtures/bench.ts";
import {
  allPass,
  buyBracket,
  decide,
  hastyBroker,
  orderByHand,
  plannedOrder,
  protectAll,
  truthOf,
} from "@/lib/proof/fixtures/orders.ts";
import { reconcileAccount } from "../sync/reconcile-account.ts";
import { BESIDE_A_PURCHASE } from "./submit-leg.ts";
import { submitPlan } from "./submit-plan.ts";

let exchange: Exchange;
let context: Context;
let account: Account;
openBench((bench) => ({ exchange, context, account } = bench));
beforeEach(async () => {
  await buyBracket(exchange, context, account);
  await hastyBroker(account, 5_000).submit(orderByHand({ clientOrderId: "hand-bid" }));
  await reconcileAccount(context, account.id);
});
afterEach(() =>
  context.db.account.updateMany({ data: { deletedAt: new Date(), status: "INACTIVE", sealedKeys: null } }),
);

const sales = () => truthOf(exchange, account).orders.filter(({ side }) => side === "sell");
const stops = () => sales().filter(({ type, status }) => type === "stop" && (status === "new" || status === "held"));
const bid = () => truthOf(exchange, account).orders.find(({ client_order_id }) => client_order_id === "hand-bid");
const levels = (data: { stopPrice?: string; targetPrice?: string }) =>
  context.db.position.updateMany({ where: { accountId: account.id }, data });

it("a sale is not tried, and the stop stays where it rests; once the bid is gone it is sold (B10)", async () => {
  const before = stops();
  expect(before).toHaveLength(1);
  const sale = plannedOrder({ symbol: "SPY", side: "SELL", qty: "10" });
  const sold = async () =>
    submitPlan(context, {
      decisionId: await decide(context, account, [sale]),
      epoch: 0,
      regate: allPass,
    });
  expect(await sold()).toMatchObject([{ status: "HALTED", reason: BESIDE_A_PURCHASE }]);
  expect(stops()).toEqual(before);
  expect(sales().filter(({ type }) => type === "market")).toEqual([]);
  await hastyBroker(account, 5_000).cancel(bid()?.id ?? "");
  await reconcileAccount(context, account.id);
  expect(await sold()).toMatchObject([{ status: "LIVE" }]);
});

it.each([
  ["above its target", { targetPrice: "1" }],
  ["through its stop", { stopPrice: "99999" }],
])("bare shares whose price is %s get a stop all the same, in a pair", async (_, data) => {
  const [stop] = await context.db.order.findMany({ where: { accountId: account.id, role: "STOP", status: "NEW" } });
  await hastyBroker(account, 5_000).cancel(stop?.brokerOrderId ?? "");
  await reconcileAccount(context, account.id);
  await levels(data);
  await protectAll(context);
  expect(bid()).toMatchObject({ status: "new" });
  expect(stops()).toMatchObject([{ qty: "10", order_class: "oco" }]);
  const sent = await context.db.intent.findFirstOrThrow({ where: { accountId: account.id, purpose: "PROTECT" } });
  const [position] = await hastyBroker(account, 5_000).positions();
  const stopPrice = Number(sent.stopLossPrice);
  expect(stopPrice).toBeGreaterThan(0);
  expect(stopPrice).toBeLessThan(Number(position?.currentPrice));
});
