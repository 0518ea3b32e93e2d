import { estimateReport } from "@/lib/domain/screening/estimate-report.ts";
import { newYork, type SessionDate } from "@/lib/domain/time.ts";
import type { SymbolView } from "@/lib/domain/engine/plan.ts";
import type { Context } from "../../context.ts";
import type { EarningsRow } from "../../providers/market-data.ts";

/** By symbol what the earnings gate looks at; a symbol of which too little is known is absent. */
export type EstimatedEarnings = ReadonlyMap<string, SymbolView["earnings"]>;

/**
 * When companies are expected to report, by their own filings of the years before (refresh-companies.ts): what there is where no calendar is
 * configured.
 */
export async function estimateEarnings({ db }: Context, session: SessionDate): Promise<EstimatedEarnings> {
  const estimates = new Map<string, SymbolView["earnings"]>();
  for (const { symbol, dates } of await announcements({ db })) {
    const past = dates.filter((date) => date < session);
    const estimate = estimateReport(past, session);
    if (estimate) estimates.set(symbol, { isKnown: true, next: null, last: past.sort().at(-1) ?? null, estimate });
  }
  return estimates;
}

/** The reports before a session, back to the oldest day asked for, as the companies filed them: for a calendar that lists coming ones only. */
export async function announcedReports(
  { db }: Pick<Context, "db">,
  oldest: SessionDate,
  session: SessionDate,
): Promise<EarningsRow[]> {
  return (await announcements({ db })).flatMap(({ symbol, dates }) =>
    [...new Set(dates)]
      .filter((date) => date >= oldest && date < session)
      .map((date) => ({ symbol, date, time: "UNKNOWN" as const })),
  );
}

/** New York dates of the announcements that were read, by symbol. */
async function announcements({ db }: Pick<Context, "db">): Promise<{ symbol: string; dates: SessionDate[] }[]> {
  const companies = await db.company.findMany({
    where: { announcedAt: { isEmpty: false } },
    select: { symbol: true, announcedAt: true },
  });
  return companies.map(({ symbol, announcedAt }) => ({ symbol, dates: announcedAt.map((at) => newYork(at).date) }));
}
