import type { ExchangeState } from "../book/state.ts";
import type { DayBar } from "../market/minute-path.ts";
import type { Split } from "../market/source.ts";
import { badQuery } from "./data-query.ts";

/** What bars of a date are multiplied by. */
export interface Factors {
  price: number;
  volume: number;
}

const UNCHANGED: Factors = { price: 1, volume: 1 };
const KNOWN = new Set(["raw", "split", "dividend", "spin-off", "all"]);

export interface Adjustment {
  hasSplits: boolean;
  hasDividends: boolean;
}

/** `raw`, `split`, `dividend`, `spin-off` (of which this market has none), `all`, or several with commas. */
export function adjustmentOf(query: URLSearchParams): Adjustment {
  const asked = (query.get("adjustment") ?? "").split(",").filter((part) => part !== "");
  const unknown = asked.find((part) => !KNOWN.has(part));
  if (unknown !== undefined) throw badQuery(`invalid adjustment: ${unknown}`);
  const isAll = asked.includes("all");
  return { hasSplits: isAll || asked.includes("split"), hasDividends: isAll || asked.includes("dividend") };
}

function bySymbol<T extends { symbol: string }>() {
  const known = new WeakMap<readonly T[], { seen: number; by: Map<string, T[]> }>();
  return (all: readonly T[], symbol: string): readonly T[] => {
    let found = known.get(all);
    if (found === undefined) known.set(all, (found = { seen: 0, by: new Map() }));
    for (; found.seen < all.length; found.seen += 1) {
      const item = all[found.seen] as T;
      const list = found.by.get(item.symbol);
      if (list === undefined) found.by.set(item.symbol, [item]);
      else list.push(item);
    }
    return found.by.get(symbol) ?? [];
  };
}

const splitsOf = bySymbol<Split>();
const dividendsOf = bySymbol<{ date: string; symbol: string; amount: string }>();

function closeBefore(closes: ArrayLike<number>, index: number): number | undefined {
  for (let i = index - 1; i >= 0; i -= 1) {
    const close = closes[i];
    if (close !== undefined && !Number.isNaN(close)) return close;
  }
  return undefined;
}

/**
 * The factors of a symbol's bars by date: every split and dividend after the bar that has happened by now. A split
 * divides the price and multiplies the volume; a dividend takes its share of the last close before the ex-date off.
 */
export function factorsOf(state: ExchangeState, symbol: string, adjustment: Adjustment): (date: string) => Factors {
  const today = state.view.moment().hours.date;
  const splits = splitsOf(state.market.splits, symbol).filter(({ date }) => date <= today);
  const events: { date: string; price: number; volume: number }[] = [];
  if (adjustment.hasSplits)
    for (const { date, ratio } of splits) events.push({ date, price: 1 / Number(ratio), volume: Number(ratio) });
  if (adjustment.hasDividends) {
    const closes = state.market.series(symbol)?.close ?? [];
    for (const { date, amount } of dividendsOf(state.market.dividends, symbol)) {
      const index = state.market.sessionIndex(date);
      const before = date > today || index === undefined ? undefined : closeBefore(closes, index);
      if (before === undefined) continue;
      // A split of the same morning comes first: the dividend is paid on the new shares.
      const ratio = splits.find((split) => split.date === date)?.ratio ?? "1";
      events.push({ date, price: 1 - Number(amount) / (before / Number(ratio)), volume: 1 });
    }
  }
  if (events.length === 0) return () => UNCHANGED;
  return (date) => {
    let { price, volume } = UNCHANGED;
    for (const event of events) {
      if (event.date <= date) continue;
      price *= event.price;
      volume *= event.volume;
    }
    return { price, volume };
  };
}

export function adjusted(bar: DayBar, { price, volume }: Factors): DayBar {
  if (price === 1 && volume === 1) return bar;
  const moved = (p: number) => Math.round(p * price * 10_000) / 10_000;
  return {
    open: moved(bar.open),
    high: moved(bar.high),
    low: moved(bar.low),
    close: moved(bar.close),
    volume: Math.round(bar.volume * volume),
  };
}
