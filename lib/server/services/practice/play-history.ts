import { MINUTE_MS, newYork } from "@/lib/domain/time.ts";
import type { Context } from "../../context.ts";
import { practiceStatus, setPracticeClock } from "../../providers/practice-control.ts";
import { marketMoment } from "../../core/calendar.ts";
import { runAccountCycle } from "../cycles/run-account-cycle.ts";
import { screenForCycle } from "../cycles/run-screening.ts";
import { recordEquity } from "../equity/record-equity.ts";
import { syncOrders } from "../accounts/sync-orders.ts";

/** Minutes after the open at which the engine looks at a past session. */
const LOOKS = [6, 60, 180, 370];
/** After a look, the market gets this long to fill what was sent. */
const FILL_MINUTES = 3;
const AT_ONCE = 5;
/** The limits of requests count market time at this speed: at that of the clock an account would wait half a minute in each session. */
const SPEED = 60;

/**
 * Trades the sessions that the practice market keeps before its start, with the very services that the
 * worker runs: the clock is stepped by hand, everything else is as live. Then lets the clock run at the speed that it had.
 */
export async function playHistory(context: Context, say: (message: string) => void): Promise<void> {
  const status = await practiceStatus();
  if (!status.leadUntil || status.now >= status.leadUntil) return;
  const until = status.leadUntil;
  await setPracticeClock({ speed: Math.max(SPEED, status.speed), paused: true });
  say(`the engine trades the past sessions up to ${newYork(until).date}`);
  for (;;) {
    const moment = await marketMoment(context, "PRACTICE");
    const session = moment.upcoming;
    if (!session || session.opensAt >= until) break;
    for (const minutes of LOOKS) {
      const at = new Date(Date.parse(session.opensAt) + minutes * MINUTE_MS).toISOString();
      if (at >= session.closesAt) break;
      if (at > moment.now) await setPracticeClock({ jumpTo: at });
      await followAll(context);
      await recordEquity(context, { market: "PRACTICE" });
      const cycle = await screenForCycle(context, { market: "PRACTICE" });
      await eachAtOnce(cycle?.accountIds ?? [], (accountId) =>
        runAccountCycle(context, { cycleId: cycle?.cycleId ?? "", accountId }),
      );
      await setPracticeClock({ advanceMinutes: FILL_MINUTES });
      await followAll(context);
    }
    const next = moment.calendar.find((day) => day.opensAt > session.closesAt);
    if (!next) break;
    await setPracticeClock({ jumpTo: next.opensAt });
    await followAll(context);
    await recordEquity(context, { market: "PRACTICE" });
    const trades = await context.db.fill.count();
    say(`${session.session}: ${trades} fills so far`);
  }
  await setPracticeClock({ speed: status.speed, paused: false });
}

async function followAll(context: Context): Promise<void> {
  const accounts = await context.db.account.findMany({
    where: { market: "PRACTICE", deletedAt: null, sealedKeys: { not: null } },
    select: { id: true },
  });
  await eachAtOnce(
    accounts.map(({ id }) => id),
    (accountId) => syncOrders(context, { accountId }),
  );
}

/** Accounts have nothing to do with each other: a few of them at a time. */
async function eachAtOnce(accountIds: string[], work: (accountId: string) => Promise<unknown>): Promise<void> {
  for (let first = 0; first < accountIds.length; first += AT_ONCE)
    await Promise.all(accountIds.slice(first, first + AT_ONCE).map(work));
}
