import { money, sum, ZERO, type Money } from "../money.ts";
import type { BriefFacts, PositionFacts } from "./facts.ts";
import { eachOrAll, POSITIONS, symbolPage, tradePage, tradesBetween, tradesOf } from "./pages.ts";
import { counted } from "../counted.ts";
import { listed, percentIn, plain, sentence, signed, type Sentence } from "./sentence-parts.ts";

/** What is at risk now: exposure, the best and the weakest position, stops, open orders, day trades. */
export function riskSentences(facts: BriefFacts): Sentence[] {
  const { positions, working, dayTrades, session } = facts;
  const sentences = [exposureSentence(facts), ...extremeSentences(positions), ...stopSentences(facts)];
  if (working.length > 0) {
    const text = `${counted(working.length, "order")} ${working.length === 1 ? "is" : "are"} still working at the broker: ${listed(working.map(({ symbol }) => symbol))}.`;
    sentences.push(sentence([text], eachOrAll(working, tradePage, tradesOf(session))));
  }
  if (dayTrades !== null && dayTrades.count > 0) {
    const { count, firstSession, lastSession } = dayTrades;
    const text = `${counted(count, "day trade")} ${count === 1 ? "was" : "were"} counted in the last 5 sessions${facts.accounts > 1 ? ", the most in one account" : ""}.`;
    sentences.push(sentence([text], [tradesBetween(firstSession, lastSession, "Trades of 5 sessions")]));
  }
  return sentences;
}

/** As a share of the equity, "58.6%"; null where either is not known. */
function shareOf(value: Money, { result, accounts }: BriefFacts): string | null {
  if (result === null || result.accounts < accounts) return null;
  const equity = money(result.equity);
  return equity.gt(0) ? `${value.div(equity).times(100).toNumber().toFixed(1)}%` : null;
}

function exposureSentence(facts: BriefFacts): Sentence {
  const { positions } = facts;
  if (positions.length === 0) return sentence(["No position is open."], [POSITIONS]);
  const priced = positions.flatMap(({ value }) => (value === null ? [] : [money(value)]));
  const unpriced = positions.length - priced.length;
  const open = `${counted(positions.length, "position")} ${positions.length === 1 ? "is" : "are"} open`;
  if (priced.length === 0) return sentence([`${open}, without a price so far.`], [POSITIONS]);
  const value = sum(priced);
  const share = shareOf(value, facts);
  const missing = unpriced === 0 ? "" : `; ${unpriced} of them ${unpriced === 1 ? "has" : "have"} no price yet`;
  return sentence(
    [`${open}, worth `, plain(value), `${share === null ? "" : `, ${share} of the equity`}${missing}.`],
    [POSITIONS],
  );
}

function extremeSentences(positions: readonly PositionFacts[]): Sentence[] {
  const known = positions.flatMap(({ symbol, pnl, pnlPercent }) => (pnl === null ? [] : [{ symbol, pnl, pnlPercent }]));
  const ranked = known.toSorted((a, b) => money(b.pnl).cmp(a.pnl) || (a.symbol < b.symbol ? -1 : 1));
  const [best] = ranked;
  const worst = ranked.at(-1);
  if (!best || !worst) return [];
  const stands = ({ pnl, pnlPercent }: typeof best) => [signed(pnl), percentIn(pnlPercent)];
  if (ranked.length === 1)
    return [
      sentence([`${best.symbol} stands at `, ...stands(best), " since it was bought."], [symbolPage(best.symbol)]),
    ];
  return [
    sentence(
      [
        `Since they were bought, ${best.symbol} stands best at `,
        ...stands(best),
        ` and ${worst.symbol} weakest at `,
        ...stands(worst),
        ".",
      ],
      [symbolPage(best.symbol), symbolPage(worst.symbol)],
    ),
  ];
}

function stopSentences(facts: BriefFacts): Sentence[] {
  const { positions } = facts;
  const open = positions.filter(({ isCovered }) => !isCovered);
  if (positions.length === 0) return [];
  if (open.length > 0) {
    const names = [...new Set(open.map(({ symbol }) => symbol))];
    const are = names.length === 1 ? "is not fully covered by a stop" : "are not fully covered by stops";
    const pages = eachOrAll(open, ({ symbol }) => symbolPage(symbol), POSITIONS);
    return [sentence([`${listed(names)} ${are} at the broker.`], pages)];
  }
  const distances = positions.flatMap(({ toStop }) => (toStop === null ? [] : [money(toStop)]));
  const risk = sum(distances);
  const isOne = positions.length === 1;
  const rest = isOne
    ? "It has a stop resting at the broker"
    : `${positions.length === 2 ? "Both" : `All ${positions.length}`} have stops resting at the broker`;
  if (distances.length < positions.length || risk.lte(ZERO)) return [sentence([`${rest}.`], [POSITIONS])];
  const share = shareOf(risk, facts);
  return [
    sentence(
      [
        `${rest}: filled at ${isOne ? "its price, the position" : "their prices, the positions"} would give back `,
        plain(risk),
        `${share === null ? "" : ` (${share} of the equity)`} from here; a gap would cost more.`,
      ],
      [POSITIONS],
    ),
  ];
}
