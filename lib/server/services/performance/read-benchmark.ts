import { type ClosesBefore, closesBefore } from "@/lib/domain/performance.ts";
import type { SessionDate } from "@/lib/domain/time.ts";
import type { Db } from "../../db.ts";
import { dateOf, sessionOf } from "../../rows.ts";

/** SPY's closes since a session, from the regime readings: each holds the close before its session. */
export async function readBenchmark(db: Db, market: "PRACTICE" | "US", since: SessionDate): Promise<ClosesBefore> {
  const readings = await db.regimeReading.findMany({
    where: { market, sessionDate: { gte: dateOf(since) } },
    select: { sessionDate: true, spyClose: true },
    orderBy: { sessionDate: "asc" },
  });
  return closesBefore(
    readings.map(({ sessionDate, spyClose }) => ({ session: sessionOf(sessionDate), close: spyClose })),
  );
}
