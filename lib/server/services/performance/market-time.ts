import type { MarketName } from "@/lib/domain/enums.ts";
import { isSession, previousSession, sessionHours } from "@/lib/domain/market-calendar.ts";
import { addDays, type SessionDate } from "@/lib/domain/time.ts";
import { weekFrom } from "@/lib/domain/weeks.ts";
import type { Context } from "../../context.ts";

/** How far the market has come, by what is recorded: its latest cycle or the latest reading of the accounts. */
export async function marketTime(
  { db, now }: Pick<Context, "db" | "now">,
  market: MarketName,
  accounts: readonly { id: string }[],
): Promise<Date> {
  if (market === "US") return now();
  const [cycle, { _max }] = await Promise.all([
    db.cycle.findFirst({ where: { market }, orderBy: { startedAt: "desc" } }),
    db.accountFigures.aggregate({ where: { accountId: { in: accounts.map(({ id }) => id) } }, _max: { asOf: true } }),
  ]);
  const known = [cycle?.startedAt, _max.asOf].filter((at) => at != null);
  return known.reduce((latest, at) => (at > latest ? at : latest), new Date(0));
}

/** True from the week's beginning until its last session has closed. */
export function isRunning(monday: SessionDate, now: Date): boolean {
  const { from, friday } = weekFrom(monday);
  const last = isSession(friday) ? friday : previousSession(friday);
  const closesAt = sessionHours(last)?.closesAt ?? addDays(friday, 1);
  return now.toISOString() >= from && now.toISOString() < closesAt;
}
