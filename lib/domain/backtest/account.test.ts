import { describe, expect, it } from "vitest";
import { money, text } from "../money.ts";
import { newYorkInstant } from "../time.ts";
import { dayTradesOf } from "../day-trades.ts";
import { type Ledger, openLedger } from "./account.ts";
import type { FillMoment } from "./book-fill.ts";
import { payDividend, splitHolding } from "./corporate-actions.ts";
import { fillEntry, fillExit, fillLeg } from "./fill-orders.ts";
import { acceptOrder, restLegs } from "./orders.ts";
import { accountState } from "./state.ts";
import type { BacktestOrder } from "./result.ts";
import { exampleAccount, exampleFeatures, examplePolicy } from "@/lib/proof/example-market.ts";
import type { PlannedOrder } from "../engine/plan.ts";

const ACCOUNT = "00000000-0000-7000-8000-000000000001";
const SESSION = "2020-02-03";

const moment: FillMoment = {
  session: SESSION,
  at: newYorkInstant(SESSION, 9, 35),
  regime: "risk_on",
  policy: examplePolicy,
  featuresOf: () => exampleFeatures(),
  describe: (symbol) => ({ name: `${symbol} Inc.`, sector: "Energy" }),
  sessionsBetween: () => 3,
};

function planned(change: Partial<PlannedOrder> = {}): PlannedOrder {
  return {
    leg: 0,
    purpose: "ENTRY",
    symbol: "AAA",
    side: "BUY",
    qty: "10",
    orderClass: "BRACKET",
    type: "LIMIT",
    timeInForce: "gtc",
    limitPrice: "100",
    stopPrice: null,
    takeProfitPrice: "110",
    stopLossPrice: "95",
    decisionPrice: "100",
    reason: "entry_momentum",
    strategy: "MOMENTUM",
    confidence: 0.8,
    gates: [],
    atr: 2,
    ...change,
  };
}

function enter(ledger: Ledger, change: Partial<PlannedOrder> = {}): BacktestOrder {
  const order = acceptOrder(ledger, planned(change), ACCOUNT, SESSION);
  const entry = {
    order,
    qty: money(order.qty),
    limitPrice: money(order.limitPrice!),
    stopPrice: money(order.stopLossPrice!),
    targetPrice: money(order.takeProfitPrice!),
    atr: 2,
    submittedAt: moment.at,
  };
  fillEntry(ledger, entry, money(order.limitPrice!), moment);
  return order;
}

const sell = planned({ leg: 1, purpose: "EXIT", side: "SELL", type: "MARKET", reason: "time_stop", limitPrice: null });

