import { previousSession, sessionHours } from "@/lib/domain/market-calendar.ts";
import { type Money, money, sum, ZERO } from "@/lib/domain/money.ts";
import type { EquityAt } from "@/lib/domain/growth.ts";
import { newYork, type SessionDate } from "@/lib/domain/time.ts";
import { type Db, Prisma } from "../../db.ts";
import { sessionOf } from "../../rows.ts";
import type { AccountStart } from "../equity/read-starts.ts";
import { isOneOf } from "../../core/accounts-of-environment.ts";
import type { Books } from "./read-statement.ts";

interface CloseRow {
  accountId: string;
  sessionDate: Date;
  equity: string;
  netDeposits: string;
  gross: string | null;
}

/** The accounts together at a close. */
export interface Close extends EquityAt {
  /** Positions' value at the last reading before the close, over the equity; null where no reading was made. */
  exposure: number | null;
}

/**
 * Closes of all sessions, summed over the accounts: one that has no point of a session carries its last one on. Positions'
 * value is that of the last reading of the session: brokers state the closing equity alone. What an account had earned
 * before its start counts as paid in.
 */
export async function readCloses(
  db: Db,
  accounts: readonly { id: string }[],
  starts: ReadonlyMap<string, AccountStart>,
): Promise<Close[]> {
  const rows = await db.$queryRaw<CloseRow[]>`
    select c."accountId", c."sessionDate", c."equity"::text, c."netDeposits"::text,
      case when r."sessionDate" = c."sessionDate" then r."longMarketValue"::text end as "gross"
    from "EquityPoint" c left join lateral (
      select "sessionDate", "longMarketValue" from "EquityPoint" p
      where p."accountId" = c."accountId" and p."at" < c."at" order by p."at" desc limit 1) r on true
    where ${isOneOf(accounts, Prisma.sql`c."accountId"`)} and c."isClose" order by c."sessionDate"`;
  const latest = new Map<string, { equity: Money; netDeposits: Money; gross: Money | null; session: SessionDate }>();
  const closes: Close[] = [];
  for (const { accountId, sessionDate, equity, netDeposits, gross } of rows) {
    const session = sessionOf(sessionDate);
    latest.set(accountId, {
      equity: money(equity),
      netDeposits: money(netDeposits).plus(starts.get(accountId)?.earned ?? 0),
      gross: gross === null ? null : money(gross),
      session,
    });
    if (closes.at(-1)?.session === session) closes.pop();
    closes.push(together(session, [...latest.values()]));
  }
  return closes;
}

function together(
  session: SessionDate,
  values: { equity: Money; netDeposits: Money; gross: Money | null; session: SessionDate }[],
): Close {
  let [equity, netDeposits, gross] = [ZERO, ZERO, ZERO];
  let isKnown = true;
  for (const value of values) {
    equity = equity.plus(value.equity);
    netDeposits = netDeposits.plus(value.netDeposits);
    if (value.gross === null || value.session !== session) isKnown = false;
    else gross = gross.plus(value.gross);
  }
  const exposure = isKnown && equity.gt(0) ? gross.div(equity).toNumber() : null;
  return { session, equity, netDeposits, exposure };
}

/** The latest reading, of the session that had begun last: at night and on holidays there is no other. */
export function latestOf(books: Books | null, starts: ReadonlyMap<string, AccountStart>): EquityAt | null {
  if (!books) return null;
  const { asOf, equity, netDeposits } = books;
  const date = newYork(asOf).date;
  const opensAt = sessionHours(date)?.opensAt;
  const hasBegun = opensAt !== undefined && asOf.toISOString() >= opensAt;
  const earned = sum([...starts.values()].map((start) => start.earned));
  return { session: hasBegun ? date : previousSession(date), equity, netDeposits: netDeposits.plus(earned) };
}
