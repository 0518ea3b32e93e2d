/**
 * Separates stocks from other assets that an Alpaca account may hold. Orders and positions name their class; executions and
 * activities do not, and are classified by their symbols: a crypto pair has a slash, an option its OCC name.
 */
import { money, text, type DecimalText } from "@/lib/domain/money.ts";
import { newYork } from "@/lib/domain/time.ts";
import type { BrokerActivity, BrokerExecution, OtherAssetClass } from "./broker.ts";

/** The type of the money that trading in other assets moves: neither deposit nor income nor fee. */
export const OTHER_ASSET = "OTHER_ASSET";

const STOCK_CLASS = "us_equity";
/** Underlying, date of expiry, call or put, strike in thousandths: "AAPL240119C00100000". */
const OCC_NAME = /^[A-Z0-9.]{1,6}\d{6}[CP]\d{8}$/;
const SHARES_PER_CONTRACT = 100;

export function otherClassOf(symbol: string): OtherAssetClass | null {
  if (symbol.includes("/")) return "crypto";
  return OCC_NAME.test(symbol) ? "us_option" : null;
}

/** The class of an order or position as the broker lists it; null for a stock, and where it names none. */
export function otherClassOfRow(row: unknown): OtherAssetClass | null {
  if (typeof row !== "object" || row === null) return null;
  const { asset_class: named, order_class: orderClass, symbol } = row as Record<string, unknown>;
  // An order of several options has no symbol of its own.
  if (orderClass === "mleg") return "us_option";
  if (typeof named === "string" && named !== "") return named === STOCK_CLASS ? null : named;
  return typeof symbol === "string" ? otherClassOf(symbol) : null;
}

/** The money that an execution of another asset moved, as an activity of its own. */
export function moneyOf(execution: BrokerExecution): BrokerActivity {
  const { orderId, cumulativeQty, qty, price, side, symbol, at, amendment, assetClass } = execution;
  const units = money(qty).times(assetClass === "us_option" ? SHARES_PER_CONTRACT : 1);
  const value: DecimalText = text(
    units
      .times(price)
      .times(side === "BUY" ? -1 : 1)
      .toDecimalPlaces(9),
  );
  return {
    id: `${orderId}:${text(cumulativeQty)}`,
    type: OTHER_ASSET,
    symbol,
    netAmount: value,
    qty: null,
    date: newYork(at).date,
    isCanceled: amendment === "canceled",
  };
}
