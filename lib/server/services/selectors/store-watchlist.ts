import { text } from "@/lib/domain/money.ts";
import type { Policy } from "@/lib/domain/policy.ts";
import { adjustForSplits } from "@/lib/domain/screening/adjust.ts";
import type { BarSeries, CorporateEvent } from "@/lib/domain/screening/features.ts";
import { hardFilter, type ScreenedSymbol } from "@/lib/domain/screening/score.ts";
import { earningsReactions, earningsWatchlist, type WatchRow } from "@/lib/domain/screening/watchlist.ts";
import type { SessionDate } from "@/lib/domain/time.ts";
import type { Context } from "../../context.ts";
import type { EarningsRow } from "../../providers/market-data.ts";
import { dateOf } from "../../rows.ts";

export interface WatchlistInput {
  market: "PRACTICE" | "US";
  session: SessionDate;
  universe: readonly ScreenedSymbol[];
  series: ReadonlyMap<string, BarSeries>;
  events: ReadonlyMap<string, CorporateEvent[]>;
  /** Reports from the session on. */
  coming: readonly EarningsRow[];
  /** Reports before the session. */
  past: readonly EarningsRow[];
  policy: Policy;
}

/** Who reports within two weeks and moves most on it (engine.md §6), from bars closed before the session. */
export function watchlistOf(input: WatchlistInput): WatchRow[] {
  const { session, universe, series, events, policy } = input;
  const past = bySymbol(input.past);
  const coming = bySymbol(input.coming);
  const candidates = universe
    .filter((row) => hardFilter(row, policy) === null)
    .map((row) => {
      const bars = series.get(row.symbol);
      const next = (coming.get(row.symbol) ?? []).toSorted((a, b) => (a.date < b.date ? -1 : 1))[0];
      return {
        ...row,
        next: next ? { date: next.date, time: next.time } : null,
        reactions: bars
          ? earningsReactions(adjustForSplits(bars, events.get(row.symbol) ?? []), past.get(row.symbol) ?? [])
          : [],
        // No provider of target prices is connected: the row says that its upside comes from momentum.
        consensusTarget: null,
      };
    });
  return earningsWatchlist(candidates, session, policy);
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
  const { market, session } = input;
  const sessionDate = dateOf(session);
  if (await db.earningsWatch.findFirst({ where: { market, sessionDate }, select: { id: true } })) return;
  const rows = watchlistOf(input);
  await db.earningsWatch.createMany({
    data: rows.map(({ lastPrice, earningsDate, ...row }) => ({
      ...row,
      market,
      sessionDate,
      lastPrice: text(lastPrice),
      earningsDate: dateOf(earningsDate),
    })),
    skipDuplicates: true,
  });
}
