import type { ExchangeState } from "../book/state.ts";
import { type NewsItem, sessionNews } from "../market/news.ts";

/** Headlines that are out by now, newest first, between two instants, of one symbol or of all. */
export function articlesBetween(
  state: ExchangeState,
  fromMs: number,
  toMs: number,
  symbols: ReadonlySet<string> | null,
): NewsItem[] {
  const { nowMs, index } = state.view.moment();
  const endMs = Math.min(toMs, nowMs);
  const found: NewsItem[] = [];
  for (let i = index; i > 0; i -= 1) {
    const date = state.market.sessions[i];
    if (date === undefined) continue;
    // A session's last line comes within twenty minutes of its close.
    if (state.sessions.hours(date).closesAtMs + 1_200_000 < fromMs) break;
    for (const item of [...sessionNews(state.market, state.sessions, i)].reverse())
      if (item.atMs <= endMs && item.atMs >= fromMs && (symbols === null || symbols.has(item.symbol))) found.push(item);
  }
  return found;
}

export const SOURCE = "practice-market (made up)";
