import { quantityText } from "../format.ts";
import { money, toNumber } from "../money.ts";
import { STRATEGIES } from "../strategies/strategies.ts";
import { MARKET_IS } from "./market-text.ts";
import { ACCOUNTS, decisionPage, DECISIONS, eachOrAll, LOG, tradePage, tradesOf } from "./pages.ts";
import { readCycleLine } from "./read-cycle-line.ts";
import { counted } from "../counted.ts";
import {
  type Cite,
  lowerFirst,
  plain,
  sentence,
  signed,
  type Part,
  type Sentence,
  placesTaken,
  upperFirst,
} from "./sentence-parts.ts";
import type { DayTrade, TodayFacts } from "./today-facts.ts";
import { holdsPieces } from "./today-holds.ts";
import { hasEnded, isFull, type MissingSource, missingSource, refusalOf, type Situation } from "./today-situation.ts";
import { marketHold, takesHighsOnly } from "./today-wait.ts";
import { refusalsText } from "./today-text.ts";

type Pieces = (string | Part)[];

/** What was done in the session, and why not more. */
export function didSentence(facts: TodayFacts, situation: Situation): Sentence {
  const cites: Sentence["cites"] = [...citesOf(facts)];
  switch (situation) {
    case "NO_ACCOUNT":
      return sentence(
        [`Nothing is screened or traded for you ${facts.hasDecided ? "now" : "yet"}: you have no trading account.`],
        [ACCOUNTS],
      );
    case "HALTED":
    case "PAUSED":
      return sentence(heldPieces(facts), [situation === "HALTED" ? ACCOUNTS : LOG, ...cites]);
    case "FIRST_LOOK":
      return firstLookSentence(facts, cites);
    default: {
      const done = donePieces(facts);
      const missing = missingSource(facts);
      // A fault is the reason of what was not done, never of a purchase or a sale.
      if (missing !== null && facts.trades.length > 0)
        return sentence([...done, `. ${upperFirst(MISSING[missing])}.`], cites);
      const why = missing === null ? whyText(facts) : MISSING[missing];
      return sentence([...done, ...(why === null ? [] : [`: ${why}`]), "."], cites);
    }
  }
}

/** Before the first look there may be trades that a person made at the broker. */
function firstLookSentence(facts: TodayFacts, cites: Sentence["cites"]): Sentence {
  if (facts.trades.length === 0)
    return sentence(["Nothing was bought or sold so far: the first look at the market is still to come."], [DECISIONS]);
  const bought = facts.trades.filter(({ side }) => side === "BUY");
  const why = bought.length === 0 ? [] : [`: ${boughtWhy(bought, facts.trades.length === 1)}`];
  return sentence([...donePieces(facts), ...why, ". The first look at the market is still to come."], cites);
}

/** The latest look says why nothing was bought; what was bought is of an earlier one, which its trade's page names. */
function citesOf({ trades, look, session }: TodayFacts): Sentence["cites"] {
  const hasBought = trades.some(({ side }) => side === "BUY");
  const looked: Cite[] = look === null || hasBought ? [] : [decisionPage(look)];
  if (trades.length > 0 && session !== null) return [...eachOrAll(trades, tradePage, tradesOf(session)), ...looked];
  const [first = DECISIONS] = looked;
  return [first];
}

/** What holds everything, behind it what was done in the session, before or under the hold: sales and stops go on. */
function heldPieces(facts: TodayFacts): Pieces {
  const traded = facts.trades.length === 0 ? [] : [" In this session: ", ...lowered(donePieces(facts)), "."];
  return [...holdsPieces(facts), ...traded];
}

/** More trades than these are told by their number. */
const NAMED_MOST = 3;

/** "Bought 29 HD at $199.78; sold MCD (protective stop) for -$29.24" */
function donePieces(facts: TodayFacts): Pieces {
  const { trades } = facts;
  const bought = trades.filter(({ side }) => side === "BUY");
  const sold = trades.filter(({ side }) => side === "SELL");
  const sentences = [boughtPieces(bought), soldPieces(facts, sold)].filter((pieces) => pieces.length > 0);
  if (sentences.length === 0) return ["Nothing bought or sold"];
  if (bought.length === 0) sentences.push(["nothing bought"]);
  return capital(sentences.flatMap((pieces, index) => (index === 0 ? pieces : ["; ", ...pieces])));
}

const capital = ([first, ...others]: Pieces): Pieces =>
  typeof first === "string" ? [upperFirst(first), ...others] : [...(first ? [first] : []), ...others];
const lowered = ([first, ...others]: Pieces): Pieces =>
  typeof first === "string" ? [lowerFirst(first), ...others] : [...(first ? [first] : []), ...others];

/** "A", "A and B", "A, B and C" of texts in pieces. */
const joined = (items: readonly Pieces[]): Pieces =>
  items.flatMap((item, index) => [index === 0 ? "" : index === items.length - 1 ? " and " : ", ", ...item]);

function boughtPieces(bought: readonly DayTrade[]): Pieces {
  if (bought.length === 0) return [];
  if (bought.length > NAMED_MOST) return [`bought ${ordersText(bought)}`];
  return [
    "bought ",
    ...joined(
      bought.map(({ quantity, symbol, price }) => [`${quantityText(toNumber(quantity))} ${symbol} at `, plain(price)]),
    ),
  ];
}

