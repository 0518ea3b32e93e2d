import { type Money, money } from "@/lib/domain/money.ts";
import type { Tx } from "../../db.ts";

/** Where our knowledge of an account begins. */
export interface AccountStart {
  /** Market time of the first point. */
  at: Date;
  /**
   * USD that the account had made before, with the broker's own history: it is a part of its P&L in all, and of no shorter
   * period. Zero where the first point is a close, which stands for the time since the money came in.
   */
  earned: Money;
}

/** Accounts without a point have no start. */
export async function readStarts(db: Tx, accountIds: readonly string[]): Promise<Map<string, AccountStart>> {
  const rows = await db.$queryRaw<{ id: string; at: Date; earned: string }[]>`
    select a."id", p."at", (case when p."isClose" then 0 else p."equity" - p."netDeposits" end)::text as "earned"
    from unnest(${[...accountIds]}::uuid[]) as a("id") cross join lateral (
      select "at", "isClose", "equity", "netDeposits" from "EquityPoint" where "accountId" = a."id" order by "at" limit 1) p`;
  return new Map(rows.map(({ id, at, earned }) => [id, { at, earned: money(earned) }]));
}
