import { readCycleLine } from "@/lib/domain/insight/read-cycle-line.ts";
import { reasonTexts } from "@/lib/domain/insight/reason-groups.ts";
import type { Db, Prisma } from "../../db.ts";
import { boughtByEach } from "./funnel.ts";

interface Row {
  id: string;
  cycleId: string;
  accountId: string;
  /** market time */
  decidedAt: Date;
  line: string;
  counts: { screened: number; seated: number; signals: number; orders: number };
  entries: number;
}

export interface DecisionOutcome extends Omit<Row, "counts"> {
  screened: number;
  seated: number;
  signals: number;
  /** All orders, sales and stops among them. */
  orders: number;
  bought: number;
  /** Why it bought no more, in words, the most first. */
  reasons: string[];
}

/** What came of the decisions `where` selects, newest first. Plans stay in the database: only their counts are needed. */
export async function decisionOutcomes(db: Db, where: Prisma.Sql, limit: number): Promise<DecisionOutcome[]> {
  const rows = await db.$queryRaw<Row[]>`
    select "id", "cycleId", "accountId", "decidedAt", "line", "plan" -> 'counts' as "counts",
      jsonb_array_length(jsonb_path_query_array("plan", '$.orders[*] ? (@.purpose == "ENTRY")')) as "entries"
    from "DecisionRecord" where ${where}
    order by "decidedAt" desc, "id" desc limit ${limit}`;
  const bought = await boughtByEach(
    db,
    rows.filter(({ entries }) => entries > 0).map(({ id }) => id),
  );
  return rows.map(({ counts, ...row }) => ({
    ...row,
    ...counts,
    bought: bought.get(row.id) ?? 0,
    reasons: reasonTexts(readCycleLine(row.line) ?? { refusals: [] }),
  }));
}
