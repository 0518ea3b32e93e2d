import { addDays, HOUR_MS, newYork, type SessionDate } from "../../domain/time.ts";
import type { ExchangeState } from "../book/state.ts";
import { phaseAt, phasesOf } from "../book/phase.ts";
import { badRequest } from "../book/refusal.ts";
import { dateParameter, newYorkText, settlementDate } from "./clock.ts";
import { instantOf } from "./dates.ts";
import { type Call, ok, type Reply, type Route, shared } from "./router.ts";
import { sessionRows } from "./session-rows.ts";

/** Version 3 of clock and calendar, for the markets of this exchange: the American stock exchanges. */

interface MarketName {
  acronym: string;
  mic: string;
  name: string;
}

const NYSE: MarketName = { acronym: "NYSE", mic: "XNYS", name: "New York Stock Exchange" };
const NASDAQ: MarketName = {
  acronym: "NASDAQ",
  mic: "XNAS",
  name: "National Association of Securities Dealers Automated Quotations",
};
const IEX: MarketName = { acronym: "IEX", mic: "IEXG", name: "Investors Exchange" };
const DAYS_DEFAULT = 7;
const DAYS_MAX = 3_660;

function marketOf(key: string): MarketName {
  const found = [NYSE, NASDAQ, IEX].find(({ acronym, mic }) => acronym === key || mic === key);
  if (found === undefined) throw badRequest(`invalid market: ${key}`);
  return found;
}

const marketWire = (market: MarketName) => ({ ...market, timezone: "America/New_York" });

/** The clock of a market at an instant. */
function clockWire(state: ExchangeState, market: MarketName, ms: number): Record<string, unknown> {
  const { phase, date, untilMs } = phaseAt(state.sessions, ms);
  const today = state.sessions.hours(date);
  const next = state.sessions.hours(ms < today.opensAtMs ? date : state.sessions.next(date));
  const isDay = newYorkText(ms).slice(0, 10) === date || state.sessions.isSession(newYorkText(ms).slice(0, 10));
  return {
    market: marketWire(market),
    timestamp: newYorkText(ms),
    is_market_day: isDay,
    next_market_open: newYorkText(next.opensAtMs),
    next_market_close: newYorkText(ms < today.closesAtMs ? today.closesAtMs : next.closesAtMs),
    phase,
    phase_until: newYorkText(untilMs),
  };
}

function clock({ state, query }: Call): Reply {
  const wanted = query.get("markets");
  const markets = wanted === null || wanted === "" ? [NYSE, NASDAQ] : wanted.split(",").map(marketOf);
  const time = query.get("time");
  const ms = time === null || time === "" ? state.view.moment().nowMs : instantOf(time);
  if (ms === null) throw badRequest(`invalid time: ${time ?? ""}`);
  return ok({ clocks: markets.map((market) => clockWire(state, market, ms)) });
}

type InstantText = (ms: number) => string;

/** The rows of a calendar whose instants are told in one way. */
const rowsIn = (textOf: (state: ExchangeState, date: SessionDate) => InstantText) =>
  sessionRows((state, date) => {
    const text = textOf(state, date);
    const { preStartMs, opensAtMs, closesAtMs, postEndMs } = phasesOf(state.sessions, date);
    return {
      date,
      pre_start: text(preStartMs),
      pre_end: text(opensAtMs),
      core_start: text(opensAtMs),
      core_end: text(closesAtMs),
      post_start: text(closesAtMs),
      post_end: text(postEndMs),
      settlement_date: settlementDate(state, date),
    };
  });

const utcText: InstantText = (ms) => new Date(ms).toISOString().replace(".000Z", "Z");
const rowsInUtc = rowsIn(() => utcText);
/** New York's clocks change on Sundays: a session has one offset. */
const rowsInNewYork = rowsIn((state, date) => {
  const offsetMs = Date.parse(`${date}T09:30:00Z`) - state.sessions.hours(date).opensAtMs;
  return (ms) => `${new Date(ms + offsetMs).toISOString().slice(0, 19)}-0${-offsetMs / HOUR_MS}:00`;
});

function calendar({ state, query, params }: Call): Reply {
  const market = marketOf(params[0] ?? "");
  const start = dateParameter(query, "start", newYork(state.view.moment().nowMs).date);
  const end = dateParameter(query, "end", addDays(start, DAYS_DEFAULT));
  if (end > addDays(start, DAYS_MAX)) throw badRequest("invalid end: the range is too long");
  const timezone = query.get("timezone");
  if (timezone !== null && timezone !== "" && timezone !== "UTC") throw badRequest(`invalid timezone: ${timezone}`);
  const rowsBetween = timezone === "UTC" ? rowsInUtc : rowsInNewYork;
  return ok({ market: marketWire(market), calendar: rowsBetween(state, start, end) });
}

export const marketClockRoutes: Route[] = [shared("/v3/clock", clock), shared("/v3/calendar/{market}", calendar)];
