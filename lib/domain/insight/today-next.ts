import { moneyText } from "../format.ts";
import { toNumber } from "../money.ts";
import { clockText, newYork } from "../time.ts";
import { waitsFor } from "./gate-text.ts";
import { ACCOUNTS, decisionPage, DECISIONS, LOG, POSITIONS } from "./pages.ts";
import { type CycleLine, readCycleLine } from "./read-cycle-line.ts";
import { counted } from "../counted.ts";
import { placesTaken, sentence, type Sentence } from "./sentence-parts.ts";
import type { TodayFacts, TodayPosition } from "./today-facts.ts";
import { haltedText, pausedText } from "./today-holds.ts";
import { hasEnded, missingSource, type Situation, takenPlaces } from "./today-situation.ts";
import { dayText, marketHold, takesHighsOnly, waitText } from "./today-wait.ts";
import { mainRefusal } from "./today-text.ts";

/** What it does next, or waits for: a price, a date, a number of places; never a wait for nothing. */
export function nextSentence(facts: TodayFacts, situation: Situation): Sentence {
  const looked: Sentence["cites"] = [facts.look === null ? DECISIONS : decisionPage(facts.look)];
  switch (situation) {
    case "NO_ACCOUNT":
      return sentence(
        [
          "Add the keys of your broker's account, or start on the practice market with simulated money. From then on Tradewind looks at the market for you.",
        ],
        [ACCOUNTS],
      );
    case "HALTED":
      return sentence([haltedText(facts)], [isOwners(facts) ? ACCOUNTS : LOG]);
    case "PAUSED":
      return pausedNext(facts);
    case "FIRST_LOOK":
      return sentence([firstLookText(facts)], [DECISIONS]);
    case "SOURCE_MISSING":
      return sentence([missingNext(facts)], looked);
    case "CLOSED":
      return sentence([closedText(facts)], [...looked, POSITIONS]);
    case "BOUGHT":
      return sentence([`${againText(facts)}${freeText(facts)}.`], looked);
    case "HOLDING_BACK": {
      const hold = marketHold(facts);
      return sentence([hold === null ? calmerText(facts) : buysText(facts, hold)], looked);
    }
    case "PLACES_TAKEN":
      return sentence([placeText(facts)], [POSITIONS, ...looked]);
    case "NOTHING_TO_BUY":
      return sentence([nothingNext(facts)], looked);
  }
}

const buysText = (facts: TodayFacts, hold: NonNullable<ReturnType<typeof marketHold>>) =>
  `It buys again ${waitText(hold, newYork(facts.market.now).date)}.`;

function calmerText(facts: TodayFacts): string {
  const or = takesHighsOnly(facts) ? " or a close above the highest price of 55 sessions" : "";
  return `It waits for a calmer market${or}. ${againText(facts)}.`;
}

/** A hold that the page of accounts shows. */
const isOwners = ({ holds }: TodayFacts) =>
  holds.some(({ kind }) => kind === "HALTED" || kind === "RESTRICTED" || kind === "ACCOUNT_PAUSED");

function pausedNext(facts: TodayFacts): Sentence {
  const { holds, market } = facts;
  if (!holds.some(({ kind }) => kind === "PAUSED")) return sentence([`${pausedText(facts)}.`], [ACCOUNTS]);
  const opens = market.isOpen ? "" : `; the market opens ${opensText(market)}`;
  return sentence([`${pausedText(facts)}${opens}.`], [LOG]);
}

/** "on Mon 5 Feb at 09:30 ET" */
const opensText = ({ opensAt }: TodayFacts["market"]) =>
  `on ${dayText(newYork(opensAt).date)} at ${clockText(opensAt)} ET`;

const everyText = ({ preferences: { checkInterval } }: TodayFacts) =>
  checkInterval === 1 ? "every minute" : `every ${checkInterval} minutes`;

const looksText = (facts: TodayFacts) =>
  `${everyText(facts)} until the close at ${clockText(facts.market.closesAt)} ET`;
const againText = (facts: TodayFacts) => `It looks again ${looksText(facts)}`;

function firstLookText(facts: TodayFacts): string {
  if (!facts.market.isOpen) return `It looks for the first time when the market opens, ${opensText(facts.market)}.`;
  return `It looks ${looksText(facts)}, for the first time within minutes.`;
}

