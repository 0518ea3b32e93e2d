import type { AccountState, GateResult, MarketView, SeatView, SymbolView } from "../engine/plan.ts";
import type { PreferencesView } from "../preferences.ts";
import type { StrategyName } from "../enums.ts";
import type { Money } from "../money.ts";
import type { Policy } from "../policy.ts";
import { dollarsBeside } from "../beside-line.ts";
import { dollarText } from "../dollars.ts";
import type { Book } from "../risk/book.ts";
import type { Room } from "../risk/room.ts";
import type { SizeResult } from "../sizing.ts";

/** One order in question, with the amounts that several gates read. */
export class ProposedOrder {
  private cachedText: string | null = null;

  constructor(
    readonly qty: Money,
    readonly limitPrice: Money,
    readonly notional: Money,
    readonly decisionPrice: Money,
  ) {}

  /** "$5,998.68" */
  get notionalText(): string {
    return (this.cachedText ??= dollarText(this.notional));
  }
}

/** What is the same for every seat and account of a cycle. */
interface SessionInput {
  market: MarketView;
  policy: Policy;
}

/** What is the same for every account of one strategy and risk level that looks at a seat. */
interface SeatInput extends SessionInput {
  state: { preferences: Pick<PreferencesView, "riskLevel"> };
  symbol: string;
  view: SymbolView | null;
  seat: SeatView | null;
  strategy: StrategyName;
  confidence: number | null;
  order: Pick<ProposedOrder, "limitPrice" | "decisionPrice"> | null;
}

/** What is the same for every seat that an account looks at. */
interface AccountInput extends SessionInput {
  state: AccountState;
}

/** An entry in question, with everything that a gate may ask. */
export interface GateInput extends AccountInput {
  symbol: string;
  view: SymbolView | null;
  seat: SeatView | null;
  strategy: StrategyName;
  confidence: number | null;
  /** The order as sized; the smallest that would be placed where the size came out as nothing, so that the limits show what is in the way. Null without a price. */
  order: ProposedOrder | null;
  size: SizeResult;
  /** Part of the stock's dollar volume; null when it is not known. */
  volumeRoom: Room | null;
  book: Book;
}

/** What a gate of each scope reads. A verdict is asked for once within its scope, so that a gate must not read more. */
interface InputOf {
  session: SessionInput;
  seat: SeatInput;
  account: AccountInput;
  order: GateInput;
}
export type Scope = keyof InputOf;

/** A verdict as it is recorded; its caller adds the code. */
export type Verdict = Omit<GateResult, "code">;

/** What a gate answers: the text of its detail is made on demand. */
export type Answer<Detail = string | (() => string)> = Omit<Verdict, "detail"> & { detail: Detail };

/** What the margin of a gate counts. */
export type Unit = "USD" | "percent" | "minute" | "second" | "session" | "position" | "order" | "day trade";

interface GateOf<S extends Scope> {
  code: string;
  /** One word for the cycle line: "4 sector, 3 earnings". */
  label: string;
  /** What the gate is about, for a list that says of each whether it passed ("broker keys: passed"); the label where absent. */
  name?: string;
  /** What the gate asks, for people: one sentence. */
  explanation: string;
  scope: S;
  /** Absent where the gate only says yes or no. The margin is given without its sign. */
  unit?: Unit | ((margin: number, verdict: Verdict) => string);
  /** What would have to change, where label and unit do not say it; `lacking` is null where evidence is missing. */
  flip?: (lacking: number | null, input: GateInput) => string;
  check: (input: InputOf[S]) => Answer;
}

/** A rule that every entry must pass. */
export type Gate = { [S in Scope]: GateOf<S> }[Scope];

/** A verdict from a distance to the line: ≥ 0 passes. */
export function byMargin(margin: number, detail: Answer["detail"]): Answer {
  return { passed: margin >= 0, isWarning: false, margin, detail };
}

/** A verdict from the room that a limit leaves for an order, USD; `before` says what the detail begins with. */
export function byRoom(room: Room, order: ProposedOrder, before: () => string = () => ""): Answer {
  const margin = room.amount.minus(order.notional).toNumber();
  return byMargin(margin, () => {
    // Amounts a cent apart or more read apart: mostly both texts are there already.
    const isFar = Math.abs(margin) > 0.01;
    const [is, left] = isFar ? [order.notionalText, room.text] : dollarsBeside(order.notional, room.amount);
    return `${before()}${is}, room for ${left}`;
  });
}

/** A verdict from a plain condition. */
export function byCondition<Detail>(passed: boolean, detail: Detail): Answer<Detail> {
  return { passed, isWarning: false, margin: passed ? 0 : -1, detail };
}

/** Evidence is missing: the safer answer is no. */
export function missing<Detail>(detail: Detail): Answer<Detail> {
  return { passed: false, isWarning: false, margin: null, detail };
}
