import type { Given } from "@/lib/contracts/endpoint.ts";
import type { policyApi } from "@/lib/contracts/policy.ts";
import type { Prisma } from "../../db.ts";
import { SILENT_MS } from "../queue/run-thread.ts";

type WhatIfView = Given<typeof policyApi.readWhatIf>;
export type WhatIfRow = Prisma.WhatIfGetPayload<object>;

/** `now` is wall time; `hash` is that of the version as it is now, null where the version is gone. */
export function whatIfView(row: WhatIfRow, now: Date, hash: string | null): WhatIfView {
  const { id, version, status, cycles, createdAt, finishedAt, error } = row;
  return {
    id,
    version,
    status,
    cycles,
    progress: { done: row.decisionsDone, total: row.decisionsTotal },
    isStalled: status === "RUNNING" && row.beatAt !== null && now.getTime() - row.beatAt.getTime() > SILENT_MS,
    isCurrent: row.contentHash === hash,
    createdAt,
    finishedAt,
    error,
    report: row.report as WhatIfView["report"],
  };
}
