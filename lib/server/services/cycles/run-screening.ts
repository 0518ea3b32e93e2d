import type { MarketView, QuoteView } from "@/lib/domain/engine/plan.ts";
import type { MarketName } from "@/lib/domain/enums.ts";
import type { Policy } from "@/lib/domain/policy.ts";
import type { Instant } from "@/lib/domain/time.ts";
import { IN_FLIGHT_INTENTS, WORKING_STATUSES } from "@/lib/domain/orders.ts";
import { jobs } from "@/lib/contracts/jobs.ts";
import type { Context } from "../../context.ts";
import { isUniqueViolation } from "../../db.ts";
import { dateOf } from "../../rows.ts";
import { marketMoment } from "../../core/calendar.ts";
import { readTurns } from "./due-accounts.ts";
import { cutPages } from "../../jobs/pages.ts";
import { compareSources } from "./compare-sources.ts";
import { storeMarketView } from "./market-record.ts";
import { readOtherPrices } from "./read-sources.ts";
import { openSessionBook, type SessionBook } from "./session-book.ts";

interface Screened {
  cycleId: string;
  /** The accounts that take part, by id. */
  turns: { id: string; isDue: boolean }[];
  /** Those of them that are due. */
  accountIds: string[];
}

/**
 * One pass over the market: the session's book, fresh quotes, one stored view that every account of the
 * cycle decides on. Answers the accounts that are due in it; null when there is no session now.
 */
export async function screenForCycle(context: Context, input: { market: MarketName }): Promise<Screened | null> {
  const { db } = context;
  const { market } = input;
  const moment = await marketMoment(context, market);
  if (!moment.today || !moment.isOpen) return null;
  const book = await openSessionBook(context, market, moment.today, moment.calendar);
  if (!book) return null;

  const view = await viewOf(context, book, moment.now);
  const snapshotId = await storeMarketView(context, view);
  let cycle: { id: string };
  try {
    cycle = await db.cycle.create({
      data: {
        market,
        startedAt: new Date(view.at),
        sessionDate: dateOf(view.session.date),
        snapshotId,
        selectionId: book.selectionId,
        screened: book.counts.screened,
        seated: book.seats.length,
      },
      select: { id: true },
    });
  } catch (error) {
    // Another worker looked at the same moment: its cycle is the cycle.
    if (isUniqueViolation(error)) return null;
    throw error;
  }

  const turns = await readTurns(context, { market, at: new Date(view.at) });
  await db.cycle.update({ where: { id: cycle.id }, data: { status: "DONE", finishedAt: context.now() } });
  const accountIds = turns.flatMap(({ id, isDue }) => (isDue ? [id] : []));
  return { cycleId: cycle.id, turns, accountIds };
}

/**
 * The job: screens, then wakes one job for each page of accounts. Pages are cut out of all accounts that take part, so that they
 * are the same from cycle to cycle, a canary's apart from the others'; one without an account that is due is left out. Accounts never
 * wait for each other's orders.
 */
export async function runScreening(context: Context, input: { market: MarketName }): Promise<void> {
  const cycle = await screenForCycle(context, input);
  if (!cycle) return;
  const { cycleId, turns } = cycle;
  const pages = (await cutPages(context.db, turns)).filter(({ rows }) => rows.some(({ isDue }) => isDue));
  if (pages.length === 0) return;
  await context.queue.enqueue(
    jobs.accountPage,
    pages.map(({ range }) => ({ cycleId, ...range })),
  );
}

/** What every account sees at this moment: the session's book with fresh quotes, compared between sources. */
export async function viewOf(context: Context, book: SessionBook, at: string): Promise<MarketView> {
  const { db } = context;
  const scope = { account: { market: book.market, deletedAt: null } };
  const [held, working, intents] = await Promise.all([
    db.position.findMany({ where: scope, select: { symbol: true }, distinct: ["symbol"] }),
    db.order.findMany({
      where: { ...scope, status: { in: [...WORKING_STATUSES] } },
      select: { symbol: true },
      distinct: ["symbol"],
    }),
    db.intent.findMany({
      where: { ...scope, status: { in: [...IN_FLIGHT_INTENTS] } },
      select: { symbol: true },
      distinct: ["symbol"],
    }),
  ]);
  const symbols = [...new Set([...book.seats, ...held, ...working, ...intents].map((row) => row.symbol))].sort();
  const [quotes, others] = await Promise.all([
    readQuotes(context, { market: book.market, symbols, at, policy: book.policy }),
    readOtherPrices(context, book.market, symbols),
  ]);
  const view: MarketView = {
    market: book.market,
    at,
    session: {
      date: book.session.session,
      opensAt: book.session.opensAt,
      closesAt: book.session.closesAt,
      isOpen: at >= book.session.opensAt && at < book.session.closesAt,
    },
    barsThrough: book.barsThrough,
    sessions: book.sessions,
    regime: book.regime,
    seats: book.seats,
    symbols: Object.fromEntries(
      symbols.map((symbol) => [symbol, { ...book.symbolRow(symbol), quote: quotes.get(symbol) ?? null }]),
    ),
    counts: book.counts,
  };
  return compareSources(context, book.policy, view, others?.reported ?? null);
}

interface WantedQuotes {
  market: MarketName;
  symbols: string[];
  /** Market time. */
  at: Instant;
  policy: Policy;
}

/**
 * Last prices of the symbols; an unavailable source gives none, and entries wait. Bid and ask are left out where they are older than a last
 * price may be: they set the limit of an entry and its cost.
 */
export async function readQuotes(
  context: Context,
  { market, symbols, at, policy }: WantedQuotes,
): Promise<Map<string, QuoteView>> {
  if (symbols.length === 0) return new Map();
  try {
    const rows = await context.marketData(market).snapshots(symbols);
    const oldestMs = Date.parse(at) - policy.pretrade_filters.max_quote_age_seconds * 1_000;
    return new Map(
      [...rows].map(([symbol, row]) => {
        const isFresh = row.quotedAt !== null && Date.parse(row.quotedAt) >= oldestMs;
        const { bid, ask } = isFresh ? row : { bid: null, ask: null };
        return [symbol, { last: row.last, bid, ask, at: row.lastAt }] as const;
      }),
    );
  } catch (error) {
    context.log.warn("quotes.read-failed", { market, err: error });
    return new Map();
  }
}
