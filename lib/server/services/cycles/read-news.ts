import type { MarketName } from "@/lib/domain/enums.ts";
import type { Policy } from "@/lib/domain/policy.ts";
import { scoreHeadline } from "@/lib/domain/screening/sentiment.ts";
import { DAY_MS, type Instant } from "@/lib/domain/time.ts";
import type { Context } from "../../context.ts";

const LEXICON = "finance lexicon";

export interface NewsInput {
  symbol: string;
  /** −1 … 1 */
  score: number;
  ageDays: number;
}

/**
 * News of the days that the policy's sentiment looks at, scored headline by headline and kept with the source of the score. Null when the
 * source is unavailable.
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
    select: { symbols: true, score: true, publishedAt: true },
    orderBy: [{ publishedAt: "asc" }, { id: "asc" }],
  });
  return items.flatMap((item) =>
    item.score === null
      ? []
      : item.symbols.map((symbol) => ({
          symbol,
          score: item.score ?? 0,
          ageDays: (end - item.publishedAt.getTime()) / DAY_MS,
        })),
  );
}

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
