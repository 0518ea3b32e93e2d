import { type DecimalText, money, text } from "../money.ts";
import type { SessionDate } from "../time.ts";
import { featuresAt, type FeatureTable } from "./features.ts";
import type { HistoryIndex } from "./market.ts";
import type { BacktestResult } from "./result.ts";

/** From this share of a stock's daily dollar volume on an order is taken to move its price. */
export const CAPACITY_SHARE = 0.01;

/** The fill of a run that was largest for its stock. */
export interface LargestFill {
  symbol: string;
  session: SessionDate;
  /** Quantity times price, USD. */
  notional: DecimalText;
  /** Median daily dollar volume of the 20 sessions before, USD. */
  adv: number;
  /** notional/adv */
  share: number;
}

/** The largest fill by its share of the volume known before its session; null where no fill has one. */
export function largestFill(result: BacktestResult, index: HistoryIndex, features: FeatureTable): LargestFill | null {
  let largest: LargestFill | null = null;
  for (const { symbol, session, qty, price } of result.fills) {
    const at = index.sessionAt.get(session);
    const adv = at === undefined ? null : (featuresAt(features, symbol, at - 1)?.adv20 ?? null);
    if (adv === null || adv <= 0) continue;
    const notional = money(qty).times(price);
    const share = notional.toNumber() / adv;
    if (largest === null || share > largest.share) largest = { symbol, session, notional: text(notional), adv, share };
  }
  return largest;
}

/** Starting cash, USD, at which that fill would have been a hundredth of the volume if all orders grew with the cash. */
export function capacityOf({ share }: LargestFill, cash: DecimalText): number {
  return (money(cash).toNumber() * CAPACITY_SHARE) / share;
}
