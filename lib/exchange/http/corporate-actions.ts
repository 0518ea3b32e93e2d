import { addDays } from "../../domain/time.ts";
import type { Desk } from "../book/desk.ts";
import { uuidOf } from "../market/seeded.ts";
import type { Dividend, Split } from "../market/source.ts";
import { badQuery, limitOf, readToken, tokenOf } from "./data-query.ts";
import { type Call, data, ok, type Reply, type Route } from "./router.ts";

/** Calendar days by which a split or dividend is known before its ex-date. */
export const ANNOUNCED_DAYS = 10;
const LIMIT_DEFAULT = 100;
const LIMIT_MAX = 1_000;

type Group = "cash_dividends" | "forward_splits" | "reverse_splits";
interface Action {
  group: Group;
  date: string;
  wire: Record<string, unknown>;
}

/** A made-up CUSIP, the same for a symbol every time. */
function cusipOf(symbol: string): string {
  return uuidOf(`cusip:${symbol}`).replaceAll("-", "").slice(0, 9).toUpperCase();
}

/** Old and new rates as the broker tells them: a whole ratio is new for one old, a reverse split one new for the old. */
function splitAction({ date, symbol, ratio }: Split): Action {
  const times = Number(ratio);
  const common = {
    id: uuidOf(`split:${symbol}:${date}`),
    symbol,
    process_date: date,
    ex_date: date,
    record_date: date,
    payable_date: date,
  };
  if (times >= 1) {
    return { group: "forward_splits", date, wire: { ...common, cusip: cusipOf(symbol), new_rate: times, old_rate: 1 } };
  }
  const old = Math.round((1 / times) * 10_000) / 10_000;
  const cusips = { old_cusip: cusipOf(symbol), new_cusip: cusipOf(`${symbol} ${date}`) };
  return { group: "reverse_splits", date, wire: { ...common, ...cusips, new_rate: 1, old_rate: old } };
}

function dividendAction({ date, symbol, amount }: Dividend): Action {
  const wire = {
    id: uuidOf(`dividend:${symbol}:${date}`),
    symbol,
    cusip: cusipOf(symbol),
    rate: Number(amount),
    special: false,
    foreign: false,
    process_date: date,
    ex_date: date,
    record_date: date,
    payable_date: date,
  };
  return { group: "cash_dividends", date, wire };
}

function actionsBetween(desk: Desk, start: string, end: string): Action[] {
  const inRange = ({ date }: { date: string }) => date >= start && date <= end;
  const actions = [
    ...desk.market.dividends.filter(inRange).map(dividendAction),
    ...desk.market.splits.filter(inRange).map(splitAction),
  ];
  const order: Group[] = ["cash_dividends", "forward_splits", "reverse_splits"];
  return actions.sort(
    (a, b) => order.indexOf(a.group) - order.indexOf(b.group) || (a.date < b.date ? -1 : a.date > b.date ? 1 : 0),
  );
}

function dateParameter(query: URLSearchParams, name: string, fallback: string): string {
  const value = query.get(name);
  if (value === null || value === "") return fallback;
  if (!/^\d{4}-\d{2}-\d{2}/.test(value)) throw badQuery(`invalid ${name}: ${value}`);
  return value.slice(0, 10);
}

const GROUP_OF_TYPE: Record<string, Group> = {
  cash_dividend: "cash_dividends",
  forward_split: "forward_splits",
  reverse_split: "reverse_splits",
};

function corporateActions({ desk, query }: Call): Reply {
  const today = desk.view.moment().hours.date;
  const start = dateParameter(query, "start", today);
  const asked = dateParameter(query, "end", today);
  const known = addDays(today, ANNOUNCED_DAYS);
  const end = asked < known ? asked : known;
  const symbols = query.get("symbols");
  const wanted = symbols === null || symbols === "" ? null : new Set(symbols.split(","));
  const types = query.get("types");
  const groups = types === null || types === "" ? null : new Set(types.split(",").map((type) => GROUP_OF_TYPE[type]));
  const limit = limitOf(query, LIMIT_DEFAULT, LIMIT_MAX);
  const skipped = Number(readToken(query) ?? 0);
  const found = actionsBetween(desk, start, end).filter(
    (action) =>
      (wanted === null || wanted.has(String(action.wire.symbol))) && (groups === null || groups.has(action.group)),
  );
  const page = found.slice(skipped, skipped + limit);
  const byGroup: Partial<Record<Group, Record<string, unknown>[]>> = {};
  for (const { group, wire } of page) (byGroup[group] ??= []).push(wire);
  const next = skipped + limit < found.length ? tokenOf(String(skipped + limit)) : null;
  return ok({ corporate_actions: byGroup, next_page_token: next });
}

export const corporateActionRoutes: Route[] = [data("/v1/corporate-actions", corporateActions)];
