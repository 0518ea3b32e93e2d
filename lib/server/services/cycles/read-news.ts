import type { MarketName } from "@/lib/domain/enums.ts";
import { scoreHeadline } from "@/lib/domain/screening/sentiment.ts";
import { DAY_MS, type Instant } from "@/lib/domain/time.ts";
import type { Context } from "../../context.ts";

const WINDOW_DAYS = 7;
const LEXICON = "finance lexicon";

export interface NewsInput {
  symbol: string;
  /** −1 … 1 */
  score: number;
  ageDays: number;
}

/** News of the last seven days, scored headline by headline and kept with the source of the score. Null when the source is unavailable. */
export async function readNews(context: Context, market: MarketName, until: Instant): Promise<NewsInput[] | null> {
  const end = Date.parse(until);
  const start = new Date(end - WINDOW_DAYS * DAY_MS);
  try {
    const latest = await context.db.newsItem.findFirst({
      where: { market, publishedAt: { gte: start, lt: new Date(end) } },
      orderBy: { publishedAt: "desc" },
      select: { publishedAt: true },
    });
    const since = latest ? latest.publishedAt : start;
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
