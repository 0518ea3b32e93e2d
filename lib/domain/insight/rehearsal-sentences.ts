import type { HeldPosition, Plan, PlannedOrder, RegimeView } from "../engine/plan.ts";
import { REASON_TEXT } from "../engine/reasons.ts";
import { priceText, quantityText } from "../format.ts";
import { toNumber } from "../money.ts";
import type { Instant } from "../time.ts";
import { waitsFor } from "./gate-text.ts";
import { MARKET_IS } from "./market-text.ts";
import { decisionPage } from "./pages.ts";
import { readCycleLine } from "./read-cycle-line.ts";
import { counted } from "../counted.ts";
import { lowerFirst, sentence, type Sentence, listed } from "./sentence-parts.ts";

/** A decision made again on a hypothetical market. */
export interface RehearsalFacts {
  decision: { id: string; at: Instant };
  vix: number | null;
  spyChangePct: number | null;
  changePctOf: Readonly<Record<string, number>>;
  recorded: RegimeView;
  supposed: RegimeView;
  plan: Plan;
  stopsReached: readonly HeldPosition[];
  /** Nothing was different in the market. */
  isUnaltered: boolean;
  /** The plan is the recorded one, byte for byte. */
  isAsRecorded: boolean;
  /** Versions of the engine that decided then, and of this one. */
  engine: { recorded: string; now: string };
}

/** "HD 5.00% lower"; what rounds to nothing is no change. */
function changeText(symbol: string, changePct: number): string {
  const size = Math.abs(changePct).toFixed(2);
  return size === "0.00" ? `${symbol} unchanged` : `${symbol} ${size}% ${changePct < 0 ? "lower" : "higher"}`;
}

/** "the VIX stood at 32.00 and SPY 5.00% lower" */
function supposition({ vix, spyChangePct, changePctOf }: RehearsalFacts): string {
  const stocks = Object.entries(changePctOf).map(([symbol, change]) => changeText(symbol, change));
  const parts = [
    ...(vix === null ? [] : [`the VIX at ${vix.toFixed(2)}`]),
    ...(spyChangePct === null ? [] : [changeText("SPY", spyChangePct)]),
    ...stocks,
  ];
  return listed(parts);
}

const qty = (order: PlannedOrder) => quantityText(toNumber(order.qty));

/** What it would send, in the order in which it would go out. */
function orderText(order: PlannedOrder): string {
  const { symbol, purpose, limitPrice, stopLossPrice, takeProfitPrice, reason } = order;
  const legs = [
    ...(stopLossPrice === null ? [] : [`a stop at ${priceText(stopLossPrice)}`]),
    ...(takeProfitPrice === null ? [] : [`a target at ${priceText(takeProfitPrice)}`]),
  ].join(" and ");
  const why = lowerFirst(REASON_TEXT[reason]);
  if (purpose === "PROTECT") return `It would place ${legs} for ${qty(order)} ${symbol}: ${why}.`;
  const verb = order.side === "BUY" ? "buy" : "sell";
  const price = limitPrice === null ? "at the market's price" : `at ${priceText(limitPrice)} at most`;
  return `It would ${verb} ${qty(order)} ${symbol} ${price}${legs === "" ? "" : `, with ${legs}`}: ${why}.`;
}

/** More orders than this are a count. */
const ORDERS_MOST = 8;

/** What it would do, sentence by sentence, each said to be supposed. */
export function rehearsalSentences(facts: RehearsalFacts): Sentence[] {
  const { decision, plan, stopsReached } = facts;
  const cites: Sentence["cites"] = [decisionPage(decision)];
  const say = (text: string) => sentence([text], cites);
  const shown = plan.orders.slice(0, ORDERS_MOST);
  const left = plan.orders.length - shown.length;
  return [
    say(firstText(facts)),
    ...(plan.orders.length === 0 ? [say("It would send no order.")] : shown.map((order) => say(orderText(order)))),
    ...(left > 0 ? [say(`It would send ${counted(left, "more order")}.`)] : []),
    ...(plan.cancels.length === 0 ? [] : [say(`It would cancel ${counted(plan.cancels.length, "waiting order")}.`)]),
    ...stopsReached.map(({ symbol, stopPrice }) =>
      say(
        `The stop of ${symbol} at ${priceText(stopPrice ?? "0")} would be reached: it rests at the broker and would fill there first.`,
      ),
    ),
    ...refusalSentences(plan, say),
    ...(plan.latch === null ? [] : [say(`It would stop buying until you lift it: ${lowerFirst(plan.latch.reason)}.`)]),
  ];
}

function firstText(facts: RehearsalFacts): string {
  const { isUnaltered, isAsRecorded, engine } = facts;
  if (!isUnaltered) return `Supposed, with ${supposition(facts)}: ${regimeText(facts)}.`;
  if (isAsRecorded) return "Nothing is different from the record: the plan is the recorded one.";
  const why =
    engine.recorded === engine.now ? "" : `: engine ${engine.recorded} decided then, and this is engine ${engine.now}`;
  return `The market is the recorded one, but the plan is not${why}.`;
}

function regimeText({ recorded, supposed }: RehearsalFacts): string {
  const now = `the market would count as ${MARKET_IS[supposed.label]}`;
  return recorded.label === supposed.label ? `${now}, as it did` : `${now}, not as ${MARKET_IS[recorded.label]}`;
}

/** "Of 30 stocks with a reason to buy, these would wait: 26 for a calmer market; 4 for more buying power." */
function refusalSentences({ line }: Plan, say: (text: string) => Sentence): Sentence[] {
  const says = readCycleLine(line);
  if (says === null || says.refusals.length === 0) return [];
  const whole = says.refusals.find(({ count }) => count === null);
  if (whole) return [say(`It would buy nothing, and wait for ${waitsFor(whole.code)}.`)];
  const [first] = says.refusals;
  if (says.signals === 1 && first)
    return [say(`The one stock with a reason to buy would wait for ${waitsFor(first.code)}.`)];
  const waits = says.refusals.map(({ code, count }) => `${count} for ${waitsFor(code, count === 1 ? "its" : "their")}`);
  return [say(`Of ${counted(says.signals, "stock")} with a reason to buy, these would wait: ${waits.join("; ")}.`)];
}
