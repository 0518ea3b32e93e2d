import type { MarketView, QuoteView } from "@/lib/domain/engine/plan.ts";
import type { MarketName } from "@/lib/domain/enums.ts";
import { IN_FLIGHT_INTENTS, WORKING_STATUSES } from "@/lib/domain/orders.ts";
import { jobs } from "@/lib/contracts/jobs.ts";
import type { Context } from "../../context.ts";
import { isUniqueViolation } from "../../db.ts";
import { dateOf } from "../../rows.ts";
import { marketMoment } from "../../core/calendar.ts";
import { compareSources } from "./compare-sources.ts";
import { storeMarketView } from "./market-record.ts";
import { readOtherPrices } from "./read-sources.ts";
import { openSessionBook, type SessionBook } from "./session-book.ts";

const DEFAULT_CHECK_MINUTES = 5;

/**
 * One pass over the market: the session's book, fresh quotes, one stored view that every account of the
 * cycle decides on. Answers the accounts that are due in it; null when there is no session now.
 */
export async function screenForCycle(
  context: Context,
  input: { market: MarketName },
): Promise<{ cycleId: string; accountIds: string[] } | null> {
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

  const accountIds = await accountsDue(context, market, new Date(view.at));
  await db.cycle.update({ where: { id: cycle.id }, data: { status: "DONE", finishedAt: context.now() } });
  return { cycleId: cycle.id, accountIds };
}

/**
 * The accounts whose owners' interval is over since their last decision: each user chose how often to look, and a cycle in
 * between is not theirs. Paused accounts decide, too: on their exits. One statement, however many there are.
 */
async function accountsDue({ db }: Context, market: MarketName, at: Date): Promise<string[]> {
  const rows = await db.$queryRaw<{ id: string }[]>`
    select a."id" from "Account" a
    left join "TradingPreferences" p on p."userId" = a."userId"
    left join lateral (
      select d."decidedAt" from "DecisionRecord" d where d."accountId" = a."id" order by d."decidedAt" desc limit 1
    ) last on true
    where a."market" = ${market}::"Market" and a."deletedAt" is null and a."status" <> 'INACTIVE' and a."sealedKeys" is not null
      and (last."decidedAt" is null
        or last."decidedAt" <= ${at}::timestamptz - coalesce(p."checkInterval", ${DEFAULT_CHECK_MINUTES}) * interval '1 minute')
    order by a."id"`;
  return rows.map(({ id }) => id);
}

/** The job: screens, then wakes one job per account. Accounts decide on their own and never wait for each other. */
export async function runScreening(context: Context, input: { market: MarketName }): Promise<void> {
  const cycle = await screenForCycle(context, input);
  if (!cycle || cycle.accountIds.length === 0) return;
  const { cycleId, accountIds } = cycle;
  await context.queue.enqueue(
    jobs.accountCycle,
    accountIds.map((accountId) => ({ cycleId, accountId })),
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
    readQuotes(context, book.market, symbols),
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
  return compareSources(context, book.policy, view, others?.told ?? null);
}

/** Last prices of the symbols; an unavailable source gives none, and entries wait. */
export async function readQuotes(
  context: Context,
  market: MarketName,
  symbols: string[],
): Promise<Map<string, QuoteView>> {
  if (symbols.length === 0) return new Map();
  try {
    const rows = await context.marketData(market).snapshots(symbols);
    return new Map(
      [...rows].map(
        ([symbol, row]) => [symbol, { last: row.last, bid: row.bid, ask: row.ask, at: row.lastAt }] as const,
      ),
    );
  } catch (error) {
    context.log.warn("quotes.read-failed", { market, err: error });
    return new Map();
  }
}
