import { existsSync } from "node:fs";
import { afterAll, beforeAll, expect, it } from "vitest";
import { startExchange, type Exchange } from "@/lib/exchange/start.ts";
import { makeUser } from "@/prisma/factories.ts";
import { db } from "../../db.ts";
import { forgetEnv } from "../../env.ts";
import { systemContext } from "../../system-context.ts";
import { addPracticeAccount } from "../accounts/add-practice-account.ts";
import { recordEquity } from "../equity/record-equity.ts";
import { syncOrders } from "../orders/sync-orders.ts";
import { comparePractice } from "../practice/compare-truth.ts";
import { runAccountCycle } from "./run-account-cycle.ts";
import { screenForCycle } from "./run-screening.ts";

const TAPE = "../shared/market/sp500-2019-2020";
const TOKEN = "test-control-token";

let exchange: Exchange;

beforeAll(async () => {
  exchange = await startExchange({
    port: 0,
    controlToken: TOKEN,
    databaseUrl: null,
    paused: true,
    ...(existsSync(TAPE) ? { tape: TAPE, start: "2020-02-03" } : {}),
  });
  process.env.EXCHANGE_URL = exchange.url;
  process.env.EXCHANGE_CONTROL_TOKEN = TOKEN;
  forgetEnv();
}, 120_000);
afterAll(() => exchange.close());

it("an account on the practice market buys what the engine chose, is protected at the broker, and agrees with the exchange", async () => {
  const context = systemContext("test");
  const user = await makeUser(db());
  await db().tradingPreferences.update({
    where: { userId: user.id },
    data: { maxPositions: 10, maxPositionValue: 8000, defaultOrderSize: 6000 },
  });
  const actor = { kind: "user", userId: user.id, role: "USER", signInId: "test" } as const;
  const account = await addPracticeAccount({ ...context, actor });
  await syncOrders(context, { accountId: account.id });

  for (let look = 0; look < 12; look += 1) {
    await exchange.control.clock({ advanceMinutes: look === 0 ? 6 : 30 });
    await syncOrders(context, { accountId: account.id });
    await recordEquity(context, { market: "PRACTICE" });
    const cycle = await screenForCycle(context, { market: "PRACTICE" });
    for (const accountId of cycle?.accountIds ?? [])
      await runAccountCycle(context, { cycleId: cycle?.cycleId ?? "", accountId });
  }
  await exchange.control.clock({ advanceMinutes: 3 });
  await syncOrders(context, { accountId: account.id });

  const decisions = await db().decisionRecord.findMany({ orderBy: { decidedAt: "asc" } });
  console.log(decisions.map((row) => row.line).join("\n"));
  const positions = await db().position.findMany({ where: { accountId: account.id } });
  console.log(
    positions.map((row) => `${row.symbol} ${row.qty} @ ${row.avgEntryPrice} stop ${row.stopPrice}`).join("\n"),
  );
  expect(positions.length).toBeGreaterThan(0);
  for (const position of positions) {
    const stop = await db().order.findFirst({
      where: {
        accountId: account.id,
        symbol: position.symbol,
        role: "STOP",
        status: { in: ["NEW", "HELD", "ACCEPTED"] },
      },
    });
    expect(stop, `${position.symbol} has a stop at the broker`).not.toBeNull();
  }
  const report = await comparePractice(context, (accountId) => syncOrders(context, { accountId }));
  expect(report.accounts.flatMap((row) => row.differences)).toEqual([]);
}, 240_000);
