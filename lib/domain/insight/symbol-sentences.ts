import type { CandidateVerdict, RegimeView, SymbolView } from "../engine/plan.ts";
import { dateText, priceText } from "../format.ts";
import type { GateCode } from "../gates/gates.ts";
import type { DecimalText } from "../money.ts";
import type { Instant, SessionDate } from "../time.ts";
import { waitsFor } from "./gate-text.ts";
import { MARKET_IS } from "./market-text.ts";
import { ACCOUNTS, decisionPage, DECISIONS } from "./pages.ts";
import { counted } from "../counted.ts";
import { type Cite, lowerFirst, quoted, sentence, type Sentence } from "./sentence-parts.ts";

/** What an account's latest decision says of one symbol. */
export interface SymbolVerdict {
  id: string;
  at: Instant;
  /** Null where it was neither seated nor held. */
  candidate: CandidateVerdict | null;
  /** Of 100, and what it takes; null where it was not scored. */
  score: SymbolScore | null;
  regime: Pick<RegimeView, "label">;
  earnings: SymbolView["earnings"] | null;
  sector: string | null;
  /** It decided to buy. */
  isOrdered: boolean;
}

export interface SymbolScore {
  value: number;
  needed: number;
}

/** How a symbol stands with one account. */
export interface Standing {
  symbol: string;
  /** Named where the person has several. */
  account: string | null;
  held: {
    since: SessionDate;
    /** What rests at the broker, USD. */
    stop: DecimalText | null;
    target: DecimalText | null;
    isOurs: boolean;
    page: Cite;
  } | null;
  verdict: SymbolVerdict | null;
  /** The last selection of the market; null before the first. */
  selection: { session: SessionDate; rank: number | null; composite: number | null } | null;
}

/**
 * Conviction as people see it: hundredths. What is below the line never reads as if it stood on it.
 */
export function symbolScore(confidence: number, line: number): SymbolScore {
  const needed = Math.round(line * 1000) / 10;
  const isBelow = confidence < line - 1e-12;
  const value = isBelow ? Math.floor(confidence * 100) : Math.round(confidence * 100);
  return {
    value: isBelow ? Math.min(value, Math.ceil(needed) - 1) : Math.max(value, Math.ceil(needed - 1e-9)),
    needed,
  };
}

/** Why a symbol is or is not bought now, in one sentence. */
export function standingSentence(standing: Standing): Sentence {
  const { symbol, account, held, verdict } = standing;
  const of = account === null ? "" : `${account}: `;
  if (held !== null) return heldSentence(held, of);
  if (verdict === null)
    return sentence([`${of}Not bought: nothing has been decided for this account yet.`], [DECISIONS]);
  const cites: [Cite] = [decisionPage(verdict)];
  const { candidate } = verdict;
  if (verdict.isOrdered) return sentence([`${of}The latest decision ordered ${symbol}.`], cites);
  if (candidate === null) return sentence([`${of}Not bought: ${outsideText(standing)}.`], cites);
  if (!candidate.hasSignal) {
    const why = candidate.noSignal === null ? [] : [": ", ...quoted(lowerFirst(candidate.noSignal))];
    return sentence([`${of}Not bought: it gives no reason to buy now`, ...why, "."], cites);
  }
  const [first] = candidate.failing;
  if (first === undefined) return sentence([`${of}Not bought: it passed every rule, and no order came of it.`], cites);
  const others = candidate.failing.length - 1;
  const more = others === 0 ? "" : `; ${counted(others, "more rule")} ${others === 1 ? "stands" : "stand"} in the way`;
  return sentence([`${of}Not bought: `, ...quoted(refusalText(first, verdict)), `${more}.`], cites);
}

function heldSentence({ since, stop, target, isOurs, page }: NonNullable<Standing["held"]>, of: string): Sentence {
  if (!isOurs) return sentence([`${of}Yours, but not bought by Tradewind, which leaves it alone.`], [page]);
  const ways = [
    ...(stop === null ? [] : [`at its stop of ${priceText(stop)}`]),
    ...(target === null ? [] : [`at its target of ${priceText(target)}`]),
    "when its strategy says so",
  ];
  const bare = stop === null ? "; no stop rests at the broker now" : "";
  return sentence([`${of}Already yours since ${dateText(since)}: it is sold ${either(ways)}${bare}.`], [page]);
}

