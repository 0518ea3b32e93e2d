import { type Money, money, text } from "../money.ts";
import { applySplit } from "../engine/apply-fill.ts";
import type { SessionDate } from "../time.ts";
import type { Ledger } from "./account.ts";

/** A split before the open: shares multiplied, and every price of the position and its resting orders divided. */
export function splitHolding(ledger: Ledger, symbol: string, ratio: string, date: SessionDate): void {
  const factor = money(ratio);
  const price = (value: Money) => value.div(factor).toDecimalPlaces(9);
  const shares = (value: Money) => value.times(factor).toDecimalPlaces(9);
  const held = ledger.positions.get(symbol);
  if (held !== undefined) {
    const { highestClose, entryAtr } = held.review;
    held.book = applySplit(held.book, ratio);
    held.splitBookedOn = date;
    held.stopPrice = price(held.stopPrice);
    held.targetPrice = price(held.targetPrice);
    held.review = {
      ...held.review,
      highestClose: highestClose === null ? null : text(price(money(highestClose))),
      entryAtr: entryAtr === null ? null : entryAtr / factor.toNumber(),
    };
  }
  for (const resting of ledger.legs.get(symbol) ?? []) {
    resting.qty = shares(resting.qty);
    resting.stopPrice = price(resting.stopPrice);
    resting.targetPrice = price(resting.targetPrice);
  }
}

/** A dividend of the ex-date, on the shares held through the night. */
export function payDividend(ledger: Ledger, symbol: string, amount: string): void {
  const held = ledger.positions.get(symbol);
  if (held === undefined) return;
  const paid = money(held.book.qty).times(amount).toDecimalPlaces(9);
  ledger.cash = ledger.cash.plus(paid);
  ledger.day.dividends = ledger.day.dividends.plus(paid);
}
