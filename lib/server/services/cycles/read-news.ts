import type { MarketName } from "@/lib/domain/enums.ts";
import type { Policy } from "@/lib/domain/policy.ts";
import { scoreHeadline } from "@/lib/domain/screening/sentiment.ts";
import { previousSession } from "@/lib/domain/market-calendar.ts";
import { DAY_MS, type Instant, newYork, newYorkInstant } from "@/lib/domain/time.ts";
import type { Context } from "../../context.ts";

const LEXICON = "finance lexicon";
/** The same words about a stock that follow each other within this are copies of one story. */
const SAME_STORY_MS = DAY_MS;

export interface NewsInput {
  symbol: string;
  /** −1 … 1 */
  score: number;
  ageDays: number;
}

/**
 * News of the days that the policy's sentiment looks at, scored headline by headline and kept with the source of the score. One item for each stock and story. Null when the
 * source is unavailable, or its feed has stopped.
 */
export async function readNews(
  context: Context,
  market: MarketName,
  until: Instant,
  policy: Policy,
): Promise<NewsInput[] | null> {
  const end = Date.parse(until);
  const start = new Date(end - policy.selector_top50.sentiment_window_days * DAY_MS);
  try {
    const since = await knownUntil(context, market, start, new Date(end));
    const rows = await context.marketData(market).news(since.toISOString());
    await context.db.newsItem.createMany({
      data: rows.map((row) => ({
        market,
        id: row.id,
        symbols: row.symbols,
        headline: row.headline,
        source: row.source,
        publishedAt: new Date(row.publishedAt),
        score: scoreHeadline(row.headline),
        scoreSource: LEXICON,
      })),
      skipDuplicates: true,
    });
  } catch (error) {
    context.log.warn("news.read-failed", { market, err: error });
    return null;
  }
  const items = await context.db.newsItem.findMany({
    // Only what was published before the session is known at its selection.
    where: { market, publishedAt: { gte: start, lt: new Date(end) } },
    select: { symbols: true, headline: true, score: true, publishedAt: true },
    orderBy: [{ publishedAt: "asc" }, { id: "asc" }],
  });
  const latest = items.at(-1)?.publishedAt ?? null;
  if (market === "US" && (latest === null || latest < silentSince(until))) {
    context.log.warn("news.silent", { market, since: latest ?? start });
    return null;
  }
  const told = new Map<string, number>();
  return items.flatMap(({ score, headline, publishedAt, symbols }) => {
    if (score === null) return [];
    const atMs = publishedAt.getTime();
    const isNew = (symbol: string) => {
      const story = `${symbol} ${headline
        .toLowerCase()
        .replace(/[^a-z0-9]+/g, " ")
        .trim()}`;
      const before = told.get(story);
      told.set(story, atMs);
      return before === undefined || atMs - before > SAME_STORY_MS;
    };
    const ageDays = (end - atMs) / DAY_MS;
    return [...new Set(symbols)].filter(isNew).map((symbol) => ({ symbol, score, ageDays }));
  });
}

/** Two closed sessions without a word about any stock are a feed that has stopped, not a quiet market. */
const silentSince = (until: Instant): Date =>
  new Date(newYorkInstant(previousSession(previousSession(newYork(until).date)), 0, 0));

/**
 * From when on news are asked for: after the latest that is kept where what is kept reaches back over the whole window, else from its
 * start. A policy may look farther back than the one before it.
 */
async function knownUntil({ db }: Context, market: MarketName, start: Date, end: Date): Promise<Date> {
  const select = { publishedAt: true } as const;
  const older = await db.newsItem.findFirst({ where: { market, publishedAt: { lt: start } }, select });
  const within = { market, publishedAt: { gte: start, lt: end } };
  const latest = await db.newsItem.findFirst({ where: within, orderBy: { publishedAt: "desc" }, select });
  return older !== null && latest !== null ? latest.publishedAt : start;
}
