import { describe, expect, it } from "vitest";
import type { SideName } from "@/lib/domain/enums.ts";
import { cents, money, text } from "@/lib/domain/money.ts";
import type { Exchange } from "@/lib/exchange/start.ts";
import type { Account } from "../../core/row-types.ts";
import type { Context } from "../../context.ts";
import { marketData } from "../../providers/market-data-registry.ts";
import { openKeyPair } from "@/lib/proof/fixtures/key-pair.ts";
import { marketMoment } from "../../core/calendar.ts";
import { checkAccount } from "../invariants/check-account.ts";
import { readBrokerBreaches, readRowBreaches } from "../invariants/read-breaches.ts";
import { openBench } from "@/lib/proof/fixtures/bench.ts";
import { ageFills, buyBracket, hastyBroker, truthOf } from "@/lib/proof/fixtures/orders.ts";
import { readCashLedger } from "../ledger/read-cash-ledger.ts";
import { reconcileAccount } from "./reconcile-account.ts";

let exchange: Exchange;
let context: Context;
let account: Account;
openBench((bench) => ({ exchange, context, account } = bench), { cash: "1000000", marketData });

let sent = 0;
/** A trade by hand at the exchange; answers the exchange's id of its execution. */
async function trade(symbol: string, side: SideName, qty: string): Promise<string> {
  sent += 1;
  const outcome = await hastyBroker(account, 5_000).submit({
    clientOrderId: `by-hand-${sent}`,
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
  if (outcome.kind !== "accepted") throw new Error(`${side} ${qty} ${symbol}: ${JSON.stringify(outcome)}`);
  await exchange.control.clock({ advanceMinutes: 1 });
  const fill = truthOf(exchange, account).fills.find(({ order_id }) => order_id === outcome.order.id);
  if (!fill) throw new Error(`${symbol} was not filled`);
  return fill.id;
}

/** To the opening of the next session. */
async function nextSession(): Promise<void> {
  const { today, calendar } = await marketMoment(context, "PRACTICE");
  const next = calendar.find(({ session }) => session > (today?.session ?? ""));
  await exchange.control.clock({ jumpTo: next?.session ?? "" });
  await exchange.control.clock({ advanceMinutes: 6 });
}

/** Ours and the exchange's: positions, fills and cash, in comparable words. */
async function sides() {
  const truth = truthOf(exchange, account);
  const where = { accountId: account.id };
  const positions = await context.db.position.findMany({ where, orderBy: { symbol: "asc" } });
  const fills = await context.db.fill.findMany({ where });
  const { cash } = await readCashLedger(context.db, account.id);
  const figures = await context.db.accountFigures.findUniqueOrThrow({ where });
  const line = (symbol: string, side: string, qty: { toString(): string }, price: { toString(): string }) =>
    `${symbol} ${side.toLowerCase()} ${text(qty.toString())} at ${text(price.toString())}`;
  return {
    ours: {
      positions: positions.map(({ symbol, qty }) => `${symbol} ${text(qty.toString())}`),
      fills: fills.map((fill) => line(fill.symbol, fill.side, fill.qty, fill.price)).sort(),
      cash: text(cents(cash)),
      reportedCash: text(cents(money(figures.cash))),
    },
    theirs: {
      positions: truth.positions.map(({ symbol, qty }) => `${symbol} ${qty}`).sort(),
      fills: truth.fills.map((fill) => line(fill.symbol, fill.side, fill.qty, fill.price)).sort(),
      cash: text(cents(money(truth.cash))),
      reportedCash: text(cents(money(truth.cash))),
    },
  };
}

async function expectTheTruth(): Promise<void> {
  const { ours, theirs } = await sides();
  expect(ours).toEqual(theirs);
  expect(await readRowBreaches(context, account.id)).toEqual([]);
  expect((await readBrokerBreaches(context, account.id, hastyBroker(account, 5_000))).breaches).toEqual([]);
  expect(await context.db.account.findUniqueOrThrow({ where: { id: account.id } })).toMatchObject({ haltedAt: null });
}

describe("executions that the exchange takes back or corrects", () => {
  it("four of each, in a first lot, a partly sold lot, a sold out position and after a split, end as the exchange has them (V5)", async () => {
    const [b1 = "", b2 = "", b3 = "", b4 = "", c1 = "", c2 = "", c3 = "", c4 = ""] = await symbols(8);
    const splits = [b4, c4];
    const ids = new Map<string, string>();
    await reconcileAccount(context, account.id);
    for (const symbol of splits) await trade(symbol, "BUY", "10");
    await nextSession();
    await reconcileAccount(context, account.id);
    for (const symbol of splits)
      await exchange.control.venueActions.applyCorporateAction({ kind: "split", symbol, ratio: "2" });
    for (const symbol of [b1, c1]) {
      ids.set(symbol, await trade(symbol, "BUY", "10"));
      await trade(symbol, "BUY", "5");
    }
    for (const symbol of [b2, c2]) {
      ids.set(symbol, await trade(symbol, "BUY", "10"));
      await trade(symbol, "BUY", "10");
      await trade(symbol, "SELL", "4");
    }
    for (const symbol of [b3, c3]) {
      await trade(symbol, "BUY", "10");
      ids.set(symbol, await trade(symbol, "SELL", "10"));
    }
    for (const symbol of splits) ids.set(symbol, await trade(symbol, "BUY", "6"));
    expect(await reconcileAccount(context, account.id)).toMatchObject({ differences: [], haltReason: null, splits: 2 });
    await expectTheTruth();
    await ageFills(context, account);

    for (const symbol of [b1, b2, b3, b4]) await exchange.control.venueActions.bust(ids.get(symbol) ?? "");
    for (const symbol of [c1, c2, c3, c4]) {
      const was = truthOf(exchange, account).fills.find(({ id }) => id === ids.get(symbol));
      const price = money(was?.price ?? "0")
        .times("0.97")
        .toDecimalPlaces(2)
        .toFixed();
      const qty =
        symbol === c3
          ? undefined
          : money(was?.qty ?? "0")
              .minus(2)
              .toFixed();
      await exchange.control.venueActions.correct(ids.get(symbol) ?? "", { price, qty });
    }
    expect(await reconcileAccount(context, account.id)).toMatchObject({ corrections: 8, differences: [] });
    await expectTheTruth();
    const after = await sides();
    expect(await reconcileAccount(context, account.id)).toMatchObject({ corrections: 0, executions: 0 });
    expect(await sides()).toEqual(after);
    const audit = { subjectUserId: account.userId, eventType: "EXECUTION_CORRECTED" };
    expect(await context.db.auditEvent.count({ where: audit })).toBe(8);
  });

  it("of an entry that we decided takes its decision along, and halts no account (V5)", async () => {
    await buyBracket(exchange, context, account);
    await ageFills(context, account);
    const [fill] = truthOf(exchange, account).fills;
    await exchange.control.venueActions.bust(fill?.id ?? "");
    for (let again = 0; again < 2; again += 1)
      expect(await reconcileAccount(context, account.id)).toMatchObject({ differences: [], haltReason: null });
    await expectTheTruth();
    const intents = await context.db.intent.findMany({ where: { accountId: account.id, purpose: "ENTRY" } });
    expect(intents.map(({ status }) => status)).toEqual(["CANCELED"]);
  });

  it("days later, without a stream, are found by the next reading before anything is halted (V5)", async () => {
    const [symbol = ""] = await symbols(1);
    await reconcileAccount(context, account.id);
    const id = await trade(symbol, "BUY", "10");
    await reconcileAccount(context, account.id);
    await nextSession();
    await nextSession();
    await reconcileAccount(context, account.id);
    await ageFills(context, account);
    await exchange.control.venueActions.bust(id);
    expect(await reconcileAccount(context, account.id)).toMatchObject({ corrections: 1, differences: [] });
    await expectTheTruth();
  });

  it("in the price alone, days later, without a stream, are found before cash halts the account (V5)", async () => {
    const [symbol = ""] = await symbols(1);
    await reconcileAccount(context, account.id);
    const id = await trade(symbol, "BUY", "10");
    await reconcileAccount(context, account.id);
    await nextSession();
    await reconcileAccount(context, account.id);
    await ageFills(context, account);
    await exchange.control.venueActions.correct(id, { price: "1.23" });
    expect(await checkAccount(context, { accountId: account.id })).toEqual([]);
    await expectTheTruth();
  });

  it("from before the account was connected are never booked", async () => {
    const [symbol = "", other = ""] = await symbols(2);
    const busted = await trade(symbol, "BUY", "10");
    const corrected = await trade(other, "BUY", "10");
    await exchange.control.venueActions.bust(busted);
    await exchange.control.venueActions.correct(corrected, { qty: "7" });
    expect(await reconcileAccount(context, account.id)).toMatchObject({ corrections: 0, differences: [] });
    await expectTheTruth();
  });
});

/** Symbols that trade, none of which another test of this file has had its hands on. */
let taken = 0;
async function symbols(count: number): Promise<string[]> {
  const { userId, id: accountId, environment, sealedKeys } = account;
  const { keyId, secret } = openKeyPair(sealedKeys ?? "", { userId, accountId, environment });
  const headers = { "APCA-API-KEY-ID": keyId, "APCA-API-SECRET-KEY": secret };
  const answer = await fetch(`${exchange.url}/v2/assets?status=active`, { headers });
  const assets = (await answer.json()) as { symbol: string; tradable: boolean }[];
  const tradable = assets.filter((asset) => asset.tradable && asset.symbol !== "SPY").map(({ symbol }) => symbol);
  taken += count;
  return tradable.slice(taken - count, taken);
}
