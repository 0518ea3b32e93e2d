/**
 * The test bench of a market day: an exchange that replays a session of the fixture market, traders on it, and looks of
 * the engine.
 * Only tests import it.
 */
import { startExchange, type Exchange } from "@/lib/exchange/start.ts";
import { fixtureTape } from "@/lib/proof/market/fixture-tape.ts";
import { makeUser } from "@/prisma/factories.ts";
import type { Context } from "../../context.ts";
import { db, type Prisma } from "../../db.ts";
import { forgetEnv } from "../../env.ts";
import { addPracticeAccount } from "../accounts/add-practice-account.ts";
import { syncOrders } from "../accounts/sync-orders.ts";
import { runAccountCycle } from "./run-account-cycle.ts";
import { screenForCycle } from "./run-screening.ts";

/** Room for several positions, so that a first look buys. */
export const ROOMY = { maxPositions: 10, maxPositionValue: 8000, defaultOrderSize: 6000 };

/** An exchange at rest at the opening of a session of the fixture market. This process trades on it. */
export async function startMarketDay(): Promise<Exchange> {
  const exchange = await startExchange({
    port: 0,
    controlToken: "test-control-token",
    databaseUrl: null,
    paused: true,
    tape: fixtureTape(),
    start: "2020-02-03",
  });
  process.env.EXCHANGE_URL = exchange.url;
  forgetEnv();
  return exchange;
}

/** A user with an account on the practice market, and with these preferences. */
export async function openTrader(context: Context, preferences: Prisma.TradingPreferencesUpdateInput = {}) {
  const user = await makeUser(db());
  await db().tradingPreferences.update({ where: { userId: user.id }, data: preferences });
  const actor = { kind: "user", userId: user.id, role: "USER", signInId: "test" } as const;
  const { id: accountId } = await addPracticeAccount({ ...context, actor });
  return { user, accountId };
}

/** Minutes pass on the market, each account reads its broker, and the engine decides for those whose turn it is. */
export async function look(exchange: Exchange, context: Context, minutes: number): Promise<void> {
  await exchange.control.clock({ advanceMinutes: minutes });
  for (const { id: accountId } of await db().account.findMany()) await syncOrders(context, { accountId });
  const cycle = await screenForCycle(context, { market: "PRACTICE" });
  for (const accountId of cycle?.accountIds ?? [])
    await runAccountCycle(context, { cycleId: cycle?.cycleId ?? "", accountId });
}
