import type { Given, Received } from "@/lib/contracts/endpoint.ts";
import type { backtestsApi } from "@/lib/contracts/backtests.ts";
import { Failure } from "@/lib/domain/failures.ts";
import type { Context } from "../../context.ts";
import { rowView } from "./backtest-view.ts";
import { ownBacktest } from "./own-backtest.ts";

/** Stops a run: the row says so at once, and the worker that has it ends at its next heartbeat. */
export async function cancelBacktest(
  context: Context<"user">,
  { id }: Received<typeof backtestsApi.cancel>,
): Promise<Given<typeof backtestsApi.cancel>> {
  const { db, now } = context;
  const { status } = await ownBacktest(context, id);
  const { count } = await db.backtest.updateMany({
    where: { id, status: { in: ["QUEUED", "RUNNING"] } },
    data: { status: "CANCELED", finishedAt: now() },
  });
  if (count === 0 && status !== "CANCELED") throw new Failure("conflict", "This backtest has already ended.");
  return rowView(await ownBacktest(context, id), now());
}
