import type { MarketName } from "@/lib/domain/enums.ts";
import type { BarSeries, CorporateEvent } from "@/lib/domain/screening/features.ts";
import type { Context } from "../../context.ts";
import { readStoredBars } from "../../core/bar-packs.ts";
import { dateOf, sessionOf } from "../../rows.ts";

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
export async function symbolBars({ db }: Pick<Context, "db">, market: MarketName, symbol: string): Promise<SymbolBars> {
  const found = await readStoredBars(market, { from: "", to: "9999-12-31", symbols: [symbol] });
  const bars = found.get(symbol) ?? none(symbol);
  const [first] = bars.dates;
  if (first === undefined) return { bars, events: [] };
  const rows = await db.marketEvent.findMany({
    where: { market, symbol, kind: "split", exDate: { gt: dateOf(first) } },
    orderBy: { exDate: "asc" },
  });
  return {
    bars,
    events: rows.map(({ exDate, value }) => ({ symbol, date: sessionOf(exDate), kind: "split" as const, value })),
  };
}
