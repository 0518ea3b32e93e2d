import type { Consensus, SourceValue } from "@/lib/domain/consensus/consensus.ts";
import {
  reportedClose,
  inRawShares,
  judgeSymbol,
  judgeValues,
  ownSource,
} from "@/lib/domain/consensus/judge-symbol.ts";
import type { MarketView, SourcesView, SymbolView } from "@/lib/domain/engine/plan.ts";
import { type MarketName, PRICE_FIGURES } from "@/lib/domain/enums.ts";
import { sessionHours } from "@/lib/domain/market-calendar.ts";
import { type DecimalText, text } from "@/lib/domain/money.ts";
import type { Policy } from "@/lib/domain/policy.ts";
import type { SessionDate } from "@/lib/domain/time.ts";
import type { Context } from "../../context.ts";
import type { CalendarDay } from "../../providers/market-data.ts";
import { readOtherPrices, type VendorReport } from "./read-sources.ts";
import { closeUnlisted, type Judged, settleComparison } from "./settle-comparison.ts";

/** Seats, held symbols and candidates: what the vendors' free plans have room for, and no universe. */
const MOST_COMPARED = 120;

/** What is known of a symbol's last close beside the sources. */
interface OwnClose {
  close: DecimalText | null;
  splitToday: DecimalText | null;
}

interface Day {
  session: SessionDate;
  barsThrough: SessionDate;
}

/** The other sources' closes of the last closed session, in raw shares. */
function closesOf(reported: readonly VendorReport[], own: OwnClose, { session, barsThrough }: Day): SourceValue[] {
  const closedAt = sessionHours(barsThrough)?.closesAt ?? null;
  return reported.flatMap(({ vendor, price }) => {
    const close = reportedClose(price, { session, barsThrough, closedAt });
    if (close === null) return [];
    const value = own.close === null ? close : inRawShares(close, own.close, own.splitToday);
    return [{ source: vendor, value, at: barsThrough }];
  });
}

/** What the sources say of a symbol at a look. */
function sourcesOf(
  row: SymbolView,
  reported: readonly VendorReport[],
  { market, at, session, barsThrough }: MarketView,
): SourcesView {
  const close = row.features === null ? null : text(row.features.close);
  const own = row.quote === null ? [] : [{ source: ownSource(market), value: row.quote.last, at: row.quote.at }];
  const others = reported.flatMap(({ vendor, price }) =>
    price.at === null ? [] : [{ source: vendor, value: price.price, at: price.at }],
  );
  return {
    at,
    closes: closesOf(reported, { close, splitToday: row.splitToday }, { session: session.date, barsThrough }),
    quotes: [...own, ...others],
  };
}

/**
 * The view of a look with what the other sources say of each symbol. Disagreements and agreements are kept; a symbol whose
 * sources disagreed, and could not be compared now, stays set aside.
 */
export async function compareSources(
  context: Context,
  policy: Policy,
  view: MarketView,
  reported: ReadonlyMap<string, VendorReport[]> | null,
): Promise<MarketView> {
  const rows = Object.values(view.symbols);
  const withSources = rows.map((row) => ({
    ...row,
    sources: reported === null ? null : sourcesOf(row, reported.get(row.symbol) ?? [], view),
  }));
  const standing =
    reported === null ? new Map<string, string>() : await settleComparisonOf(context, policy, view, withSources);
  return {
    ...view,
    symbols: Object.fromEntries(
      withSources.map((row) => [
        row.symbol,
        { ...row, quarantine: row.quarantine ?? standing.get(row.symbol) ?? null },
      ]),
    ),
  };
}

function settleComparisonOf(
  context: Context,
  policy: Policy,
  view: MarketView,
  rows: readonly SymbolView[],
): Promise<Map<string, string>> {
  const judged = rows.flatMap((row) =>
    PRICE_FIGURES.flatMap((figure): Judged[] => {
      const verdict = judgeSymbol(figure, row, view, policy);
      return verdict === null ? [] : [{ symbol: row.symbol, figure, verdict }];
    }),
  );
  return settleComparison(context, { market: view.market, session: view.session.date, at: view.at, policy, judged });
}

interface CloseQuestion {
  market: MarketName;
  session: CalendarDay;
  barsThrough: SessionDate;
  policy: Policy;
  /** Symbols that may get a seat, best first. */
  candidates: readonly string[];
  isListed: (symbol: string) => boolean;
  rowOf: (symbol: string) => Pick<SymbolView, "features" | "splitToday">;
}

/** What came of a comparison of closes. */
export interface ComparedCloses {
  /** Symbols whose sources disagree, or disagreed and were not seen to agree since, with the reason: they get no seat. */
  apart: Map<string, string>;
  /** Sources that are configured and did not answer. */
  failed: string[];
}

/** Compares the last closes of the candidates for seats, and of what is held, once a session. */
export async function compareCloses(context: Context, question: CloseQuestion): Promise<ComparedCloses> {
  const { market, session, barsThrough, policy, candidates } = question;
  const at = session.opensAt;
  const isCompared = context.marketData(market).priceSources.length > 0;
  const open = await closeUnlisted(context, { market, at, isListed: (each) => isCompared && question.isListed(each) });
  if (!isCompared) return { apart: new Map(), failed: [] };
  const held = await context.db.position.findMany({
    where: { account: { market, deletedAt: null } },
    select: { symbol: true },
    distinct: ["symbol"],
    orderBy: { symbol: "asc" },
  });
  const symbols = [...new Set([...held.map(({ symbol }) => symbol), ...open, ...candidates])].slice(0, MOST_COMPARED);
  const others = await readOtherPrices(context, market, symbols);
  const reported = others?.reported ?? new Map<string, VendorReport[]>();
  const judged = symbols.map((symbol): Judged => {
    const { features, splitToday } = question.rowOf(symbol);
    const own = { close: features === null ? null : text(features.close), splitToday };
    const closes = closesOf(reported.get(symbol) ?? [], own, { session: session.session, barsThrough });
    const mine = own.close === null ? [] : [{ source: ownSource(market), value: own.close, at: barsThrough }];
    const verdict: Consensus = judgeValues("CLOSE", [...mine, ...closes], { market, at, barsThrough }, policy);
    return { symbol, figure: "CLOSE", verdict };
  });
  const settled = { market, session: session.session, at, policy, judged, endsEarlierQuotes: true };
  return { apart: await settleComparison(context, settled), failed: others?.failed ?? [] };
}
