/** Only a loss puts an account into the stop that a person has to end. */
import { afterAll, beforeAll, expect, it } from "vitest";
import { money, text } from "@/lib/domain/money.ts";
import type { Exchange } from "@/lib/exchange/start.ts";
import { openTrader, startMarketDay } from "@/lib/proof/fixtures/cycles.ts";
import { db } from "../../db.ts";
import { systemContext } from "../../system-context.ts";
import { syncOrders } from "../accounts/sync-orders.ts";
import { ensureFlags } from "../flags/ensure-flags.ts";
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

it("a withdrawal that a decision sees before the books is no loss; a loss is one", async () => {
  const { accountId, user } = await openTrader(context);
  await syncOrders(context, { accountId });
  await db().user.update({ where: { id: user.id }, data: { automationPausedAt: new Date(), pausedReason: "paused" } });
  const accountNumber = (await db().account.findUniqueOrThrow({ where: { id: accountId } })).brokerAccountId ?? "";
  const before = await db().accountFigures.findUniqueOrThrow({ where: { accountId } });
  const half = money(before.equity).div(2).toDecimalPlaces(0);
  const decided = async () => {
    await exchange.control.clock({ advanceMinutes: 5 });
    const screened = await screenForCycle(context, { market: "PRACTICE" });
    await runAccountCycle(context, { cycleId: screened?.cycleId ?? "", accountId });
    expect(await db().decisionRecord.count({ where: { accountId, cycleId: screened?.cycleId ?? "" } })).toBe(1);
    return (await db().account.findUniqueOrThrow({ where: { id: accountId } })).killState;
  };
  await exchange.control.manualActions.moveCash(accountNumber, { amount: text(half.negated()) });
  expect(await decided()).toBe("NONE");
  const after = await db().accountFigures.findUniqueOrThrow({ where: { accountId } });
  expect(text(money(after.highWaterMark))).toBe(text(money(before.highWaterMark).minus(half)));

  await exchange.control.manualActions.moveCash(accountNumber, { amount: "-20000", activity_type: "FEE" });
  expect(await decided()).toBe("REDUCE_ONLY");
}, 240_000);
