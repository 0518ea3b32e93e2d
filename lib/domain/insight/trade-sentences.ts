import type { GateResult } from "../engine/plan.ts";
import { REASON_TEXT, type EntryReason, type ExitReason } from "../engine/reasons.ts";
import type { OrderOriginName, OrderRoleName, RegimeLabel, SideName, StrategyName } from "../enums.ts";
import { easternText, priceText, quantityText, sharesText } from "../format.ts";
import { failingCodes, GATE_OF } from "../gates/gates.ts";
import { type DecimalText, money, toNumber } from "../money.ts";
import { STRATEGIES } from "../strategies/strategies.ts";
import { clockText, type Instant } from "../time.ts";
import { MARKET_IS } from "./market-text.ts";
import { decisionPage, tradePage } from "./pages.ts";
import { counted } from "../counted.ts";
import {
  distanceIn,
  listed,
  lowerFirst,
  percentIn,
  plain,
  points,
  sentence,
  type Sentence,
  signed,
} from "./sentence-parts.ts";

/** What is recorded of one trade: all that its words may speak of. Amounts are USD. */
export interface TradeStory {
  tradeId: string;
  symbol: string;
  side: SideName;
  origin: OrderOriginName;
  role: OrderRoleName;
  /** Of the closed set, or a broker's own words; null for orders that are not ours. */
  reason: string | null;
  qty: DecimalText | null;
  filledQty: DecimalText;
  filledAvgPrice: DecimalText | null;
  filledValue: DecimalText;
  /** Null while it is not known to have ended. */
  endedAs: "CANCELED" | "REJECTED" | "REPLACED" | null;
  at: Instant;
  intent: {
    strategy: StrategyName | null;
    decisionPrice: DecimalText;
    stopPrice: DecimalText | null;
    targetPrice: DecimalText | null;
    /** Gates as they stood just before it was sent; empty where none were asked. */
    gates: readonly GateResult[];
  } | null;
  decision: {
    id: string;
    at: Instant;
    regime: RegimeLabel;
    rank: number | null;
    composite: number | null;
    confidence: number | null;
  } | null;
  isOfRotation: boolean;
  /** Basis points, positive is worse for the account; null where it is not defined. */
  slippageBps: number | null;
  /** Where its stop was raised to last; null where it never was. */
  stopRaisedTo: DecimalText | null;
  /** The round trip that it closed. */
  closed: { pnl: DecimalText; entryValue: DecimalText } | null;
}

/** "Why this trade": what was done, what it was decided on, what protects it, and how it ended. */
export function tradeSentences(story: TradeStory): Sentence[] {
  const page = tradePage(story);
  const own: Sentence["cites"] = [page];
  const decided: Sentence["cites"] = story.decision === null ? own : [decisionPage(story.decision), page];
  return [
    doneSentence(story, own),
    reasonSentence(story, decided),
    ...scoreSentence(story, decided),
    ...gateSentence(story, own),
    ...slippageSentence(story, own),
    ...stopSentence(story, own),
    ...closeSentence(story, own),
  ];
}

const shares = (qty: DecimalText) => sharesText(toNumber(qty));

const ENDED = {
  CANCELED: "was cancelled or expired",
  REJECTED: "was rejected by the broker",
  REPLACED: "was replaced at the broker",
} as const;

/** No share was traded: nothing of it is told as done. */
const isUnfilled = ({ filledQty }: Pick<TradeStory, "filledQty">) => money(filledQty).isZero();

function doneSentence(
  { symbol, side, qty, filledQty, filledAvgPrice, endedAs, at }: TradeStory,
  cites: Sentence["cites"],
) {
  const verb = side === "BUY" ? "buy" : "sell";
  if (isUnfilled({ filledQty }) || filledAvgPrice === null) {
    const all = qty === null ? symbol : `${shares(qty)} of ${symbol}`;
    const end = endedAs === null ? "has not filled yet" : `${ENDED[endedAs]} before anything filled`;
    return sentence([`The order of ${easternText(at)} to ${verb} ${all} ${end}.`], cites);
  }
  const done = side === "BUY" ? "Bought" : "Sold";
  const part = qty === null || money(qty).eq(filledQty) ? "" : ` of the ${quantityText(toNumber(qty))} ordered`;
  return sentence(
    [`${done} ${shares(filledQty)} of ${symbol}${part} at ${priceText(filledAvgPrice)} on ${easternText(at)}.`],
    cites,
  );
}

/** Exits by what they saw; `null` where the words of the closed set say it. */
const EXIT_WORDS: Partial<Record<ExitReason, string>> = {
  kill_flatten: "the kill switch was set to close everything",
  protective_stop: "the price reached its protective stop",
  trailing_stop: "the price fell back to its trailing stop",
  time_stop: "it had been held for as long as the strategy holds a stock",
  momentum_faded: "its momentum had faded",
  trend_broken: "it closed below its long trend",
  mean_reverted: "its price was back at its mean",
  channel_broken: "it fell out of its channel",
  regime_trim: "the market turned and less was to be invested",
  profit_target: "the price reached its profit target",
  rotation: "the rotation plan asked for it",
  sold_by_hand: "its owner asked for it",
};

