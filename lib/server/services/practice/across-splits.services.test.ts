import { existsSync } from "node:fs";
import { expect, it } from "vitest";
import { startExchange } from "@/lib/exchange/start.ts";
import { cents, money, sum, text } from "@/lib/domain/money.ts";
import { makeUser } from "@/prisma/factories.ts";
import { db } from "../../db.ts";
import { forgetEnv } from "../../env.ts";
import { systemContext } from "../../system-context.ts";
import { addPracticeAccount } from "../accounts/add-practice-account.ts";
import { syncOrders } from "../orders/sync-orders.ts";
import { comparePractice } from "./compare-truth.ts";

const TAPE = "../shared/market/sp500-2019-2020";

it("holdings, lots and P&L stay right across the splits of AAPL (4:1) and TSLA (5:1) on 2020-08-31", async () => {
  expect(existsSync(TAPE), `this test needs the market tape at ${TAPE}`).toBe(true);
  const exchange = await startExchange({
    port: 0,
    controlToken: "test-control-token",
    databaseUrl: null,
    paused: true,
    tape: TAPE,
    start: "2020-08-27",
  });
  process.env.EXCHANGE_URL = exchange.url;
  forgetEnv();
  try {
    const context = systemContext("test");
    const user = await makeUser(db());
    const actor = { kind: "user", userId: user.id, role: "USER", signInId: "test" } as const;
    const { id } = await addPracticeAccount({ ...context, actor });
    const follow = () => syncOrders(context, { accountId: id });
    const broker = context.brokers.forAccount(await db().account.findUniqueOrThrow({ where: { id } }));
    const order = (symbol: string, side: "BUY" | "SELL", qty: string, clientOrderId: string) =>
      broker.submit({
        clientOrderId,
        symbol,
        side,
        qty,
        orderClass: "SIMPLE",
        type: "MARKET",
        timeInForce: "day",
        limitPrice: null,
        stopPrice: null,
        takeProfitPrice: null,
        stopLossPrice: null,
      });
    await follow();
    for (const symbol of ["AAPL", "TSLA"])
      expect((await order(symbol, "BUY", "7", `buy-${symbol}`)).kind).toBe("accepted");
    await exchange.control.clock({ advanceMinutes: 5 });
    await follow();
    const before = await db().lot.findMany({ where: { accountId: id }, orderBy: { symbol: "asc" } });
    expect(before.map((lot) => [lot.symbol, text(lot.qtyRemaining.toString())])).toEqual([
      ["AAPL", "7"],
      ["TSLA", "7"],
    ]);

    await exchange.control.clock({ jumpTo: "2020-08-31T13:40:00.000Z" });
    await follow();
    const after = await db().lot.findMany({ where: { accountId: id }, orderBy: { symbol: "asc" } });
    expect(after.map((lot) => [lot.symbol, text(lot.qtyRemaining.toString())])).toEqual([
      ["AAPL", "28"],
      ["TSLA", "35"],
    ]);
    // A split moves no money: what the lots cost stays what was paid, to the cent.
    const cost = (lots: typeof after) =>
      text(cents(sum(lots.map((lot) => money(lot.qtyRemaining).times(money(lot.costPrice))))));
    expect(cost(after)).toBe(cost(before));

    expect((await order("AAPL", "SELL", "28", "sell-AAPL")).kind).toBe("accepted");
    await exchange.control.clock({ advanceMinutes: 5 });
    await follow();
    const trip = await db().roundTrip.findFirstOrThrow({ where: { accountId: id, symbol: "AAPL" } });
    const fills = await db().fill.findMany({ where: { accountId: id, symbol: "AAPL" } });
    const moved = sum(
      fills.map((fill) =>
        money(fill.qty)
          .times(money(fill.price))
          .times(fill.side === "BUY" ? -1 : 1),
      ),
    );
    expect(trip.closedAt).not.toBeNull();
    expect(text(trip.pnl.toString())).toBe(text(moved));
    const figures = await db().accountFigures.findUniqueOrThrow({ where: { accountId: id } });
    const positions = await broker.positions();
    // Δequity = realised + Δunrealised + dividends − fees + flows, to the cent.
    const explained = sum([
      money(figures.netDeposits),
      money(figures.realizedPnl),
      money(figures.dividends),
      money(figures.fees).negated(),
      ...positions.map((row) => money(row.marketValue)),
      ...after
        .filter((lot) => lot.symbol === "TSLA")
        .map((lot) => money(lot.qtyRemaining).times(money(lot.costPrice)).negated()),
    ]);
    expect(text(cents(explained))).toBe(text(cents(money((await broker.account()).equity))));
    const report = await comparePractice(context, follow);
    expect(report.accounts.flatMap((row) => row.differences)).toEqual([]);
  } finally {
    await exchange.close();
  }
}, 120_000);
