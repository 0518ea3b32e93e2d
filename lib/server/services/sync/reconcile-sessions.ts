import type { MarketName } from "@/lib/domain/enums.ts";
import { newYork } from "@/lib/domain/time.ts";
import type { Context } from "../../context.ts";
import type { CalendarDay } from "../../providers/market-data.ts";
import { dateOf, sessionOf } from "../../rows.ts";
import { marketMoment } from "../../core/calendar.ts";
import { withAccountWriter } from "../../core/account-writer.ts";
import { recordEquity } from "../equity/record-equity.ts";
import { reconcileSession } from "./reconcile-session.ts";
import type { Account } from "../../core/row-types.ts";

const AT_ONCE = 4;
const WRITER_WAIT_MS = 30_000;
/** A statement reaches back over sessions that have none (the worker was down), so many at most. */
const MOST_SESSIONS = 5;

/**
 * After a close: the statement of the latest closed session for every account of the market that has none
 * yet, and a point of the equity then. Accounts whose broker is unavailable are tried again by the next call.
 */
export async function reconcileSessions(context: Context, { market }: { market: MarketName }): Promise<void> {
  const { now, calendar } = await marketMoment(context, market);
  const closed = calendar.filter(({ closesAt }) => closesAt <= now).slice(-MOST_SESSIONS);
  const last = closed.at(-1);
  if (!last) return;
  const waiting = await context.db.account.findMany({
    where: {
      market,
      deletedAt: null,
      sealedKeys: { not: null },
      reconciledAt: { not: null },
      reconciliations: { none: { session: { gte: dateOf(last.session) } } },
    },
    include: { reconciliations: { orderBy: { session: "desc" }, take: 1, select: { session: true } } },
    orderBy: { id: "asc" },
  });
  const failed: string[] = [];
  await Promise.all(
    Array.from({ length: AT_ONCE }, async () => {
      for (let next = waiting.shift(); next; next = waiting.shift()) {
        const { reconciliations, ...account } = next;
        if (!(await state(context, account, last, firstOf(closed, reconciliations[0]?.session))))
          failed.push(account.id);
      }
    }),
  );
  // The week's mail and page end with it: the closing point is written when the next session has begun.
  if (newYork(now).date === last.session) await recordEquity(context, { market });
  if (failed.length > 0) throw new Error(`${failed.length} accounts could not be reconciled with their broker`);
}

/** The first session after the latest statement. */
function firstOf(closed: CalendarDay[], stated: Date | undefined): CalendarDay | undefined {
  return stated === undefined ? closed.at(-1) : closed.find(({ session }) => session > sessionOf(stated));
}

async function state(
  context: Context,
  account: Account,
  last: CalendarDay,
  first: CalendarDay | undefined,
): Promise<boolean> {
  const window = { session: last.session, opensAt: (first ?? last).opensAt };
  try {
    const done = await withAccountWriter(
      context,
      account.id,
      async () => {
        // Another process may have made it while this one waited for its turn.
        const key = { accountId: account.id, session: dateOf(last.session) };
        const known = await context.db.reconciliation.findUnique({ where: { accountId_session: key } });
        if (!known) await reconcileSession(context, account, window);
        return true;
      },
      { waitMs: WRITER_WAIT_MS },
    );
    return done !== null;
  } catch (error) {
    context.log.warn("reconciliation.failed", { accountId: account.id, session: last.session, err: error });
    return false;
  }
}
