/** Only a loss puts an account into the stop that a person has to end, or ends its purchases. */
import { afterAll, beforeAll, expect, it } from "vitest";
import { Failure } from "@/lib/domain/failures.ts";
import { money, text } from "@/lib/domain/money.ts";
import { newYork, newYorkInstant } from "@/lib/domain/time.ts";
import type { Exchange } from "@/lib/exchange/start.ts";
import { openTrader, startMarketDay } from "@/lib/proof/fixtures/cycles.ts";
import { allPass, decide, plannedOrder, withBroker } from "@/lib/proof/fixtures/orders.ts";
import { db } from "../../db.ts";
import { systemContext } from "../../system-context.ts";
import { syncOrders } from "../accounts/sync-orders.ts";
import { ensureFlags } from "../flags/ensure-flags.ts";
import { submitPlan } from "../orders/submit-plan.ts";
import { runAccountCycle } from "./run-account-cycle.ts";
import { screenForCycle } from "./run-screening.ts";

let exchange: Exchange;
const context = systemContext("test");

beforeAll(async () => {
  exchange = await startMarketDay();
  await exchange.control.clock({ advanceMinutes: 6 });
  await ensureFlags(context);
}, 120_000);
afterAll(() => exchange.close());

/** An account, and a share of its equity, USD. */
async function openRead() {
  const { accountId } = await openTrader(context);
  await syncOrders(context, { accountId });
  const account = await db().account.findUniqueOrThrow({ where: { id: accountId } });
  const before = await db().accountFigures.findUniqueOrThrow({ where: { accountId } });
  const share = (fraction: string) => money(before.equity).times(fraction).toDecimalPlaces(0);
  return { accountId, account, before, share, accountNumber: account.brokerAccountId ?? "" };
}

/** New entries are left out. */
const pause = ({ userId: id }: { userId: string }) =>
  db().user.update({ where: { id }, data: { automationPausedAt: new Date(), pausedReason: "paused" } });

/** The account's kill state after a decision minutes later. */
async function decideLater(accountId: string, on = context) {
  await exchange.control.clock({ advanceMinutes: 5 });
  const screened = await screenForCycle(context, { market: "PRACTICE" });
  await runAccountCycle(on, { cycleId: screened?.cycleId ?? "", accountId });
  expect(await db().decisionRecord.count({ where: { accountId, cycleId: screened?.cycleId ?? "" } })).toBe(1);
  return (await db().account.findUniqueOrThrow({ where: { id: accountId } })).killState;
}

it("a withdrawal that a decision sees before the books is no loss; a loss is one", async () => {
  const { accountId, account, accountNumber, before, share } = await openRead();
  await pause(account);
  const half = share("0.5");
  const decided = () => decideLater(accountId);
  await exchange.control.manualActions.moveCash(accountNumber, { amount: text(half.negated()) });
  expect(await decided()).toBe("NONE");
  const after = await db().accountFigures.findUniqueOrThrow({ where: { accountId } });
  expect(text(money(after.highWaterMark))).toBe(text(money(before.highWaterMark).minus(half)));

  await exchange.control.manualActions.moveCash(accountNumber, { amount: "-20000", activity_type: "FEE" });
  expect(await decided()).toBe("REDUCE_ONLY");
}, 240_000);

/** An open purchase of an account that makes no others, and its status after a decision minutes later. */
async function openPurchase() {
  const { accountId, account, accountNumber, share } = await openRead();
  // The day's loss counts from a close at which the account was ours.
  const { nextOpen } = await context.marketData("PRACTICE").clock();
  await exchange.control.clock({ jumpTo: newYorkInstant(newYork(nextOpen).date, 9, 36) });
  await syncOrders(context, { accountId });
  const limits = { limitPrice: "50", stopLossPrice: "45", takeProfitPrice: "60" };
  const entry = plannedOrder({ symbol: "SPY", orderClass: "BRACKET", type: "LIMIT", timeInForce: "gtc", ...limits });
  const decisionId = await decide(context, account, [entry]);
  const { writerEpoch: epoch } = await db().account.findUniqueOrThrow({ where: { id: accountId } });
  expect(await submitPlan(context, { decisionId, epoch, regate: allPass })).toMatchObject([{ status: "LIVE" }]);
  const startedAt = new Date(Math.floor(1_000_000_000 * Math.random()));
  await db().cycle.updateMany({ where: { decisions: { some: { accountId } } }, data: { startedAt } });
  await pause(account);
  const purchase = async (on = context) => {
    await decideLater(accountId, on);
    await syncOrders(context, { accountId });
    return (await db().order.findFirstOrThrow({ where: { accountId, role: "ENTRY" } })).status;
  };
  const twentieth = text(share("0.05").negated());
  const withdraw = () => exchange.control.manualActions.moveCash(accountNumber, { amount: twentieth });
  const lose = () =>
    exchange.control.manualActions.moveCash(accountNumber, { amount: twentieth, activity_type: "FEE" });
  return { account, purchase, withdraw, lose };
}

it("a withdrawal that a decision sees before the books cancels no open purchase; a loss of the day does", async () => {
  const { purchase, withdraw, lose } = await openPurchase();
  await withdraw();
  expect(await purchase()).toBe("NEW");
  await lose();
  expect(await purchase()).toBe("CANCELED");
}, 240_000);

it("a loss of the day cancels the open purchase while the broker lists no activities, and the decision is recorded", async () => {
  const { account, purchase, lose } = await openPurchase();
  await lose();
  const broker = context.brokers.forAccount(account);
  const activitiesSince = () => Promise.reject(new Failure("unavailable", "The broker does not answer."));
  expect(await purchase(withBroker(context, { ...broker, activitiesSince }))).toBe("CANCELED");
}, 240_000);
