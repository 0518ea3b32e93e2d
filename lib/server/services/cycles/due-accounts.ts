import type { MarketName } from "@/lib/domain/enums.ts";
import type { Context } from "../../context.ts";
import { ofLatestDecision } from "../../core/latest-decision.ts";
import type { Account } from "../../core/row-types.ts";
import { Prisma } from "../../db.ts";

const DEFAULT_CHECK_MINUTES = 5;

/** Ids of accounts, in their order: from the first to the last of them, both included. */
export interface Range {
  from: string;
  to: string;
}

const WHOLE: Range = { from: "00000000-0000-0000-0000-000000000000", to: "ffffffff-ffff-ffff-ffff-ffffffffffff" };

/** Whether anything is decided for the account at all. */
export const takesPart = ({ deletedAt, status, sealedKeys }: Account): boolean =>
  deletedAt === null && status !== "INACTIVE" && sealedKeys !== null;

/**
 * The accounts that take part in a market, by id, and whether they are due: whether their owners' interval is over since their last
 * decision. Each user chose how often to look, and a cycle in between is not theirs. Paused accounts decide, too: on their
 * exits. One statement, however many there are.
 */
export async function readTurns(
  { db, now }: Pick<Context, "db" | "now">,
  { market, at }: { market: MarketName; at: Date },
  { from, to }: Range = WHOLE,
): Promise<{ id: string; isDue: boolean }[]> {
  return db.$queryRaw<{ id: string; isDue: boolean }[]>`
    select a."id", coalesce(${ofLatestDecision("decidedAt", Prisma.sql`a."id"`, now())}
      <= ${at}::timestamptz - coalesce(p."checkInterval", ${DEFAULT_CHECK_MINUTES}) * interval '1 minute', true) as "isDue"
    from "Account" a
    left join "TradingPreferences" p on p."userId" = a."userId"
    where a."market" = ${market}::"Market" and a."deletedAt" is null and a."status" <> 'INACTIVE' and a."sealedKeys" is not null
      and a."id" between ${from}::uuid and ${to}::uuid
    order by a."id"`;
}
