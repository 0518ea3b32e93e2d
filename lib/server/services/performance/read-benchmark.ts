import { setTimeout as wait } from "node:timers/promises";
import { type BenchmarkIndex, benchmarkIndex } from "@/lib/domain/benchmark.ts";
import type { MarketName } from "@/lib/domain/enums.ts";
import { sessionHours } from "@/lib/domain/market-calendar.ts";
import { type Instant, MINUTE_MS, type SessionDate } from "@/lib/domain/time.ts";
import type { Context } from "../../context.ts";
import type { Db } from "../../db.ts";
import type { MarketData, SnapshotRow } from "../../providers/market-data.ts";
import { dateOf, sessionOf } from "../../rows.ts";

const BENCHMARK = "SPY";

/** SPY's total return since a session, from the regime readings: each holds the close before its session. */
export async function readBenchmark(db: Db, market: MarketName, since: SessionDate): Promise<BenchmarkIndex> {
  const [readings, events] = await Promise.all([
    db.regimeReading.findMany({
      where: { market, sessionDate: { gte: dateOf(since) } },
      select: { sessionDate: true, spyClose: true },
      orderBy: { sessionDate: "asc" },
    }),
    db.benchmarkEvent.findMany({ where: { market, exDate: { gte: dateOf(since) } }, orderBy: { exDate: "asc" } }),
  ]);
  return benchmarkIndex(
    readings.map(({ sessionDate, spyClose }) => ({ session: sessionOf(sessionDate), close: spyClose })),
    events.map(({ exDate, ratio, dividend }) => ({ exDate: sessionOf(exDate), ratio, dividend })),
  );
}

/** A price serves every reader within this time. */
const KEPT_MS = 2_000;
/** A page does not wait longer for a price that it can do without. */
const MOST_WAIT_MS = 1_500;
/** A price this far from the account's own instant, in market time, is not its price of then. */
const SAME_INSTANT_MS = 5 * MINUTE_MS;

type Reading = Promise<SnapshotRow | null>;
const readings = new WeakMap<MarketData, { atMs: number; row: Reading }>();

/** SPY's price at an instant of a session or after it, USD; null where the market data has none of then. */
export async function readBenchmarkPrice(
  { marketData, now }: Pick<Context, "marketData" | "now">,
  market: MarketName,
  session: SessionDate,
  at: Instant,
): Promise<number | null> {
  let row: SnapshotRow | null;
  try {
    const data = marketData(market);
    const known = readings.get(data);
    let reading = known && now().getTime() - known.atMs < KEPT_MS ? known.row : null;
    if (reading === null) {
      reading = data.snapshots([BENCHMARK]).then((rows) => rows.get(BENCHMARK) ?? null);
      readings.set(data, { atMs: now().getTime(), row: reading });
    }
    row = await Promise.race([reading, wait(MOST_WAIT_MS, null)]);
  } catch {
    // Without market data the comparison ends at the last close, and says so.
    return null;
  }
  if (row === null) return null;
  // After the close, at night and on weekends, the last price of the session is its price.
  const closesAt = sessionHours(session)?.closesAt ?? at;
  const wanted = Date.parse(closesAt < at ? closesAt : at);
  const lastAt = Date.parse(row.lastAt);
  const isOfThen = lastAt >= wanted - SAME_INSTANT_MS && lastAt <= Date.parse(at) + SAME_INSTANT_MS;
  return isOfThen ? Number(row.last) : null;
}
