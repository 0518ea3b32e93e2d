import { randomUUID } from "node:crypto";
import { beforeEach, describe, expect, it } from "vitest";
import {
  exampleAccount,
  exampleMarket,
  examplePolicy,
  exampleSeat,
  exampleSymbol,
} from "@/lib/proof/example-market.ts";
import { decide } from "@/lib/domain/engine/decide.ts";
import type { Policy } from "@/lib/domain/policy.ts";
import { addDays, newYork, newYorkInstant } from "@/lib/domain/time.ts";
import { makeAccount, makeUser } from "@/prisma/factories.ts";
import { db } from "../../db.ts";
import { dateOf } from "../../rows.ts";
import { testContext } from "@/lib/proof/fixtures/orders.ts";
import { loadAccountState } from "./load-account-state.ts";

const TUESDAY_AFTER_A_HOLIDAY = newYorkInstant("2020-01-21", 10, 30);
let accountId: string;
let userId: string;

async function firstSeen(at: string): Promise<void> {
  await db().equityPoint.create({
    data: {
      accountId,
      at: new Date(at),
      sessionDate: dateOf(newYork(at).date),
      equity: "100000",
      netDeposits: "100000",
    },
  });
}

const flow = (date: string, amount: string, hour: number | null = null) =>
  db().cashFlow.create({
    data: {
      movedAt: hour === null ? null : new Date(newYorkInstant(date, hour, 0)),
      accountId,
      activityId: `${date} ${amount}`,
      type: amount.startsWith("-") ? "CSW" : "CSD",
      amount,
      isExternal: true,
      at: new Date(newYorkInstant(date, 0, 0)),
    },
  });

/** The state on that Tuesday, when Friday's close was 100,000. */
const stateWith = (
  equity: string,
  lastEquity = "100000",
  at = TUESDAY_AFTER_A_HOLIDAY,
  policy: Policy = examplePolicy,
) => {
  const balances = { equity, lastEquity, cash: equity, buyingPower: equity };
  return loadAccountState(testContext(), accountId, balances, { at, policy });
};

beforeEach(async () => {
  userId = (await makeUser(db())).id;
  accountId = (await makeAccount(db(), userId)).id;
});

describe("the day's loss is what the market took, not what was deposited or withdrawn", () => {
  const dailyLoss = async (equity: string) => {
    const { lastEquity } = await stateWith(equity);
    const state = exampleAccount({ equity, lastEquity, highWaterMark: equity });
    const market = exampleMarket([exampleSymbol("AAA")], [exampleSeat("AAA")]);
    return decide(state, market, examplePolicy).candidates[0]?.gates.find(({ code }) => code === "daily_loss");
  };

  beforeEach(() => firstSeen(newYorkInstant("2020-01-16", 10, 0)));

  it("a deposit of the day hides no loss", async () => {
    await flow("2020-01-21", "10000");
    expect(await dailyLoss("106000")).toMatchObject({ passed: false, detail: "-3.64 % today, the line is −3.0 %" });
  });

  it("a withdrawal of the day is no loss", async () => {
    await flow("2020-01-21", "-10000");
    expect(await dailyLoss("90500")).toMatchObject({ passed: true });
  });

  it("what came over the weekend was not there at Friday's close", async () => {
    await flow("2020-01-18", "10000");
    expect((await stateWith("109000")).lastEquity).toBe("110000");
  });

  it("what came on Friday evening was not there at its close; what came in the morning was", async () => {
    await flow("2020-01-17", "10000", 17);
    await flow("2020-01-17", "500", 10);
    expect((await stateWith("109000")).lastEquity).toBe("110000");
  });

  it("what came on Friday was there at its close", async () => {
    await flow("2020-01-17", "10000");
    expect((await stateWith("109000")).lastEquity).toBe("100000");
  });

  it("after today's close the broker speaks of that one, with today's money in it", async () => {
    await flow("2020-01-21", "10000");
    const evening = newYorkInstant("2020-01-21", 16, 0);
    expect((await stateWith("109000", "109000", evening)).lastEquity).toBe("109000");
  });

  it("a close that the broker does not know stays unknown", async () => {
    await flow("2020-01-21", "10000");
    expect((await stateWith("10000", "0")).lastEquity).toBe("0");
  });
});

it("an account that was not ours at the close keeps what its broker says, which may hold its opening money", async () => {
  await flow("2020-01-21", "100000");
  expect((await stateWith("100000")).lastEquity).toBe("100000");
  await firstSeen(newYorkInstant("2020-01-21", 9, 40));
  expect((await stateWith("100000")).lastEquity).toBe("100000");
});