function missingNext(facts: TodayFacts): string {
  const hold = marketHold(facts);
  switch (missingSource(facts)) {
    case "WORKER":
      return "It continues by itself once the service is back; stops that rest at the broker work without it.";
    case "BROKER":
      return "It continues by itself once the broker answers; until then the figures are those of its last answer.";
    case "READING":
      return "The figures appear once the broker answers; stops that rest there keep working meanwhile.";
    case "QUOTES":
      return `It buys once prices are fresh again. ${stateText(facts)}.`;
    case "SOURCES":
      return `It buys once the sources agree again. ${stateText(facts)}.`;
    case "REPORTS":
      return "It buys again once a source says when companies report; that is asked at the opening of each session.";
    default:
      return hold === null ? `${stateText(facts)}.` : buysText(facts, hold);
  }
}

const stateText = (facts: TodayFacts) =>
  facts.market.isOpen ? againText(facts) : `The market opens ${opensText(facts.market)}`;

function closedText(facts: TodayFacts): string {
  const hold = marketHold(facts);
  const wait = hold === null ? restText(facts) : buysText(facts, hold);
  return `The market is closed and opens ${opensText(facts.market)}; until then ${restingText(facts)}.${wait === null ? "" : ` ${wait}`}`;
}

/** Until when it rests after several stops; null where that is over, or does not hold it. */
function restText({ restsUntil, market }: TodayFacts): string | null {
  return restsUntil === null || restsUntil <= newYork(market.now).date
    ? null
    : `No new purchases before ${dayText(restsUntil)}.`;
}

function restingText({ positions, waiting }: TodayFacts): string {
  // A stop for a part of the shares rests there, too.
  const stopped = positions.filter(({ stopPrice }) => stopPrice !== null).length;
  const stops = stopped === 1 ? "one stop" : `the stops of ${stopped} positions`;
  const others = counted(waiting.length, stopped === 0 ? "order" : "other order");
  if (waiting.length === 0)
    return stopped === 0 ? "you have no open orders at the broker" : `${stops} ${rest(stopped)} at the broker`;
  return stopped === 0
    ? `${others} ${rest(waiting.length)} at the broker`
    : `${stops} and ${others} rest at the broker`;
}

const rest = (count: number) => (count === 1 ? "rests" : "rest");

function freeText(facts: TodayFacts): string {
  const { maxPositions } = facts.preferences;
  const free = Math.max(0, maxPositions - takenPlaces(facts));
  // A strategy's own number of places may be taken while others are free.
  const isOfStrategy = free > 0 && refusesPlaces(facts);
  if (facts.accounts !== 1 || isOfStrategy) return "";
  return free === 0
    ? `; ${placesTaken(maxPositions)}`
    : `; ${free} of ${counted(maxPositions, "place")} ${free === 1 ? "is" : "are"} free`;
}

function refusesPlaces({ look }: TodayFacts): boolean {
  const says = look && readCycleLine(look.line);
  return says?.refusals.some(({ code }) => code === "max_positions") ?? false;
}

/** The position whose price is nearest to its stop, in percent of the price. */
export function nearestToStop(
  positions: readonly TodayPosition[],
): (TodayPosition & { stopPrice: string; stopDistancePercent: number }) | null {
  const known = positions.flatMap((position) => {
    const { stopPrice, stopDistancePercent } = position;
    return stopPrice === null || stopDistancePercent === null ? [] : [{ ...position, stopPrice, stopDistancePercent }];
  });
  return known.toSorted((a, b) => b.stopDistancePercent - a.stopDistancePercent)[0] ?? null;
}

function placeText(facts: TodayFacts): string {
  const nearest = nearestToStop(facts.positions);
  const stop =
    nearest === null
      ? ""
      : `; nearest to its stop is ${nearest.symbol}, which sells at ${moneyText(toNumber(nearest.stopPrice))}, ${Math.abs(nearest.stopDistancePercent).toFixed(1)}% below its price`;
  const rest = restText(facts);
  return `${rest === null ? "It buys again" : `${rest} From then on it buys`} when a place is free${stop}.`;
}

function nothingNext(facts: TodayFacts): string {
  const rest = restText(facts);
  if (rest !== null) return rest;
  if (facts.look === null) return `It looks ${looksText(facts)}.`;
  const says = readCycleLine(facts.look.line);
  if ((says?.orders ?? 0) > 0) return `It follows its orders at the broker, and looks again ${looksText(facts)}.`;
  return hasEnded(facts) ? `${againText(facts)}.` : `It waits for ${waitsText(says)}. ${againText(facts)}.`;
}

function waitsText(says: CycleLine | null): string {
  const main = says && mainRefusal(says);
  if (main === null) return "a stock that meets your strategy's conditions";
  return waitsFor(main.code, main.count === 1 ? "the stock's" : "their");
}
