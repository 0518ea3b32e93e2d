import { beforeEach, describe, expect, it } from "vitest";
import type { PlannedOrder } from "@/lib/domain/engine/plan.ts";
import { POLICY_2_9_0 } from "@/lib/domain/policy.ts";
import { newYork, newYorkInstant } from "@/lib/domain/time.ts";
import type { Exchange } from "@/lib/exchange/start.ts";
import { openBench } from "@/lib/proof/fixtures/bench.ts";
import { allPass, decide, hastyBroker, orderByHand, plannedOrder, truthOf } from "@/lib/proof/fixtures/orders.ts";
import type { Context } from "../../context.ts";
import type { Account } from "../../core/row-types.ts";
import { marketData } from "../../providers/market-data-registry.ts";
import { syncOrders } from "../accounts/sync-orders.ts";
import { reconcileAccount } from "../sync/reconcile-account.ts";
import { submitPlan } from "./submit-plan.ts";

const TIMEOUT_MINUTES = POLICY_2_9_0.orders_execution.entry_timeout_minutes;

let exchange: Exchange;
let context: Context;
let account: Account;
openBench((bench) => ({ exchange, context, account } = bench), { marketData });
beforeEach(async () => {
  await reconcileAccount(context, account.id);
});

const follow = () => syncOrders(context, { accountId: account.id });
const clock = () => hastyBroker(account, 5_000).clock();
/** A time of the present session. */
const timeIs = async (hour: number, minute: number) => {
  const { now } = await clock();
  await exchange.control.clock({ jumpTo: newYorkInstant(newYork(now).date, hour, minute) });
};
/** A time of the next session. */
const nextAt = async (hour: number, minute: number) => {
  const { nextOpen } = await clock();
  await exchange.control.clock({ jumpTo: newYorkInstant(newYork(nextOpen).date, hour, minute) });
};

/** An entry far below the market, live at the broker. */
async function bid(order: Partial<Record<keyof PlannedOrder, string | null>> = {}): Promise<void> {
  const limits = { limitPrice: "50", stopLossPrice: "45", takeProfitPrice: "60" } as const;
  const entry = plannedOrder({
    symbol: "SPY",
    orderClass: "BRACKET",
    type: "LIMIT",
    timeInForce: "gtc",
    ...limits,
  });
  const { writerEpoch } = await context.db.account.findUniqueOrThrow({ where: { id: account.id } });
  const decisionId = await decide(context, account, [{ ...entry, ...order } as PlannedOrder]);
  const sent = await submitPlan(context, { decisionId, epoch: writerEpoch, regate: allPass });
  expect(sent).toMatchObject([{ status: "LIVE" }]);
}

const purchases = () => truthOf(exchange, account).orders.filter(({ side }) => side === "buy");
const statuses = () => purchases().map(({ status }) => status);

describe("an unfilled entry is cancelled once it has waited for as long as the policy lets it", () => {
  it.each([
    { what: "of momentum", order: { strategy: "MOMENTUM" } },
    { what: "of breakout", order: { strategy: "BREAKOUT" } },
    { what: "of a rotation", order: { reason: "rotation", strategy: null } },
  ] as const)("one $what, in the session, without a decision for its account", async ({ order }) => {
    await nextAt(9, 45);
    await bid(order);
    await timeIs(9, 45 + TIMEOUT_MINUTES - 1);
    await follow();
    expect(statuses()).toEqual(["new"]);
    await timeIs(9, 45 + TIMEOUT_MINUTES + 1);
    await follow();
    expect(statuses()).toEqual(["canceled"]);
    await follow();
    expect(await context.db.order.findFirst({ where: { accountId: account.id, role: "ENTRY" } })).toMatchObject({
      status: "CANCELED",
    });
  });

  it("but not a bid of mean reversion, which is good for its session", async () => {
    await nextAt(9, 45);
    await bid({ strategy: "MEAN_REVERSION" });
    await timeIs(10, 45 + TIMEOUT_MINUTES);
    await follow();
    expect(statuses()).toEqual(["new"]);
    await timeIs(15, 51);
    await follow();
    expect(statuses()).toEqual(["canceled"]);
  });

  it("one that was sent shortly before the close, before that, so that it does not meet the next opening", async () => {
    await nextAt(15, 45);
    await bid();
    await timeIs(15, 49);
    await follow();
    expect(statuses()).toEqual(["new"]);
    await timeIs(15, 51);
    await follow();
    expect(await clock()).toMatchObject({ isOpen: true });
    expect(statuses()).toEqual(["canceled"]);
  });
});

it("an order that was placed past Tradewind waits for as long as its owner wants", async () => {
  await nextAt(9, 45);
  await hastyBroker(account, 5_000).submit(orderByHand({ clientOrderId: "by-hand" }));
  await follow();
  await timeIs(10, 45 + TIMEOUT_MINUTES);
  await follow();
  expect(statuses()).toEqual(["new"]);
});
