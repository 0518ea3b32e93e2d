import { easternDayText } from "../format.ts";
import { money, sum } from "../money.ts";
import { newYorkInstant } from "../time.ts";
import type { BriefFacts, FillFacts, ResultFacts, TripFacts } from "./facts.ts";
import { ACCOUNTS, eachOrAll, LOG, performanceOf, tradePage, tradesOf } from "./pages.ts";
import { counted } from "../counted.ts";
import {
  distanceIn,
  listed,
  lowerFirst,
  percentIn,
  plain,
  sentence,
  signed,
  type Part,
  type Sentence,
} from "./sentence-parts.ts";

/** What the money did and what was traded. */
export function moneySentences(facts: BriefFacts): Sentence[] {
  return [...resultSentences(facts), ...tradeSentences(facts), ...tripSentences(facts)];
}

/** "Your paper account", "Your 2 paper accounts", "1 of your 2 paper accounts". */
function accountsText({ environment, accounts }: BriefFacts, count: number): string {
  const kind = environment.toLowerCase();
  if (accounts === 1) return `Your ${kind} account`;
  return count === accounts ? `Your ${accounts} ${kind} accounts` : `${count} of your ${accounts} ${kind} accounts`;
}

function resultSentences(facts: BriefFacts): Sentence[] {
  const { result, accounts } = facts;
  const unread = accounts - (result?.accounts ?? 0);
  const sentences: Sentence[] = [];
  if (result !== null) {
    const pnl = money(result.pnl);
    sentences.push(
      sentence(
        [
          `${accountsText(facts, result.accounts)} ${result.accounts === 1 ? "is" : "are"} worth `,
          plain(result.equity),
          ", ",
          ...(pnl.isZero() ? ["unchanged"] : [signed(pnl), percentIn(result.pnlPercent)]),
          ` ${sinceText(facts, result)}`,
          ...flowParts(result),
          ".",
        ],
        [performanceOf(facts)],
      ),
    );
  }
  if (unread > 0) {
    const text =
      accounts === 1
        ? `${accountsText(facts, 1)} has not been read at its broker since the session began, so its result is not known.`
        : `${unread} of ${accounts} accounts ${unread === 1 ? "has" : "have"} not been read at the broker since the session began and ${unread === 1 ? "is" : "are"} left out of the figures.`;
    sentences.push(sentence([text], [ACCOUNTS]));
  }
  return sentences;
}

function sinceText({ isClosed, session }: BriefFacts, { isSinceStart, accounts }: ResultFacts): string {
  if (isSinceStart) return `since ${accounts === 1 ? "its" : "their"} first reading`;
  return isClosed ? `over the session of ${easternDayText(newYorkInstant(session, 12, 0))}` : "since the last close";
}

/** Money that came or went is no result; it is named so that it is not read as one. */
function flowParts({ flows, isSinceStart }: ResultFacts): (string | Part)[] {
  const moved = money(flows);
  if (moved.isZero() || isSinceStart) return [];
  return [", not counting ", plain(moved.abs()), moved.gt(0) ? " paid in" : " taken out"];
}

function tradeSentences(facts: BriefFacts): Sentence[] {
  const { fills, rejected, slippageBps } = facts;
  const sentences = [filledSentence(facts, "BUY"), filledSentence(facts, "SELL")].filter((each) => each !== null);
  if (fills.length > 0 && slippageBps !== null) {
    const size = distanceIn(slippageBps);
    const way = size === null ? "at" : `${size} ${slippageBps > 0 ? "worse" : "better"} than`;
    sentences.push(
      sentence(
        [`On average Tradewind's orders filled ${way} the prices they were decided at.`],
        [performanceOf(facts)],
      ),
    );
  }
  if (rejected.length > 0) {
    const text = `The broker rejected ${counted(rejected.length, "order")}: ${listed(rejected.map(({ symbol }) => symbol))}.`;
    sentences.push(
      sentence(
        [text],
        eachOrAll(
          rejected.flatMap(({ symbol, tradeId }) => (tradeId === null ? [] : [{ symbol, tradeId }])),
          tradePage,
          LOG,
        ),
      ),
    );
  }
  return sentences;
}

function filledSentence({ fills, session }: BriefFacts, side: FillFacts["side"]): Sentence | null {
  const some = fills.filter((fill) => fill.side === side);
  if (some.length === 0) return null;
  const names = [...new Set(some.map(({ symbol }) => symbol))];
  const what = names.length === 1 ? listed(names) : `${names.length} stocks`;
  return sentence(
    [
      `${side === "BUY" ? "Bought" : "Sold"} ${what} for `,
      plain(sum(some.map(({ value }) => money(value)))),
      names.length === 1 ? "." : `: ${listed(names)}.`,
    ],
    eachOrAll(some, tradePage, tradesOf(session)),
  );
}

const reasonIn = ({ exitReason }: TripFacts): string => (exitReason === null ? "" : ` (${lowerFirst(exitReason)})`);

function tripSentences(facts: BriefFacts): Sentence[] {
  const ranked = facts.trips.toSorted((a, b) => money(b.pnl).cmp(a.pnl) || (a.symbol < b.symbol ? -1 : 1));
  const [best] = ranked;
  const worst = ranked.at(-1);
  if (!best || !worst) return [];
  const page = (trip: TripFacts) =>
    trip.tradeId === null ? tradesOf(facts.session) : tradePage({ symbol: trip.symbol, tradeId: trip.tradeId });
  if (ranked.length === 1)
    return [
      sentence([`A round trip in ${best.symbol} closed with `, signed(best.pnl), `${reasonIn(best)}.`], [page(best)]),
    ];
  const having = (outcome: TripFacts["outcome"]) => ranked.filter((trip) => trip.outcome === outcome).length;
  const [won, lost, even] = [having("WIN"), having("LOSS"), having("SCRATCH")];
  const outcomes = [`${won} won`, `${lost} lost`, ...(even > 0 ? [`${even} even`] : [])];
  return [
    sentence(
      [
        `${counted(ranked.length, "round trip")} closed, ${listed(outcomes)}, together `,
        signed(sum(ranked.map(({ pnl }) => money(pnl)))),
        `; best ${best.symbol} `,
        signed(best.pnl),
        `${reasonIn(best)}, worst ${worst.symbol} `,
        signed(worst.pnl),
        `${reasonIn(worst)}.`,
      ],
      [page(best), page(worst), performanceOf(facts)],
    ),
  ];
}
