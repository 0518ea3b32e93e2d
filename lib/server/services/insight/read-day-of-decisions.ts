import type { BriefFacts } from "@/lib/domain/insight/facts.ts";
import type { Context } from "../../context.ts";
import { Prisma } from "../../db.ts";
import { dateOf } from "../../rows.ts";
import { isOneOf } from "../../core/accounts-of-environment.ts";
import { isWithin } from "../performance/period.ts";
import type { BriefScope } from "./accounts-of-brief.ts";

interface Row {
  line: string;
  count: number;
  id: string;
  at: Date;
}

/**
 * What was decided in the session, and in which regime. Only the lines of the records are read: they hold the counts, and the
 * plans behind them are a hundred times larger.
 */
export async function readDayOfDecisions(
  { db }: Pick<Context, "db">,
  { accounts, session }: BriefScope,
): Promise<Pick<BriefFacts, "decisions" | "cycles" | "regime">> {
  const isOfDay = Prisma.sql`${isOneOf(accounts)} and ${isWithin(Prisma.sql`"decidedAt"`, { from: session, to: session })}`;
  const market = accounts[0].market;
  const [rows, cycles, regime] = await Promise.all([
    db.$queryRaw<Row[]>`
      select min("line") as "line", count(*)::int as "count", max("decidedAt") as "at",
        (array_agg("id" order by "decidedAt" desc, "id" desc))[1] as "id"
      from "DecisionRecord" where ${isOfDay}
      group by regexp_replace("line", '^[0-9]{2}:[0-9]{2}: ', '') order by 3 desc`,
    db.$queryRaw<{ cycles: number }[]>`
      select count(distinct "cycleId")::int as "cycles" from "DecisionRecord" where ${isOfDay}`,
    db.regimeReading.findUnique({
      where: { market_sessionDate: { market, sessionDate: dateOf(session) } },
      select: { label: true, vix: true },
    }),
  ]);
  return {
    decisions: rows.map(({ at, ...row }) => ({ ...row, at: at.toISOString() })),
    cycles: cycles[0]?.cycles ?? 0,
    regime,
  };
}
