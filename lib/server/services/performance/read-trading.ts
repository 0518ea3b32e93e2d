import type { SideName } from "@/lib/domain/enums.ts";
import { slippageBps } from "@/lib/domain/metrics.ts";
import { type Money, money, sum, ZERO } from "@/lib/domain/money.ts";
import type { SessionDate } from "@/lib/domain/time.ts";
import { OTHER_ASSET } from "../../broker/other-assets.ts";
import { type Db, Prisma } from "../../db.ts";
import { type AccountStart, isSinceAdded } from "../equity/read-starts.ts";
import { isIncome } from "../ledger/post-activity.ts";
import { isOneOf } from "../../core/accounts-of-environment.ts";
import { isWithin, type Period } from "./period.ts";

const AT = Prisma.sql`"at"`;

interface Trading {
  /** Bought and sold value of closed sessions, USD. */
  traded: Money;
  /** Of fills, and those the broker booked on their own. USD. */
  fees: Money;
  /** Of our own entries and exits against the decision price, weighted by value; null without one. */
  slippageBps: number | null;
}

/**
 * What trading moved in the sessions that are known to their close, and what it cost in the period. What an account traded before
 * it was added belongs to no session of these.
 */
export async function readTrading(
  db: Db,
  accounts: readonly { id: string }[],
  period: Period,
  { starts, lastSession }: { starts: ReadonlyMap<string, AccountStart>; lastSession: SessionDate | null },
): Promise<Trading> {
  const isClosed = lastSession === null ? Prisma.sql`false` : isWithin(AT, { to: lastSession });
  const [fills, fees, slippage] = await Promise.all([
    db.$queryRaw<{ traded: string }[]>`
      select coalesce(sum(round("qty" * "price", 9)), 0)::text as "traded" from "Fill"
      where ${isOneOf(accounts)} and ${isWithin(AT, period)} and ${isClosed} and ${isSinceAdded(starts, AT)}`,
    readFees(db, accounts, period, starts),
    readSlippage(db, accounts, period),
  ]);
  return { traded: money(fills[0]?.traded ?? 0), fees, slippageBps: slippage };
}

/** Of our own entries and exits against the decision price, bps, weighted by value; null without one. */
export async function readSlippage(
  db: Db,
  accounts: readonly { id: string }[],
  period: Period,
): Promise<number | null> {
  // Stops and targets rest at their own prices: only what was sent on a decision slips against it.
  const slips = await db.$queryRaw<{ side: SideName; decided: string; filled: string }[]>`
    select o."side"::text as "side", sum(i."decisionPrice" * o."filledQty")::text as "decided", sum(o."filledValue")::text as "filled"
    from "Order" o join "Intent" i on i."id" = o."intentId"
    where ${isOneOf(accounts, Prisma.sql`o."accountId"`)} and o."role" in ('ENTRY', 'EXIT') and o."filledQty" > 0
      and i."decisionPrice" > 0 and ${isWithin(Prisma.sql`o."tradedAt"`, period)}
    group by o."side"`;
  const decided = sum(slips.map((slip) => money(slip.decided)));
  const lost = sum(
    slips.map((slip) => {
      const paid = money(slip.filled).minus(slip.decided);
      return slip.side === "BUY" ? paid : paid.negated();
    }),
  );
  return decided.gt(ZERO) ? slippageBps("BUY", decided, decided.plus(lost)) : null;
}

/** Fees of fills, and those that the broker booked on their own, USD; since the accounts were added. */
export async function readFees(
  db: Db,
  accounts: readonly { id: string }[],
  period: Period,
  starts: ReadonlyMap<string, AccountStart>,
): Promise<Money> {
  const [fills, flows] = await Promise.all([
    db.$queryRaw<{ fees: string }[]>`
      select coalesce(sum("fees"), 0)::text as "fees" from "Fill"
      where ${isOneOf(accounts)} and ${isWithin(AT, period)} and ${isSinceAdded(starts, AT)}`,
    // Of a booking the day alone is known: those of an account's first day are its own.
    db.$queryRaw<{ type: string; amount: string }[]>`
      select "type", sum("amount")::text as "amount" from "CashFlow"
      where ${isOneOf(accounts)} and not "isExternal" and "type" <> ${OTHER_ASSET} and ${isWithin(AT, period)}
        and ${isSinceAdded(starts, Prisma.sql`("at" + interval '1 day')`)} group by "type"`,
  ]);
  const booked = sum(flows.filter(({ type }) => !isIncome(type)).map(({ amount }) => money(amount))).negated();
  return money(fills[0]?.fees ?? 0).plus(booked);
}
