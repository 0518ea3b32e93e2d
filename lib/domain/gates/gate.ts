import type { AccountState, GateResult, MarketView, SeatView, SymbolView } from "../engine/plan.ts";
import type { GateCode } from "../engine/reasons.ts";
import type { StrategyName } from "../enums.ts";
import type { Money } from "../money.ts";
import type { Policy } from "../policy.ts";
import type { SizeResult } from "../sizing.ts";
import type { Book, Room } from "../risk/book.ts";
import { roomText } from "../risk/limits.ts";
import { dollarText, minusUsd, type Usd, usd, usdNumber } from "../risk/usd.ts";

/** One order in question, with the amounts that several gates read. */
export interface ProposedOrder {
  qty: Money;
  limitPrice: Money;
  notional: Money;
  notionalUsd: Usd;
  /** "$5,998.68" */
  notionalText: string;
  decisionPrice: Money;
}

export function proposedOrder(qty: Money, limitPrice: Money, notional: Money, decisionPrice: Money): ProposedOrder {
  const notionalUsd = usd(notional);
  return { qty, limitPrice, notional, notionalUsd, notionalText: dollarText(notionalUsd), decisionPrice };
}

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
  /** The order as sized; the smallest that would be placed where the size came out as nothing, so that the limits show what is in the way. Null without a price. */
  order: ProposedOrder | null;
  size: SizeResult;
  book: Book;
}

export type Gate = (input: GateInput) => GateResult;

/** A verdict from a distance to the line: ≥ 0 passes. */
export function byMargin(code: GateCode, margin: number, detail: string): GateResult {
  return { code, passed: margin >= 0, isWarning: false, margin, detail };
}

/** Doubles say what is left, to 13 digits, where it is more than this part of the room. */
const CLEAR = 0.01;

/** What an order leaves of a room, USD: in all digits where both count in millionths. */
function left({ amount, about }: Room, { notional, notionalUsd }: ProposedOrder): number {
  if (typeof amount === "number") return usdNumber(minusUsd(amount, notionalUsd));
  const rough = about - usdNumber(notionalUsd);
  return Math.abs(rough) > CLEAR * Math.abs(about) ? rough : amount.minus(notional).toNumber();
}

/** A verdict from the room that a limit leaves for an order, USD; `before` is what the detail begins with. */
export function byRoom(code: GateCode, room: Room, order: ProposedOrder, before = ""): GateResult {
  return byMargin(code, left(room, order), `${before}${order.notionalText}, room for ${roomText(room)}`);
}

/** A verdict from a plain condition. */
export function byCondition(code: GateCode, passed: boolean, detail: string): GateResult {
  return { code, passed, isWarning: false, margin: passed ? 0 : -1, detail };
}

/** Evidence is missing: the safer answer is no. */
export function missing(code: GateCode, detail: string): GateResult {
  return { code, passed: false, isWarning: false, margin: null, detail };
}

/** A count with its noun: "1 session", "3 sessions". */
export function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}

export function percentText(fraction: number, digits = 1): string {
  return `${(fraction * 100).toFixed(digits)} %`;
}
