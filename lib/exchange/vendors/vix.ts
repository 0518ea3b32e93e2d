import { addDays, type SessionDate } from "../../domain/time.ts";
import type { ExchangeState } from "../book/state.ts";
import { isoSeconds } from "../http/data-query.ts";
import { type Call, ok, open, type Reply, type Route } from "../http/router.ts";
import type { VixDay } from "../market/source.ts";
import { guarded } from "./settings.ts";

const SERIES = "VIXCLS";

/** The VIX of finished sessions. */
function finished(state: ExchangeState): VixDay[] {
  const { hours, isOpen, nowMs } = state.view.moment();
  const hasClosed = !isOpen && nowMs >= hours.closesAtMs;
  return state.market.vix.filter(({ date }) => date < hours.date || (date === hours.date && hasClosed));
}

/** CBOE's file. */
function cboeHistory({ state }: Call): Reply {
  const lines = finished(state).map(({ date, open: o, high, low, close }) => {
    const [year, month, day] = date.split("-");
    return `${month}/${day}/${year},${o.toFixed(6)},${high.toFixed(6)},${low.toFixed(6)},${close.toFixed(6)}`;
  });
  return { status: 200, body: `DATE,OPEN,HIGH,LOW,CLOSE\n${lines.join("\n")}\n`, contentType: "text/csv" };
}

/** FRED has a session's value on the next day, and a row without value for a weekday without session. */
function observations(
  state: ExchangeState,
  from: SessionDate,
  to: SessionDate,
): { date: SessionDate; value: number | null }[] {
  const today = state.view.moment().hours.date;
  const closes = new Map(finished(state).map(({ date, close }) => [date, close]));
  const first = state.market.vix[0]?.date ?? today;
  const last = [...closes.keys()].findLast((date) => date < today) ?? "";
  const rows: { date: SessionDate; value: number | null }[] = [];
  for (let date = from > first ? from : first; date <= to && date <= last; date = addDays(date, 1)) {
    const weekday = new Date(`${date}T00:00:00Z`).getUTCDay();
    if (weekday !== 0 && weekday !== 6) rows.push({ date, value: closes.get(date) ?? null });
  }
  return rows;
}

function fredCsv({ state, query }: Call): Reply {
  if (query.get("id") !== SERIES)
    return { status: 404, body: "<html><body>404</body></html>", contentType: "text/html" };
  const rows = observations(state, query.get("cosd") ?? "", query.get("coed") ?? "9999-12-31");
  const lines = rows.map(({ date, value }) => `${date},${value === null ? "" : value.toFixed(2)}`);
  return { status: 200, body: `${[`observation_date,${SERIES}`, ...lines].join("\n")}\n`, contentType: "text/csv" };
}

const badRequest = (message: string): Reply => ({
  status: 400,
  body: { error_code: 400, error_message: `Bad Request.  ${message}` },
});

/** What both calls of the API refuse: a series that is not there, and XML, which the product does not read. */
function refused({ query }: Call): Reply | null {
  if (query.get("series_id") !== SERIES) return badRequest("The series does not exist.");
  if (query.get("file_type") !== "json") return badRequest("Only file_type=json is answered here.");
  return null;
}

function fredSeries(call: Call): Reply {
  const wrong = refused(call);
  if (wrong !== null) return wrong;
  const { hours, nowMs } = call.state.view.moment();
  const rows = observations(call.state, "", "9999-12-31");
  return ok({
    realtime_start: hours.date,
    realtime_end: hours.date,
    seriess: [
      {
        id: SERIES,
        title: "CBOE Volatility Index: VIX",
        observation_start: rows[0]?.date ?? null,
        observation_end: rows.at(-1)?.date ?? null,
        frequency: "Daily, Close",
        frequency_short: "D",
        units: "Index",
        last_updated: isoSeconds(Math.min(nowMs, hours.opensAtMs)),
      },
    ],
  });
}

function fredObservations(call: Call): Reply {
  const wrong = refused(call);
  if (wrong !== null) return wrong;
  const { state, query } = call;
  const today = state.view.moment().hours.date;
  const rows = observations(state, query.get("observation_start") ?? "", query.get("observation_end") ?? "9999-12-31");
  if (query.get("sort_order") === "desc") rows.reverse();
  const limit = Number(query.get("limit") ?? 100_000);
  return ok({
    realtime_start: today,
    realtime_end: today,
    count: rows.length,
    offset: 0,
    limit,
    observations: rows.slice(0, limit).map(({ date, value }) => ({
      realtime_start: today,
      realtime_end: today,
      date,
      value: value === null ? "." : value.toFixed(2),
    })),
  });
}

/** CBOE and FRED's file ask for no key. */
export const cboeRoutes: Route[] = [open("/vendors/cboe/VIX_History.csv", cboeHistory)];

/** FRED: the file without a key, the API with a key in the address, 120 calls a minute. */
export function fredRoutes(key: string | undefined): Route[] {
  const guard = guarded(
    key,
    { calls: 120, per: "minute" },
    {
      given: ({ query }) => query.get("api_key"),
      wrongKey: ({ query }) =>
        badRequest(
          query.has("api_key")
            ? "The value for variable api_key is not registered."
            : "Variable api_key is not set.  Read https://fred.stlouisfed.org/docs/api/api_key.html for more information.",
        ),
      overLimit: () => ({
        status: 429,
        body: { error_code: 429, error_message: "Too Many Requests.  Exceeded Rate Limit" },
      }),
    },
  );
  return [
    open("/vendors/fred/graph/fredgraph.csv", fredCsv),
    open("/vendors/fred/fred/series", guard(fredSeries)),
    open("/vendors/fred/fred/series/observations", guard(fredObservations)),
  ];
}
