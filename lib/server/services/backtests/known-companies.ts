import type { MarketName } from "@/lib/domain/enums.ts";
import { addDays, type SessionDate } from "@/lib/domain/time.ts";
import { companySectors } from "../../core/company-sectors.ts";
import type { Context } from "../../context.ts";
import type { EarningsRow } from "../../providers/market-data.ts";
import { announcedReports } from "../cycles/estimate-earnings.ts";

/** What the companies' own filings say of the real market's stocks (refresh-companies.ts). */
export interface KnownCompanies {
  sectors: ReadonlyMap<string, string>;
  reports: EarningsRow[];
}

const OLDEST: SessionDate = "1990-01-01";

/** As much of it as is known through a session; null for the practice market. */
export async function knownCompanies(
  { db }: Pick<Context, "db">,
  market: MarketName,
  through: SessionDate,
): Promise<KnownCompanies | null> {
  if (market === "PRACTICE") return null;
  const [sectors, reports] = await Promise.all([
    companySectors(db),
    announcedReports({ db }, OLDEST, addDays(through, 1)),
  ]);
  return { sectors, reports };
}
