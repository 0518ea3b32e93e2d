import { sessionHours } from "@/lib/domain/market-calendar.ts";
import { type Money, money } from "@/lib/domain/money.ts";
import { dayChange, sessionOfPrice } from "@/lib/domain/symbol-price.ts";
import type { SeenSymbol } from "./market-view-of.ts";
import type { SymbolBars } from "./symbol-bars.ts";

interface Held {
  currentPrice: Money | null;
  /** Market time of the reading at the broker. */
  asOf: Date | null;
}

interface Priced {
  price: Money;
  at: string;
}

/** Of a holding the price that its figures stand on; else the newest of the last cycle's quote and the last close. */
export function priceOf(held: readonly Held[], seen: SeenSymbol | null, { bars, events }: SymbolBars) {
  const latest = newest(
    held.flatMap(({ currentPrice, asOf }) => (currentPrice && asOf ? [priced(currentPrice, asOf)] : [])),
  );
  const last = bars.dates.at(-1);
  const hours = last === undefined ? null : sessionHours(last);
  const found =
    latest ??
    newest([
      ...(seen?.quote ? [{ price: money(seen.quote.last), at: seen.quote.at }] : []),
      ...(hours === null ? [] : [{ price: money(bars.close.at(-1) ?? 0), at: hours.closesAt }]),
    ]);
  return {
    price: found?.price ?? null,
    priceAt: found?.at ?? null,
    priceSession: found === null ? null : sessionOfPrice(found.at),
    dayChange: found === null ? null : dayChange(found.price, found.at, bars, events),
  };
}

const priced = (price: Money, at: Date): Priced => ({ price, at: at.toISOString() });

const newest = (prices: readonly Priced[]): Priced | null =>
  prices.reduce<Priced | null>((a, b) => (a === null || Date.parse(b.at) > Date.parse(a.at) ? b : a), null);
