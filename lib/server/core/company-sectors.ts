import { sectorOfSic } from "@/lib/domain/sectors.ts";
import type { Db } from "../db.ts";

/**
 * Sectors of the US market's symbols by the SEC's classification, as far as companies were read (refresh-companies.ts). A company that files
 * there without an industry is a fund.
 */
export async function companySectors(db: Db): Promise<Map<string, string>> {
  const rows = await db.company.findMany({ where: { cik: { not: null } }, select: { symbol: true, sic: true } });
  return new Map(
    rows.flatMap(({ symbol, sic }) => {
      const sector = sic === null ? "ETF" : sectorOfSic(sic);
      return sector === null ? [] : [[symbol, sector] as const];
    }),
  );
}
