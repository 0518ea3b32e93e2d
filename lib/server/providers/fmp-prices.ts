import * as z from "zod";
import type { VendorPrice } from "@/lib/domain/consensus/judge-symbol.ts";
import { Failure } from "@/lib/domain/failures.ts";
import { text } from "@/lib/domain/money.ts";
import type { ProviderName } from "@/lib/domain/providers.ts";
import { addDays, DAY_MS, HOUR_MS, MINUTE_MS, newYork } from "@/lib/domain/time.ts";
import { readJson, urlOf } from "./fetch-json.ts";
import type { PriceSource } from "./market-data.ts";
import {
  askOneByOne,
  closeText,
  heldPrices,
  instantOf,
  vendorClose,
  vendorPrice,
  vendorSeconds,
  withHyphen,
} from "./price-source.ts";

const VENDOR = "Financial Modeling Prep";

export interface FmpOptions {
  url: string;
  key: string;
  countedAs?: ProviderName;
  /** A price is new enough for so long. Absent: for four minutes, so that a session's looks fit into the free plan's 250 calls a day. */
  freshMs?: number;
}

const SYMBOLS_PER_CALL = 100;
const FRESH_MS = 4 * MINUTE_MS;
/** Where the plan leaves quotes out, it is asked again for them after this long. */
const REFUSED_FOR_MS = 6 * HOUR_MS;
/** Of the 250 calls a day; the calendar and sectors need the others. */
const CLOSES_A_DAY = 60;
const DAYS_BACK = 10;
/** Endpoints beyond the plan. */
const BEYOND_PLAN: readonly unknown[] = [402, 403];

const quoteRow = z.object({
  symbol: z.string(),
  price: vendorPrice,
  previousClose: vendorClose,
  timestamp: vendorSeconds,
});
const closeRow = z.object({ symbol: z.string(), date: z.iso.date(), price: vendorPrice });

/** Prices of many symbols in one request. A row that cannot be read, or that was not asked for, is left out. */
export async function fmpQuotes(
  { url, key, countedAs }: FmpOptions,
  symbols: readonly string[],
): Promise<Map<string, VendorPrice>> {
  const call = { vendor: VENDOR, countedAs, operation: "quotes" } as const;
  const bySpelling = new Map(symbols.map((symbol) => [withHyphen(symbol), symbol]));
  const query = { symbols: [...bySpelling.keys()].join(","), apikey: key };
  const rows = await readJson(call, z.array(z.unknown()), urlOf(url, "/stable/batch-quote", query), {
    timeoutMs: 5_000,
  });
  const prices = new Map<string, VendorPrice>();
  for (const row of rows) {
    const { data } = quoteRow.safeParse(row);
    if (data === undefined) continue;
    const symbol = bySpelling.get(data.symbol);
    if (symbol === undefined) continue;
    const at = instantOf(data.timestamp);
    prices.set(symbol, {
      price: text(data.price),
      previousClose: closeText(data.previousClose),
      at,
      day: newYork(at).date,
    });
  }
  return prices;
}

/** The last closes of one symbol, day by day; null where it knows none. One row that cannot be read makes them unknown. */
export async function fmpCloses(
  { url, key, countedAs }: FmpOptions,
  symbol: string,
  now: Date = new Date(),
): Promise<VendorPrice | null> {
  const call = { vendor: VENDOR, countedAs, operation: "closes" } as const;
  const today = newYork(now.toISOString()).date;
  const query = { symbol: withHyphen(symbol), from: addDays(today, -DAYS_BACK), to: today, apikey: key };
  const address = urlOf(url, "/stable/historical-price-eod/light", query);
  const rows = await readJson(call, z.array(closeRow), address, { timeoutMs: 3_000 });
  if (rows.some((row) => row.symbol !== withHyphen(symbol)))
    throw new Failure("unavailable", `${VENDOR} answered for another symbol.`, { cause: "another symbol" });
  const [last, before] = rows.toSorted((a, b) => (a.date < b.date ? 1 : -1));
  if (last === undefined) return null;
  return { price: text(last.price), previousClose: before ? text(before.price) : null, at: null, day: last.date };
}

/** True where the plan leaves out what was asked for. */
export const isBeyondPlan = (error: unknown) =>
  error instanceof Failure && BEYOND_PLAN.includes((error.cause as { status?: unknown } | undefined)?.status);

/** Quotes by the batch; where the plan leaves them out, the closes of the first symbols, one by one. */
export function fmpPrices(options: FmpOptions): PriceSource {
  const { freshMs = FRESH_MS } = options;
  const held = heldPrices();
  const closes = askOneByOne({
    vendor: VENDOR,
    figures: ["CLOSE"],
    ask: (symbol) => fmpCloses(options, symbol),
    windows: [{ most: CLOSES_A_DAY, ms: DAY_MS }],
    freshMs: DAY_MS / 2,
    atOnce: 4,
  });
  let refusedUntil = -Infinity;

  async function prices(symbols: readonly string[]): Promise<Map<string, VendorPrice>> {
    if (performance.now() < refusedUntil) return closes.prices(symbols);
    const due = held.due(symbols, freshMs);
    try {
      for (let first = 0; first < due.length; first += SYMBOLS_PER_CALL) {
        const some = due.slice(first, first + SYMBOLS_PER_CALL);
        const found = await fmpQuotes(options, some);
        for (const symbol of some) held.keep(symbol, found.get(symbol) ?? null);
      }
    } catch (error) {
      if (!isBeyondPlan(error)) throw error;
      refusedUntil = performance.now() + REFUSED_FOR_MS;
      return closes.prices(symbols);
    }
    return held.of(symbols);
  }
  return { vendor: VENDOR, figures: ["CLOSE", "QUOTE"], prices };
}
