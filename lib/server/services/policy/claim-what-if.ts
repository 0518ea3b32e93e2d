import type { Context } from "../../context.ts";
import type { Prisma } from "../../db.ts";
import { claimRun, type RunKind } from "../queue/claim-run.ts";
import type { WhatIfRow } from "./what-if-view.ts";

export const WHAT_IFS: RunKind<WhatIfRow, Prisma.WhatIfUpdateManyMutationInput> = {
  table: "WhatIf",
  event: "what-if",
  noProgress: { decisionsDone: 0, decisionsTotal: null },
  deadLetter: (times) =>
    `The worker ended ${times} times while this what-if ran, so it is not started again. Choose fewer cycles and try again.`,
  read: (db, id) => db.whatIf.findUnique({ where: { id } }),
  update: (db, where, data) => db.whatIf.updateMany({ where, data }),
};

export const claimWhatIf = (context: Context) => claimRun(context, WHAT_IFS);
