import type { Given, Received } from "@/lib/contracts/endpoint.ts";
import type { selectorsApi } from "@/lib/contracts/selectors.ts";
import type { Context } from "../../context.ts";
import { readCursor, writeCursor } from "../../cursor.ts";
import { sessionOf } from "../../rows.ts";
import { marketScope } from "./market-scope.ts";
import { qaOfSelections } from "./qa-view.ts";

/** The rules on past selections of a market, newest first, a page of selections at a time. */
export async function listQaHistory(
  context: Context,
  { market: wanted, cursor, limit }: Received<typeof selectorsApi.qaHistory>,
): Promise<Given<typeof selectorsApi.qaHistory>> {
  const { market } = await marketScope(context, wanted);
  const rows = await context.db.selection.findMany({
    where: { market, ...(cursor === undefined ? {} : { sessionDate: { lt: readCursor(cursor).at } }) },
    orderBy: { sessionDate: "desc" },
    take: limit + 1,
    select: { id: true, sessionDate: true, policyVersion: true },
  });
  const page = rows.slice(0, limit);
  const last = page.at(-1);
  const results = await qaOfSelections(
    context,
    page.map(({ id }) => id),
  );
  return {
    market,
    selections: page.map(({ id, sessionDate, policyVersion }) => ({
      sessionDate: sessionOf(sessionDate),
      policyVersion,
      results: results.get(id) ?? [],
    })),
    pagination: {
      nextCursor: rows.length > limit && last ? writeCursor({ at: last.sessionDate, id: last.id }) : null,
      limit,
    },
  };
}
