import type { QuoteView, SymbolView } from "@/lib/domain/engine/plan.ts";
import type { MarketName } from "@/lib/domain/enums.ts";
import type { Context } from "../../context.ts";

/** A symbol as the latest cycle of its market saw it. */
export interface SeenSymbol {
  view: SymbolView;
  quote: QuoteView | null;
}

interface Row {
  view: SymbolView | null;
  quote: QuoteView | null;
}

/** Null where the cycle did not look at it: it is neither seated nor held nor ordered by any account. */
export async function seenSymbol(
  { db }: Pick<Context, "db">,
  market: MarketName,
  symbol: string,
): Promise<SeenSymbol | null> {
  const [row] = await db.$queryRaw<Row[]>`
    select p."content" #> array['symbols', ${symbol}] as "view", m."content" #> array['quotes', ${symbol}] as "quote"
    from (select "snapshotId" from "Cycle" where "market" = ${market}::"Market" and "snapshotId" is not null
      order by "startedAt" desc limit 1) c
    join "MarketSnapshot" m on m."id" = c."snapshotId"
    join "MarketSnapshot" p on p."id" = m."content" ->> 'sessionPart'`;
  if (!row?.view) return null;
  return { view: { ...row.view, quote: row.quote }, quote: row.quote };
}

/** Its name when it last had a seat; null where no cycle of that selection is stored. */
export async function nameInSelection(
  { db }: Pick<Context, "db">,
  selectionId: string,
  symbol: string,
): Promise<string | null> {
  const [row] = await db.$queryRaw<{ name: string | null }[]>`
    select p."content" #>> array['symbols', ${symbol}, 'name'] as "name"
    from (select "snapshotId" from "Cycle" where "selectionId" = ${selectionId}::uuid and "snapshotId" is not null limit 1) c
    join "MarketSnapshot" m on m."id" = c."snapshotId"
    join "MarketSnapshot" p on p."id" = m."content" ->> 'sessionPart'`;
  return row?.name ?? null;
}
