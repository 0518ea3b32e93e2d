import { checkFeed, type FeedUse, invalidToken, limitOf, readToken, tokenOf } from "./data-query.ts";
import type { Call, Reply } from "./router.ts";

const LIMIT_DEFAULT = 1_000;
const LIMIT_MAX = 10_000;
/** Symbol and position. */
const PLACE = /^[^|]+\|\d{1,15}$/;

/** The rows of a symbol in wire order, from a position on: what stands there, and its JSON text. */
export type Rows = (symbol: string, resume: number | null) => Iterable<[position: number, text: string]>;

/** What there are pages of. */
type Listed = Exclude<FeedUse, "latest">;

interface Page {
  items: { symbol: string; rows: string[] }[];
  next: string | null;
}

/** Positions from first to last, or the other way round. */
export function inOrder(
  first: number,
  last: number,
  isDescending: boolean,
): { from: number; to: number; step: 1 | -1 } {
  return isDescending ? { from: last, to: first, step: -1 } : { from: first, to: last, step: 1 };
}

/** One page: sorted by symbol, then by time; the limit counts the rows of all symbols together. */
function pageOf({ state, query }: Call, name: Listed, symbols: string[], rows: Rows): Page {
  checkFeed(query, name);
  const [tokenSymbol, tokenPosition] = readToken(query, PLACE)?.split("|") ?? [];
  if (tokenSymbol !== undefined && !symbols.includes(tokenSymbol)) throw invalidToken();
  const page: Page = { items: [], next: null };
  let left = limitOf(query, LIMIT_DEFAULT, LIMIT_MAX);
  for (const symbol of [...symbols].sort()) {
    if (tokenSymbol !== undefined && symbol < tokenSymbol) continue;
    if (state.market.series(symbol) === undefined) continue;
    const list: string[] = [];
    for (const [position, text] of rows(symbol, symbol === tokenSymbol ? Number(tokenPosition) : null)) {
      if (left === 0) {
        page.next = tokenOf(`${symbol}|${position}`);
        break;
      }
      list.push(text);
      left -= 1;
    }
    if (list.length > 0) page.items.push({ symbol, rows: list });
    if (page.next !== null) break;
  }
  return page;
}

const asJson = (body: string): Reply => ({ status: 200, body, contentType: "application/json; charset=utf-8" });

/** A page of many symbols: `{ [name]: { SYMBOL: rows }, next_page_token }`. */
export function manySymbols(call: Call, name: Listed, symbols: string[], rows: Rows): Reply {
  const page = pageOf(call, name, symbols, rows);
  const items = page.items.map(({ symbol, rows: texts }) => `${JSON.stringify(symbol)}:[${texts.join(",")}]`);
  return asJson(`{"${name}":{${items.join(",")}},"next_page_token":${JSON.stringify(page.next)}}`);
}

/** A page of the symbol in the path: `{ symbol, [name]: rows, next_page_token }`. */
export function singleSymbol(call: Call, name: Listed, rows: Rows): Reply {
  const symbol = call.params[0] ?? "";
  const page = pageOf(call, name, [symbol], rows);
  const items = page.items[0]?.rows.join(",") ?? "";
  const next = JSON.stringify(page.next);
  return asJson(`{"symbol":${JSON.stringify(symbol)},"${name}":[${items}],"next_page_token":${next}}`);
}
