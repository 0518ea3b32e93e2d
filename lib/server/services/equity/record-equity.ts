import type { MarketName } from "@/lib/domain/enums.ts";
import { money, text } from "@/lib/domain/money.ts";
import { MINUTE_MS, newYork } from "@/lib/domain/time.ts";
import type { Context } from "../../context.ts";
import type { Account } from "../../core/row-types.ts";
import type { Prisma, Tx } from "../../db.ts";
import type { CalendarDay } from "../../providers/market-data.ts";
import { dateOf } from "../../rows.ts";
import { atMost } from "../../core/at-most.ts";
import { marketMoment } from "../../core/calendar.ts";
import { inTransaction, lockAccount } from "../../core/transaction.ts";
import { flowsAfter } from "./flows-after.ts";

/** Accounts that are asked about side by side: brokers that hang keep few of the others waiting. */
const AT_ONCE = 8;
/** So near to a close the broker's answer may come after it, and then speaks of that one. */
const BEFORE_CLOSE_MS = 10 * MINUTE_MS;

/** The moment that is recorded, and the session whose closing equity the broker states now, if one. */
interface Reading {
  at: Date;
  session: Date;
  prior: CalendarDay | undefined;
}

/** The closing point of the session before, which the broker's "last equity" is. */
async function recordClose(
  tx: Tx,
  accountId: string,
  prior: CalendarDay,
  { lastEquity, netDeposits }: { lastEquity: string; netDeposits: Prisma.Decimal },
): Promise<void> {
  const first = await tx.equityPoint.findFirst({ where: { accountId }, orderBy: { at: "asc" } });
  const at = new Date(prior.closesAt);
  // Before its first point an account has no past: its "last equity" is of a time before it was ours.
  if (!first || first.at >= at) return;
  const closing = {
    equity: lastEquity,
    netDeposits: text(money(netDeposits).minus(await flowsAfter(tx, accountId, prior.session))),
    isClose: true,
  };
  await tx.equityPoint.upsert({
    where: { accountId_at: { accountId, at } },
    create: { accountId, at, sessionDate: dateOf(prior.session), ...closing },
    update: {},
  });
}

async function recordAccount(context: Context, account: Account, { at, session, prior }: Reading): Promise<void> {
  const accountId = account.id;
  const { equity, cash, longMarketValue, lastEquity, buyingPower } = await context.brokers
    .forAccount(account)
    .account();
  await inTransaction(context, async (tx) => {
    await lockAccount(tx, accountId);
    const figures = await tx.accountFigures.findUnique({ where: { accountId } });
    if (!figures) return;
    const { netDeposits } = figures;
    if (prior) await recordClose(tx, accountId, prior, { lastEquity, netDeposits });
    await tx.equityPoint.createMany({
      data: [{ accountId, at, sessionDate: session, equity, cash, longMarketValue, netDeposits }],
      skipDuplicates: true,
    });
    // No activities were read: cash that is not booked yet stays to be found by `checkBooks`, and may be a deposit, which raises no mark.
    await tx.accountFigures.update({
      where: { accountId },
      data: { equity, buyingPower, longMarketValue, lastEquity, asOf: at, version: { increment: 1 } },
    });
  });
}

/**
 * A point of equity for every active account of a market. The broker states the equity at the prior
 * close, so the closing point of a session is written exactly, also when no reading was made at the close.
 */
export async function recordEquity(context: Context, input: { market: MarketName }): Promise<void> {
  const moment = await marketMoment(context, input.market);
  const date = newYork(moment.now).date;
  // The session whose close "last equity" speaks of: the last one that closed before today's date, until today's close is near.
  const isNearClose =
    moment.today !== null && Date.parse(moment.now) >= Date.parse(moment.today.closesAt) - BEFORE_CLOSE_MS;
  const prior = isNearClose ? undefined : moment.calendar.filter((day) => day.session < date).at(-1);
  const accounts = await context.db.account.findMany({
    where: {
      market: input.market,
      deletedAt: null,
      status: { not: "INACTIVE" },
      sealedKeys: { not: null },
      reconciledAt: { not: null },
    },
  });
  const lane = atMost(AT_ONCE);
  const record = async (account: Account) => {
    try {
      await recordAccount(context, account, { at: new Date(moment.now), session: dateOf(date), prior });
    } catch (error) {
      // The broker of one account being unavailable does not keep the others from their point.
      context.log.warn("equity.read-failed", { accountId: account.id, err: error });
    }
  };
  await Promise.all(accounts.map((account) => lane(() => record(account))));
}
