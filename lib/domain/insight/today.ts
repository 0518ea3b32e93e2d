import { isSession } from "../market-calendar.ts";
import { money } from "../money.ts";
import { signedPercentText } from "../format.ts";
import { newYork } from "../time.ts";
import type { TodayActionName } from "../enums.ts";
import type { TodayFacts } from "./today-facts.ts";
import { didSentence } from "./today-did.ts";
import { healthOf } from "./today-health.ts";
import { nextSentence } from "./today-next.ts";
import { type Situation, situationOf } from "./today-situation.ts";
import { dayText } from "./today-wait.ts";
import { partsOf, signed, type Part, type Sentence } from "./sentence-parts.ts";

/** What a person sees first: how the day goes, what was done and why, what comes next, and whether anything is wrong. */
export interface Today {
  situation: Situation;
  headline: Part[];
  did: Sentence;
  next: Sentence;
  health: { isWrong: boolean; sentence: Sentence };
  action: TodayActionName;
}

/**
 * The answer of the dashboard, from recorded facts alone. It is told in what a person can watch, a price, a date, a number of
 * places, and without a word of the engine's own; figures that are not known are left out.
 */
export function todayAnswer(facts: TodayFacts): Today {
  const situation = situationOf(facts);
  return {
    situation,
    headline: headlineOf(facts, situation),
    did: didSentence(facts, situation),
    next: nextSentence(facts, situation),
    health: healthOf(facts, situation),
    action: actionOf(facts, situation),
  };
}

/** A week that cost this share of the account is said before the day. */
const LOSING_WEEK = 0.01;

function isLosingWeek({ weekPnl, result }: TodayFacts): boolean {
  if (weekPnl === null || result === null) return false;
  const loss = money(weekPnl).negated();
  return loss.gt(0) && loss.gte(money(result.equity).plus(loss).times(LOSING_WEEK));
}

/** "-$331.20 today (-0.33%), SPY -0.51%" */
function headlineOf(facts: TodayFacts, situation: Situation): Part[] {
  const { result, weekPnl, spyPercent, environment } = facts;
  if (situation === "NO_ACCOUNT") return partsOf([facts.hasDecided ? "No account now" : "No account yet"]);
  if (result === null) return partsOf([situation === "FIRST_LOOK" ? "The account is connected" : "No figures yet"]);
  const pnl = money(result.pnl);
  const change = pnl.isZero() ? ["No change"] : [signed(pnl)];
  const percent = result.pnlPercent === null || pnl.isZero() ? "" : ` (${signedPercentText(result.pnlPercent)})`;
  const spy = spyPercent === null || result.isSinceStart ? "" : `, SPY ${signedPercentText(spyPercent)}`;
  const money_ = environment === "LIVE" ? " with real money" : "";
  const week =
    isLosingWeek(facts) && weekPnl !== null && !money(weekPnl).eq(pnl) ? [signed(weekPnl), " in 7 days, "] : [];
  return partsOf([...week, ...change, ` ${whenText(facts)}${money_}`, percent, spy]);
}

/** "today", or the session that the figures are of. */
function whenText({ result, session, market }: TodayFacts): string {
  if (result?.isSinceStart === true) return `since ${result.accounts === 1 ? "its" : "their"} first reading`;
  const today = newYork(market.now).date;
  if (session === null || session === today) return "today";
  return isSession(today) && market.isOpen ? `on ${dayText(session)}, before today` : `on ${dayText(session)}`;
}

function actionOf({ holds, accounts, needsKeys }: TodayFacts, situation: Situation): TodayActionName {
  const count = (wanted: (typeof holds)[number]["kind"]) => holds.filter(({ kind }) => kind === wanted).length;
  switch (situation) {
    case "NO_ACCOUNT":
      return "ADD_ACCOUNT";
    case "HALTED":
      if (needsKeys) return "FIX_KEYS";
      if (count("HALTED") > 0) return "RESUME_ACCOUNT";
      if (count("PAUSED") > 0) return "RESUME";
      return count("ACCOUNT_PAUSED") === accounts ? "RESUME_ACCOUNT" : "NONE";
    case "PAUSED":
      return count("PAUSED") > 0 ? "RESUME" : "RESUME_ACCOUNT";
    default:
      return "PAUSE";
  }
}