describe("an account that stood without equity", () => {
  /** Closing points of the account, the latest last: one a day to the Monday before. */
  const closed = (equities: readonly string[]) =>
    db().equityPoint.createMany({
      data: equities.map((equity, index) => {
        const session = addDays("2020-01-20", index + 1 - equities.length);
        const at = new Date(newYorkInstant(session, 16, 0));
        return { accountId, at, sessionDate: dateOf(session), equity, netDeposits: "0", isClose: true };
      }),
    });
  const risen = (count: number) => Array.from({ length: count }, (_, index) => String(100 + (index % 2)));

  it("is decided for once it is funded, without a volatility of its book", async () => {
    await closed(["0", "0", "-0.01", "5000", "5000"]);
    expect(await stateWith("5000", "5000")).toMatchObject({ equity: "5000", bookVolatility: null });
  });

  it("has the volatility of the returns since then as soon as there are sixty of them", async () => {
    await closed(risen(61));
    const { bookVolatility } = await stateWith("100");
    expect(bookVolatility).toBeGreaterThan(0.1);
    await db().equityPoint.deleteMany({});
    await closed(["0", ...risen(60)]);
    expect((await stateWith("100")).bookVolatility).toBeNull();
    await db().equityPoint.deleteMany({});
    await closed(["0", ...risen(61)]);
    expect((await stateWith("100")).bookVolatility).toBe(bookVolatility);
  });
});

