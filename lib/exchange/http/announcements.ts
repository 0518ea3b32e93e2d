import { addDays, DAY_MS } from "../../domain/time.ts";
import type { ExchangeState } from "../book/state.ts";
import { invalid, notFound, unprocessable } from "../book/refusal.ts";
import { uuidOf } from "../market/seeded.ts";
import type { Dividend, Split } from "../market/source.ts";
import { ANNOUNCED_DAYS, cusipOf } from "./corporate-actions.ts";
import { dateOf } from "./dates.ts";
import { type Call, ok, type Reply, type Route, shared } from "./router.ts";

/** The deprecated list of corporate actions on the trading side: the same splits and dividends, in its own shape. */

const RANGE_DAYS_MAX = 90;
const TYPES = ["dividend", "merger", "spinoff", "split"];
const DATE_TYPES = ["declaration_date", "ex_date", "record_date", "payable_date"] as const;

interface Announcement extends Record<string, string> {
  id: string;
  ca_type: string;
  initiating_symbol: string;
  declaration_date: string;
  ex_date: string;
  record_date: string;
  payable_date: string;
}

function wire(
  kind: { type: "dividend" | "split"; subType: string },
  { symbol, date }: { symbol: string; date: string },
  rates: { cash: string; oldRate: string; newRate: string },
): Announcement {
  const id = uuidOf(`announcement:${kind.type}:${symbol}:${date}`);
  return {
    id,
    corporate_actions_id: id,
    corporate_action_id: id,
    ca_type: kind.type,
    ca_sub_type: kind.subType,
    initiating_symbol: symbol,
    initiating_original_cusip: cusipOf(symbol),
    target_symbol: symbol,
    target_original_cusip: cusipOf(symbol),
    declaration_date: addDays(date, -ANNOUNCED_DAYS),
    ex_date: date,
    expiration_date: date,
    record_date: date,
    payable_date: date,
    cash: rates.cash,
    old_rate: rates.oldRate,
    new_rate: rates.newRate,
  };
}

function dividendWire(dividend: Dividend): Announcement {
  const rates = { cash: dividend.amount, oldRate: "1", newRate: "1" };
  return wire({ type: "dividend", subType: "cash" }, dividend, rates);
}

function splitWire(split: Split): Announcement {
  const subType = Number(split.ratio) >= 1 ? "stock_split" : "reverse_split";
  return wire({ type: "split", subType }, split, { cash: "0", oldRate: "1", newRate: split.ratio });
}

/** What has been announced by now. */
function announced(state: ExchangeState): Announcement[] {
  const known = addDays(state.view.moment().hours.date, ANNOUNCED_DAYS);
  const isKnown = ({ date }: { date: string }) => date <= known;
  return [
    ...state.market.dividends.filter(isKnown).map(dividendWire),
    ...state.market.splits.filter(isKnown).map(splitWire),
  ];
}

function dateParameter(query: URLSearchParams, name: string): string {
  const value = query.get(name) ?? "";
  const date = dateOf(value);
  if (date === null) throw invalid(value === "" ? `${name} is required` : `invalid ${name}`);
  return date;
}

function listAnnouncements({ state, query }: Call): Reply {
  const types = (query.get("ca_types") ?? "").toLowerCase().split(",");
  for (const type of types) if (!TYPES.includes(type)) throw invalid(`invalid ca_types: ${type}`);
  const since = dateParameter(query, "since");
  const until = dateParameter(query, "until");
  if (Date.parse(until) - Date.parse(since) > RANGE_DAYS_MAX * DAY_MS)
    throw unprocessable(`the date range is limited to ${RANGE_DAYS_MAX} days`);
  const dateType = DATE_TYPES.find((type) => type === (query.get("date_type") ?? "ex_date"));
  if (dateType === undefined) throw invalid("invalid date_type");
  const symbol = query.get("symbol");
  const cusip = query.get("cusip");
  const found = announced(state).filter(
    (announcement) =>
      types.includes(announcement.ca_type) &&
      announcement[dateType] >= since &&
      announcement[dateType] <= until &&
      (symbol === null || announcement.initiating_symbol === symbol) &&
      (cusip === null || cusipOf(announcement.initiating_symbol) === cusip),
  );
  return ok(found.sort((a, b) => (a[dateType] < b[dateType] ? -1 : a[dateType] > b[dateType] ? 1 : 0)));
}

export const announcementRoutes: Route[] = [
  shared("/v2/corporate_actions/announcements", listAnnouncements),
  shared("/v2/corporate_actions/announcements/{id}", ({ state, params }) => {
    const found = announced(state).find(({ id }) => id === params[0]);
    if (found === undefined) throw notFound(`announcement not found for ${params[0] ?? ""}`);
    return ok(found);
  }),
];
