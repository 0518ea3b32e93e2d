import type { Given } from "@/lib/contracts/endpoint.ts";
import type { consoleApi } from "@/lib/contracts/console.ts";
import { limitationOf, readinessOf, type Readiness, type SourceFacts } from "@/lib/domain/readiness.ts";
import type { Context } from "../../context.ts";
import { activePolicy } from "../../core/active-policy.ts";
import { env } from "../../env.ts";
import { hasMarket, marketData } from "../../providers/market-data-registry.ts";
import { sessionOf } from "../../rows.ts";
import { minutesLeft } from "../cycles/history-pace.ts";
import type { SelectionInputs } from "../cycles/store-selection.ts";

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

/** The one sentence for traders on the US market; null where nothing is missing. */
export const usLimitation = async (context: Reading): Promise<string | null> =>
  limitationOf(await usReadiness(context));

async function usReadiness(context: Reading): Promise<Readiness[]> {
  return readinessOf(await sourceFacts(context), await activePolicy(context));
}

/** Companies whose filings were read and say something. */
async function readCompanies({ db }: Reading): Promise<SourceFacts["companies"]> {
  if (env().SEC_CONTACT === undefined) return null;
  const [withIndustry, withReports] = await Promise.all([
    db.company.count({ where: { sic: { not: null } } }),
    db.company.count({ where: { announcedAt: { isEmpty: false } } }),
  ]);
  return { withIndustry, withReports };
}

async function sourceFacts(context: Reading): Promise<SourceFacts> {
  const { db } = context;
  const hasMarketData = hasMarket("US");
  const [selection, regime, companies, putAside, history] = await Promise.all([
    db.selection.findFirst({ where: { market: "US" }, orderBy: { sessionDate: "desc" }, select: { metadata: true } }),
    db.regimeReading.findFirst({ where: { market: "US" }, orderBy: { sessionDate: "desc" } }),
    readCompanies(context),
    db.sourceDisagreement.findMany({
      where: { market: "US", clearedAt: null },
      distinct: ["symbol"],
      select: { symbol: true },
    }),
    db.barHistory.findUnique({ where: { market: "US" } }),
  ]);
  const known = selection?.metadata as Partial<SelectionInputs> | undefined;
  const failed = known?.failedPriceSources ?? [];
  const priceSources = hasMarketData ? marketData("US").priceSources : [];
  return {
    hasMarketData,
    history: history && {
      symbols: history.symbols,
      waiting: history.waiting,
      minutes: minutesLeft("US", history.waiting),
      through: sessionOf(history.through),
    },
    earningsCalendar: hasMarketData ? marketData("US").earningsCalendar : null,
    hasCalendarFailed: known?.hasCalendarFailed === true,
    hasSectorVendor: hasMarketData && marketData("US").hasSectorVendor,
    hasSectorVendorFailed: known?.hasSectorVendorFailed === true,
    companies,
    priceSources: priceSources.map(({ vendor, figures }) => ({ vendor, figures, hasFailed: failed.includes(vendor) })),
    putAside: putAside.length,
    regime: regime && { session: sessionOf(regime.sessionDate), vix: regime.vix },
  };
}
