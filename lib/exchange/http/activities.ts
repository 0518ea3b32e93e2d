import { newYork } from "../../domain/time.ts";
import { stampedAt } from "../book/past-equity.ts";
import { invalid } from "../book/refusal.ts";
import type { Activity, Stamp } from "../book/types.ts";
import { dateOf, stampOf } from "./dates.ts";
import { ok, type Reply, type Route, trading, type TradingCall } from "./router.ts";

const PAGE_MAX = 100;

/** Two names of the broker that stand for several types. */
const CASH_TYPES = ["CSD", "CSW"];
const NOT_MISC = ["FILL", "DIV", ...CASH_TYPES];

/** A date means New York's midnight-to-midnight, an instant itself. */
function boundOf(query: URLSearchParams, name: string): { date: string } | { at: Stamp } | null {
  const value = query.get(name);
  if (value === null || value === "") return null;
  const date = dateOf(value);
  if (date !== null) return { date };
  const at = stampOf(value);
  if (at === null) throw invalid(`invalid ${name}`);
  return { at };
}

function isOfType(type: string, asked: string): boolean {
  if (asked === "TRANS") return CASH_TYPES.includes(type);
  if (asked === "MISC") return !NOT_MISC.includes(type);
  return type === asked;
}

/** The filter by kind: named types, or one of the two categories, not both. */
function kindFilter(query: URLSearchParams, types: string[]): (activity: Activity) => boolean {
  const category = query.get("category") ?? "";
  if (!["", "trade_activity", "non_trade_activity"].includes(category)) throw invalid(`invalid category: ${category}`);
  if (category !== "" && types.length > 0) throw invalid("category cannot be used with activity types");
  if (category !== "") return ({ wire }) => (wire.activity_type === "FILL") === (category === "trade_activity");
  return ({ wire }) => types.length === 0 || types.some((type) => isOfType(wire.activity_type, type));
}

/** The filter by time. Both ends are exclusive. */
function timeFilter(query: URLSearchParams): (activity: Activity) => boolean {
  const date = boundOf(query, "date");
  const after = boundOf(query, "after");
  const until = boundOf(query, "until");
  const onDate = date === null ? null : "date" in date ? date.date : newYork(`${date.at.slice(0, 23)}Z`).date;
  return (activity) => {
    if (onDate !== null && activity.date !== onDate) return false;
    if (after !== null && ("date" in after ? activity.date <= after.date : stampedAt(activity) <= after.at))
      return false;
    return until === null || ("date" in until ? activity.date < until.date : stampedAt(activity) < until.at);
  };
}

function listActivities(call: TradingCall, types: string[]): Reply {
  const { accountState, query } = call;
  const pageSize = Number(query.get("page_size") ?? PAGE_MAX);
  if (!Number.isInteger(pageSize) || pageSize < 1 || pageSize > PAGE_MAX) throw invalid("invalid page_size");
  const direction = query.get("direction") ?? "desc";
  if (direction !== "asc" && direction !== "desc") throw invalid(`invalid direction: ${direction}`);
  const isOfKind = kindFilter(query, types);
  const isInTime = timeFilter(query);
  const ordered = direction === "asc" ? accountState.activities : [...accountState.activities].reverse();
  const token = query.get("page_token");
  let start = 0;
  if (token !== null && token !== "") {
    start = ordered.findIndex((activity) => activity.wire.id === token) + 1;
    if (start === 0) throw invalid("invalid page_token");
  }
  const page: Activity[] = [];
  for (let i = start; i < ordered.length && page.length < pageSize; i += 1) {
    const activity = ordered[i] as Activity;
    if (isOfKind(activity) && isInTime(activity)) page.push(activity);
  }
  return ok(page.map((activity) => activity.wire));
}

export const activityRoutes: Route[] = [
  trading("GET", "/v2/account/activities", (call) => {
    const types = call.query.get("activity_types") ?? "";
    return listActivities(
      call,
      types.split(",").filter((type) => type !== ""),
    );
  }),
  trading("GET", "/v2/account/activities/{activity_type}", (call) => listActivities(call, [call.params[0] ?? ""])),
];
