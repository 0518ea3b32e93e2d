import { type NewsItem, sessionNews } from "../market/news.ts";
import { boundMs, firstIndexFrom, isDescending, isoSeconds, limitOf, readToken, tokenOf } from "./data-query.ts";
import { flagOf } from "./flag.ts";
import { type Call, data, ok, type Reply, type Route } from "./router.ts";

const LIMIT_DEFAULT = 10;
const LIMIT_MAX = 50;
/** Without a start the search goes no further back than this many sessions. */
const SESSIONS_BACK = 60;

/** An article as the broker sends it, over REST and over the websocket. */
export function newsWire(item: NewsItem): Record<string, unknown> {
  const at = isoSeconds(item.atMs);
  return {
    id: item.id,
    headline: item.headline,
    author: "Practice market",
    created_at: at,
    updated_at: at,
    summary: item.summary,
    content: `<p>${item.summary}</p>`,
    images: [],
    symbols: [item.symbol],
    source: "practice-market (made up)",
    url: null,
  };
}

function news(call: Call): Reply {
  const { state, query } = call;
  const { nowMs, index } = state.view.moment();
  const endMs = Math.min(nowMs, boundMs(query, "end") ?? nowMs);
  const start = boundMs(query, "start");
  const symbols = query.get("symbols");
  const wanted = symbols === null || symbols === "" ? null : new Set(symbols.split(","));
  const limit = limitOf(query, LIMIT_DEFAULT, LIMIT_MAX);
  const isAscending = (query.get("sort") ?? "") !== "" && !isDescending(query);
  const token = readToken(query, /^\d{1,15}$/);
  const resume = token === null ? null : Number(token);

  // Nothing is written of what is not listed: the years need not be looked through for it.
  const isKnown = wanted === null || [...wanted].some((symbol) => state.market.assets.has(symbol));
  if (!isKnown) return ok({ news: [], next_page_token: null });

  // The night before the start belongs to the session before it.
  const oldest = Math.max(1, start === null ? index - SESSIONS_BACK : firstIndexFrom(state, start) - 1);
  const page: NewsItem[] = [];
  let next: string | null = null;
  for (let k = 0; k <= index - oldest && next === null; k += 1) {
    const i = isAscending ? oldest + k : index - k;
    const date = state.market.sessions[i];
    if (date === undefined || state.sessions.hours(date).opensAtMs > endMs) continue;
    // A session's last line comes within twenty minutes of its close.
    if (start !== null && state.sessions.hours(date).closesAtMs + 1_200_000 < start) {
      if (isAscending) continue;
      break;
    }
    const items = isAscending
      ? sessionNews(state.market, state.sessions, i)
      : [...sessionNews(state.market, state.sessions, i)].reverse();
    for (const item of items) {
      if (item.atMs > endMs || (start !== null && item.atMs < start)) continue;
      if (wanted !== null && !wanted.has(item.symbol)) continue;
      if (resume !== null && (isAscending ? item.id < resume : item.id > resume)) continue;
      if (page.length === limit) {
        next = tokenOf(String(item.id));
        break;
      }
      page.push(item);
    }
  }
  const isBare = query.has("include_content") && !flagOf(query, "include_content");
  const wires = page.map((item) => (isBare ? { ...newsWire(item), content: "" } : newsWire(item)));
  return ok({ news: wires, next_page_token: next });
}

export const newsRoutes: Route[] = [data("/v1beta1/news", news)];
