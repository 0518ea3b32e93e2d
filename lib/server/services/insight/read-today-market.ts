import { setTimeout as wait } from "node:timers/promises";
import type { MarketName } from "@/lib/domain/enums.ts";
import type { MarketHours } from "@/lib/domain/insight/today-facts.ts";
import { addSessions, nextSession, sessionHours } from "@/lib/domain/market-calendar.ts";
import type { RegimeMemory } from "@/lib/domain/screening/regime.ts";
import { addDays, newYork, type SessionDate } from "@/lib/domain/time.ts";
import type { MarketClock } from "../../broker/broker.ts";
import type { Context } from "../../context.ts";
import { regimeMemoryOf, WITH_SHEET, wholePlanOf } from "../../core/json.ts";
import type { MarketData } from "../../providers/market-data.ts";
import { dateOf } from "../../rows.ts";
import type { SelectionInputs } from "../cycles/store-selection.ts";
import { readBenchmark, readBenchmarkPrice } from "../performance/read-benchmark.ts";

/** A reading of the clock serves every reader within this time. */
const KEPT_MS = 2_000;
/** The page does not wait longer for a clock that the records can stand in for. */
const MOST_WAIT_MS = 1_500;

const clocks = new WeakMap<MarketData, { atMs: number; clock: Promise<MarketClock> }>();

/** The market's hours by its clock; where that is not to be had, by the latest record and the calendar. */
export async function readMarketHours(context: Context, market: MarketName, latest: Date | null): Promise<MarketHours> {
  const clock = await clockOf(context, market);
  if (clock === null) return hoursAt((latest ?? context.now()).toISOString());
  const { now, isOpen, nextOpen, nextClose } = clock;
  return { now, isOpen, opensAt: nextOpen, closesAt: nextClose };
}

async function clockOf({ marketData, now }: Context, market: MarketName): Promise<MarketClock | null> {
  try {
    const data = marketData(market);
    const known = clocks.get(data);
    const isKept = known !== undefined && now().getTime() - known.atMs < KEPT_MS;
    const clock = isKept ? known.clock : data.clock();
    if (!isKept) clocks.set(data, { atMs: now().getTime(), clock });
    return await Promise.race([clock, wait(MOST_WAIT_MS, null)]);
  } catch {
    // The calendar stands in for a clock that cannot be read.
    return null;
  }
}

function hoursAt(now: string): MarketHours {
  const { date } = newYork(now);
  const hours = sessionHours(date);
  const isBefore = hours !== null && now < hours.opensAt;
  const next = sessionHours(isBefore ? date : nextSession(date));
  const isOpen = hours !== null && !isBefore && now < hours.closesAt;
  return {
    now,
    isOpen,
    opensAt: next?.opensAt ?? now,
    closesAt: (isOpen ? hours.closesAt : next?.closesAt) ?? now,
  };
}

/** The machine's memory of the session; null before its first reading. */
export async function readRegime(
  { db }: Pick<Context, "db">,
  market: MarketName,
  session: SessionDate,
): Promise<RegimeMemory | null> {
  const row = await db.regimeReading.findUnique({
    where: { market_sessionDate: { market, sessionDate: dateOf(session) } },
    select: { memory: true },
  });
  return row && regimeMemoryOf(row);
}

/** Neither a calendar nor filings said at the screening of the session when companies report. */
export async function isCalendarMissingIn(
  { db }: Pick<Context, "db">,
  market: MarketName,
  session: SessionDate,
): Promise<boolean> {
  const row = await db.selection.findUnique({
    where: { market_sessionDate: { market, sessionDate: dateOf(session) } },
    select: { metadata: true },
  });
  return (row?.metadata as Partial<SelectionInputs> | undefined)?.hasCalendarFailed === true;
}

/** SPY's total return from the close before the session to its own, or to the moment of the account's figures; percent. */
export async function readSpyPercent(
  context: Context,
  market: MarketName,
  session: SessionDate,
  asOf: Date,
): Promise<number | null> {
  const index = await readBenchmark(context.db, market, session);
  const before = index.before(session);
  if (before === null) return null;
  const closesAt = sessionHours(session)?.closesAt;
  const isOver = closesAt !== undefined && asOf.toISOString() >= closesAt;
  const close = isOver ? index.before(addDays(session, 1)) : null;
  const price = close === null ? await readBenchmarkPrice(context, market, session, asOf.toISOString()) : null;
  const level = close ?? (price === null ? null : index.at(session, price));
  return level === null ? null : (level / before - 1) * 100;
}

/** The first session in which the guard after several stops ends, by the margin that the decision recorded. */
export async function readRest(
  { db }: Pick<Context, "db">,
  decisionId: string,
  session: SessionDate,
): Promise<SessionDate | null> {
  const row = await db.decisionRecord.findUnique({ where: { id: decisionId }, include: WITH_SHEET });
  const results = row === null ? [] : wholePlanOf(row).candidates.flatMap(({ gates }) => gates);
  const margin = results.find(({ code, passed }) => code === "stop_guard" && !passed)?.margin ?? null;
  return margin === null || margin >= 0 ? null : addSessions(session, Math.ceil(-margin));
}
