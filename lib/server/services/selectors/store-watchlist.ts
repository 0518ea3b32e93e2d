import type { MarketName } from "@/lib/domain/enums.ts";
import { text } from "@/lib/domain/money.ts";
import type { Policy } from "@/lib/domain/policy.ts";
import { hardFilter, type ScreenedSymbol } from "@/lib/domain/screening/score.ts";
import { earningsWatchlist, type EarningsReaction, type WatchRow } from "@/lib/domain/screening/watchlist.ts";
import type { SessionDate } from "@/lib/domain/time.ts";
import { byText } from "@/lib/domain/text-order.ts";
import type { Context } from "../../context.ts";
import type { EarningsRow } from "../../providers/market-data.ts";
import { dateOf, sessionOf } from "../../rows.ts";

export interface WatchlistInput {
  market: MarketName;
  session: SessionDate;
  universe: readonly ScreenedSymbol[];
  /** How prices answered reports before the session, by symbol. */
  reactions: ReadonlyMap<string, EarningsReaction[]>;
  /** Reports from the session on. */
  coming: readonly EarningsRow[];
  policy: Policy;
}

/** The liquid universe with its coming report and how its price answered past ones. */
function candidatesOf(input: WatchlistInput) {
  const { universe, policy } = input;
  const coming = bySymbol(input.coming);
  return universe
    .filter((row) => hardFilter(row, policy) === null)
    .map((row) => {
      const next = (coming.get(row.symbol) ?? []).toSorted((a, b) => byText(a.date, b.date))[0];
      const reports = input.reactions.get(row.symbol) ?? [];
      return {
        ...row,
        next: next ? { date: next.date, time: next.time } : null,
        reports,
        reactions: reports.map(({ reaction }) => reaction),
        // No provider of target prices is connected: the row says that its upside comes from momentum.
        consensusTarget: null,
      };
    });
}

/** Who reports within two weeks and moves most on it (engine.md §6). */
export function watchlistOf(input: WatchlistInput): WatchRow[] {
  return earningsWatchlist(candidatesOf(input), input.session, input.policy);
}

function bySymbol(rows: readonly EarningsRow[]): Map<string, EarningsRow[]> {
  const groups = new Map<string, EarningsRow[]>();
  for (const row of rows) {
    const group = groups.get(row.symbol);
    if (group) group.push(row);
    else groups.set(row.symbol, [row]);
  }
  return groups;
}

/** Stores a session's watchlist once; what stands there already stays. */
export async function storeWatchlist({ db }: Pick<Context, "db">, input: WatchlistInput): Promise<void> {
  const { market, session, policy } = input;
  const sessionDate = dateOf(session);
  if (await db.earningsWatch.findFirst({ where: { market, sessionDate }, select: { id: true } })) return;
  const candidates = candidatesOf(input);
  await storeReactions(
    { db },
    market,
    candidates.flatMap(({ symbol, reports }) => reports.map((report) => ({ symbol, ...report }))),
  );
  await db.earningsWatch.createMany({
    data: earningsWatchlist(candidates, session, policy).map(({ lastPrice, earningsDate, ...row }) => ({
      ...row,
      market,
      sessionDate,
      lastPrice: text(lastPrice),
      earningsDate: dateOf(earningsDate),
    })),
    skipDuplicates: true,
  });
}

/** A statement takes at most 32,767 values. */
const ROWS_PER_STATEMENT = 2_000;

/** Adds the reactions that are not stored yet: thousands at the first screening of a market, then a few a session. */
async function storeReactions(
  { db }: Pick<Context, "db">,
  market: MarketName,
  reactions: readonly (EarningsReaction & { symbol: string })[],
): Promise<void> {
  const oldest = reactions.reduce<string | null>(
    (least, { date }) => (least !== null && least < date ? least : date),
    null,
  );
  if (oldest === null) return;
  const stored = await db.earningsReaction.findMany({
    where: { market, reportDate: { gte: dateOf(oldest) } },
    select: { symbol: true, reportDate: true },
  });
  const known = new Set(stored.map(({ symbol, reportDate }) => `${symbol} ${sessionOf(reportDate)}`));
  const rows = reactions.flatMap(({ symbol, date, time, reaction }) =>
    known.has(`${symbol} ${date}`) ? [] : [{ market, symbol, reportDate: dateOf(date), reportTime: time, reaction }],
  );
  for (let at = 0; at < rows.length; at += ROWS_PER_STATEMENT)
    await db.earningsReaction.createMany({ data: rows.slice(at, at + ROWS_PER_STATEMENT), skipDuplicates: true });
}
