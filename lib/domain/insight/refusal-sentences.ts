import type { CandidateVerdict, PlannedOrder, RegimeView } from "../engine/plan.ts";
import { REASON_TEXT } from "../engine/reasons.ts";
import { easternText, priceText, quantityText } from "../format.ts";
import { GATE_OF, type GateCode } from "../gates/gates.ts";
import { toNumber } from "../money.ts";
import type { Instant } from "../time.ts";
import { waitsFor } from "./gate-text.ts";
import { MARKET_IS } from "./market-text.ts";
import { decisionPage, tradePage } from "./pages.ts";
import { readCycleLine } from "./read-cycle-line.ts";
import { counted } from "../counted.ts";
import { inQuotes, listed, lowerFirst, quoted, sentence, type Sentence } from "./sentence-parts.ts";
import { closestToBuying } from "./what-is-missing.ts";

/** What is recorded of one decision: all that its words may speak of. */
export interface DecisionStory {
  id: string;
  at: Instant;
  line: string;
  regime: Pick<RegimeView, "label" | "vix">;
  automationOff: string | null;
  haltReason: string | null;
  orders: readonly (PlannedOrder & { tradeId: string | null })[];
  candidates: readonly CandidateVerdict[];
}

/** More of a kind than this are a count. */
const NEAREST_MOST = 3;
const ORDERS_MOST = 5;

/** "Why no trade", of a whole decision: what it did, what kept it from more, and what was nearest to being bought. */
export function decisionStorySentences(story: DecisionStory): Sentence[] {
  const cites: Sentence["cites"] = [decisionPage(story)];
  const says = readCycleLine(story.line);
  const looked =
    says === null
      ? []
      : [
          sentence(
            [
              `On ${easternText(story.at)} Tradewind looked at ${counted(says.screened, "stock")}: ${says.seated} ${says.seated === 1 ? "was" : "were"} in the Top-50, and ${says.signals} gave a reason to buy.`,
            ],
            cites,
          ),
        ];
  return [
    ...looked,
    sentence([marketText(story)], cites),
    ...holdSentences(story, cites),
    ...orderSentences(story, cites),
    ...waitSentences(story, cites),
    ...nearestSentences(story, cites),
  ];
}

function marketText({ regime: { label, vix } }: DecisionStory): string {
  const fear = vix === null ? "" : `, with the VIX at ${vix.toFixed(2)}`;
  return `The market counted as ${MARKET_IS[label]}${fear}.`;
}

function holdSentences({ automationOff, haltReason }: DecisionStory, cites: Sentence["cites"]): Sentence[] {
  return [
    ...(automationOff === null
      ? []
      : [sentence(["The automation was off. Reason: ", ...quoted(automationOff), "."], cites)]),
    ...(haltReason === null ? [] : [sentence(["The account was halted. Reason: ", ...quoted(haltReason), "."], cites)]),
  ];
}

function orderSentences({ orders }: DecisionStory, cites: Sentence["cites"]): Sentence[] {
  const shown = orders.slice(0, ORDERS_MOST).map((order) => {
    const { symbol, purpose, side, qty, decisionPrice, reason, tradeId } = order;
    const verb = purpose === "PROTECT" ? "protect" : side === "BUY" ? "buy" : "sell";
    const page = tradeId === null ? cites : ([tradePage({ symbol, tradeId }), ...cites] as Sentence["cites"]);
    const text = `It decided to ${verb} ${quantityText(toNumber(qty))} ${symbol} with the price at ${priceText(decisionPrice)}: ${lowerFirst(REASON_TEXT[reason])}.`;
    return sentence([text], page);
  });
  const left = orders.length - shown.length;
  if (orders.length === 0) return [sentence(["It ordered nothing."], cites)];
  return left === 0 ? shown : [...shown, sentence([`It ordered ${counted(left, "more leg")}.`], cites)];
}

/** Which of the stocks with a signal waited, and for what, the most first. */
function waitSentences({ candidates, line }: DecisionStory, cites: Sentence["cites"]): Sentence[] {
  const byGate = new Map<GateCode, string[]>();
  for (const { symbol, hasSignal, failing } of candidates) {
    const [first] = failing;
    if (hasSignal && first !== undefined) byGate.set(first, [...(byGate.get(first) ?? []), symbol]);
  }
  const whole = readCycleLine(line)?.refusals.find(({ count }) => count === null);
  if (byGate.size === 0) return whole ? [sentence([`It waited for ${waitsFor(whole.code)}.`], cites)] : [];
  return [...byGate]
    .sort(([, a], [, b]) => b.length - a.length)
    .map(([code, symbols]) =>
      sentence(
        [
          `${counted(symbols.length, "stock")} with a reason to buy waited for ${waitsFor(code, symbols.length === 1 ? "its" : "their")}: ${listed(symbols)}.`,
        ],
        cites,
      ),
    );
}

/** A distance that only names the rule says no more than what the stock waits for. */
const hasDistance = ({ nearestFlip }: CandidateVerdict) => nearestFlip !== null && !nearestFlip.includes(" to clear (");

/** The nearest of the stocks that the decision's page lists as closest to buying. */
function nearestSentences({ candidates }: DecisionStory, cites: Sentence["cites"]): Sentence[] {
  const nearest = closestToBuying(candidates).flatMap(
    (symbol) => candidates.find((each) => each.symbol === symbol) ?? [],
  );
  return nearest
    .filter(hasDistance)
    .slice(0, NEAREST_MOST)
    .map((candidate) => nearestSentence(candidate, cites));
}

function nearestSentence({ symbol, failing, nearestFlip }: CandidateVerdict, cites: Sentence["cites"]): Sentence {
  const rules = failing.length === 1 ? "One rule" : `${failing.length} rules`;
  return sentence([`${rules} kept ${symbol} from being bought; it `, ...quoted(nearestFlip ?? ""), "."], cites);
}

/** What these refuse for is the reason that a person gave. */
const TYPED: ReadonlySet<GateCode> = new Set(["automation_off", "kill_state"]);

/** "Why no trade", of one stock in a decision; null where the decision did not look at it. */
export function symbolStorySentences(story: DecisionStory, symbol: string): Sentence[] | null {
  const cites: Sentence["cites"] = [decisionPage(story)];
  const order = story.orders.find((each) => each.symbol === symbol);
  const candidate = story.candidates.find((each) => each.symbol === symbol);
  if (!candidate) return order ? orderSentences({ ...story, orders: [order] }, cites) : null;
  const { hasSignal, noSignal, failing } = candidate;
  if (!hasSignal) {
    const why = noSignal === null ? [] : [": ", ...quoted(lowerFirst(noSignal))];
    return [sentence([`${symbol} gave no reason to buy`, ...why, "."], cites)];
  }
  if (failing.length === 0) {
    return order
      ? orderSentences({ ...story, orders: [order] }, cites)
      : [sentence([`${symbol} passed every rule, and no order came of it.`], cites)];
  }
  return [
    ...failing.map((code) => {
      const gate = candidate.gates.find((each) => each.code === code);
      const words = gate && TYPED.has(code) ? inQuotes(gate.detail) : gate?.detail;
      const detail = words === undefined ? [] : [" (", ...quoted(words), ")"];
      return sentence(
        [
          `${symbol} waited for ${waitsFor(code)}: ${lowerFirst(GATE_OF[code].explanation).replace(/\.$/, "")}`,
          ...detail,
          ".",
        ],
        cites,
      );
    }),
    ...(hasDistance(candidate) ? [nearestSentence(candidate, cites)] : []),
  ];
}
