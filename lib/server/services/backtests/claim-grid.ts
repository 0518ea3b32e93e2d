import type { Context } from "../../context.ts";
import type { Prisma } from "../../db.ts";
import { claimRun, type RunKind } from "../queue/claim-run.ts";

const CLAIMED = { omit: { result: true }, include: { backtest: { omit: { record: true, figures: true } } } } as const;

export type ClaimedGrid = Prisma.BacktestGridGetPayload<typeof CLAIMED>;

export const GRIDS: RunKind<ClaimedGrid, Prisma.BacktestGridUpdateManyMutationInput> = {
  table: "BacktestGrid",
  event: "backtest-grid",
  noProgress: { runsDone: 0, readPercent: null },
  deadLetter: (times) =>
    `The worker ended ${times} times while these settings were varied, so it is not started again.`,
  read: (db, id) => db.backtestGrid.findUnique({ where: { id }, ...CLAIMED }),
  update: (db, where, data) => db.backtestGrid.updateMany({ where, data }),
};

export const claimGrid = (context: Context) => claimRun(context, GRIDS);