/** "A", "A or B", "A, B or C". */
const either = (ways: readonly string[]) =>
  ways.length < 2 ? ways.join("") : `${ways.slice(0, -1).join(", ")} or ${ways.at(-1)}`;

/** No account, no decision. */
export const noAccountSentence = (symbol: string): Sentence =>
  sentence([`Nothing is bought for you: ${symbol} needs an account that Tradewind trades for.`], [ACCOUNTS]);

function outsideText({ selection }: Standing): string {
  if (selection === null) return "the market has not been screened yet";
  const { session, rank, composite } = selection;
  if (rank !== null) return "it is in the Top-50 since the latest decision";
  const score = composite === null ? "" : `, where its score is ${composite.toFixed(1)}`;
  return `it is not in the Top-50 of ${dateText(session)}${score}`;
}

/** The first rule that refused, in what a person can watch. */
function refusalText(code: GateCode, verdict: SymbolVerdict): string {
  const words = WORDS[code]?.(verdict);
  if (words !== undefined) return words;
  const detail = verdict.candidate?.gates.find((gate) => gate.code === code)?.detail;
  return `it waits for ${waitsFor(code)}${detail === undefined ? "" : ` (${detail})`}`;
}

const detailOf = (code: GateCode, { candidate }: SymbolVerdict) =>
  candidate?.gates.find((gate) => gate.code === code)?.detail ?? "";

const WORDS: Partial<Record<GateCode, (verdict: SymbolVerdict) => string>> = {
  regime: regimeText,
  conviction: ({ score }) =>
    score === null
      ? "its score is not known"
      : score.value < score.needed
        ? `its score is ${score.value} of the ${score.needed} it takes`
        : `its score of ${score.value} reaches the ${score.needed} it takes, but too few of its parts are strong`,
  duplicate: (verdict) =>
    detailOf("duplicate", verdict) === "already held"
      ? "it was already yours at the latest decision"
      : "an order for it is under way",
  earnings_blackout: earningsText,
  max_positions: (verdict) => `all places are taken (${detailOf("max_positions", verdict)})`,
  sector: (verdict) => `enough of ${verdict.sector ?? "its sector"} is held (${detailOf("sector", verdict)})`,
  gross: (verdict) => `enough is invested (${detailOf("gross", verdict)})`,
  adv: (verdict) => `it is too thinly traded (${detailOf("adv", verdict)})`,
  buying_power: (verdict) => `there is not enough cash (${detailOf("buying_power", verdict)})`,
  cooldown: (verdict) => `it rests after a sale or a refused order (${detailOf("cooldown", verdict)})`,
  stop_guard: (verdict) =>
    `several positions were stopped out lately, and nothing is bought for now (${detailOf("stop_guard", verdict)})`,
};

/** Some strategies ask for more than the market's label, or for something else: their gate's detail says it. */
function regimeText(verdict: SymbolVerdict): string {
  const { label } = verdict.regime;
  const detail = detailOf("regime", verdict);
  if (detail.startsWith("SPY at ")) return `SPY has to close above its 200-day average first (${detail})`;
  if (detail.startsWith("SPY ")) return detail;
  if (label === "risk_on") return "the market does not suit its strategy now";
  const market = `the market is ${MARKET_IS[label]}, and`;
  return label === "neutral" && detail.endsWith(" breakout")
    ? `${market} in such a market it takes a 55-session high`
    : `${market} Tradewind holds back`;
}

function earningsText(verdict: SymbolVerdict): string {
  const { earnings } = verdict;
  if (earnings === null || !earnings.isKnown) return "it is not known when it reports earnings";
  const { estimate, next, last } = earnings;
  if (last !== null && detailOf("earnings_blackout", verdict).startsWith("reported"))
    return `it reported earnings on ${dateText(last)}, and rests after that`;
  if (estimate) {
    return `it is expected to report earnings between ${dateText(estimate.from)} and ${dateText(estimate.to)}`;
  }
  return next === null
    ? `it waits for ${waitsFor("earnings_blackout")}`
    : `it reports earnings on ${dateText(next)}: bought only after`;
}
