import { afterEach, beforeEach, expect, it } from "vitest";
import type { Exchange } from "@/lib/exchange/start.ts";
import { openBench } from "@/lib/proof/fixtures/bench.ts";
import { allPass, decide, plannedOrder } from "@/lib/proof/fixtures/orders.ts";
import { POLICY_2_9_0 } from "@/lib/domain/policy.ts";
import { DAY_MS } from "@/lib/domain/time.ts";
import type { Context } from "../../context.ts";
import type { Account } from "../../core/row-types.ts";
import { submitPlan } from "../orders/submit-plan.ts";
import { loadAccountState, readBalances } from "./load-account-state.ts";

let exchange: Exchange;
let context: Context;
let account: Account;
openBench((bench) => ({ exchange, context, account } = bench));
afterEach(() => exchange.control.clearFaults());

const buy = async (change: Partial<Parameters<typeof plannedOrder>[0]> = {}) =>
  submitPlan(context, {
    decisionId: await decide(context, account, [
      plannedOrder({ symbol: "SPY", type: "LIMIT", limitPrice: "50", ...change }),
    ]),
    epoch: 0,
    regate: allPass,
  });

async function stateIn(ms: number) {
  const { now } = await context.brokers.forAccount(account).clock();
  const balances = await readBalances(context.brokers.forAccount(account));
  const at = new Date(Date.parse(now) + ms).toISOString();
  return loadAccountState(context, account.id, balances, { at, policy: POLICY_2_9_0 });
}

let buyingPower: number;
beforeEach(async () => {
  buyingPower = Number((await stateIn(0)).buyingPower);
});

it("the broker's buying power is less an open purchase already, which is therefore not marked as unconfirmed", async () => {
  await buy({ qty: "10" });
  const state = await stateIn(0);
  expect(buyingPower - Number(state.buyingPower)).toBeGreaterThanOrEqual(500);
  const [order] = state.openOrders;
  expect(order).toMatchObject({ symbol: "SPY", side: "BUY" });
  expect(order).not.toHaveProperty("isUnconfirmed");
});

it("a purchase whose answer was lost is marked as one that the buying power may still hold", async () => {
  exchange.control.addFault({ method: "POST", path: "/v2/orders", kind: "drop_before_accept" });
  expect(await buy()).toMatchObject([{ status: "UNKNOWN" }]);
  expect((await stateIn(0)).openOrders).toMatchObject([{ symbol: "SPY", isUnconfirmed: true }]);
});

it("one that the broker only kept waiting may be made up in the same session", async () => {
  const headers = { "retry-after": "0" };
  exchange.control.addFault({ method: "POST", path: "/v2/orders", kind: "status", status: 429, headers, count: 50 });
  expect(await buy()).toMatchObject([{ status: "REJECTED" }]);
  expect(await stateIn(0)).not.toHaveProperty("refusedByBroker");
});

it("a purchase that the broker refused is named in its session, and in no later one", async () => {
  expect(await stateIn(0)).not.toHaveProperty("refusedByBroker");
  for (const _ of [1, 2]) expect(await buy({ qty: "100000000" })).toMatchObject([{ status: "REJECTED" }]);
  expect(await stateIn(0)).toMatchObject({ refusedByBroker: ["SPY"] });
  expect(await stateIn(DAY_MS)).not.toHaveProperty("refusedByBroker");
});