/** "4 stocks", "2 stocks in 4 orders", "HD in 4 orders". */
function ordersText(bought: readonly DayTrade[]): string {
  const symbols = new Set(bought.map(({ symbol }) => symbol));
  const [first = ""] = symbols;
  const stocks = symbols.size === 1 ? first : counted(symbols.size, "stock");
  return symbols.size === bought.length ? stocks : `${stocks} in ${counted(bought.length, "order")}`;
}

function soldPieces({ trips }: TodayFacts, sold: readonly DayTrade[]): Pieces {
  if (sold.length === 0) return [];
  const pnlOf = (trade: DayTrade) => trips.find(({ tradeId }) => tradeId === trade.tradeId);
  if (sold.length > NAMED_MOST) {
    const closed = sold.flatMap((trade) => pnlOf(trade) ?? []);
    const total = closed.reduce((sum, { pnl }) => sum.plus(pnl), money(0));
    return [
      `sold ${counted(sold.length, "time")}`,
      ...(closed.length === sold.length ? [", together ", signed(total)] : []),
    ];
  }
  return [
    "sold ",
    ...joined(
      sold.map((trade) => {
        const trip = pnlOf(trade);
        const why = trip?.exitReason ?? trade.reason;
        return [
          `${trade.symbol}${why == null ? "" : ` (${lowerFirst(why)})`}`,
          ...(trip ? [", ", signed(trip.pnl)] : []),
        ];
      }),
    ),
  ];
}

const MISSING = {
  WORKER: "Tradewind's own service is not running, so the market is not screened",
  BROKER: "the broker has not answered for more than a minute, so nothing new is bought",
  VIX: "the VIX is missing, so Tradewind holds back as a precaution",
  VIX_FALLING: `the market is ${MARKET_IS.risk_off}, and the VIX is missing, so Tradewind holds back`,
  VIX_MIXED: `the VIX is missing, so the market never counts as ${MARKET_IS.risk_on}, and your settings buy only then`,
  SPY: "SPY's prices are missing, so Tradewind holds back as a precaution",
  SPY_TREND: "SPY's 200-day average is not known, and your strategy buys only above it",
  QUOTES: "the market's prices are too old to decide on",
  SOURCES: "the sources disagree on prices",
  REPORTS: "it is not known when companies report earnings, and nothing is bought without that",
  READING: "the account has not been read at its broker since the session began",
} as const satisfies Record<MissingSource, string>;

/** What Tradewind bought passed its rules; what a person bought at the broker met none of them. */
function boughtWhy(bought: readonly DayTrade[], isOnly: boolean): string {
  const own = bought.filter(({ isOurs }) => isOurs).length;
  if (own === 0)
    return `${bought.length === 1 ? "the purchase was" : "the purchases were"} made at the broker, not by Tradewind`;
  if (own === bought.length) return `${isOnly ? "it" : "what was bought"} passed every rule`;
  return `${own} of ${counted(bought.length, "purchase")} ${own === 1 ? "is" : "are"} Tradewind's and passed every rule, the rest was bought at the broker`;
}

/** What kept it from buying more; null where nothing is recorded of that. */
function whyText(facts: TodayFacts): string | null {
  const { look, trades, restsUntil, policy, preferences } = facts;
  const bought = trades.filter(({ side }) => side === "BUY");
  const says = look && readCycleLine(look.line);
  if (bought.length > 0) return boughtWhy(bought, trades.length === 1);
  if (look === null) return facts.market.isOpen ? "the first look of the day is still to come" : null;
  if (says === null) return null;
  // What became of them the trades say: not every order that was decided is sent, and not every one fills.
  if (says.orders > 0) return `the last look decided on ${counted(says.orders, "order")}`;
  if (hasEnded(facts)) return null;
  const hold = marketHold(facts);
  const waiting = refusalsText(says);
  const and = waiting === "" ? "" : `; ${waiting}`;
  if (hold?.kind === "distance")
    return hold.view.label === "risk_off"
      ? `the market is ${MARKET_IS.risk_off}, so Tradewind holds back${and}`
      : `the market is ${MARKET_IS[hold.view.label]}, and your settings buy only when it is ${MARKET_IS.risk_on}${and}`;
  if (hold?.kind === "trend")
    return `${STRATEGIES[preferences.strategy].label} buys only above SPY's 200-day average${and}`;
  if (refusalOf(facts) === "regime" && takesHighsOnly(facts))
    return `the market is ${MARKET_IS.neutral}, and ${STRATEGIES[preferences.strategy].label} then buys only at a 55-session high${and}`;
  if (restsUntil !== null) {
    const { stop_guard_count, stop_guard_window_sessions } = policy.pretrade_filters;
    return `${counted(stop_guard_count, "position")} or more were stopped out within ${counted(stop_guard_window_sessions, "session")}, so Tradewind rests`;
  }
  if (isFull(facts)) return placesTaken(preferences.maxPositions);
  if (says.signals === 0)
    return `none of the ${counted(says.seated, "stock")} in the Top-50 meets your strategy's conditions`;
  return waiting === "" ? null : waiting;
}
