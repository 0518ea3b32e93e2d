import { afterAll, beforeAll, expect, it } from "vitest";
import type { Exchange } from "@/lib/exchange/start.ts";
import {
  allPass,
  decide,
  openAccount,
  plannedOrder,
  priceOf,
  startBench,
  testContext,
} from "@/lib/proof/fixtures/orders.ts";
import { marketMoment } from "../../core/calendar.ts";
import { marketData } from "../../providers/market-data-registry.ts";
import { reconcileAccount } from "../sync/reconcile-account.ts";
import { submitPlan } from "../orders/submit-plan.ts";
import { checkAccount } from "./check-account.ts";

/** The generated market splits it 4 for 1 on 17 January 2024, the seventh session. */
const SYMBOL = "JSP";
/** Minutes of a session; the closed hours are skipped. */
const SESSION = 390;

let exchange: Exchange;
beforeAll(async () => {
  exchange = await startBench();
  await exchange.control.clock({ advanceMinutes: 5 * SESSION });
});
afterAll(() => exchange.close());

it("an order that waits over a split of shares that are not held is restated, and breaks nothing (I1)", async () => {
  const context = testContext();
  const account = await openAccount(context);
  await reconcileAccount(context, account.id);
  const order = plannedOrder({ symbol: SYMBOL, qty: "3", type: "LIMIT", limitPrice: "8.13", timeInForce: "gtc" });
  const decisionId = await decide(context, account, [order]);
  await submitPlan(context, { decisionId, epoch: account.writerEpoch, regate: allPass });
  await exchange.control.clock({ advanceMinutes: SESSION });
  await reconcileAccount(context, account.id);
  const { qty, status } = await context.db.order.findFirstOrThrow({ where: { accountId: account.id } });
  expect({ qty: qty?.toFixed(), status }).toEqual({ qty: "12", status: "NEW" });
  expect(await checkAccount(context, { accountId: account.id })).toEqual([]);
});

it("an order of which a part was filled before a split is restated with that part, and breaks nothing (I3)", async () => {
  const context = testContext({ marketData });
  const account = await openAccount(context, "900000000");
  await reconcileAccount(context, account.id);
  // A few minutes before a close: one execution a minute.
  await exchange.control.clock({ advanceMinutes: SESSION - 20 });
  const limitPrice = (await priceOf(exchange, SYMBOL)).times("1.5").toDecimalPlaces(2).toFixed();
  const order = plannedOrder({ symbol: SYMBOL, qty: "900000", type: "LIMIT", limitPrice, timeInForce: "gtc" });
  const decisionId = await decide(context, account, [order]);
  const sent = await submitPlan(context, { decisionId, epoch: account.writerEpoch, regate: allPass });
  expect(sent).toMatchObject([{ status: "LIVE", reason: null }]);
  const mine = () => context.db.order.findFirstOrThrow({ where: { accountId: account.id } });
  const { today, calendar } = await marketMoment(context, "PRACTICE");
  const next = calendar.find(({ session }) => session > (today?.session ?? ""));
  await exchange.control.clock({ jumpTo: next?.session ?? "" });
  await reconcileAccount(context, account.id);
  const before = await mine();
  expect(before.status).toBe("PARTIALLY_FILLED");
  await exchange.control.venueActions.applyCorporateAction({ kind: "split", symbol: SYMBOL, ratio: "4" });
  await reconcileAccount(context, account.id);
  expect((await mine()).filledQty.toFixed()).toBe(before.filledQty.times(4).toFixed());
  expect(await checkAccount(context, { accountId: account.id })).toEqual([]);
  expect((await context.db.account.findUniqueOrThrow({ where: { id: account.id } })).haltReason).toBeNull();
});
