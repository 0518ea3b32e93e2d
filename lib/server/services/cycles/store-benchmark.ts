import type { MarketName } from "@/lib/domain/enums.ts";
import type { BarSeries, CorporateEvent } from "@/lib/domain/screening/features.ts";
import type { Context } from "../../context.ts";
import { dateOf } from "../../rows.ts";

/**
 * Keeps what happened to a share of SPY, so that its total return can be computed long after the bars are gone. The source's text is
 * taken anew each session for the stretch that it covers: an event that was announced late or corrected finds its place.
 */
export async function storeBenchmarkEvents(
  { db }: Context,
  market: MarketName,
  spy: BarSeries,
  events: readonly CorporateEvent[],
): Promise<void> {
  const since = spy.dates[0];
  if (since === undefined) return;
  const byDate = new Map<string, { ratio: number; dividend: number }>();
  for (const { date, kind, value } of events.filter((event) => event.date >= since)) {
    const { ratio, dividend } = byDate.get(date) ?? { ratio: 1, dividend: 0 };
    byDate.set(date, kind === "split" ? { ratio: ratio * value, dividend } : { ratio, dividend: dividend + value });
  }
  const data = [...byDate].map(([date, event]) => ({ market, exDate: dateOf(date), ...event }));
  await db.$transaction([
    db.benchmarkEvent.deleteMany({ where: { market, exDate: { gte: dateOf(since) } } }),
    db.benchmarkEvent.createMany({ data, skipDuplicates: true }),
  ]);
}
