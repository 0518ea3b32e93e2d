import type { SessionDate } from "@/lib/domain/time.ts";
import { byText } from "@/lib/domain/text-order.ts";
import type { MarketData, VixRow } from "./market-data.ts";

/** The closes of these days that a VIX can have, in order. */
export const closesWithin = (rows: VixRow[], from: SessionDate, through: SessionDate): VixRow[] =>
  rows
    .filter((row) => row.close > 0 && Number.isFinite(row.close) && row.session >= from && row.session <= through)
    .sort((a, b) => byText(a.session, b.session));

type Source = Pick<MarketData, "vix">;

/**
 * Closes of the VIX of a first source, filled up from a second one where the first does not have the last day that is asked for. Where
 * both have a day, the first one's close counts. Throws the first one's failure where neither answers.
 */
export function filledVix(first: Source, second: Source): Source {
  return {
    async vix(from: SessionDate, through: SessionDate): Promise<VixRow[]> {
      const [own] = await Promise.allSettled([first.vix(from, through)]);
      const rows = own.status === "fulfilled" ? own.value : [];
      if (rows.some(({ session }) => session === through)) return rows;
      const [others] = await Promise.allSettled([second.vix(from, through)]);
      if (others.status === "rejected" && own.status === "rejected") throw own.reason;
      const more = others.status === "fulfilled" ? others.value : [];
      const bySession = new Map([...more, ...rows].map((row) => [row.session, row]));
      return closesWithin([...bySession.values()], from, through);
    },
  };
}
