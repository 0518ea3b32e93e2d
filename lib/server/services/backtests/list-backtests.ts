import type { Given, Received } from "@/lib/contracts/endpoint.ts";
import type { backtestsApi } from "@/lib/contracts/backtests.ts";
import { byText } from "@/lib/domain/text-order.ts";
import type { Context } from "../../context.ts";
import { readCursor, writeCursor } from "../../cursor.ts";
import { rowView } from "./backtest-view.ts";
import { judgeTries } from "./read-trials.ts";

/** The caller's runs, newest first, and the overfit meter of each market and strategy that was tried. */
export async function listBacktests(
  { actor, db, now }: Context<"user">,
  { cursor, limit }: Received<typeof backtestsApi.list>,
): Promise<Given<typeof backtestsApi.list>> {
  const { userId } = actor;
  const after = cursor === undefined ? null : readCursor(cursor);
  const [rows, tried] = await Promise.all([
    db.backtest.findMany({
      where: {
        userId,
        deletedAt: null,
        ...(after && { OR: [{ createdAt: { lt: after.at } }, { createdAt: after.at, id: { lt: after.id } }] }),
      },
      omit: { record: true },
      orderBy: [{ createdAt: "desc" }, { id: "desc" }],
      take: limit + 1,
    }),
    db.backtest.groupBy({ by: ["market", "strategy"], where: { userId, status: "DONE" }, _count: true }),
  ]);
  const page = rows.slice(0, limit);
  const last = page.at(-1);
  const kinds = tried.sort(
    (a, b) => b._count - a._count || byText(`${a.market}${a.strategy}`, `${b.market}${b.strategy}`),
  );
  return {
    backtests: page.map((row) => rowView(row, now())),
    overfit: await Promise.all(kinds.map(({ market, strategy }) => judgeTries(db, { userId, market, strategy }))),
    pagination: {
      nextCursor: rows.length > limit && last ? writeCursor({ at: last.createdAt, id: last.id }) : null,
      limit,
    },
  };
}
