import { expect, it } from "vitest";
import type { Exchange } from "@/lib/exchange/start.ts";
import { openBench } from "@/lib/proof/fixtures/bench.ts";
import { allPass, buyBracket, decide, plannedOrder } from "@/lib/proof/fixtures/orders.ts";
import type { Context } from "../../context.ts";
import type { Account } from "../../core/row-types.ts";
import { inTransaction, lockAccount } from "../../core/transaction.ts";
import { reconcileAccount } from "../sync/reconcile-account.ts";
import { recordExecution } from "./record-execution.ts";
import { submitPlan } from "./submit-plan.ts";

let exchange: Exchange;
let context: Context;
let account: Account;
openBench((bench) => ({ exchange, context, account } = bench));

const row = () => context.db.account.findUniqueOrThrow({ where: { id: account.id } });
const orderOf = (role: "ENTRY" | "STOP" | "TARGET") =>
  context.db.order.findFirstOrThrow({ where: { accountId: account.id, role } });
const daysAfter = (at: Date, days: number) => new Date(at.getTime() + days * 24 * 60 * 60_000);

/** As the trade updates report a fill, without the report of its order. */
async function fill(role: "ENTRY" | "STOP" | "TARGET", qty: string, cumulativeQty: string, at: Date): Promise<void> {
  const { brokerOrderId: orderId, symbol, side } = await orderOf(role);
  const execution = { orderId, symbol, side, qty, cumulativeQty, price: "90", at: at.toISOString() };
  await inTransaction(context, async (tx) =>
    recordExecution(context, tx, await lockAccount(tx, account.id), execution, "STREAM"),
  );
}

it.each(["STOP", "TARGET"] as const)(
  "a %s that is hit is a trade of that day, also where its fill is heard of before its own report",
  async (role) => {
    await buyBracket(exchange, context, account);
    await reconcileAccount(context, account.id);
    const { submittedAt } = await orderOf(role);
    const on = (day: number) => daysAfter(submittedAt, day);
    await fill(role, "4", "4", on(3));
    expect((await orderOf(role)).tradedAt).toEqual(on(3));
    await fill(role, "3", "7", on(4));
    expect((await orderOf(role)).tradedAt, "of the first part, while the others rest").toEqual(on(3));
    await fill(role, "3", "10", on(5));
    expect(await orderOf(role)).toMatchObject({ status: "FILLED", filledAt: on(5), tradedAt: on(5) });
  },
);

it("an entry stays a trade of the day on which it was sent", async () => {
  await reconcileAccount(context, account.id);
  const resting = plannedOrder({ symbol: "SPY", type: "LIMIT", limitPrice: "50" });
  const decisionId = await decide(context, account, [resting]);
  await submitPlan(context, { decisionId, epoch: (await row()).writerEpoch, regate: allPass });
  const { submittedAt } = await orderOf("ENTRY");
  await fill("ENTRY", "10", "10", daysAfter(submittedAt, 1));
  expect(await orderOf("ENTRY")).toMatchObject({ status: "FILLED", tradedAt: submittedAt });
});
