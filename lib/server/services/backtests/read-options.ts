import type { Given } from "@/lib/contracts/endpoint.ts";
import { BACKTEST_BOUNDS, type backtestsApi } from "@/lib/contracts/backtests.ts";
import { INDEX_SYMBOL } from "@/lib/domain/backtest/history.ts";
import { type MarketName, MARKETS, STRATEGY_NAMES } from "@/lib/domain/enums.ts";
import { Failure } from "@/lib/domain/failures.ts";
import { addDays, type Instant, newYork, type SessionDate } from "@/lib/domain/time.ts";
import type { Context } from "../../context.ts";
import { hasMarket } from "../../providers/market-data-registry.ts";
import { marketMoment } from "../../core/calendar.ts";
import { activePolicy } from "../../core/active-policy.ts";
import { readTradingPreferences } from "../preferences/trading-preferences.ts";
import { missingReports } from "./read-history.ts";

type Options = Given<typeof backtestsApi.options>;

/** USD: the default where no amount is given. */
export const CASH_DEFAULT = "100000";
/** How far back a market is asked for its first session: the longest run and the history before it. */
const HISTORY_DAYS = BACKTEST_BOUNDS.days.max + 600;

/** The index's sessions of a market up to the last whose bars are final; they change once a market day. */
const known = new Map<MarketName, { through: SessionDate; sessions: SessionDate[] }>();

interface ClosedSessions {
  all: readonly SessionDate[];
  /** How many of them a stock needs behind it before it can be chosen. */
  minBars: number;
}

/** The sessions of a market up to the last whose bars are final, in market time. */
export async function closedSessions(context: Context, market: MarketName): Promise<ClosedSessions> {
  const moment = await marketMoment(context, market);
  // The bars of the US market are final once the day is over, as screening reads them; those of the practice market with the close.
  const today = newYork(moment.now).date;
  const isClosed = (closesAt: Instant, session: SessionDate) =>
    market === "US" ? session < today : closesAt <= moment.now;
  const through = moment.calendar.findLast(({ closesAt, session }) => isClosed(closesAt, session))?.session;
  if (through === undefined) throw new Failure("unavailable", "This market has no session yet whose bars are final.");
  let held = known.get(market);
  if (held?.through !== through) {
    const data = context.marketData(market);
    const bars = await data.dailyBars([INDEX_SYMBOL], addDays(through, -HISTORY_DAYS), through);
    held = { through, sessions: (bars.get(INDEX_SYMBOL) ?? []).map(({ session }) => session) };
    // A vendor that does not have the last session yet is asked again.
    if (held.sessions.at(-1) === through) known.set(market, held);
  }
  return { all: held.sessions, minBars: (await activePolicy(context)).selector_top50.min_bars };
}

/** The sessions that a run may trade: from the first with enough history to the last whose bars are final, in market time. */
export async function tradableSessions(
  context: Context,
  market: MarketName,
): Promise<{ first: SessionDate; last: SessionDate; all: readonly SessionDate[] }> {
  const { all, minBars } = await closedSessions(context, market);
  const [first, last] = [all[minBars], all.at(-1)];
  if (first === undefined || last === undefined)
    throw new Failure(
      "unavailable",
      `This market has ${all.length} sessions of history; a stock can be chosen after ${minBars}. Come back when some more have closed.`,
    );
  return { first, last, all };
}

/** Why a person can run nothing on a market, whatever the dates; null where they can. */
export async function whyNot(context: Context<"user">, market: MarketName): Promise<string | null> {
  const { actor, db } = context;
  if (market === "US") {
    const accounts = await db.account.count({ where: { userId: actor.userId, market, deletedAt: null } });
    if (accounts === 0) return "Add an Alpaca account to run backtests on the US market.";
  }
  return whyNoPast(context, market);
}

/** Why no run on a market is possible for any user; null where one is. */
export async function whyNoPast({ db, marketData }: Context, market: MarketName): Promise<string | null> {
  if (!hasMarket(market)) return "Data of this market is not connected here, so there is no history to run on.";
  if (market === "PRACTICE") return null;
  const filed = await db.company.count({ where: { announcedAt: { isEmpty: false } } });
  return missingReports(marketData(market), filed > 0);
}

/** What the form begins with. A market that cannot be read now says why. */
export async function readOptions(context: Context<"user">): Promise<Options> {
  const { actor, db } = context;
  const { userId } = actor;
  const [preferences, accounts] = await Promise.all([
    readTradingPreferences(context),
    db.account.findMany({
      where: { userId, deletedAt: null },
      orderBy: { createdAt: "asc" },
      select: { market: true },
    }),
  ]);
  const offered = MARKETS.filter((market) => hasMarket(market) || accounts.some((own) => own.market === market));
  return {
    markets: await Promise.all(offered.map((market) => optionOf(context, market))),
    strategies: [...STRATEGY_NAMES],
    defaults: { market: accounts[0]?.market ?? offered[0] ?? "PRACTICE", cash: CASH_DEFAULT, settings: preferences },
    kept: BACKTEST_BOUNDS.kept,
    waiting: BACKTEST_BOUNDS.waiting,
  };
}

async function optionOf(context: Context<"user">, market: MarketName): Promise<Options["markets"][number]> {
  const reason = await whyNot(context, market);
  if (reason !== null) return { market, sessions: null, reason };
  try {
    const { first, last } = await tradableSessions(context, market);
    return { market, sessions: { first, last }, reason: null };
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    return { market, sessions: null, reason: error.message };
  }
}
