import { type EarningsTime, type RiskName, RISKS } from "../enums.ts";
import type { Policy } from "../policy.ts";
import { knownSector } from "../sectors.ts";
import { addDays, type SessionDate } from "../time.ts";
import { firstIndexFrom } from "./adjust.ts";
import type { BarSeries } from "./features.ts";
import { hardFilter, type ScreenedSymbol } from "./score.ts";

/** How the price answered one report. */
export interface EarningsReaction {
  date: SessionDate;
  time: EarningsTime;
  /** Close to close, a fraction with its sign. */
  reaction: number;
}

export interface WatchCandidate extends ScreenedSymbol {
  next: { date: SessionDate; time: EarningsTime } | null;
  /** Signed close-to-close reactions to past reports, oldest first (`earningsReactions`). */
  reactions: readonly number[];
  /** Analysts' consensus target price, USD; null where no provider gives one. */
  consensusTarget: number | null;
}

export interface WatchRow {
  rank: number;
  symbol: string;
  companyName: string;
  sector: string;
  lastPrice: number;
  earningsDate: SessionDate;
  earningsTime: EarningsTime;
  riskLevel: RiskName;
  /** fraction */
  expectedMove: number;
  /** fraction, signed */
  upside: number;
  upsideSource: "consensus" | "momentum" | "none";
  volumeRatio: number | null;
  watchlistReason: string;
}

/**
 * Close-to-close reactions to reports, from split-adjusted bars: the report's own session when it came before the open,
 * the next one after the close. Where the time of day is not known, the larger of the two.
 */
export function earningsReactions(
  bars: BarSeries,
  reports: readonly { date: SessionDate; time: EarningsTime }[],
): EarningsReaction[] {
  const move = (i: number): number | null => {
    const [before, after] = [bars.close[i - 1], bars.close[i]];
    return before === undefined || after === undefined || !(before > 0) ? null : after / before - 1;
  };
  const reactions: EarningsReaction[] = [];
  for (const { date, time } of [...reports].sort((a, b) => (a.date < b.date ? -1 : 1))) {
    const at = firstIndexFrom(bars.dates, date);
    if (bars.dates[at] !== date) continue;
    const [own, next] = [move(at), move(at + 1)];
    const reaction =
      time === "BMO" ? own : time === "AMC" ? next : Math.abs(next ?? 0) > Math.abs(own ?? 0) ? next : own;
    // A report whose reaction is still to come says nothing.
    if (reaction !== null && (time === "BMO" || next !== null)) reactions.push({ date, time, reaction });
  }
  return reactions;
}

function meanSize(values: readonly number[]): number | null {
  if (values.length === 0) return null;
  let total = 0;
  for (const value of values) total += Math.abs(value);
  return total / values.length;
}

/** Mean size of the last 8 reactions; with n < 8 the sector's (else the market's) fills the rest. Null when no symbol has one. */
function expectedMove(own: readonly number[], prior: number | null, reports: number): number | null {
  const recent = own.slice(-reports);
  const mean = meanSize(recent);
  if (mean === null) return prior;
  if (recent.length === reports || prior === null) return mean;
  return (recent.length * mean + (reports - recent.length) * prior) / reports;
}

function riskOf(move: number, sigma: number | null, policy: Policy): RiskName {
  const { watchlist_low_move, watchlist_high_move, watchlist_high_sigma } = policy.selector_top50;
  const base = move < watchlist_low_move ? 0 : move < watchlist_high_move ? 1 : 2;
  // Volatility that is not known counts as high.
  const isVolatile = sigma === null || sigma > watchlist_high_sigma;
  return RISKS[Math.min(2, base + (isVolatile ? 1 : 0))]!;
}

function upsideOf(candidate: WatchCandidate, move: number): Pick<WatchRow, "upside" | "upsideSource"> {
  const { consensusTarget, lastPrice, features } = candidate;
  if (consensusTarget !== null && lastPrice !== null)
    return { upside: consensusTarget / lastPrice - 1, upsideSource: "consensus" };
  const momentum = features?.momentum12 ?? null;
  if (momentum === null || momentum === 0) return { upside: 0, upsideSource: "none" };
  return { upside: Math.sign(momentum) * move, upsideSource: "momentum" };
}

/** Whose reactions stand for those that a symbol lacks: its sector's, or the market's where none is known of that. */
type PriorName = "sector" | "market";

function reasonOf(candidate: WatchCandidate, move: number, reports: number, prior: PriorName): string {
  const whole = prior === "sector" ? "its sector" : "the market";
  const count = Math.min(candidate.reactions.length, reports);
  const basis =
    count === 0
      ? `as ${whole} does`
      : `the mean of ${count} report${count === 1 ? "" : "s"}${count < reports ? `, shrunk to ${whole}` : ""}`;
  const ratio = candidate.features?.volumeRatio ?? null;
  const volume = ratio !== null && ratio >= 1.5 ? `; volume ${ratio.toFixed(1)} times its mean` : "";
  return `Moves ${(move * 100).toFixed(1)} % on reports, ${basis}${volume}`;
}

/** The earnings watchlist (engine.md §6): of the liquid universe, reports within 14 days, largest expected move first. */
export function earningsWatchlist(
  candidates: readonly WatchCandidate[],
  sessionDate: SessionDate,
  policy: Policy,
): WatchRow[] {
  const { watchlist_size, watchlist_days, watchlist_reports } = policy.selector_top50;
  const liquid = candidates
    .filter((row) => hardFilter(row, policy) === null)
    .sort((a, b) => (a.symbol < b.symbol ? -1 : 1));
  const bySector = new Map<string, number[]>();
  for (const { sector, reactions } of liquid) {
    bySector.set(sector, [...(bySector.get(sector) ?? []), ...reactions.slice(-watchlist_reports)]);
  }
  const ofMarket = meanSize([...bySector.values()].flat());
  const last = addDays(sessionDate, watchlist_days);
  const rows: WatchRow[] = [];
  for (const candidate of liquid) {
    const { next, lastPrice, features } = candidate;
    if (next === null || next.date < sessionDate || next.date > last || lastPrice === null) continue;
    const ofSector = knownSector(candidate.sector) === null ? null : meanSize(bySector.get(candidate.sector) ?? []);
    const move = expectedMove(candidate.reactions, ofSector ?? ofMarket, watchlist_reports);
    if (move === null) continue;
    rows.push({
      rank: 0,
      symbol: candidate.symbol,
      companyName: candidate.name,
      sector: candidate.sector,
      lastPrice,
      earningsDate: next.date,
      earningsTime: next.time,
      riskLevel: riskOf(move, features?.sigma60 ?? null, policy),
      expectedMove: move,
      ...upsideOf(candidate, move),
      volumeRatio: features?.volumeRatio ?? null,
      watchlistReason: reasonOf(candidate, move, watchlist_reports, ofSector === null ? "market" : "sector"),
    });
  }
  rows.sort((a, b) => b.expectedMove - a.expectedMove || (a.symbol < b.symbol ? -1 : 1));
  return rows.slice(0, watchlist_size).map((row, i) => ({ ...row, rank: i + 1 }));
}
