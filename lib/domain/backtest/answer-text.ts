import { counted } from "../counted.ts";
import { besideLine } from "../beside-line.ts";
import { countText, dateText, moneyText, ratioText, shareText, signedPercentText } from "../format.ts";
import { SHARPE_RETURNS_MIN } from "../metrics.ts";
import type { DecimalText } from "../money.ts";
import type { LuckBand } from "../statistics/bootstrap.ts";
import { type Answer, TRIPS_MIN } from "./answer.ts";
import { CAPACITY_SHARE, capacityOf, type LargestFill } from "./capacity.ts";

/** As it is shown, in percent: what a sentence adds up are the figures that the reader sees. */
const shown = (fraction: number) => Number(ratioText(100 * fraction, 2));

const unsigned = (percent: number) => `${ratioText(Math.abs(percent), 2)}%`;

/** "made 3.10%", "lost 2.00%" */
const madeText = (fraction: number) => `${shown(fraction) < 0 ? "lost" : "made"} ${unsigned(shown(fraction))}`;

/** From here on "as little as it was" would be wrong. */
const HALF_INVESTED = 0.5;

/** Why nothing is said about luck; null where something is. */
function tooFewText({ sessions, trips, matched, isJudged }: Answer): string | null {
  if (isJudged) return null;
  const few = [
    ...(trips < TRIPS_MIN ? [[counted(trips, "round trip"), TRIPS_MIN]] : []),
    ...(sessions < SHARPE_RETURNS_MIN ? [[counted(sessions, "session"), SHARPE_RETURNS_MIN]] : []),
  ].map(([has, least], i) => `${has} of the ${least}${i === 0 ? " that it takes" : ""}`);
  return matched === null || few.length === 0
    ? "SPY has no price in some of its sessions"
    : `it has ${few.join(", and ")}`;
}

const never = ({ trips, exposure }: Answer) => trips === 0 && (exposure ?? 0) === 0;

/** How the difference to SPY at the same exposure stands to luck. */
function standingText({ band, isJudged }: Answer): string {
  if (!isJudged || band === null) return "cannot be told from luck, because the run is too small";
  if (band.low > 0) return "is more than luck usually gives";
  if (band.high < 0) return "is worse than luck usually gives";
  return "is within what luck gives";
}

/** Whether the run beat holding SPY, and holding as much of it as the run held of its stocks. */
export function verdictText(answer: Answer): string {
  const { strategy, index, matched, exposure } = answer;
  const own = `It ${madeText(strategy.totalReturn)}`;
  if (index === null || matched === null || exposure === null)
    return `${own}. SPY has no price in some of its sessions, so it cannot be compared with holding the market.`;
  const both = `${own} where SPY ${madeText(index.totalReturn)}.`;
  if (never(answer)) return `${both} It never bought anything, so there is no skill to judge.`;
  const amount = exposure < HALF_INVESTED ? "little" : "much";
  const mean = shareText(exposure);
  const difference = shown(strategy.totalReturn) - shown(matched.totalReturn);
  const would = madeText(matched.totalReturn).replace(/^made/, "have made").replace(/^lost/, "have lost");
  return `${both} Invested as ${amount} as it was (${mean} on average), SPY would ${would}; the difference of ${ratioText(difference, 2)} percentage points ${standingText(answer)}.`;
}

/** How many of a hundred strategies without skill would have done as well. */
function ofHundred(luck: number): string {
  const count = Math.round(100 * luck);
  if (count === 0) return "fewer than 1";
  if (count === 100) return "nearly all";
  return `about ${count}`;
}

/** Whether luck alone could have made it. */
export function luckText(answer: Answer): string {
  const { band } = answer;
  const few = tooFewText(answer);
  if (few !== null || band === null)
    return `Nothing can be concluded about luck: ${few ?? "SPY has no price in some of its sessions"}.`;
  return `Of 100 strategies without skill that are invested as much, ${ofHundred(band.luck)} would have done at least as well.`;
}

/** What picking the best of several tries does to the sentence on luck; null for a single one. */
export function triesText(tries: number): string | null {
  if (tries <= 1) return null;
  return `That counts this run alone. It is one of ${countText(tries)} tries, and the best of ${countText(tries)} does well by luck more often: the overfit meter counts that.`;
}

/** Where zero, which is no skill, lies to the band. */
function zeroText(answer: Answer, { low, high }: LuckBand): string {
  if (!answer.isJudged) return ` With ${counted(answer.trips, "round trip")} nothing can be concluded from it.`;
  if (low > 0) return " Zero, which is no skill, lies below it.";
  if (high < 0) return " Zero, which is no skill, lies above it.";
  return " Zero, which is no skill, lies within it.";
}

/** An end of the band beside zero: one that is not zero never reads as zero. */
function endText(value: number): string {
  if (value === 0 || shown(value) !== 0) return signedPercentText(100 * value);
  return `${value > 0 ? "+" : "-"}${besideLine(Math.abs(100 * value), 0, 2)[0]}%`;
}

/** The band in words. */
export function bandText(answer: Answer): string {
  const { band, sessions, matched } = answer;
  if (matched === null) return "No band: SPY has no price in some of its sessions.";
  if (band === null) return `No band: it takes ${SHARPE_RETURNS_MIN} sessions, and the run has ${countText(sessions)}.`;
  const estimate = signedPercentText(100 * band.estimate);
  return `${estimate} a year against SPY at the same exposure, with a 90% band from ${endText(band.low)} to ${endText(band.high)}.${zeroText(answer, band)}`;
}

const inDollars = (value: number) => moneyText(value).replace(/\.00$/, "");

/** Two figures are all that a first-order estimate is worth; rounded down. */
function roundDown(value: number): number {
  const unit = 10 ** Math.max(0, Math.floor(Math.log10(value)) - 1);
  return Math.floor(value / unit) * unit;
}

/** From what starting cash on the largest order would have weighed on its stock. */
export function capacityText(fill: LargestFill, cash: DecimalText): string {
  const { symbol, session, notional, adv, share } = fill;
  const part = share < 0.0001 ? "less than 0.01%" : `${besideLine(100 * share, 100 * CAPACITY_SHARE, 2)[0]}%`;
  const order = `The order that was largest for its stock was ${moneyText(Number(notional))} of ${symbol} on ${dateText(session)}: ${part} of the ${inDollars(roundDown(adv))} that it traded on a usual day.`;
  if (share >= CAPACITY_SHARE)
    return `${order} That is 1% or more already, so the prices in this run are too good to be achieved in practice.`;
  return `${order} If all orders grew with the cash, that one would reach 1% at about ${inDollars(roundDown(capacityOf(fill, cash)))}; with more cash, these results cannot be expected. A first estimate: limits per position in dollars are not raised.`;
}
