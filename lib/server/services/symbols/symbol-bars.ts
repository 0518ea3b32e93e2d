import type { MarketName } from "@/lib/domain/enums.ts";
import type { BarSeries, CorporateEvent } from "@/lib/domain/screening/features.ts";
import type { Context } from "../../context.ts";
import { readStoredBars } from "../../core/bar-packs.ts";
import { sessionOf } from "../../rows.ts";

export interface SymbolBars {
  /** Raw, oldest first. */
  bars: BarSeries;
  /** Its splits since the first of them. */
  events: CorporateEvent[];
}

const none = (symbol: string): BarSeries => {
  const empty = () => new Float64Array(0);
  return { symbol, dates: [], open: empty(), high: empty(), low: empty(), close: empty(), volume: empty() };
};

/** What is stored of a symbol's closed sessions; no bars where none are. */
export async function symbolBars(
  context: Pick<Context, "db">,
  market: MarketName,
  symbol: string,
): Promise<SymbolBars> {
  const found = await barsOfSymbols(context, market, [symbol]);
  return found.get(symbol) ?? { bars: none(symbol), events: [] };
}

/** The same of several symbols, of those of which something is stored. */
export async function barsOfSymbols(
  { db }: Pick<Context, "db">,
  market: MarketName,
  symbols: readonly string[],
): Promise<Map<string, SymbolBars>> {
  const found = await readStoredBars(market, { from: "", to: "9999-12-31", symbols });
  const rows = await db.marketEvent.findMany({
    where: { market, symbol: { in: [...found.keys()] }, kind: "split" },
    orderBy: { exDate: "asc" },
  });
  const events = rows.map(({ symbol, exDate, value }) => ({
    ...{ symbol, date: sessionOf(exDate), kind: "split" as const, value },
  }));
  return new Map(
    [...found].map(([symbol, bars]) => {
      const first = bars.dates[0] ?? "";
      return [symbol, { bars, events: events.filter((event) => event.symbol === symbol && event.date > first) }];
    }),
  );
}
