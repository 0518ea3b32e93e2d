import type { AccountState, GateResult, MarketView, SeatView, StrategyName, SymbolView } from "../engine/plan.ts";
import type { GateCode } from "../engine/reasons.ts";
import type { Money } from "../money.ts";
import type { Policy } from "../policy.ts";
import type { SizeResult } from "../sizing.ts";
import type { Book } from "./book.ts";
import { minusUsd, type Usd, usd, usdNumber, usdText } from "./usd.ts";

/** An entry in question, with everything that a gate may ask. */
export interface GateInput {
  state: AccountState;
  market: MarketView;
  policy: Policy;
  symbol: string;
  view: SymbolView | null;
  seat: SeatView | null;
  strategy: StrategyName;
  confidence: number | null;
  /** The order as sized; one share where the size came out as nothing, so that the limits show what is in the way. Null without a price. */
  order: { qty: Money; limitPrice: Money; notional: Money; decisionPrice: Money } | null;
  size: SizeResult;
  book: Book;
}

export type Gate = (input: GateInput) => GateResult;

/** A verdict from a distance to the line: ≥ 0 passes. */
export function byMargin(code: GateCode, margin: number, detail: string): GateResult {
  return { code, passed: margin >= 0, isWarning: false, margin, detail };
}

/** A verdict from the room that a limit leaves for an order, USD; `before` is what the detail begins with. */
export function byRoom(code: GateCode, room: Usd, order: { notional: Money }, before = "", told?: string): GateResult {
  const notional = usd(order.notional);
  const detail = `${before}${usdText(notional)} USD, room for ${told ?? usdText(room)}`;
  const left = typeof room === "number" ? minusUsd(room, notional) : room.minus(order.notional);
  return byMargin(code, usdNumber(left), detail);
}

/** A verdict from a plain condition. */
export function byCondition(code: GateCode, passed: boolean, detail: string): GateResult {
  return { code, passed, isWarning: false, margin: passed ? 0 : -1, detail };
}

/** Evidence is missing: the safer answer is no. */
export function missing(code: GateCode, detail: string): GateResult {
  return { code, passed: false, isWarning: false, margin: null, detail };
}

export function percentText(fraction: number, digits = 1): string {
  return `${(fraction * 100).toFixed(digits)} %`;
}
