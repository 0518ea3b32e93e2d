import { afterAll, beforeAll, expect, it } from "vitest";
import type { Exchange } from "@/lib/exchange/start.ts";
import { allPass, decide, openAccount, plannedOrder, startBench, testContext } from "@/lib/proof/fixtures/orders.ts";
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