describe("round trips that ended badly", () => {
  const BOUGHT = newYorkInstant("2020-01-16", 10, 0);

  interface Trip {
    owner?: string;
    symbol?: string;
    exitReason: string;
    soldAt?: string;
    exit: string;
  }

  /** Ten shares bought at 100 with a stop at 95, and sold at `exit`; the rows that the books hold of it. */
  async function trip({ owner = accountId, symbol = "AAA", exitReason, soldAt, exit }: Trip): Promise<void> {
    const at = { BUY: new Date(BOUGHT), SELL: new Date(soldAt ?? newYorkInstant("2020-01-21", 10, 20)) };
    const price = { BUY: "100", SELL: exit };
    const pnl = String((Number(exit) - 100) * 10);
    const intent = await db().intent.create({
      data: {
        accountId: owner,
        planId: randomUUID(),
        leg: 0,
        clientOrderId: randomUUID(),
        purpose: "ENTRY",
        reason: "entry_momentum",
        strategy: "MOMENTUM",
        symbol,
        side: "BUY",
        orderClass: "BRACKET",
        type: "LIMIT",
        timeInForce: "gtc",
        qty: "10",
        limitPrice: "100",
        stopLossPrice: "95",
        takeProfitPrice: "120",
        decisionPrice: "100",
        decidedAt: at.BUY,
      },
    });
    for (const side of ["BUY", "SELL"] as const) {
      const order = await db().order.create({
        data: {
          accountId: owner,
          intentId: intent.id,
          origin: "OURS",
          role: side === "BUY" ? "ENTRY" : "STOP",
          brokerOrderId: randomUUID(),
          clientOrderId: randomUUID(),
          symbol,
          side,
          orderClass: "BRACKET",
          type: side === "BUY" ? "LIMIT" : "STOP",
          timeInForce: "gtc",
          qty: "10",
          status: "NEW",
          brokerStatus: "new",
          submittedAt: at[side],
          tradedAt: at[side],
          brokerUpdatedAt: at[side],
        },
      });
      const fill = await db().fill.create({
        data: {
          accountId: owner,
          orderId: order.id,
          executionId: randomUUID(),
          symbol,
          side,
          qty: "10",
          price: price[side],
          source: "STREAM",
          at: at[side],
        },
      });
      if (side === "BUY") {
        const lot = { id: fill.id, accountId: owner, symbol, openFillId: fill.id, openedAt: at.BUY };
        await db().lot.create({ data: { ...lot, qtyOpened: "10", qtyRemaining: "0", costPrice: "100" } });
        continue;
      }
      const { lotsOpened } = await db().fill.findFirstOrThrow({
        where: { accountId: owner, symbol, side: "BUY", at: at.BUY },
        include: { lotsOpened: true },
      });
      const proceeds = String(Number(exit) * 10);
      await db().lotClosure.create({
        data: {
          lotId: lotsOpened[0]?.id ?? "",
          fillId: fill.id,
          qty: "10",
          proceeds,
          cost: "1000",
          fees: "0",
          realizedPnl: pnl,
          at: at.SELL,
        },
      });
    }
    await db().roundTrip.create({
      data: {
        accountId: owner,
        symbol,
        strategy: "MOMENTUM",
        openedAt: at.BUY,
        closedAt: at.SELL,
        qtyBought: "10",
        qtySold: "10",
        entryValue: "1000",
        exitValue: String(Number(exit) * 10),
        pnl,
        outcome: Number(exit) < 100 ? "LOSS" : "WIN",
        exitReason,
      },
    });
  }

  /** What the gates say of an entry into AAA, minutes after the sale. */
  const gatesOf = async () => {
    const { stopOuts, lossSales } = await stateWith("100000");
    const market = exampleMarket([exampleSymbol("AAA")], [exampleSeat("AAA")]);
    const sessions = market.sessions;
    const today = { ...market.session, date: "2020-01-21" };
    const { candidates } = decide(
      exampleAccount({ stopOuts, lossSales }),
      { ...market, session: today, sessions },
      examplePolicy,
    );
    return (code: string) => candidates[0]?.gates.find((gate) => gate.code === code);
  };

  it("a trailing stop at a loss, minutes ago: the cooldown fails and the wash sale warns", async () => {
    await trip({ exitReason: "trailing_stop", exit: "99" });
    const gate = await gatesOf();
    expect(gate("cooldown")).toMatchObject({ passed: false });
    expect(gate("wash_sale")).toMatchObject({ passed: false, isWarning: true });
    expect(gate("wash_sale")?.detail).toBe("AAA was sold at a loss on 2020-01-21, within 30 days");
  });

  it("a trailing stop at a gain is neither", async () => {
    await trip({ exitReason: "trailing_stop", exit: "104" });
    const gate = await gatesOf();
    expect(gate("cooldown")).toMatchObject({ passed: true });
    expect(gate("wash_sale")).toMatchObject({ passed: true });
  });

  it("the fraction of a share that a split left, which goes for nothing, is no sale at a loss", async () => {
    await trip({ exitReason: "time_stop", exit: "97" });
    const fraction = { source: "ACTIVITY", price: "0", qty: "0.5" } as const;
    await db().fill.updateMany({ where: { accountId, symbol: "AAA", side: "SELL" }, data: fraction });
    expect((await stateWith("100000")).lossSales).toEqual([]);
  });

  it("a sale at a loss in another account of the person warns, and does not cool down; one of another user does neither", async () => {
    const other = await makeAccount(db(), userId);
    await trip({ owner: other.id, exitReason: "time_stop", exit: "97" });
    const stranger = await makeAccount(db(), (await makeUser(db())).id);
    await trip({ owner: stranger.id, symbol: "BBB", exitReason: "time_stop", exit: "97" });
    const gate = await gatesOf();
    expect(gate("cooldown")).toMatchObject({ passed: true });
    expect(gate("wash_sale")).toMatchObject({ passed: false });
    expect((await stateWith("100000")).lossSales).toEqual([{ symbol: "AAA", session: "2020-01-21" }]);
  });

  it("a stop-out is read for as long as the policy lets it count", async () => {
    await trip({ exitReason: "protective_stop", exit: "95" });
    const later = newYorkInstant("2020-04-16", 10, 0);
    const resting = {
      ...examplePolicy,
      pretrade_filters: { ...examplePolicy.pretrade_filters, cooldown_sessions: 60 },
    };
    expect((await stateWith("100000", "100000", later)).stopOuts).toEqual([]);
    expect((await stateWith("100000", "100000", later, resting)).stopOuts).toEqual([
      { symbol: "AAA", session: "2020-01-21" },
    ]);
  });

  it("the record for the Kelly bound: R by the stop decided with the entry, trips without one left out and counted", async () => {
    await trip({ exitReason: "trailing_stop", exit: "98", soldAt: newYorkInstant("2020-01-17", 10, 0) });
    await trip({
      symbol: "BBB",
      exitReason: "profit_target",
      exit: "110",
      soldAt: newYorkInstant("2020-01-20", 10, 0),
    });
    await trip({ symbol: "CCC", exitReason: "time_stop", exit: "101" });
    await db().intent.updateMany({ where: { symbol: "CCC" }, data: { orderClass: "SIMPLE", stopLossPrice: null } });
    await trip({ symbol: "DDD", exitReason: "time_stop", exit: "101" });
    await db().roundTrip.updateMany({ where: { symbol: "DDD" }, data: { strategy: "BREAKOUT" } });
    const { trips } = await stateWith("100000");
    expect(trips).toEqual({ strategy: "MOMENTUM", count: 2, unrated: 1, r: [-0.4, 2] });
  });
});
