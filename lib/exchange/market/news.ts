import type { Sessions } from "./sessions.ts";
import { seedOf } from "./seeded.ts";
import type { Market } from "./source.ts";

export interface NewsItem {
  id: number;
  symbol: string;
  headline: string;
  summary: string;
  /** Epoch milliseconds of market time at which it could be known. */
  atMs: number;
}

const GAP_WORTH_A_LINE = 0.03;
const VOLUME_WORTH_A_LINE = 2.2;
const USUAL_SESSIONS = 20;

function pick(seed: number, choices: readonly string[]): string {
  return choices[seed % choices.length] as string;
}

function percent(share: number): string {
  return `${Math.abs(share * 100).toFixed(1)}%`;
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
  const add = (symbol: string, atMs: number, headline: string, summary: string) => {
    items.push({ id: 0, symbol, headline, summary, atMs: atMs + (seedOf(symbol, date) % 240) * 1000 });
  };
  for (const symbol of market.symbols) {
    const series = market.series(symbol);
    const open = series?.open[index];
    const before = series?.close[index - 1];
    if (
      series === undefined ||
      open === undefined ||
      before === undefined ||
      Number.isNaN(open) ||
      Number.isNaN(before)
    )
      continue;
    const name = market.assets.get(symbol)?.name ?? symbol;
    const seed = seedOf(market.seed, symbol, date);
    const previous = before / (split.get(symbol) ?? 1);
    const gap = open / previous - 1;
    if (Math.abs(gap) >= GAP_WORTH_A_LINE) {
      const verbs = gap > 0 ? ["jumps", "surges", "rallies"] : ["slides", "tumbles", "drops"];
      const line = `${name} ${pick(seed, verbs)} ${percent(gap)} at the open`;
      add(
        symbol,
        opensAtMs + 300_000,
        line,
        `${line}. Shares opened at ${open} after closing at ${previous.toFixed(2)}.`,
      );
    }
    const close = series.close[index] as number;
    const change = close / previous - 1;
    const report = reports.get(symbol);
    if (report !== undefined) {
      const { epsActual, epsEstimate } = report;
      const isBeat = epsActual === null || epsEstimate === null ? null : epsActual >= epsEstimate;
      const outcome =
        isBeat === null
          ? "reports quarterly results"
          : isBeat
            ? "beats quarterly estimates"
            : "misses quarterly estimates";
      const detail =
        isBeat === null ? "" : ` Earnings were ${epsActual ?? ""} a share against ${epsEstimate ?? ""} expected.`;
      const line = `${name} ${outcome}`;
      add(
        symbol,
        closesAtMs + 600_000,
        line,
        `${line}.${detail} Shares closed ${change >= 0 ? "up" : "down"} ${percent(change)}.`,
      );
    }
    let usual = 0;
    let days = 0;
    for (let i = Math.max(0, index - USUAL_SESSIONS); i < index; i += 1) {
      const volume = series.volume[i] as number;
      if (Number.isNaN(volume)) continue;
      usual += volume;
      days += 1;
    }
    const ratio = days === 0 || usual === 0 ? 0 : ((series.volume[index] as number) * days) / usual;
    if (ratio < VOLUME_WORTH_A_LINE) continue;
    const mood = change >= 0 ? pick(seed, ["gains", "climbs"]) : pick(seed, ["falls", "declines"]);
    const line = `${name} ${mood} ${percent(change)} on ${ratio.toFixed(1)} times its usual volume`;
    add(symbol, closesAtMs + 300_000, line, `${line}.`);
  }
  items.sort((a, b) => a.atMs - b.atMs || (a.symbol < b.symbol ? -1 : 1));
  items.forEach((item, i) => (item.id = 10_000_000 + index * 2_000 + i));
  return items;
}
