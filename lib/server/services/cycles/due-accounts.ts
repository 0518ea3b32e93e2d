import { jobs } from "@/lib/contracts/jobs.ts";
import type { MarketName } from "@/lib/domain/enums.ts";
import { MINUTE_MS } from "@/lib/domain/time.ts";
import type { Context } from "../../context.ts";
import { ofLatestDecision } from "../../core/latest-decision.ts";
import type { Account } from "../../core/row-types.ts";
import { Prisma } from "../../db.ts";
import { scheduleKey } from "../schedule/schedule-keys.ts";

const DEFAULT_CHECK_MINUTES = 5;
const NEW_YORK = Prisma.raw("at time zone 'America/New_York'");

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
 * exits. Intervals are counted on the grid of the market's looks: each reads the clock some time after it was due, and between
 * such times five minutes are now a little more, now a little less. One statement, however many there are.
 */
export async function readTurns(
  { db, now }: Pick<Context, "db" | "now">,
  { market, at }: { market: MarketName; at: Date },
  { from, to }: Range = WHOLE,
): Promise<{ id: string; isDue: boolean }[]> {
  const last = ofLatestDecision("decidedAt", Prisma.sql`a."id"`, now());
  const dueTimeOf = (moment: Prisma.Sql) => Prisma.sql`date_bin(grid."every", ${moment}, grid."origin")`;
  return db.$queryRaw<{ id: string; isDue: boolean }[]>`
    with grid as (${gridOf(market, at)})
    select a."id", coalesce(${dueTimeOf(last)} <= ${dueTimeOf(Prisma.sql`${at}::timestamptz`)}
      - coalesce(p."checkInterval", ${DEFAULT_CHECK_MINUTES}) * interval '1 minute', true) as "isDue"
    from "Account" a cross join grid
    left join "TradingPreferences" p on p."userId" = a."userId"
    where a."market" = ${market}::"Market" and a."deletedAt" is null and a."status" <> 'INACTIVE' and a."sealedKeys" is not null
      and a."id" between ${from}::uuid and ${to}::uuid
    order by a."id"`;
}

/**
 * When the market is looked at: the interval, and one such time of that day. The schedule's next time is one of them or, after the
 * last look of a day, the first of the next session, which has the same time of day in New York.
 */
const gridOf = (market: MarketName, at: Date) => Prisma.sql`
  select coalesce(max("everyMs"), ${DEFAULT_CHECK_MINUTES * MINUTE_MS}::int) * interval '1 millisecond' as "every",
    coalesce(((${at}::timestamptz ${NEW_YORK})::date + max("dueAt" ${NEW_YORK})::time) ${NEW_YORK}, 'epoch') as "origin"
  from "Schedule" where "key" = ${scheduleKey(jobs.screening.name, market)}`;
