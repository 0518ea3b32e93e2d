import type { Given, Received } from "@/lib/contracts/endpoint.ts";
import type { selectorsApi } from "@/lib/contracts/selectors.ts";
import type { Context } from "../../context.ts";
import { sessionOf } from "../../rows.ts";
import { sessionOpening } from "./market-day.ts";
import { marketScope } from "./market-scope.ts";
import { qaOfSelections } from "./qa-view.ts";
import { seatFields } from "./seat-fields.ts";

/** The seats of the last selection of a market, best first, with the regime and the QA results of the same session. */
export async function readTop50(
  context: Context,
  { market: wanted }: Received<typeof selectorsApi.top50>,
): Promise<Given<typeof selectorsApi.top50>> {
  const { db } = context;
  const { market, selection, scope } = await marketScope(context, wanted);
  const [seats, regime, qa] = await Promise.all([
    selection === null
      ? []
      : db.seat.findMany({
          where: { selectionId: selection.id },
          orderBy: { rank: "asc" },
          omit: { selectionId: true, momentumPercentile: true, coverage: true },
        }),
    db.regimeReading.findFirst({
      where: { market, ...(selection === null ? {} : { sessionDate: { lte: selection.sessionDate } }) },
      orderBy: { sessionDate: "desc" },
      omit: { memory: true },
    }),
    selection === null ? null : qaOfSelections(context, [selection.id]),
  ]);
  const sticky = seats.filter(({ kind }) => kind === "sticky").length;
  return {
    ...scope,
    policyVersion: selection?.policyVersion ?? null,
    metadata: {
      totalStocks: seats.length,
      stickySeats: sticky,
      freshSeats: seats.length - sticky,
      lastUpdated: sessionOpening(scope.sessionDate),
    },
    regime: regime && {
      regime_label: regime.label,
      vix: regime.vix,
      spy_close: regime.spyClose,
      spy_ma_20: regime.spyMa20,
      spy_ma_50: regime.spyMa50,
      votes: regime.votes,
      sessionDate: sessionOf(regime.sessionDate),
    },
    universe: seats.map((seat) => ({ symbol: seat.symbol, sector: seat.sector, ...seatFields(seat) })),
    qaResults: selection === null ? [] : (qa?.get(selection.id) ?? []),
  };
}
