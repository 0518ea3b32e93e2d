import * as z from "zod";
import type { VendorPrice } from "@/lib/domain/consensus/judge-symbol.ts";
import type { PriceFigure } from "@/lib/domain/enums.ts";
import { type DecimalText, text } from "@/lib/domain/money.ts";
import type { PriceProvider } from "@/lib/domain/providers.ts";
import type { Instant } from "@/lib/domain/time.ts";
import type { PriceSource } from "./market-data.ts";

/** What any vendor's price must be: USD a share. Beyond these bounds a number is an error of the source, whatever it says. */
export const vendorPrice = z.number().min(0.0001).max(10_000_000);
/** A close that a vendor does not know is absent, null or zero. */
export const vendorClose = z.union([vendorPrice, z.literal(0)]).nullish();
/** Seconds since 1970, in this century. */
export const vendorSeconds = z.int().min(946_684_800).max(4_102_444_800);

export const closeText = (close: number | null | undefined): DecimalText | null =>
  close === null || close === undefined || close === 0 ? null : text(close);
export const instantOf = (seconds: number): Instant => new Date(seconds * 1_000).toISOString();

/** Some vendors write share classes with a hyphen where the broker has a dot. */
export const withHyphen = (symbol: string) => symbol.replaceAll(".", "-");

/** As many calls within so many ms of wall time. */
export interface CallWindow {
  most: number;
  ms: number;
}

interface Held {
  readAt: number;
  /** Null where the vendor does not know the symbol. */
  price: VendorPrice | null;
}

/** Answers of symbols that are no longer asked for go first. */
const MOST_HELD = 2_000;

/** The prices that were read so far, with the age of each. */
export function heldPrices(now: () => number = Date.now) {
  const held = new Map<string, Held>();
  return {
    /** Those not read within `ms`, the one read longest ago first; of those never read, in the order given. */
    due(symbols: readonly string[], ms: number): string[] {
      const readAt = (symbol: string) => held.get(symbol)?.readAt ?? -Infinity;
      // A clock that was set back makes no answer new.
      const isFresh = (symbol: string) => now() - readAt(symbol) >= 0 && now() - readAt(symbol) < ms;
      const due = [...new Set(symbols)].filter((symbol) => !isFresh(symbol));
      return due.toSorted((a, b) => (readAt(a) === readAt(b) ? 0 : readAt(a) - readAt(b)));
    },
    keep(symbol: string, price: VendorPrice | null) {
      held.delete(symbol);
      held.set(symbol, { readAt: now(), price });
      const [oldest] = held.keys();
      if (held.size > MOST_HELD && oldest !== undefined) held.delete(oldest);
    },
    of(symbols: readonly string[]): Map<string, VendorPrice> {
      const known = symbols.map((symbol) => [symbol, held.get(symbol)?.price ?? null] as const);
      return new Map(known.filter((row): row is [string, VendorPrice] => row[1] !== null));
    },
  };
}

interface OneByOne {
  vendor: PriceProvider;
  figures: readonly PriceFigure[];
  ask: (symbol: string) => Promise<VendorPrice | null>;
  windows: readonly CallWindow[];
  /** An answer is new enough for so long. */
  freshMs: number;
  atOnce: number;
  /** No call is begun after this long: a market that is looked at does not wait for the last symbol. */
  withinMs?: number;
  now?: () => number;
}

const WITHIN_MS = 4_000;
/** As many failures in a row mean that the vendor does not answer. */
const MOST_FAILURES = 3;

/** A source of a vendor that answers one symbol a call: it keeps to the plan's rate and continues next time where it ended. */
export function askOneByOne(options: OneByOne): PriceSource {
  const { vendor, figures, ask, windows, freshMs, atOnce, withinMs = WITHIN_MS, now = Date.now } = options;
  const held = heldPrices(now);
  let calls: number[] = [];

  const room = () => Math.min(...windows.map(({ most, ms }) => most - calls.filter((at) => now() - at < ms).length));

  async function prices(symbols: readonly string[]): Promise<Map<string, VendorPrice>> {
    const longest = Math.max(...windows.map(({ ms }) => ms));
    calls = calls.filter((at) => now() - at < longest);
    const waiting = held.due(symbols, freshMs);
    const until = performance.now() + withinMs;
    let failures = 0;
    let answers = 0;
    let lastFailure: unknown = null;
    async function askOn() {
      while (waiting.length > 0 && room() > 0 && failures < MOST_FAILURES && performance.now() < until) {
        const symbol = waiting.shift()!;
        calls.push(now());
        try {
          held.keep(symbol, await ask(symbol));
          failures = 0;
          answers += 1;
        } catch (error) {
          failures += 1;
          lastFailure = error;
        }
      }
    }
    await Promise.all(Array.from({ length: atOnce }, askOn));
    if (answers === 0 && lastFailure !== null) throw lastFailure;
    return held.of(symbols);
  }
  return { vendor, figures, prices };
}
