import { addDays, newYork } from "../../domain/time.ts";
import type { ExchangeState } from "../book/state.ts";
import { uuidOf } from "../market/seeded.ts";
import type { Dividend, Split } from "../market/source.ts";
import { badQuery, isDescending, limitOf, readToken, tokenOf } from "./data-query.ts";
import { dayOf } from "./dates.ts";
import { type Call, data, ok, type Reply, type Route } from "./router.ts";

/** Calendar days by which a split or dividend is known before its ex-date. */
export const ANNOUNCED_DAYS = 10;
/** The broker processes a dividend weeks after its ex-date; a split on it. */
const DIVIDEND_PROCESSED_DAYS = 21;
const LIMIT_DEFAULT = 100;
const LIMIT_MAX = 1_000;

type Group = "cash_dividends" | "forward_splits" | "reverse_splits";
interface Action {
  group: Group;
  exDate: string;
  /** What the list is sorted and looked up by. */
  processDate: string;
  wire: Record<string, unknown>;
}

/** A made-up CUSIP, the same for a symbol every time. */
export function cusipOf(symbol: string): string {
  return uuidOf(`cusip:${symbol}`).replaceAll("-", "").slice(0, 9).toUpperCase();
}

/** Old and new rates as the broker reports them: a whole ratio is new for one old, a reverse split one new for the old. */
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
    return {
      group: "forward_splits",
      exDate: date,
      processDate: date,
      wire: { ...common, cusip: cusipOf(symbol), new_rate: times, old_rate: 1 },
    };
  }
  const old = Math.round((1 / times) * 10_000) / 10_000;
  const cusips = { old_cusip: cusipOf(symbol), new_cusip: cusipOf(`${symbol} ${date}`) };
  const wire = { ...common, ...cusips, new_rate: 1, old_rate: old };
  return { group: "reverse_splits", exDate: date, processDate: date, wire };
}

function dividendAction({ date, symbol, amount }: Dividend): Action {
  const processDate = addDays(date, DIVIDEND_PROCESSED_DAYS);
  const wire = {
    id: uuidOf(`dividend:${symbol}:${date}`),
    symbol,
    cusip: cusipOf(symbol),
    rate: Number(amount),
    special: false,
    foreign: false,
    process_date: processDate,
    ex_date: date,
    record_date: date,
    payable_date: date,
  };
  return { group: "cash_dividends", exDate: date, processDate, wire };
}

/** What is announced by today, ascending by the day it is processed on. */
function announcedActions({ market }: ExchangeState, today: string): Action[] {
  const known = addDays(today, ANNOUNCED_DAYS);
  const isAnnounced = ({ date }: { date: string }) => date <= known;
  const actions = [
    ...market.dividends.filter(isAnnounced).map(dividendAction),
    ...market.splits.filter(isAnnounced).map(splitAction),
  ];
  return actions.sort((a, b) => (a.processDate < b.processDate ? -1 : a.processDate > b.processDate ? 1 : 0));
}

function dateParameter(query: URLSearchParams, name: string, fallback: string): string {
  const value = query.get(name);
  if (value === null || value === "") return fallback;
  const date = dayOf(value);
  if (date === null) throw badQuery(`invalid ${name}: ${value}`);
  return date;
}

/** Every type that the broker knows; this market has dividends and splits only. */
const TYPES = new Set(
  `cash_dividend cash_merger forward_split name_change partial_call redemption reorganization reverse_split
  rights_distribution spin_off stock_and_cash_merger stock_dividend stock_merger unit_split worthless_removal`.split(
    /\s+/,
  ),
);

function listOf(query: URLSearchParams, name: string): Set<string> | null {
  const value = query.get(name);
  return value === null || value === "" ? null : new Set(value.split(","));
}

function typesOf(query: URLSearchParams): Set<string> | null {
  const types = listOf(query, "types");
  const unknown = [...(types ?? [])].find((type) => !TYPES.has(type));
  if (unknown !== undefined) throw badQuery(`invalid type: ${unknown}`);
  return types;
}

function corporateActions({ state, query }: Call): Reply {
  const today = newYork(state.view.moment().nowMs).date;
  const ids = listOf(query, "ids");
  const symbols = listOf(query, "symbols");
  const cusips = listOf(query, "cusips");
  const types = typesOf(query);
  if (ids !== null && (symbols ?? cusips ?? types ?? query.get("start") ?? query.get("end")) !== null)
    throw badQuery("ids cannot be combined with other filters");
  const end = dateParameter(query, "end", today);
  const start = dateParameter(query, "start", today);
  const limit = limitOf(query, LIMIT_DEFAULT, LIMIT_MAX);
  const skipped = Number(readToken(query, /^\d{1,15}$/) ?? 0);
  const isWanted = ({ group, processDate, wire }: Action) =>
    (ids === null ? processDate >= start && processDate <= end : ids.has(String(wire.id))) &&
    (symbols === null || symbols.has(String(wire.symbol))) &&
    (cusips === null || [wire.cusip, wire.old_cusip, wire.new_cusip].some((cusip) => cusips.has(String(cusip)))) &&
    (types === null || types.has(group.slice(0, -1)));
  const found = announcedActions(state, today).filter(isWanted);
  if (isDescending(query)) found.reverse();
  const page = found.slice(skipped, skipped + limit);
  const byGroup: Partial<Record<Group, Record<string, unknown>[]>> = {};
  for (const { group, wire } of page) (byGroup[group] ??= []).push(wire);
  const next = skipped + limit < found.length ? tokenOf(String(skipped + limit)) : null;
  return ok({ corporate_actions: byGroup, next_page_token: next });
}

export const corporateActionRoutes: Route[] = [data("/v1/corporate-actions", corporateActions)];
