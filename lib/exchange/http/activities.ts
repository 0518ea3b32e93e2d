import { invalid } from "../book/refusal.ts";
import type { Activity } from "../book/types.ts";
import { newYork } from "../../domain/time.ts";
import { ok, type Reply, type Route, trading, type TradingCall } from "./router.ts";

const PAGE_MAX = 100;

function momentOf(activity: Activity): number {
  const at = activity.wire.transaction_time ?? activity.wire.created_at ?? `${activity.date}T00:00:00Z`;
  return Date.parse(at.replace(/\.(\d{3})\d*/, ".$1"));
}

/** A date means New York's midnight-to-midnight, an instant itself. */
function boundOf(query: URLSearchParams, name: string): { date: string } | { ms: number } | null {
  const value = query.get(name);
  if (value === null || value === "") return null;
  if (/^\d{4}-\d{2}-\d{2}$/.test(value)) return { date: value };
  const ms = Date.parse(value);
  if (Number.isNaN(ms)) throw invalid(`invalid ${name}`);
  return { ms };
}

function listActivities(call: TradingCall, types: string[]): Reply {
  const { holder, query } = call;
  const pageSize = Number(query.get("page_size") ?? PAGE_MAX);
  if (!Number.isInteger(pageSize) || pageSize < 1 || pageSize > PAGE_MAX) throw invalid("invalid page_size");
  const category = query.get("category");
  const date = boundOf(query, "date");
  const after = boundOf(query, "after");
  const until = boundOf(query, "until");
  const onDate = date === null ? null : "date" in date ? date.date : newYork(date.ms).date;
  const isAscending = query.get("direction") === "asc";
  const ordered = isAscending ? holder.activities : [...holder.activities].reverse();
  const token = query.get("page_token");
  let start = 0;
  if (token !== null && token !== "") {
    start = ordered.findIndex((activity) => activity.wire.id === token) + 1;
    if (start === 0) throw invalid("invalid page_token");
  }
  const page: Activity[] = [];
  for (let i = start; i < ordered.length && page.length < pageSize; i += 1) {
    const activity = ordered[i] as Activity;
    const isFill = activity.wire.activity_type === "FILL";
    if (types.length > 0 && !types.includes(activity.wire.activity_type)) continue;
    if (category === "trade_activity" && !isFill) continue;
    if (category === "non_trade_activity" && isFill) continue;
    if (onDate !== null && activity.date !== onDate) continue;
    if (after !== null && ("date" in after ? activity.date <= after.date : momentOf(activity) <= after.ms)) continue;
    if (until !== null && ("date" in until ? activity.date >= until.date : momentOf(activity) >= until.ms)) continue;
    page.push(activity);
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
