import type { MarketView, SymbolView } from "../engine/plan.ts";
import type { MarketName, PriceFigure } from "../enums.ts";
import { type DecimalText, money, text } from "../money.ts";
import type { Policy } from "../policy.ts";
import type { PriceProvider } from "../providers.ts";
import type { Instant, SessionDate } from "../time.ts";
import { weightIn } from "./weight-in.ts";
import { type Consensus, consensusOf, deviationBps, type SourceValue } from "./consensus.ts";

/** Whose bars and quotes are traded on. */
export const ownSource = (market: MarketName): PriceProvider => (market === "US" ? "Alpaca" : "Practice market");

type Moment = Pick<MarketView, "market" | "at" | "barsThrough">;

/** What the sources say of one figure together, at this moment of the market and under this policy. */
export function judgeValues(
  figure: PriceFigure,
  values: readonly SourceValue[],
  { market, at, barsThrough }: Moment,
  policy: Policy,
): Consensus {
  const { min_agreeing_providers, max_compared_age_seconds } = policy.providers_consensus;
  const atMs = Date.parse(at);
  return consensusOf(values, {
    own: ownSource(market),
    quorum: min_agreeing_providers,
    limitBps: limitIn(policy, figure),
    weightOf: (source) => weightIn(policy, source),
    // A clock that runs fast is as far from the moment as one that runs slow.
    isCurrent: (value) =>
      figure === "CLOSE"
        ? value.at === barsThrough
        : Math.abs(Date.parse(value.at) - atMs) <= max_compared_age_seconds * 1000,
  });
}

export const limitIn = ({ providers_consensus: rules }: Policy, figure: PriceFigure): number =>
  figure === "CLOSE" ? rules.max_close_difference_bps : rules.max_quote_difference_bps;

/** The values of a figure that a view holds, the own one among them. */
function valuesOf(figure: PriceFigure, view: SymbolView, { market, barsThrough }: Moment): SourceValue[] {
  const source = ownSource(market);
  const { features, quote, sources } = view;
  if (figure === "QUOTE")
    return sources?.quotes ?? (quote === null ? [] : [{ source, value: quote.last, at: quote.at }]);
  const own = features === null ? [] : [{ source, value: text(features.close), at: barsThrough }];
  return [...own, ...(sources?.closes ?? [])];
}

/** The same of a symbol of a view; null where nothing was compared, as in a backtest, whose history has one source. */
export function judgeSymbol(figure: PriceFigure, view: SymbolView, moment: Moment, policy: Policy): Consensus | null {
  if (view.sources === undefined) return null;
  // What was said is judged at the moment of the comparison: a later look at the same record comes to the same.
  const at = view.sources?.at ?? moment.at;
  return judgeValues(figure, valuesOf(figure, view, moment), { ...moment, at }, policy);
}

/**
 * A vendor's close in the shares of the session that it closed. On the morning of a split some vendors give it in today's
 * shares: of both readings the one nearer to the own close is meant.
 */
export function inRawShares(close: DecimalText, own: DecimalText, splitToday: DecimalText | null): DecimalText {
  if (splitToday === null) return close;
  const [asGiven, asAdjusted] = [money(close), money(close).times(splitToday)];
  if (asGiven.lte(0)) return close;
  return deviationBps(asAdjusted, money(own)) < deviationBps(asGiven, money(own)) ? asAdjusted.toFixed() : close;
}

/** A vendor's last price of a symbol: it says when it was made, or at least on which day. */
export interface VendorPrice {
  price: DecimalText;
  /** Of the session before that day. */
  previousClose: DecimalText | null;
  at: Instant | null;
  day: SessionDate;
}

/**
 * The close of the last closed session that a vendor's quote tells: the previous one of today's quote, or the price itself
 * where it was made at that session's close or later. Null where it speaks of another day.
 */
export function reportedClose(
  { price, previousClose, at, day }: VendorPrice,
  { session, barsThrough, closedAt }: { session: SessionDate; barsThrough: SessionDate; closedAt: Instant | null },
): DecimalText | null {
  if (day === session) return previousClose;
  if (day !== barsThrough) return null;
  const isFinal = at === null || (closedAt !== null && at >= closedAt);
  return isFinal ? price : null;
}
