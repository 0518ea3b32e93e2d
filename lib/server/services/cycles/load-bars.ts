import { growBars, isOtherHistory } from "@/lib/domain/bars/grow.ts";
import type { MarketName } from "@/lib/domain/enums.ts";
import type { BarSeries } from "@/lib/domain/screening/features.ts";
import { addDays, type SessionDate } from "@/lib/domain/time.ts";
import type { Context } from "../../context.ts";
import { readPacks, writePacks } from "../../core/bar-packs.ts";
import type { DailyBar } from "../../providers/market-data.ts";
import { dateOf, sessionOf } from "../../rows.ts";
import { inTransaction } from "../../core/transaction.ts";
import { paceOf, SYMBOLS_AT_FIRST } from "./history-pace.ts";
import { loadEvents } from "./load-events.ts";

/**
 * Bars are kept this many calendar days back from the last one: eight quarterly reports (up to 800 days before a session)
 * with a close before each, and 400 bars for indicators (580 days) besides.
 */
export const BAR_DAYS = 830;
/** Afterwards a page holds the new bars of many. */
const SYMBOLS_LATER = 200;
/** Each time, the bars of so many days before the new ones are read again: a source corrects the last sessions. */
const REREAD_DAYS = 7;

export interface Unread {
  symbol: string;
  /** The session up to which the source was asked; null where its history was not read yet. */
  through: SessionDate | null;
}

/** The symbols of which not every bar through the session was asked for. */
export async function unreadSymbols(
  { db }: Pick<Context, "db">,
  market: MarketName,
  symbols: readonly string[],
  through: SessionDate,
): Promise<Unread[]> {
  const rows = await db.$queryRaw<{ symbol: string; through: Date | null }[]>`
    select w."symbol", p."through" from unnest(${symbols}::text[]) as w("symbol")
    left join "BarPack" p on p."market" = ${market}::"Market" and p."symbol" = w."symbol"
    where p."through" is distinct from ${through}::date
    order by w."symbol"`;
  return rows.map((row) => ({ symbol: row.symbol, through: row.through && sessionOf(row.through) }));
}

interface Load {
  market: MarketName;
  /** Every symbol that the market lists. */
  symbols: readonly string[];
  through: SessionDate;
  /** After this long no further page is asked for: the next call continues. */
  mostMs?: number;
}

/**
 * Reads what is not stored yet of a market's bars, splits and dividends, and stores each part as soon as it is there: a caller that is
 * stopped in the middle asks for nothing twice. Called by the only writer of the market's bars (bars-lock.ts). Answers how many
 * symbols still wait to be read.
 */
export async function loadBars(context: Context, load: Load): Promise<number> {
  const { market, symbols, through, mostMs = Infinity } = load;
  const endsAt = performance.now() + mostMs;
  let unread = await unreadSymbols(context, market, symbols, through);
  // A market that went back in time is another market: start over.
  if (unread.some((row) => row.through !== null && row.through > through)) {
    await forgetBars(context, market);
    unread = symbols.map((symbol) => ({ symbol, through: null }));
  }
  const oldest = addDays(through, -BAR_DAYS);
  const known = unread.filter((row) => row.through !== null && row.through >= oldest);
  const fresh = unread.filter((row) => row.through === null || row.through < oldest).map(({ symbol }) => symbol);
  await noteProgress(context, load, fresh.length);
  let growing = known.length;
  for (const { from, some } of batches(known)) {
    if (performance.now() >= endsAt) return fresh.length + growing;
    fresh.push(...(await growPacks(context, { market, through, oldest, from, symbols: some })));
    growing -= some.length;
  }
  await loadEvents(context, market, { oldest, through, fresh: fresh.length });
  let waiting = fresh.length;
  for (let at = 0; at < fresh.length && performance.now() < endsAt; at += SYMBOLS_AT_FIRST) {
    const some = fresh.slice(at, at + SYMBOLS_AT_FIRST);
    const bars = await readBars(context, market, some, oldest, through);
    await writePacks(context.db, market, through, bars);
    waiting -= some.length;
    await noteProgress(context, load, waiting);
  }
  // What left the market is kept as long as it would be if it were still listed.
  await context.db.$executeRaw`
    delete from "BarPack" where "market" = ${market}::"Market" and coalesce("lastSession", "through") < ${oldest}::date`;
  context.log.info("bars.loaded", { market, session: through, count: unread.length - waiting, waiting });
  return waiting;
}

