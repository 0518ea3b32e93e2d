import { Failure } from "@/lib/domain/failures.ts";
import type { Context } from "../../context.ts";
import type { BacktestRow } from "./backtest-view.ts";

export const NO_BACKTEST = "Backtest not found.";

/** The caller's own run, without its days. Another user's, and a deleted one, is not found. */
export async function ownBacktest({ actor, db }: Context<"user">, id: string): Promise<BacktestRow> {
  const row = await db.backtest.findFirst({
    where: { id, userId: actor.userId, deletedAt: null },
    omit: { record: true },
  });
  if (!row) throw new Failure("not_found", NO_BACKTEST);
  return row;
}
