import { estimateReport } from "@/lib/domain/screening/estimate-report.ts";
import { newYork, type SessionDate } from "@/lib/domain/time.ts";
import type { SymbolView } from "@/lib/domain/engine/plan.ts";
import type { Context } from "../../context.ts";

/** By symbol what the earnings gate looks at; a symbol of which too little is known is absent. */
export type EstimatedEarnings = ReadonlyMap<string, SymbolView["earnings"]>;

/**
 * When companies are expected to report, by their own filings of the years before (refresh-companies.ts): what there is where no calendar is
 * configured.
 */
export async function estimateEarnings({ db }: Context, session: SessionDate): Promise<EstimatedEarnings> {
  const companies = await db.company.findMany({
    where: { announcedAt: { isEmpty: false } },
    select: { symbol: true, announcedAt: true },
  });
  const estimates = new Map<string, SymbolView["earnings"]>();
  for (const { symbol, announcedAt } of companies) {
    const past = announcedAt.map((at) => newYork(at).date).filter((date) => date < session);
    const estimate = estimateReport(past, session);
    if (estimate) estimates.set(symbol, { isKnown: true, next: null, last: past.sort().at(-1) ?? null, estimate });
  }
  return estimates;
}
