import type { SideName } from "@/lib/domain/enums.ts";
import { slippageBps } from "@/lib/domain/metrics.ts";
import { type Money, money, sum, ZERO } from "@/lib/domain/money.ts";
import type { SessionDate } from "@/lib/domain/time.ts";
import { OTHER_ASSET } from "../../broker/other-assets.ts";
import { type Db, Prisma } from "../../db.ts";
import { isIncome } from "../ledger/post-activity.ts";
import { isOneOf } from "../../core/accounts-of-environment.ts";
import { isWithin, type Period } from "./period.ts";

interface Trading {
  /** Bought and sold value of closed sessions, USD. */
  traded: Money;
  /** Of fills, and those the broker booked on their own. USD. */
  fees: Money;
  /** Of our own entries and exits against the decision price, weighted by value; null without one. */
  slippageBps: number | null;
}

/** What trading moved until the last closed session, and what it cost in the period. */
export async function readTrading(
  db: Db,
  accounts: readonly { id: string }[],
  period: Period,
  lastSession: SessionDate | null,
): Promise<Trading> {
  const isClosed = lastSession === null ? Prisma.sql`false` : isWithin(Prisma.sql`"at"`, { to: lastSession });
  const [fills, flows, slips] = await Promise.all([
    db.$queryRaw<{ traded: string; fees: string }[]>`
      select coalesce(sum(round("qty" * "price", 9)) filter (where ${isClosed}), 0)::text as "traded", coalesce(sum("fees"), 0)::text as "fees"
      from "Fill" where ${isOneOf(accounts)} and ${isWithin(Prisma.sql`"at"`, period)}`,
    db.$queryRaw<{ type: string; amount: string }[]>`
      select "type", sum("amount")::text as "amount" from "CashFlow"
      where ${isOneOf(accounts)} and not "isExternal" and "type" <> ${OTHER_ASSET} and ${isWithin(Prisma.sql`"at"`, period)} group by "type"`,
    // Stops and targets rest at their own prices: only what was sent on a decision slips against it.
    db.$queryRaw<{ side: SideName; decided: string; filled: string }[]>`
      select o."side"::text as "side", sum(i."decisionPrice" * o."filledQty")::text as "decided", sum(o."filledValue")::text as "filled"
      from "Order" o join "Intent" i on i."id" = o."intentId"
      where ${isOneOf(accounts, Prisma.sql`o."accountId"`)} and o."role" in ('ENTRY', 'EXIT') and o."filledQty" > 0
        and i."decisionPrice" > 0 and ${isWithin(Prisma.sql`o."tradedAt"`, period)}
      group by o."side"`,
  ]);
  const booked = sum(flows.filter(({ type }) => !isIncome(type)).map(({ amount }) => money(amount))).negated();
  const decided = sum(slips.map((slip) => money(slip.decided)));
  const lost = sum(
    slips.map((slip) => {
      const paid = money(slip.filled).minus(slip.decided);
      return slip.side === "BUY" ? paid : paid.negated();
    }),
  );
  return {
    traded: money(fills[0]?.traded ?? 0),
    fees: money(fills[0]?.fees ?? 0).plus(booked),
    slippageBps: decided.gt(ZERO) ? slippageBps("BUY", decided, decided.plus(lost)) : null,
  };
}
