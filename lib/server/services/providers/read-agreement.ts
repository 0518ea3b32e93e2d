import type { Context } from "../../context.ts";
import { type DisagreementRow, disagreementView } from "../../core/disagreement-view.ts";

const MOST_SHOWN = 100;

/** The practice market plays the vendors as well, and would speak for them: of these the US market's answers alone count. */
const OF_THE_PRACTICE_MARKET = "Practice market";

/** How often each source agreed since then, what each disagreed about last, and what is set aside now. */
export async function readAgreement({ db }: Pick<Context, "db">, since: Date) {
  const open = { clearedAt: null };
  const [counts, last, quarantined, quarantinedCount] = await Promise.all([
    db.sourceAgreement.groupBy({
      by: ["provider"],
      where: { at: { gte: since }, OR: [{ market: "US" }, { provider: OF_THE_PRACTICE_MARKET }] },
      _sum: { compared: true, agreed: true },
    }),
    db.$queryRaw<(DisagreementRow & { provider: string })[]>`
      select distinct on (v ->> 'source') v ->> 'source' as "provider", d.*
      from "SourceDisagreement" d, jsonb_array_elements(d."values") v
      where d."market" = 'US' or v ->> 'source' = ${OF_THE_PRACTICE_MARKET}
      order by v ->> 'source', d."id" desc`,
    db.sourceDisagreement.findMany({ where: open, orderBy: { id: "desc" }, take: MOST_SHOWN }),
    db.sourceDisagreement.count({ where: open }),
  ]);
  return {
    figuresOf(provider: string) {
      const sums = counts.find((row) => row.provider === provider)?._sum;
      const disagreement = last.find((row) => row.provider === provider);
      return {
        agreement: sums ? { compared: sums.compared ?? 0, agreed: sums.agreed ?? 0 } : null,
        lastDisagreement: disagreement ? disagreementView(disagreement) : null,
      };
    },
    quarantined: quarantined.map((row) => disagreementView(row)),
    quarantinedCount,
  };
}
