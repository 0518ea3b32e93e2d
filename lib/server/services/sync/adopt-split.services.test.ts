import { expect, it } from "vitest";
import { money, text } from "@/lib/domain/money.ts";
import type { Exchange } from "@/lib/exchange/start.ts";
import type { Account } from "../../core/row-types.ts";
import type { Context } from "../../context.ts";
import { marketData } from "../../providers/market-data-registry.ts";
import { marketMoment } from "../../core/calendar.ts";
import { openBench } from "@/lib/proof/fixtures/bench.ts";
import { ageFills, hastyBroker, withBroker } from "@/lib/proof/fixtures/orders.ts";
import { readBrokerBreaches, readRowBreaches } from "../invariants/read-breaches.ts";
import { rebuildPositionBook } from "../ledger/rebuild-position-book.ts";
import { inTransaction } from "../../core/transaction.ts";
import { adoptBrokerBooks, previewBrokerBooks } from "./adopt-broker-books.ts";
import { reconcileAccount } from "./reconcile-account.ts";

let exchange: Exchange;
let context: Context;
let account: Account;
openBench((bench) => ({ exchange, context, account } = bench), { cash: "1000000", marketData });

const SYMBOL = "SPY";
const positionOf = () =>
  context.db.position.findUniqueOrThrow({ where: { accountId_symbol: { accountId: account.id, symbol: SYMBOL } } });

/** Ten shares of before the split, and a broker that lists no activity of it. */
async function splitUnheardOf(): Promise<Context> {
  await reconcileAccount(context, account.id);
  const real = hastyBroker(account, 5_000);
  const prices = { limitPrice: null, stopPrice: null, takeProfitPrice: null, stopLossPrice: null };
  const order = { symbol: SYMBOL, side: "BUY", qty: "10", orderClass: "SIMPLE", type: "MARKET" } as const;
  await real.submit({ clientOrderId: "by-hand", ...order, timeInForce: "day", ...prices });
  await exchange.control.clock({ advanceMinutes: 1 });
  await reconcileAccount(context, account.id);
  const { today, calendar } = await marketMoment(context, "PRACTICE");
  const next = calendar.find(({ session }) => session > (today?.session ?? ""));
  await exchange.control.clock({ jumpTo: next?.session ?? "" });
  await exchange.control.clock({ advanceMinutes: 6 });
  await reconcileAccount(context, account.id);
  await ageFills(context, account);
  const price = money((await positionOf()).avgEntryPrice);
  const levels = { stopPrice: text(price.times("0.9")), targetPrice: text(price.times("1.5")) };
  await context.db.position.update({
    where: { accountId_symbol: { accountId: account.id, symbol: SYMBOL } },
    data: levels,
  });
  await exchange.control.venueActions.applyCorporateAction({ kind: "split", symbol: SYMBOL, ratio: "4" });
  return withBroker(context, { ...real, activitiesSince: () => Promise.resolve([]) });
}

it("a difference that a split explains is taken over as one: cost stays, stop and target are those of the new shares", async () => {
  const on = await splitUnheardOf();
  expect((await reconcileAccount(on, account.id)).haltReason).toMatch(/^Positions differ/);
  const before = await positionOf();
  const preview = await previewBrokerBooks(on, { accountId: account.id });
  expect(preview.adjustments).toMatchObject([
    { symbol: SYMBOL, ours: "10", theirs: "40", side: "BUY", qty: "30", price: "0", split: { ratio: "4" } },
  ]);
  expect(preview.cash.adjusted).toBe(preview.cash.ours);
  await adoptBrokerBooks(on, { accountId: account.id, hash: preview.hash, reason: "The broker split the shares." });
  const quarter = (value: { toString(): string } | null) =>
    text(
      money(value ?? 0)
        .div(4)
        .toDecimalPlaces(9),
    );
  const expectSplit = async () => {
    const { qty, avgEntryPrice, stopPrice, targetPrice } = await positionOf();
    expect([qty, avgEntryPrice, stopPrice, targetPrice].map((each) => text(money(each ?? 0)))).toEqual([
      "40",
      ...[before.avgEntryPrice, before.stopPrice, before.targetPrice].map(quarter),
    ]);
  };
  await expectSplit();
  await inTransaction(context, (tx) => rebuildPositionBook(context, tx, account.id, SYMBOL));
  await expectSplit();
  expect(await readRowBreaches(on, account.id)).toEqual([]);
  expect((await readBrokerBreaches(on, account.id, hastyBroker(account, 5_000))).breaches).toEqual([]);
});
