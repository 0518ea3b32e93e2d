import type { MarketName } from "@/lib/domain/enums.ts";
import type { CorporateEvent } from "@/lib/domain/screening/features.ts";
import { addDays, type SessionDate } from "@/lib/domain/time.ts";
import type { Context } from "../../context.ts";
import { inTransaction } from "../../core/transaction.ts";
import type { CorporateActionRow } from "../../providers/market-data.ts";
import { requireDividends } from "../../providers/silent-actions.ts";
import { dateOf, sessionOf } from "../../rows.ts";
import { paceOf } from "./history-pace.ts";

/** Splits and dividends are announced before they take effect. */
const AHEAD_DAYS = 7;
/** Those of so many days are read again each session: an event that was announced late or corrected finds its place. */
const REREAD_DAYS = 60;
/** A few new listings have no past worth a second reading of all symbols'; more are a market that was just loaded. */
const FEW = 50;
const ROWS_PER_STATEMENT = 5_000;

interface Stretch {
  oldest: SessionDate;
  through: SessionDate;
  /** How many symbols' histories are still to be read. */
  fresh: number;
}

/** Splits and dividends of a market through a session: all of them at first, then those of the last weeks again. */
export async function loadEvents(
  context: Context,
  market: MarketName,
  { oldest, through, fresh }: Stretch,
): Promise<void> {
  const { db, log } = context;
  const history = await db.barHistory.findUnique({ where: { market }, select: { eventsThrough: true } });
  const last = history?.eventsThrough ? sessionOf(history.eventsThrough) : null;
  if (last === through) return;
  const from = last !== null && fresh <= FEW ? addDays(last, -REREAD_DAYS) : oldest;
  const since = from > oldest ? from : oldest;
  const actions = await context
    .marketData(market)
    .corporateActions(since, addDays(through, AHEAD_DAYS), paceOf(market));
  requireDividends(actions, { market, from: since, to: through });
  const unreadable = actions.filter(({ kind }) => kind.includes(" without "));
  if (unreadable.length > 0) {
    const symbols = unreadable.map(({ symbol, exDate, kind }) => `${symbol}: ${kind} of ${exDate}`).sort();
    log.warn("events.unreadable", { market, count: unreadable.length, symbols });
  }
  const rows = placed(
    market,
    actions.filter(({ kind }) => kind !== "dividend without amount"),
  );
  await inTransaction(context, async (tx) => {
    await tx.$executeRaw`
      delete from "MarketEvent" where "market" = ${market}::"Market"
      and ("exDate" >= ${since}::date or "exDate" < ${oldest}::date)`;
    for (let at = 0; at < rows.length; at += ROWS_PER_STATEMENT)
      await tx.marketEvent.createMany({ data: rows.slice(at, at + ROWS_PER_STATEMENT) });
    await tx.barHistory.update({ where: { market }, data: { eventsThrough: dateOf(through) } });
  });
}

/** Two dividends of one day are two rows. */
function placed(market: MarketName, actions: readonly CorporateActionRow[]) {
  const seen = new Map<string, number>();
  return actions.map(({ symbol, exDate, kind, value }) => {
    const key = `${symbol} ${exDate} ${kind}`;
    const place = seen.get(key) ?? 0;
    seen.set(key, place + 1);
    return { market, symbol, exDate: dateOf(exDate), kind, place, value };
  });
}

/** Stored splits and dividends by symbol, ascending. One row a symbol: a market has a hundred thousand of them. */
export async function storedEvents(
  { db }: Pick<Context, "db">,
  market: MarketName,
): Promise<Map<string, CorporateEvent[]>> {
  const rows = await db.$queryRaw<{ symbol: string; list: string }[]>`
    select "symbol", string_agg(
      to_char("exDate", 'YYYY-MM-DD') || left("kind", 1) || "value", ' ' order by "exDate", "kind" desc, "place"
    ) as "list"
    from "MarketEvent" where "market" = ${market}::"Market" and "kind" in ('split', 'dividend') group by "symbol"`;
  return new Map(
    rows.map(({ symbol, list }) => [
      symbol,
      list.split(" ").map((event) => ({
        symbol,
        date: event.slice(0, 10),
        kind: event[10] === "s" ? "split" : "dividend",
        value: Number(event.slice(11)),
      })),
    ]),
  );
}

/** The latest date of a split whose ratio could not be read, by symbol: bars before and after it do not fit together. */
export async function unreadableSplits(
  { db }: Pick<Context, "db">,
  market: MarketName,
): Promise<Map<string, SessionDate>> {
  const rows = await db.marketEvent.findMany({
    where: { market, kind: "split without ratio" },
    select: { symbol: true, exDate: true },
    orderBy: { exDate: "asc" },
  });
  return new Map(rows.map(({ symbol, exDate }) => [symbol, sessionOf(exDate)]));
}
