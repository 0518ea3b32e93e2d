import type { Context } from "../../context.ts";
import { isUniqueViolation, Prisma } from "../../db.ts";
import { claimRun, type RunKind } from "../queue/claim-run.ts";

const CLAIMED = { omit: { record: true, figures: true } } as const;

export type ClaimedBacktest = Prisma.BacktestGetPayload<typeof CLAIMED>;

export const BACKTESTS: RunKind<ClaimedBacktest, Prisma.BacktestUpdateManyMutationInput> = {
  table: "Backtest",
  event: "backtest",
  noProgress: { sessionsDone: 0, sessionsTotal: null, readPercent: null },
  condition: Prisma.sql`not exists (
    select 1 from "Backtest" other where other."userId" = run."userId" and other."status" = 'RUNNING' and other."id" <> run."id")`,
  deadLetter: (times) =>
    `The worker ended ${times} times while this backtest ran, so it is not started again. Choose fewer sessions and try again.`,
  read: (db, id) => db.backtest.findUnique({ where: { id }, ...CLAIMED }),
  update: (db, where, data) => db.backtest.updateMany({ where, data }),
};

/** A person's backtests take turns. */
export async function claimBacktest(context: Context): Promise<ClaimedBacktest | null> {
  try {
    return await claimRun(context, BACKTESTS);
  } catch (error) {
    // Another worker began one of the same person at the same moment: the next round looks again.
    if (isUniqueViolation(error)) return null;
    throw error;
  }
}
