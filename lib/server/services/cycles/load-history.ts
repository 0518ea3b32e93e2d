import { type MarketName, MARKETS } from "@/lib/domain/enums.ts";
import { newYork, type SessionDate } from "@/lib/domain/time.ts";
import type { Context } from "../../context.ts";
import { withBarsLock } from "../../core/bars-lock.ts";
import { marketMoment } from "../../core/calendar.ts";
import { hasMarket } from "../../providers/market-data-registry.ts";
import { historyRate } from "./history-pace.ts";
import { loadBars } from "./load-bars.ts";
import { tradableAssets } from "./market-bars.ts";

/** A worker that is told to stop waits for its jobs no longer than this twice; the next turn continues. */
const TURN_MS = 10_000;

/** The session up to which a market's bars are loaded by this process's knowledge. */
const loaded = new Map<MarketName, SessionDate>();

/**
 * Loads the bars of markets whose source counts requests ahead of their screening, some at each turn: two years of every symbol at
 * first, then each night the session that closed. Where requests are not limited, the screening itself asks.
 */
export async function loadHistory(context: Context, { turnMs = TURN_MS } = {}): Promise<void> {
  for (const market of MARKETS.filter((name) => hasMarket(name) && historyRate(name) !== null)) {
    try {
      await loadMarket(context, market, turnMs);
    } catch (error) {
      context.log.warn("bars.load-failed", { market, err: error });
    }
  }
}

async function loadMarket(context: Context, market: MarketName, turnMs: number): Promise<void> {
  const { now, calendar } = await marketMoment(context, market);
  const { date } = newYork(now);
  // As a screening of today reads them: a session counts once its day is over.
  const through = calendar.findLast(({ session }) => session < date)?.session;
  if (through === undefined || loaded.get(market) === through) return;
  const symbols = (await tradableAssets(context, market)).map(({ symbol }) => symbol);
  const waiting = await withBarsLock(market, { waitMs: 0 }, () =>
    loadBars(context, { market, symbols, through, mostMs: turnMs }),
  );
  if (waiting === 0) loaded.set(market, through);
}
