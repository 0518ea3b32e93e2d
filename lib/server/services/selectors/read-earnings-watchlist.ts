import type { Given, Received } from "@/lib/contracts/endpoint.ts";
import type { selectorsApi } from "@/lib/contracts/selectors.ts";
import type { MarketName } from "@/lib/domain/enums.ts";
import { byText } from "@/lib/domain/text-order.ts";
import type { Context } from "../../context.ts";
import { sessionOf } from "../../rows.ts";
import { marketToday, sessionOpening } from "./market-day.ts";
import { marketScope, type LastSelection } from "./market-scope.ts";
import { watchFields } from "./watch-fields.ts";

type Answer = Given<typeof selectorsApi.earningsWatchlist>;

/** The watchlist of the last screened session, by rank, and the same stocks day by day. */
export async function readEarningsWatchlist(
  context: Context,
  { market: wanted }: Received<typeof selectorsApi.earningsWatchlist>,
): Promise<Answer> {
  const { market, selection, scope } = await marketScope(context, wanted);
  const { rows, isCurrent, sessionDate } = await listOf(context, market, selection);
  const watchlist = rows.map(watchFields);
  const ofRisk = (level: string) => watchlist.filter(({ riskLevel }) => riskLevel === level).length;
  return {
    ...scope,
    sessionDate,
    today: selection === null ? null : await marketToday(context, market, scope.sessionDate),
    isCurrent,
    metadata: {
      totalStocks: watchlist.length,
      lowRisk: ofRisk("LOW"),
      mediumRisk: ofRisk("MEDIUM"),
      highRisk: ofRisk("HIGH"),
      lastUpdated: sessionOpening(sessionDate),
    },
    watchlist,
    calendar: calendarOf(watchlist),
  };
}

/**
 * The list of the last selection. Where it has none, the earnings calendar was unavailable (then the newest list before it stands
 * in), or no company reports soon.
 */
async function listOf({ db }: Pick<Context, "db">, market: MarketName, selection: LastSelection | null) {
  const none = { rows: [], isCurrent: true, sessionDate: selection && sessionOf(selection.sessionDate) };
  if (selection === null) return none;
  const newest = await db.earningsWatch.findFirst({
    where: { market, sessionDate: { lte: selection.sessionDate } },
    orderBy: { sessionDate: "desc" },
    select: { sessionDate: true },
  });
  const isCurrent = newest?.sessionDate.getTime() === selection.sessionDate.getTime();
  if (!isCurrent) {
    const { metadata } = await db.selection.findUniqueOrThrow({
      where: { id: selection.id },
      select: { metadata: true },
    });
    if ((metadata as { hasEarnings?: boolean }).hasEarnings === true) return none;
    if (newest === null) return { ...none, isCurrent: false };
  }
  const { sessionDate } = newest ?? selection;
  const rows = await db.earningsWatch.findMany({ where: { market, sessionDate }, orderBy: { rank: "asc" } });
  return { rows, isCurrent, sessionDate: sessionOf(sessionDate) };
}

function calendarOf(watchlist: Answer["watchlist"]): Answer["calendar"] {
  const days = new Map<string, Answer["watchlist"]>();
  for (const row of watchlist.toSorted((a, b) => byText(a.earningsDate, b.earningsDate)))
    days.set(row.earningsDate, [...(days.get(row.earningsDate) ?? []), row]);
  return [...days].map(([date, stocks]) => ({
    date,
    stocks: stocks.toSorted((a, b) => byText(a.symbol, b.symbol)),
  }));
}
