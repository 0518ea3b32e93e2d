import type { Given, Received } from "@/lib/contracts/endpoint.ts";
import type { symbolsApi } from "@/lib/contracts/symbols.ts";
import { barsBetween } from "@/lib/domain/bars/pack.ts";
import { Failure } from "@/lib/domain/failures.ts";
import { sma } from "@/lib/domain/indicators/sma.ts";
import { adjustForSplits } from "@/lib/domain/screening/adjust.ts";
import { addDays } from "@/lib/domain/time.ts";
import type { Context } from "../../context.ts";
import { symbolBars } from "./symbol-bars.ts";
import { symbolScope } from "./symbol-scope.ts";

const TWO_YEARS_DAYS = 731;

/** A symbol's closed sessions as candles. The averages are of all that is stored, so that the first candles have theirs, too. */
export async function readBars(
  context: Context<"user">,
  { symbol, environment }: Received<typeof symbolsApi.bars>,
): Promise<Given<typeof symbolsApi.bars>> {
  const { market } = await symbolScope(context, environment);
  const { bars: raw, events } = await symbolBars(context, market, symbol);
  const last = raw.dates.at(-1);
  if (last === undefined) throw new Failure("not_found", `No prices of ${symbol} are stored in this market.`);
  const all = adjustForSplits(raw, events);
  const shown = barsBetween(all, addDays(last, -TWO_YEARS_DAYS), last);
  const from = all.dates.length - shown.dates.length;
  const averages = (sessions: number) =>
    Array.from(sma(all.close, sessions).subarray(from), (value) => (Number.isNaN(value) ? null : value));
  return {
    market,
    symbol,
    bars: {
      sessions: shown.dates,
      open: [...shown.open],
      high: [...shown.high],
      low: [...shown.low],
      close: [...shown.close],
      volume: [...shown.volume],
      sma50: averages(50),
      sma200: averages(200),
    },
    splits: events
      .filter(({ date, value }) => date <= last && value > 0)
      .map(({ date, value }) => ({ session: date, ratio: value })),
  };
}
