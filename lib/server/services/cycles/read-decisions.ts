import type { AccountState, Plan } from "@/lib/domain/engine/plan.ts";
import type { Environment } from "@/lib/domain/enums.ts";
import { addDays, newYorkInstant, type Instant, type SessionDate } from "@/lib/domain/time.ts";
import { accountStateOf, WITH_SHEET, wholePlanOf } from "../../core/json.ts";
import type { Context } from "../../context.ts";
import type { Prisma } from "../../db.ts";

/** Which recorded decisions. New York dates of market time, both inclusive. */
export interface DecisionScope {
  cycleId?: string;
  cycleIds?: readonly string[];
  /** Whose money the accounts are: figures of different environments are never added up. */
  environment?: Environment;
  accountId?: string;
  from?: SessionDate;
  to?: SessionDate;
}

export interface RecordedDecision {
  id: string;
  cycleId: string;
  accountId: string;
  engineVersion: string;
  policyVersion: string;
  snapshotId: string;
  inputHash: string;
  outputHash: string;
  line: string;
  decidedAt: Instant;
  state: AccountState;
  plan: Plan;
}

/** A record holds the verdicts of every candidate: a page of them is a few megabytes. */
const PAGE_ROWS = 50;

/** An account on the practice market is stored as PAPER at another broker. */
const PLACES = {
  PRACTICE: { broker: "PRACTICE" },
  PAPER: { broker: "ALPACA", environment: "PAPER" },
  LIVE: { broker: "ALPACA", environment: "LIVE" },
} as const;

function whereOf(scope: DecisionScope): Prisma.DecisionRecordWhereInput {
  const { cycleId, cycleIds, environment, accountId, from, to } = scope;
  return {
    ...(cycleId === undefined ? {} : { cycleId }),
    ...(cycleIds === undefined ? {} : { cycleId: { in: [...cycleIds] } }),
    ...(environment === undefined ? {} : { account: PLACES[environment] }),
    ...(accountId === undefined ? {} : { accountId }),
    decidedAt: {
      ...(from === undefined ? {} : { gte: new Date(newYorkInstant(from, 0, 0)) }),
      ...(to === undefined ? {} : { lt: new Date(newYorkInstant(addDays(to, 1), 0, 0)) }),
    },
  };
}

export function countDecisions({ db }: Pick<Context, "db">, scope: DecisionScope): Promise<number> {
  return db.decisionRecord.count({ where: whereOf(scope) });
}

/** Recorded decisions in the order in which they were made, a page in memory at a time. */
export async function* readDecisions(
  { db }: Pick<Context, "db">,
  scope: DecisionScope,
): AsyncGenerator<RecordedDecision> {
  let after: string | null = null;
  for (;;) {
    // Ids grow with time (UUID v7), so the primary key is the order.
    const rows: Prisma.DecisionRecordGetPayload<{ include: typeof WITH_SHEET }>[] = await db.decisionRecord.findMany({
      where: { ...whereOf(scope), ...(after === null ? {} : { id: { gt: after } }) },
      orderBy: { id: "asc" },
      take: PAGE_ROWS,
      include: WITH_SHEET,
    });
    for (const row of rows) {
      const { id, cycleId, accountId, engineVersion, policyVersion, snapshotId, inputHash, outputHash, line } = row;
      yield {
        ...{ id, cycleId, accountId, engineVersion, policyVersion, snapshotId, inputHash, outputHash, line },
        decidedAt: row.decidedAt.toISOString(),
        state: accountStateOf(row),
        // Put together where it is read: verdicts that do not belong to their sheet concern nothing else of the record.
        get plan() {
          return wholePlanOf(row);
        },
      };
    }
    after = rows.at(-1)?.id ?? null;
    if (rows.length < PAGE_ROWS) return;
  }
}
