import { isSession, previousSession } from "@/lib/domain/market-calendar.ts";
import { newYork, type SessionDate } from "@/lib/domain/time.ts";
import type { Context } from "../../context.ts";

export interface LatestMoment {
  session: SessionDate;
  /** market time */
  at: Date;
}

/** The latest decision or equity point of these accounts, and the session that it belongs to; null where nothing is recorded. */
export async function latestMoment(
  { db }: Pick<Context, "db">,
  accounts: readonly { id: string }[],
): Promise<LatestMoment | null> {
  const moments = await Promise.all(
    accounts.flatMap(({ id: accountId }) => [
      db.equityPoint
        .findFirst({ where: { accountId }, orderBy: { at: "desc" }, select: { at: true } })
        .then((point) => point?.at ?? null),
      db.decisionRecord
        .findFirst({ where: { accountId }, orderBy: { decidedAt: "desc" }, select: { decidedAt: true } })
        .then((decision) => decision?.decidedAt ?? null),
    ]),
  );
  const at = moments.reduce<Date | null>((latest, each) => (each && (!latest || each > latest) ? each : latest), null);
  if (at === null) return null;
  const { date } = newYork(at);
  return { session: isSession(date) ? date : previousSession(date), at };
}
