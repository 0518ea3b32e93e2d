import type { Given } from "@/lib/contracts/endpoint.ts";
import type { selectorsApi } from "@/lib/contracts/selectors.ts";
import type { MarketName } from "@/lib/domain/enums.ts";
import { seatHistory, type SymbolSelection } from "@/lib/domain/screening/seat-history.ts";
import type { Context } from "../../context.ts";
import { disagreementView } from "../../core/disagreement-view.ts";
import { sessionOf } from "../../rows.ts";
import { seatFields } from "./seat-fields.ts";

/** What a page shows of a symbol's past. */
const SELECTIONS = 120;
const EVENTS = 60;
const NEWS = 30;
const REACTIONS = 12;
const DISAGREEMENTS = 20;

interface SelectionRow extends Omit<SymbolSelection, "sessionDate" | "seat"> {
  id: string;
  sessionDate: Date;
  policyVersion: string;
  composite: number | null;
}

type View = Given<typeof selectorsApi.symbol>;

/** What the last selections and the market's sources say of a symbol. */
export async function symbolRecord(context: Pick<Context, "db">, market: MarketName, symbol: string) {
  const { db } = context;
  const of = { market, symbol };
  const [selections, news, watch, reactions, found] = await Promise.all([
    selectionsOf(context, market, symbol),
    db.newsItem.findMany({
      where: { market, symbols: { hasEvery: [symbol] } },
      orderBy: { publishedAt: "desc" },
      take: NEWS,
      omit: { market: true, symbols: true },
    }),
    db.earningsWatch.findFirst({ where: of, orderBy: { sessionDate: "desc" } }),
    db.earningsReaction.findMany({ where: of, orderBy: { reportDate: "desc" }, take: REACTIONS }),
    db.sourceDisagreement.findMany({ where: of, orderBy: { id: "desc" }, take: DISAGREEMENTS }),
  ]);
  const seats = await db.seat.findMany({
    where: { symbol, selectionId: { in: selections.map(({ id }) => id) } },
    omit: { momentumPercentile: true },
  });
  const seatOf = new Map(seats.map((seat) => [seat.selectionId, seat]));
  const history = selections.map((row) => ({ row, seat: seatOf.get(row.id) ?? null }));
  const events = seatHistory(
    symbol,
    history.map(({ row, seat }) => ({ ...row, sessionDate: sessionOf(row.sessionDate), seat })),
  );
  const latest = history.at(-1);
  const lastSeated = history.findLast(({ seat }) => seat !== null);
  const disagreements = found.map((row) => disagreementView(row));
  const hasScore = selections.some(({ composite, quarantine }) => composite !== null || quarantine !== null);
  const scores: View["scores"] = history.map(({ row, seat }) => ({
    sessionDate: sessionOf(row.sessionDate),
    policyVersion: row.policyVersion,
    seat: seat && { ...seatFields(seat), coverage: seat.coverage },
    compositeScore: seat?.compositeScore ?? row.composite,
  }));
  return {
    /** False where neither a selection nor a source has named it. */
    isKnown:
      hasScore || seats.length + events.length + news.length + reactions.length + found.length > 0 || watch !== null,
    watch,
    sector: lastSeated?.seat?.sector ?? watch?.sector ?? null,
    /** The last selection in which it had a seat. */
    lastSelectionId: lastSeated?.row.id ?? null,
    view: {
      seat: latest?.seat ? { ...seatFields(latest.seat), coverage: latest.seat.coverage } : null,
      quarantine: disagreements.find(({ clearedAt }) => clearedAt === null)?.text ?? latest?.row.quarantine ?? null,
      scores,
      events: events.slice(0, EVENTS),
      news,
    },
    disagreements,
    reactions: reactions.map(({ reportDate, reportTime: time, reaction }) => ({
      date: sessionOf(reportDate),
      time,
      reaction,
    })),
  };
}

/** The last selections, oldest first, with only what each of them says of the symbol. */
async function selectionsOf({ db }: Pick<Context, "db">, market: MarketName, symbol: string): Promise<SelectionRow[]> {
  const rows = await db.$queryRaw<SelectionRow[]>`
    select s."id", s."sessionDate", s."policyVersion",
      (s."memory" #>> array['composites', ${symbol}])::float8 as "composite",
      s."metadata" #>> array['quarantine', ${symbol}] as "quarantine",
      coalesce(s."metadata" -> 'forcedOut' ? ${symbol}, false) as "isForcedOut",
      coalesce((select jsonb_agg(x) from jsonb_array_elements(s."metadata" -> 'swaps') x
        where ${symbol} in (x ->> 'challenger', x ->> 'incumbent')), '[]') as "swaps",
      coalesce((select jsonb_agg(x) from jsonb_array_elements(s."metadata" -> 'refusedSwaps') x
        where ${symbol} in (x ->> 'challenger', x ->> 'incumbent')), '[]') as "refusedSwaps"
    from "Selection" s where s."market" = ${market}::"Market"
    order by s."sessionDate" desc limit ${SELECTIONS}`;
  return rows.reverse();
}
