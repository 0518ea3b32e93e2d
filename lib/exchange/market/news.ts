import type { Sessions } from "./sessions.ts";
import { seedOf } from "./seeded.ts";
import type { EarningsReport, Market, Series } from "./source.ts";

export interface NewsItem {
  id: number;
  symbol: string;
  headline: string;
  summary: string;
  /** Epoch milliseconds of market time at which it could be known. */
  atMs: number;
  /** How good the news is for the share, from -1 to 1. Never on the broker's wire: its news carry no score. */
  stance: number;
}

const GAP_WORTH_A_LINE = 0.03;
const VOLUME_WORTH_A_LINE = 2.2;
const USUAL_SESSIONS = 20;

/** Why a share of the generated market opened elsewhere; a tape's shares have real reasons, which are not known here. */
const CAUSES = {
  good: ["it wins a large contract", "it raises its outlook", "it announces a buyback", "a product gets its approval"],
  bad: ["it cuts its outlook", "it loses a large customer", "it recalls a product", "it faces an investigation"],
};

function pick(seed: number, choices: readonly string[]): string {
  return choices[seed % choices.length] as string;
}

function percent(share: number): string {
  return `${Math.abs(share * 100).toFixed(1)}%`;
}

/** A move as a stance: six percent and more is all of it. */
function stanceOf(move: number): number {
  return Math.round(Math.max(-1, Math.min(1, move / 0.06)) * 100) / 100;
}

interface Written {
  headline: string;
  detail: string;
  stance: number;
}

function gapLine(name: string, open: number, previous: number, cause: string | null, seed: number): Written {
  const gap = open / previous - 1;
  const verbs = gap > 0 ? ["jumps", "surges", "rallies"] : ["slides", "tumbles", "drops"];
  const headline = `${name} ${pick(seed, verbs)} ${percent(gap)} at the open${cause === null ? "" : ` as ${cause}`}`;
  return {
    headline,
    detail: ` Shares opened at ${open} after closing at ${previous.toFixed(2)}.`,
    stance: stanceOf(gap),
  };
}

function reportLine(name: string, { epsActual, epsEstimate }: EarningsReport, change: number): Written {
  const moved = ` Shares closed ${change >= 0 ? "up" : "down"} ${percent(change)}.`;
  if (epsActual === null || epsEstimate === null)
    return { headline: `${name} reports quarterly results`, detail: moved, stance: 0 };
  const isBeat = epsActual >= epsEstimate;
  const surprise = epsEstimate === 0 ? 0 : (epsActual - epsEstimate) / Math.abs(epsEstimate);
  return {
    headline: `${name} ${isBeat ? "beats" : "misses"} quarterly estimates`,
    detail: ` Earnings were ${epsActual} a share against ${epsEstimate} expected.${moved}`,
    stance: Math.max(-1, Math.min(1, Math.round((surprise / 0.1 + (isBeat ? 0.1 : -0.1)) * 100) / 100)),
  };
}

function volumeLine(name: string, change: number, ratio: number, seed: number): Written {
  const mood = change >= 0 ? pick(seed, ["gains", "climbs"]) : pick(seed, ["falls", "declines"]);
  const headline = `${name} ${mood} ${percent(change)} on ${ratio.toFixed(1)} times its usual volume`;
  return { headline, detail: "", stance: stanceOf(change) };
}

/** A session's volume as a multiple of what was usual before it; 0 where nothing was. */
function volumeRatio(series: Series, index: number): number {
  let usual = 0;
  let days = 0;
  for (let i = Math.max(0, index - USUAL_SESSIONS); i < index; i += 1) {
    const volume = series.volume[i] as number;
    if (Number.isNaN(volume)) continue;
    usual += volume;
    days += 1;
  }
  return days === 0 || usual === 0 ? 0 : ((series.volume[index] as number) * days) / usual;
}

/**
 * The made-up headlines of one session, oldest first. Each is written from what has already happened at its
 * time: the opening gap five minutes into the session, volume and reports after the close.
 */
export function newsOf(market: Market, sessions: Sessions, index: number): NewsItem[] {
  const date = market.sessions[index];
  if (date === undefined || index === 0) return [];
  const { opensAtMs, closesAtMs } = sessions.hours(date);
  const split = new Map(market.splits.filter((s) => s.date === date).map((s) => [s.symbol, Number(s.ratio)]));
  const reports = new Map(
    market.earnings.filter((report) => report.date === date).map((report) => [report.symbol, report]),
  );
  const items: NewsItem[] = [];
  const add = (symbol: string, atMs: number, { headline, detail, stance }: Written) => {
    const late = (seedOf(symbol, date) % 240) * 1000;
    items.push({ id: 0, symbol, headline, summary: `${headline}.${detail}`, atMs: atMs + late, stance });
  };
  for (const symbol of market.symbols) {
    const series = market.series(symbol);
    const open = series?.open[index];
    const before = series?.close[index - 1];
    if (series === undefined || open === undefined || before === undefined) continue;
    if (Number.isNaN(open) || Number.isNaN(before)) continue;
    const name = market.assets.get(symbol)?.name ?? symbol;
    const seed = seedOf(market.seed, symbol, date);
    const previous = before / (split.get(symbol) ?? 1);
    const gap = open / previous - 1;
    const report = reports.get(symbol);
    if (Math.abs(gap) >= GAP_WORTH_A_LINE) {
      const hasCause = market.kind === "generated" && report === undefined && symbol !== "SPY";
      const cause = hasCause ? pick(seed >>> 3, gap > 0 ? CAUSES.good : CAUSES.bad) : null;
      add(symbol, opensAtMs + 300_000, gapLine(name, open, previous, cause, seed));
    }
    const change = (series.close[index] as number) / previous - 1;
    if (report !== undefined) add(symbol, closesAtMs + 600_000, reportLine(name, report, change));
    const ratio = volumeRatio(series, index);
    if (ratio >= VOLUME_WORTH_A_LINE) add(symbol, closesAtMs + 300_000, volumeLine(name, change, ratio, seed));
  }
  items.sort((a, b) => a.atMs - b.atMs || (a.symbol < b.symbol ? -1 : 1));
  items.forEach((item, i) => (item.id = 10_000_000 + index * 2_000 + i));
  return items;
}

const written = new WeakMap<Market, Map<number, NewsItem[]>>();

/** The headlines of a session, written once. */
export function sessionNews(market: Market, sessions: Sessions, index: number): NewsItem[] {
  let known = written.get(market);
  if (known === undefined) written.set(market, (known = new Map()));
  let items = known.get(index);
  if (items === undefined) known.set(index, (items = newsOf(market, sessions, index)));
  return items;
}
