import type { Given, Received } from "@/lib/contracts/endpoint.ts";
import type { selectorsApi } from "@/lib/contracts/selectors.ts";
import { Failure } from "@/lib/domain/failures.ts";
import type { Context } from "../../context.ts";
import { sessionOf } from "../../rows.ts";
import { marketToday } from "./market-day.ts";
import { marketScope } from "./market-scope.ts";
import { symbolRecord } from "./symbol-record.ts";
import { watchFields } from "./watch-fields.ts";

/** One symbol of a market: its scores and seat over the last selections, its news, its reports. Symbols never seen answer 404. */
export async function readSymbol(
  context: Context,
  { symbol, market: wanted }: Received<typeof selectorsApi.symbol>,
): Promise<Given<typeof selectorsApi.symbol>> {
  const { market, scope } = await marketScope(context, wanted);
  const { isKnown, watch, sector, view, disagreements, reactions } = await symbolRecord(context, market, symbol);
  if (!isKnown) throw new Failure("not_found", `${symbol} has not been screened, and there is no data about it.`);
  return {
    ...scope,
    symbol,
    companyName: watch?.companyName ?? null,
    sector,
    ...view,
    disagreements,
    earnings: {
      today: await marketToday(context, market, scope.sessionDate),
      watch: watch && { ...watchFields(watch), sessionDate: sessionOf(watch.sessionDate), rank: watch.rank },
      reactions,
    },
  };
}
