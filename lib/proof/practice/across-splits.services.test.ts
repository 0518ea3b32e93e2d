import { afterEach, expect, it } from "vitest";
import type { SideName } from "@/lib/domain/enums.ts";
import { type Exchange, startExchange } from "@/lib/exchange/start.ts";
import { cents, money, sum, text } from "@/lib/domain/money.ts";
import { MERGER, MERGER_DAY, REVERSE_SPLIT_DAY, SPIN_OFF, SPIN_OFF_DAY, SPLIT_DAY } from "@/lib/proof/market/cast.ts";
import { smallTape } from "@/lib/proof/market/test-exchange.ts";
import { makeUser } from "@/prisma/factories.ts";
import { db } from "@/lib/server/db.ts";
import { forgetEnv } from "@/lib/server/env.ts";
import { addPracticeAccount } from "@/lib/server/services/accounts/add-practice-account.ts";
import { systemContext } from "@/lib/server/system-context.ts";
import { syncOrders } from "../../server/services/accounts/sync-orders.ts";
import { comparePractice } from "./compare-truth.ts";
import { explainEquity } from "./explain-equity.ts";

let exchange: Exchange;
afterEach(() => exchange.close());

/** An account on the fixture market that buys these shares in the first session. */
async function holding(start: string, shares: Record<string, string>) {
  exchange = await startExchange({
    port: 0,
    controlToken: "test-control-token",
    databaseUrl: null,
    paused: true,
    generate: smallTape,
    start,
  });
  process.env.EXCHANGE_URL = exchange.url;
  forgetEnv();
  const context = systemContext("test");
  const user = await makeUser(db());
  const actor = { kind: "user", userId: user.id, role: "USER", signInId: "test" } as const;
  const { id } = await addPracticeAccount({ ...context, actor });
  const follow = () => syncOrders(context, { accountId: id });
  const broker = context.brokers.forAccount(await db().account.findUniqueOrThrow({ where: { id } }));
  const order = async (symbol: string, side: SideName, qty: string) => {
    const sent = await broker.submit({
      clientOrderId: `${side}-${symbol}`,
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
    expect(sent.kind).toBe("accepted");
  };
  await follow();
  for (const [symbol, qty] of Object.entries(shares)) await order(symbol, "BUY", qty);
  await exchange.control.clock({ advanceMinutes: 5 });
  await follow();
  const lots = () =>
    db().lot.findMany({ where: { accountId: id, qtyRemaining: { gt: 0 } }, orderBy: { symbol: "asc" } });
  const held = async () => (await lots()).map((lot) => [lot.symbol, text(lot.qtyRemaining.toString())]);
  expect(await held()).toEqual(Object.entries(shares).sort());
  /** Moves on to ten minutes after the opening of a session, and reads the broker. */
  const goTo = async (date: string) => {
    await exchange.control.clock({ jumpTo: `${date}T13:40:00.000Z` });
    await follow();
  };
  return { context, id, follow, order, lots, held, goTo };
}

it("holdings, lots and P&L stay right across a reverse split, splits of 4:1 and 5:1, and a merger for cash", async () => {
  const { context, id, follow, order, lots, held, goTo } = await holding("2020-06-12", {
    FIVE: "7",
    FOUR: "7",
    TAKEN: "9",
    TENTH: "70",
  });
  const cost = async () =>
    text(cents(sum((await lots()).map((lot) => money(lot.qtyRemaining).times(money(lot.costPrice))))));
  const paid = await cost();

  await goTo(REVERSE_SPLIT_DAY);
  expect(await held()).toContainEqual(["TENTH", "7"]);
  await goTo(SPLIT_DAY);
  expect(await held()).toEqual([
    ["FIVE", "35"],
    ["FOUR", "28"],
    ["TAKEN", "9"],
    ["TENTH", "7"],
  ]);
  // A split moves no money: what the lots cost stays what was paid, to the cent.
  expect(await cost()).toBe(paid);

  await order("FOUR", "SELL", "28");
  await exchange.control.clock({ advanceMinutes: 5 });
  await follow();
  const trip = await db().roundTrip.findFirstOrThrow({ where: { accountId: id, symbol: "FOUR" } });
  const fills = await db().fill.findMany({ where: { accountId: id, symbol: "FOUR" } });
  const moved = sum(
    fills.map((fill) =>
      money(fill.qty)
        .times(money(fill.price))
        .times(fill.side === "BUY" ? -1 : 1),
    ),
  );
  expect(trip.closedAt).not.toBeNull();
  expect(text(trip.pnl.toString())).toBe(text(moved));

  const report = await comparePractice(context, follow);
  expect(report.accounts.flatMap((row) => row.undecided ?? row.differences)).toEqual([]);

  await goTo(MERGER_DAY);
  await exchange.control.venueActions.applyCorporateAction(MERGER);
  await follow();
  expect((await held()).map(([symbol]) => symbol)).toEqual(["FIVE", "TENTH"]);
  const taken = await db().roundTrip.findFirstOrThrow({ where: { accountId: id, symbol: "TAKEN" } });
  expect(text(taken.exitValue.toString())).toBe(text(money(MERGER.cash).times(9)));

  // Δequity = realised + Δunrealised + dividends − fees + flows, to the cent.
  const [line] = await explainEquity(context);
  expect(line?.explained).toBe(line?.equity);
}, 120_000);

it("shares of a spin-off, which no rule can book, halt the account and are named in the reason", async () => {
  const { id, follow, held, goTo } = await holding("2020-09-18", { WHOLE: "12" });
  await goTo(SPIN_OFF_DAY);
  await exchange.control.venueActions.applyCorporateAction(SPIN_OFF);
  await follow();
  const { haltReason } = await db().account.findUniqueOrThrow({ where: { id } });
  expect(haltReason).toMatch(/cannot be booked automatically: SPIN of PART/);
  expect(await held()).toEqual([["WHOLE", "12"]]);
}, 120_000);