/** What stops and targets wait for; the price has reached none of it while they are unfilled. */
const WAITS_FOR: Partial<Record<ExitReason, string>> = {
  protective_stop: "reaches its protective stop",
  trailing_stop: "falls back to its trailing stop",
  profit_target: "reaches its profit target",
};

const isEntry = (reason: string): reason is EntryReason => reason.startsWith("entry_");
const isKnown = (reason: string): reason is keyof typeof REASON_TEXT => Object.hasOwn(REASON_TEXT, reason);

function reasonSentence(story: TradeStory, cites: Sentence["cites"]) {
  const { origin, role, reason, decision, intent, isOfRotation, side, endedAs } = story;
  if (origin === "EXTERNAL")
    return sentence(["It was placed at the broker outside of Tradewind: nothing here decided it."], cites);
  if (isOfRotation) return sentence(["It is a leg of a rotation plan."], cites);
  if (reason !== null && isEntry(reason) && intent?.strategy != null) {
    const market = decision === null ? "" : ` while the market was ${MARKET_IS[decision.regime]}`;
    return sentence([`The ${STRATEGIES[intent.strategy].label} strategy found a reason to buy${market}.`], cites);
  }
  const waitsFor = reason === null ? undefined : WAITS_FOR[reason as ExitReason];
  if (waitsFor !== undefined && isUnfilled(story) && (role === "STOP" || role === "TARGET"))
    return sentence([`It ${endedAs === null ? "is" : "was"} to sell if the price ${waitsFor}.`], cites);
  const exit = reason === null ? undefined : EXIT_WORDS[reason as ExitReason];
  if (exit !== undefined) {
    const done = side === "SELL" ? "sold" : "bought";
    return sentence([`It was ${isUnfilled(story) ? `to be ${done}` : done} because ${exit}.`], cites);
  }
  const words = reason === null ? "no reason is recorded" : isKnown(reason) ? lowerFirst(REASON_TEXT[reason]) : reason;
  return sentence([`Recorded reason: ${words}.`], cites);
}

function scoreSentence({ symbol, decision }: TradeStory, cites: Sentence["cites"]): Sentence[] {
  if (decision === null || decision.rank === null || decision.composite === null) return [];
  const sure = decision.confidence === null ? "" : ` and a score of ${points(decision.confidence)} of 100`;
  return [
    sentence(
      [
        `${symbol} was number ${decision.rank} of the Top-50 at ${clockText(decision.at)} ET, with ${decision.composite.toFixed(1)} points${sure}.`,
      ],
      cites,
    ),
  ];
}

/** More names than this are not read. */
const NEAREST_MOST = 3;

function gateSentence({ intent }: TradeStory, cites: Sentence["cites"]): Sentence[] {
  const gates = intent?.gates ?? [];
  if (gates.length === 0) return [];
  const failing = failingCodes(gates);
  const passed = gates.length - failing.length;
  if (failing.length > 0) {
    const names = failing.slice(0, NEAREST_MOST).map((code) => `“${GATE_OF[code].label}”`);
    return [sentence([`Just before it was to be sent ${listed(names)} refused it.`], cites)];
  }
  const warned = gates.filter((gate) => gate.isWarning && !gate.passed).length;
  const warning = warned === 0 ? "" : `, with ${counted(warned, "warning")}`;
  return [sentence([`It passed ${passed} of ${counted(gates.length, "rule")} before it was sent${warning}.`], cites)];
}

function slippageSentence({ slippageBps, intent }: TradeStory, cites: Sentence["cites"]): Sentence[] {
  if (slippageBps === null || intent === null) return [];
  const percent = distanceIn(slippageBps);
  const how = percent === null ? "at the price" : `${percent} ${slippageBps > 0 ? "worse" : "better"} than the price`;
  return [sentence([`It filled ${how} that it was decided on, ${priceText(intent.decisionPrice)}.`], cites)];
}

function stopSentence({ intent, stopRaisedTo, side }: TradeStory, cites: Sentence["cites"]): Sentence[] {
  if (side !== "BUY" || intent === null || intent.stopPrice === null) return [];
  const first = priceText(intent.stopPrice);
  const target = intent.targetPrice === null ? "" : ` and a target at ${priceText(intent.targetPrice)}`;
  const raised = stopRaisedTo === null ? [] : [`Its stop was raised to ${priceText(stopRaisedTo)}.`];
  return [`It was sent with a stop at ${first}${target}.`, ...raised].map((text) => sentence([text], cites));
}

function closeSentence({ closed, symbol }: TradeStory, cites: Sentence["cites"]): Sentence[] {
  if (closed === null) return [];
  const entry = money(closed.entryValue);
  const percent = entry.isZero() ? null : money(closed.pnl).div(entry).times(100).toNumber();
  return [
    sentence(
      [
        `The round trip in ${symbol} closed with `,
        signed(closed.pnl),
        `${percentIn(percent)} on `,
        plain(closed.entryValue),
        " paid, before fees that the broker charges apart.",
      ],
      cites,
    ),
  ];
}
