import type { Given } from "@/lib/contracts/endpoint.ts";
import type { consoleApi } from "@/lib/contracts/console.ts";
import { limitationOf, readinessOf, type Readiness, type SourceFacts } from "@/lib/domain/readiness.ts";
import type { Context } from "../../context.ts";
import { activePolicy } from "../../core/active-policy.ts";
import { env } from "../../env.ts";
import { hasMarket, marketData } from "../../providers/market-data-registry.ts";
import { sessionOf } from "../../rows.ts";

type Reading = Pick<Context, "db" | "now">;

/** What the US market has of what the engine needs, and how many seats its last screening gave. */
export async function readReadiness(context: Context): Promise<Given<typeof consoleApi.readiness>> {
  const [policy, last] = await Promise.all([
    activePolicy(context),
    context.db.selection.findFirst({
      where: { market: "US" },
      orderBy: { sessionDate: "desc" },
      select: { sessionDate: true, _count: { select: { seats: true } } },
    }),
  ]);
  return {
    needs: await usReadiness(context),
    lastScreening: last && {
      session: sessionOf(last.sessionDate),
      seats: last._count.seats,
      of: policy.selector_top50.seats,
    },
  };
}

/** The one sentence for whoever trades on the US market; null where nothing is missing. */
export const usLimitation = async (context: Reading): Promise<string | null> =>
  limitationOf(await usReadiness(context));

async function usReadiness(context: Reading): Promise<Readiness[]> {
  return readinessOf(await sourceFacts(context), await activePolicy(context));
}

async function sourceFacts({ db }: Reading): Promise<SourceFacts> {
  const hasMarketData = hasMarket("US");
  const { SEC_CONTACT, FMP_API_KEY } = env();
  const [selection, regime, read, withIndustry, withReports] = await Promise.all([
    db.selection.findFirst({ where: { market: "US" }, orderBy: { sessionDate: "desc" }, select: { metadata: true } }),
    db.regimeReading.findFirst({ where: { market: "US" }, orderBy: { sessionDate: "desc" } }),
    db.company.count(),
    db.company.count({ where: { sic: { not: null } } }),
    db.company.count({ where: { announcedAt: { isEmpty: false } } }),
  ]);
  return {
    hasMarketData,
    earningsCalendar: hasMarketData ? marketData("US").earningsCalendar : null,
    hasCalendarFailed: (selection?.metadata as { hasCalendarFailed?: boolean } | undefined)?.hasCalendarFailed === true,
    hasSectorVendor: Boolean(FMP_API_KEY),
    companies: SEC_CONTACT === undefined ? null : { read, withIndustry, withReports },
    regime: regime && { session: sessionOf(regime.sessionDate), vix: regime.vix },
  };
}
