import { type Money, money } from "@/lib/domain/money.ts";
import { Prisma, type Tx } from "../../db.ts";

/** Where our knowledge of an account begins. */
export interface AccountStart {
  /** Market time of the first point. */
  at: Date;
  /**
   * USD that the account had made before, with the broker's own history: it is a part of its P&L in all, and of no shorter
   * period. Zero where the first point is a close, which stands for the time since the money came in.
   */
  earned: Money;
  /** Whether the first point is a close. */
  isClose: boolean;
}

/** The first point of an account, as a query. */
export const firstPointOf = (accountId: Prisma.Sql) => Prisma.sql`
  select "at", (case when "isClose" then 0 else "equity" - "netDeposits" end)::text as "earned", "isClose"
  from "EquityPoint" where "accountId" = ${accountId} order by "at" limit 1`;

/** Accounts without a point have no start. */
export async function readStarts(db: Tx, accountIds: readonly string[]): Promise<Map<string, AccountStart>> {
  const rows = await db.$queryRaw<(Omit<AccountStart, "earned"> & { id: string; earned: string })[]>`
    select a."id", p."at", p."earned", p."isClose"
    from unnest(${[...accountIds]}::uuid[]) as a("id") cross join lateral (${firstPointOf(Prisma.sql`a."id"`)}) p`;
  return new Map(rows.map(({ id, earned, ...start }) => [id, { ...start, earned: money(earned) }]));
}

/** When each account began whose P&L leaves out what it did before: its rows of then are no part of a figure beside that P&L. */
export const beginningsOf = (starts: ReadonlyMap<string, AccountStart>): { accountId: string; at: Date }[] =>
  [...starts].flatMap(([accountId, { at, isClose }]) => (isClose ? [] : [{ accountId, at }]));

/** The same as a condition on the columns `"accountId"` and `at`. */
export function isSinceAdded(starts: ReadonlyMap<string, AccountStart>, at: Prisma.Sql): Prisma.Sql {
  const conditions = beginningsOf(starts).map(
    (beginning) => Prisma.sql`("accountId" <> ${beginning.accountId}::uuid or ${at} > ${beginning.at}::timestamptz)`,
  );
  return Prisma.join([Prisma.sql`true`, ...conditions], " and ");
}
