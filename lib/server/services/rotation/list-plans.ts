import type { Given, Received } from "@/lib/contracts/endpoint.ts";
import type { rotationApi } from "@/lib/contracts/rotation.ts";
import type { Context } from "../../context.ts";
import { readCursor, writeCursor } from "../../cursor.ts";
import { viewPlans } from "./plan-view.ts";

/** Rotation plans of all markets, the newest first, by cursor. */
export async function listPlans(
  context: Context,
  { cursor, limit }: Received<typeof rotationApi.listPlans>,
): Promise<Given<typeof rotationApi.listPlans>> {
  const { db } = context;
  const after = cursor === undefined ? null : readCursor(cursor);
  const rows = await db.rotationPlan.findMany({
    ...(after === null
      ? {}
      : { where: { OR: [{ createdAt: { lt: after.at } }, { createdAt: after.at, id: { lt: after.id } }] } }),
    orderBy: [{ createdAt: "desc" }, { id: "desc" }],
    take: limit + 1,
  });
  const page = rows.slice(0, limit);
  const last = page.at(-1);
  return {
    plans: await viewPlans(db, context, page),
    pagination: {
      nextCursor: rows.length > limit && last ? writeCursor({ at: last.createdAt, id: last.id }) : null,
      limit,
    },
  };
}