/** Those of the same last session together, some at a time. */
function* batches(known: readonly Unread[]): Generator<{ from: SessionDate; some: string[] }> {
  for (const last of [...new Set(known.map((row) => row.through))].sort()) {
    const symbols = known.filter((row) => row.through === last).map(({ symbol }) => symbol);
    for (let at = 0; at < symbols.length; at += SYMBOLS_LATER)
      yield { from: addDays(last!, -REREAD_DAYS), some: symbols.slice(at, at + SYMBOLS_LATER) };
  }
}

interface Growth {
  market: MarketName;
  symbols: readonly string[];
  /** Read again from here. */
  from: SessionDate;
  oldest: SessionDate;
  through: SessionDate;
}

/** Adds the new bars to what is stored. Answers the symbols whose history has to be read anew. */
async function growPacks(context: Context, { market, symbols, from, oldest, through }: Growth): Promise<string[]> {
  const read = new Map<string, BarSeries>();
  for (const bars of await readBars(context, market, symbols, from, through)) read.set(bars.symbol, bars);
  const grown: BarSeries[] = [];
  const other: string[] = [];
  for await (const { symbol, bars } of readPacks(market, symbols)) {
    const more = read.get(symbol);
    if (more === undefined) continue;
    // A first reading that was empty says nothing of what was traded before.
    const isUnread = bars === null || (bars.dates.length === 0 && more.dates.length > 0);
    if (isUnread || isOtherHistory(bars, more)) other.push(symbol);
    else grown.push(growBars(bars, more, oldest));
  }
  if (other.length > 0) context.log.warn("bars.history-replaced", { market, count: other.length, symbols: other });
  await writePacks(context.db, market, through, grown);
  return other;
}

async function readBars(
  context: Context,
  market: MarketName,
  symbols: readonly string[],
  from: SessionDate,
  to: SessionDate,
): Promise<BarSeries[]> {
  const found = await context.marketData(market).dailyBars([...symbols], from, to, paceOf(market));
  return symbols.map((symbol) => toSeries(symbol, found.get(symbol) ?? []));
}

function toSeries(symbol: string, bars: readonly DailyBar[]): BarSeries {
  return {
    symbol,
    dates: bars.map((bar) => bar.session),
    open: Float64Array.from(bars, (bar) => bar.open),
    high: Float64Array.from(bars, (bar) => bar.high),
    low: Float64Array.from(bars, (bar) => bar.low),
    close: Float64Array.from(bars, (bar) => bar.close),
    volume: Float64Array.from(bars, (bar) => bar.volume),
  };
}

async function noteProgress({ db, now }: Context, { market, symbols, through }: Load, waiting: number): Promise<void> {
  const row = { through: dateOf(through), symbols: symbols.length, waiting, updatedAt: now() };
  await db.barHistory.upsert({ where: { market }, create: { market, ...row }, update: row });
}

async function forgetBars(context: Context, market: MarketName): Promise<void> {
  context.log.warn("bars.dropped", { market });
  await inTransaction(context, async (tx) => {
    await tx.barPack.deleteMany({ where: { market } });
    await tx.marketEvent.deleteMany({ where: { market } });
    await tx.barHistory.deleteMany({ where: { market } });
  });
}

/** What is stored of these symbols cannot be read: the next load asks for their histories. */
export async function dropPacks({ db }: Pick<Context, "db">, market: MarketName, symbols: readonly string[]) {
  await db.barPack.deleteMany({ where: { market, symbol: { in: [...symbols] } } });
}

/** The next load asks again for the last session of the symbols that have no bar of it. */
export async function askAgain({ db }: Pick<Context, "db">, market: MarketName, through: SessionDate): Promise<void> {
  await db.$executeRaw`
    update "BarPack" set "through" = ${addDays(through, -1)}::date
    where "market" = ${market}::"Market" and "through" = ${through}::date and "lastSession" is distinct from ${through}::date`;
}
