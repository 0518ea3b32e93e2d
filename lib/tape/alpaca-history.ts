import * as z from "zod";
import { money, sum, text } from "@/lib/domain/money.ts";
import { addDays, newYork, type SessionDate } from "@/lib/domain/time.ts";
import { type Client, urlOf } from "./client.ts";
import type { DownloadCommand } from "./options.ts";

/** Alpaca's side of a tape: daily bars, splits and dividends, names, and how late it is. */

const positive = z.number().positive();
const bar = z.object({
  t: z.string(),
  o: positive,
  h: positive,
  l: positive,
  c: positive,
  v: z.number().nonnegative(),
});
const barsPage = z.object({
  bars: z.record(z.string(), z.array(z.unknown())).nullish(),
  next_page_token: z.string().nullish(),
});
const split = z.object({ symbol: z.string(), new_rate: positive, old_rate: positive, ex_date: z.iso.date() });
const actionsPage = z.object({
  corporate_actions: z.object({
    forward_splits: z.array(split).optional(),
    reverse_splits: z.array(split).optional(),
    stock_dividends: z.array(z.object({ symbol: z.string(), rate: positive, ex_date: z.iso.date() })).optional(),
    cash_dividends: z.array(z.object({ symbol: z.string(), rate: positive, ex_date: z.iso.date() })).optional(),
  }),
  next_page_token: z.string().nullish(),
});
const assetsBody = z.array(z.object({ symbol: z.string(), name: z.string() }));
const clockBody = z.object({
  timestamp: z.string(),
  is_open: z.boolean(),
  next_open: z.string(),
  next_close: z.string(),
});

const PAGE = 10_000;
/** The broker looks actions up by the day it processed them, which for dividends is weeks after the ex-date. */
const PROCESSED_DAYS = 90;

/** Rows of bars.csv; what is not a bar is left out. */
function barRows({ bars }: z.output<typeof barsPage>, from: SessionDate, to: SessionDate): string[] {
  const rows: string[] = [];
  for (const [symbol, items] of Object.entries(bars ?? {})) {
    for (const item of items) {
      const read = bar.safeParse(item);
      if (!read.success) continue;
      const { t, o, h, l, c, v } = read.data;
      const { date } = newYork(t);
      if (date >= from && date <= to) rows.push([date, symbol, o, h, l, c, Math.round(v)].join(","));
    }
  }
  return rows;
}

/** Adds a page's ratios of splits and amounts of dividends, by "date,symbol". */
function addActions(
  found: z.output<typeof actionsPage>["corporate_actions"],
  isWanted: (item: { ex_date: string }) => boolean,
  ratios: Map<string, string>,
  amounts: Map<string, string[]>,
): void {
  for (const item of [...(found.forward_splits ?? []), ...(found.reverse_splits ?? [])].filter(isWanted)) {
    const ratio = money(item.new_rate).div(money(item.old_rate)).toDecimalPlaces(6);
    ratios.set(`${item.ex_date},${item.symbol}`, text(ratio));
  }
  for (const item of (found.stock_dividends ?? []).filter(isWanted))
    ratios.set(`${item.ex_date},${item.symbol}`, text(money(1).plus(money(item.rate))));
  for (const item of (found.cash_dividends ?? []).filter(isWanted)) {
    const key = `${item.ex_date},${item.symbol}`;
    amounts.set(key, [...(amounts.get(key) ?? []), text(item.rate)]);
  }
}

export function alpacaHistory(client: Client, command: DownloadCommand) {
  const headers = { "APCA-API-KEY-ID": command.keyId, "APCA-API-SECRET-KEY": command.secret };
  const get = (base: string, path: string, query: Record<string, string | number | undefined> = {}) =>
    client.json("Alpaca", urlOf(base, path, query), headers);

  /** The last date of which the market has closed, by the broker's own clock. */
  async function lastFinishedDate(): Promise<SessionDate> {
    const clock = clockBody.parse(await get(command.tradingUrl, "/v2/clock"));
    const today = newYork(clock.timestamp);
    // Today's session is over when the next closing belongs to a later day.
    const closesToday = newYork(clock.next_close).date === today.date;
    return clock.is_open || closesToday ? addDays(today.date, -1) : today.date;
  }

  /** Rows of bars.csv, unadjusted. */
  async function bars(symbols: string[], from: SessionDate, to: SessionDate): Promise<string[]> {
    const rows: string[] = [];
    let token: string | undefined;
    do {
      const page = barsPage.parse(
        await get(command.dataUrl, "/v2/stocks/bars", {
          symbols: symbols.join(","),
          timeframe: "1Day",
          start: from,
          end: to,
          limit: PAGE,
          adjustment: "raw",
          feed: command.feed,
          sort: "asc",
          page_token: token,
        }),
      );
      rows.push(...barRows(page, from, to));
      token = page.next_page_token ?? undefined;
    } while (token !== undefined);
    return rows;
  }

  /** Rows "split,date,symbol,ratio" and "dividend,date,symbol,amount"; several dividends of one day are one. */
  async function actions(symbols: string[], from: SessionDate, to: SessionDate): Promise<string[]> {
    const ratios = new Map<string, string>();
    const amounts = new Map<string, string[]>();
    const isWanted = ({ ex_date: date }: { ex_date: string }) => date >= from && date <= to;
    let token: string | undefined;
    do {
      const { corporate_actions: found, next_page_token: next } = actionsPage.parse(
        await get(command.dataUrl, "/v1/corporate-actions", {
          symbols: symbols.join(","),
          types: "forward_split,reverse_split,stock_dividend,cash_dividend",
          start: from,
          end: addDays(to, PROCESSED_DAYS),
          limit: 1_000,
          page_token: token,
        }),
      );
      addActions(found, isWanted, ratios, amounts);
      token = next ?? undefined;
    } while (token !== undefined);
    return [
      ...[...ratios].map(([key, ratio]) => `split,${key},${ratio}`),
      ...[...amounts].map(([key, parts]) => `dividend,${key},${text(sum(parts.map((part) => money(part))))}`),
    ];
  }

  async function names(): Promise<Map<string, string>> {
    const query = { status: "active", asset_class: "us_equity" };
    const assets = assetsBody.parse(await get(command.tradingUrl, "/v2/assets", query));
    return new Map(assets.map(({ symbol, name }) => [symbol, name]));
  }

  return { lastFinishedDate, bars, actions, names };
}