describe("the account of a backtest", () => {
  it("a bought entry rests its stop and target over all its shares", () => {
    const ledger = openLedger(money("10000"));
    expect(enter(ledger).status).toBe("FILLED");
    const state = accountState(ledger, ACCOUNT, exampleAccount().preferences, {
      equity: money("10000"),
      lastEquity: money("10000"),
      highWaterMark: money("10000"),
      bookVolatility: null,
    });
    expect(state.positions).toMatchObject([{ symbol: "AAA", qty: "10", protectedQty: "10", stopPrice: "95" }]);
    expect(state.openOrders.map(({ role, side }) => `${role} ${side}`)).toEqual(["STOP SELL", "TARGET SELL"]);
  });

  it("entries of one session see each other's cash: what it does not cover is refused", () => {
    const ledger = openLedger(money("1500"));
    enter(ledger);
    const second = enter(ledger, { leg: 1, symbol: "BBB" });
    expect(second.status).toBe("REJECTED");
    expect([...ledger.positions.keys()]).toEqual(["AAA"]);
    expect(ledger.cash.gte(0)).toBe(true);
  });

  it("cash freed by a sale of the session pays for an entry", () => {
    const ledger = openLedger(money("1500"));
    enter(ledger);
    fillExit(ledger, acceptOrder(ledger, sell, ACCOUNT, SESSION), money("100"), moment);
    expect(enter(ledger, { leg: 2, symbol: "BBB" }).status).toBe("FILLED");
  });

  it("an exit cancels the legs and closes the round trip with its reason", () => {
    const ledger = openLedger(money("10000"));
    enter(ledger);
    fillExit(ledger, acceptOrder(ledger, sell, ACCOUNT, SESSION), money("104"), moment);
    expect(ledger.legs.size).toBe(0);
    expect(ledger.trades).toMatchObject([
      { symbol: "AAA", exitReason: "time_stop", entryReason: "entry_momentum", outcome: "WIN", exitPrice: "104" },
    ]);
    const [trade] = ledger.trades;
    expect(money("10000").plus(trade!.pnl).toFixed(2)).toBe(ledger.cash.toFixed(2));
  });

  it("after a sale of a part one pair rests over what is left, which its stop still sells in that session", () => {
    const ledger = openLedger(money("10000"));
    enter(ledger);
    enter(ledger, { leg: 1, qty: "2" });
    fillExit(ledger, acceptOrder(ledger, { ...sell, leg: 2, qty: "4" }, ACCOUNT, SESSION), money("100"), moment);
    const legs = ledger.legs.get("AAA")!;
    expect(legs.map(({ qty, stopPrice, targetPrice }) => [qty, stopPrice, targetPrice].map(text))).toEqual([
      ["8", "95", "110"],
    ]);
    fillLeg(ledger, legs[0]!, { leg: "STOP", price: money("95") }, moment);
    expect(ledger.positions.size).toBe(0);
    expect(ledger.trades).toMatchObject([{ symbol: "AAA", exitReason: "protective_stop" }]);
  });

  it("an exit without a price expires and leaves the position", () => {
    const ledger = openLedger(money("10000"));
    enter(ledger);
    const order = acceptOrder(ledger, sell, ACCOUNT, SESSION);
    fillExit(ledger, order, null, moment);
    expect(order.status).toBe("EXPIRED");
    expect(ledger.positions.get("AAA")?.book.qty).toBe("10");
  });

  it("a trailing stop at a loss is a stop-out, at a gain it is none; every sale at a loss is remembered for wash sales", () => {
    const ledger = openLedger(money("10000"));
    enter(ledger);
    const [legs] = ledger.legs.get("AAA")!;
    fillLeg(ledger, { ...legs!, isTrailing: true }, { leg: "STOP", price: money("97") }, moment);
    enter(ledger, { leg: 1, symbol: "BBB" });
    const [others] = ledger.legs.get("BBB")!;
    fillLeg(ledger, { ...others!, isTrailing: true }, { leg: "STOP", price: money("106") }, moment);
    enter(ledger, { leg: 2, symbol: "CCC" });
    fillExit(ledger, acceptOrder(ledger, { ...sell, leg: 8, symbol: "CCC" }, ACCOUNT, SESSION), money("98"), moment);
    expect(ledger.trades.map(({ symbol, exitReason }) => [symbol, exitReason])).toEqual([
      ["AAA", "trailing_stop"],
      ["BBB", "trailing_stop"],
      ["CCC", "time_stop"],
    ]);
    expect(ledger.stopOuts).toEqual([{ symbol: "AAA", session: SESSION }]);
    expect([...ledger.lossSales.values()]).toEqual([
      { symbol: "AAA", session: SESSION },
      { symbol: "CCC", session: SESSION },
    ]);
  });

  it("a stop-out is remembered, a target is not one; both count as a day trade on the day of the entry", () => {
    const ledger = openLedger(money("10000"));
    enter(ledger);
    fillLeg(ledger, ledger.legs.get("AAA")![0]!, { leg: "STOP", price: money("95") }, moment);
    enter(ledger, { leg: 1, symbol: "BBB" });
    fillLeg(ledger, ledger.legs.get("BBB")![0]!, { leg: "TARGET", price: money("110") }, moment);
    expect(ledger.stopOuts).toEqual([{ symbol: "AAA", session: SESSION }]);
    expect(dayTradesOf(ledger.recentFills)).toBe(2);
    expect(ledger.trades.map(({ exitReason }) => exitReason)).toEqual(["protective_stop", "profit_target"]);
  });

  it("a protective pair sells only its own shares", () => {
    const ledger = openLedger(money("10000"));
    enter(ledger);
    ledger.legs.delete("AAA");
    const order = acceptOrder(
      ledger,
      planned({ leg: 1, purpose: "PROTECT", side: "SELL", orderClass: "OCO", qty: "4", reason: "protect_position" }),
      ACCOUNT,
      SESSION,
    );
    restLegs(ledger, {
      order,
      qty: money("4"),
      stopPrice: money("95"),
      targetPrice: money("110"),
      since: SESSION,
      isTrailing: false,
    });
    fillLeg(ledger, ledger.legs.get("AAA")![0]!, { leg: "STOP", price: money("95") }, moment);
    expect(order.status).toBe("FILLED");
    expect(ledger.positions.get("AAA")?.book.qty).toBe("6");
    expect(ledger.trades).toEqual([]);
  });

  it("a split multiplies shares and divides every price, of the position and of what rests", () => {
    const ledger = openLedger(money("10000"));
    enter(ledger);
    ledger.positions.get("AAA")!.review = { ...ledger.positions.get("AAA")!.review, highestClose: "104" };
    splitHolding(ledger, "AAA", "4", "2020-02-03");
    const held = ledger.positions.get("AAA")!;
    const [legs] = ledger.legs.get("AAA")!;
    expect(held.book).toMatchObject({ qty: "40", avgPrice: "25" });
    expect([held.stopPrice, held.targetPrice, legs!.stopPrice, legs!.targetPrice, legs!.qty].map(text)).toEqual([
      "23.75",
      "27.5",
      "23.75",
      "27.5",
      "40",
    ]);
    expect(held.review).toMatchObject({ highestClose: "26", entryAtr: 0.5 });
  });

  it("a dividend is paid in cash on the shares held", () => {
    const ledger = openLedger(money("10000"));
    enter(ledger);
    const before = ledger.cash;
    payDividend(ledger, "AAA", "0.35");
    payDividend(ledger, "BBB", "0.35");
    expect(text(ledger.cash.minus(before))).toBe("3.5");
    expect(text(ledger.day.dividends)).toBe("3.5");
  });
});
