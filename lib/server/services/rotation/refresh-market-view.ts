import type { MarketView } from "@/lib/domain/engine/plan.ts";
import type { MarketName } from "@/lib/domain/enums.ts";
import { newYork } from "@/lib/domain/time.ts";
import type { Context } from "../../context.ts";
import { activePolicy } from "../../core/active-policy.ts";
import { dateOf } from "../../rows.ts";
import { readMarketView } from "../cycles/market-record.ts";
import { readQuotes } from "../cycles/run-screening.ts";

/** The newest look at the market of this session, with the time and the quotes of now; null before the first screening. */
export async function refreshMarketView(
  context: Context,
  market: MarketName,
  symbols: readonly string[],
): Promise<MarketView | null> {
  const clock = await context.marketData(market).clock();
  const { date } = newYork(clock.now);
  const cycle = await context.db.cycle.findFirst({
    where: { market, sessionDate: dateOf(date), status: "DONE", snapshotId: { not: null } },
    orderBy: { startedAt: "desc" },
    select: { snapshotId: true },
  });
  if (!cycle?.snapshotId) return null;
  const view = await readMarketView(context, cycle.snapshotId);
  const wanted = symbols.filter((symbol) => view.symbols[symbol] !== undefined);
  const quotes = await readQuotes(context, {
    market,
    symbols: wanted,
    at: clock.now,
    policy: await activePolicy(context),
  });
  const fresh = wanted.map((symbol) => [symbol, { ...view.symbols[symbol]!, quote: quotes.get(symbol) ?? null }]);
  return {
    ...view,
    at: clock.now,
    session: { ...view.session, isOpen: clock.isOpen && clock.now < view.session.closesAt },
    symbols: { ...view.symbols, ...(Object.fromEntries(fresh) as MarketView["symbols"]) },
  };
}
