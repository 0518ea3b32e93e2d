import { afterAll, beforeAll, expect, it } from "vitest";
import type { Exchange } from "@/lib/exchange/start.ts";
import { db } from "../../db.ts";
import { systemContext } from "../../system-context.ts";
import { recordEquity } from "../equity/record-equity.ts";
import { look, openTrader, ROOMY, startMarketDay } from "@/lib/proof/fixtures/cycles.ts";
import { comparePractice } from "@/lib/proof/practice/compare-truth.ts";
import { syncOrders } from "../accounts/sync-orders.ts";

let exchange: Exchange;

beforeAll(async () => {
  exchange = await startMarketDay();
}, 120_000);
afterAll(() => exchange.close());

it("an account on the practice market buys what the engine chose, is protected at the broker, and agrees with the exchange", async () => {
  const context = systemContext("test");
  const { accountId } = await openTrader(context, ROOMY);
  await syncOrders(context, { accountId });

  for (let turn = 0; turn < 12; turn += 1) {
    await look(exchange, context, turn === 0 ? 6 : 30);
    await recordEquity(context, { market: "PRACTICE" });
  }
  await exchange.control.clock({ advanceMinutes: 3 });
  await syncOrders(context, { accountId });

  const positions = await db().position.findMany({ where: { accountId } });
  expect(positions.length).toBeGreaterThan(0);
  for (const position of positions) {
    const stop = await db().order.findFirst({
      where: {
        accountId,
        symbol: position.symbol,
        role: "STOP",
        status: { in: ["NEW", "HELD", "ACCEPTED"] },
      },
    });
    expect(stop, `${position.symbol} has a stop at the broker`).not.toBeNull();
  }
  const report = await comparePractice(context, (accountId) => syncOrders(context, { accountId }));
  expect(report.accounts.flatMap((row) => row.undecided ?? row.differences)).toEqual([]);
}, 240_000);
