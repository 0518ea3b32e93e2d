import { type Money, money, toNumber, ZERO } from "../../domain/money.ts";
import { addDays, newYorkInstant, type SessionDate } from "../../domain/time.ts";
import { equityOf } from "../book/accounts.ts";
import type { ExchangeState } from "../book/state.ts";
import { closeBefore, equitiesAt, externalUntil, momentOf } from "../book/past-equity.ts";
import { phasesOf } from "../book/phase.ts";
import type { AccountState } from "../book/types.ts";
import { type HistoryQuery, readHistoryQuery } from "./history-query.ts";
import { ok, type Reply, type Route, trading, type TradingCall } from "./router.ts";

/** One point of the line: labelled by the beginning of its window, valued at the window's end. */
interface Point {
  labelMs: number;
  endMs: number;
  date: SessionDate;
  equity: Money;
  /** Money from outside up to then. */
  external: Money;
}

const midnight = (date: SessionDate) => Date.parse(newYorkInstant(date, 0, 0));

/** The closes of the days, and the running day as it stands. */
function dailyPoints(state: ExchangeState, accountState: AccountState, query: HistoryQuery): Point[] {
  const { hours, nowMs } = state.view.moment();
  const marks = accountState.marks.filter(
    (mark) => mark.isClose && mark.date >= query.from && mark.date <= query.until,
  );
  const points = marks.map((mark) => ({
    labelMs: midnight(mark.date),
    endMs: mark.atMs,
    date: mark.date,
    equity: mark.equity,
    external: externalUntil(accountState, mark.atMs),
  }));
  if (query.until >= hours.date && points.at(-1)?.date !== hours.date) {
    const external = externalUntil(accountState, nowMs);
    points.push({
      labelMs: midnight(hours.date),
      endMs: nowMs,
      date: hours.date,
      equity: equityOf(state, accountState),
      external,
    });
  }
  return points;
}

/** The windows of a day that have begun: of its core hours, of its whole session, or of all 24 hours. */
function windowsOf(state: ExchangeState, date: SessionDate, query: HistoryQuery): { labelMs: number; endMs: number }[] {
  const stepMs = (query.stepMinutes ?? 0) * 60_000;
  let startMs = midnight(date);
  let endMs = midnight(addDays(date, 1));
  if (query.reporting === "continuous") {
    startMs += Math.max(0, Math.floor((query.fromMs - startMs) / stepMs)) * stepMs;
  } else {
    if (!state.sessions.isSession(date)) return [];
    const { preStartMs, opensAtMs, closesAtMs, postEndMs } = phasesOf(state.sessions, date);
    [startMs, endMs] = query.reporting === "market_hours" ? [opensAtMs, closesAtMs] : [preStartMs, postEndMs];
  }
  const windows = [];
  for (let at = startMs; at < endMs && at <= query.untilMs; at += stepMs)
    windows.push({ labelMs: at, endMs: Math.min(at + stepMs, endMs, query.untilMs) });
  return windows;
}

function intradayPoints(state: ExchangeState, accountState: AccountState, query: HistoryQuery): Point[] {
  const windows: { labelMs: number; endMs: number; date: SessionDate }[] = [];
  const first = query.from < accountState.account.createdOn ? accountState.account.createdOn : query.from;
  for (let date = first; date <= query.until; date = addDays(date, 1))
    for (const window of windowsOf(state, date, query)) windows.push({ ...window, date });
  const created = Date.parse(accountState.account.createdAt.slice(0, 23) + "Z");
  const lived = windows.filter(({ endMs }) => endMs >= created);
  const values = equitiesAt(
    state,
    accountState,
    lived.map(({ endMs }) => endMs),
  );
  return lived.flatMap((window, i) => {
    const value = values[i];
    return value === undefined ? [] : [{ ...window, ...value }];
  });
}

/** What profit is measured against: the close before a day; for a younger account what it was opened with. */
function baseOf(
  accountState: AccountState,
  date: SessionDate,
): { equity: Money; external: Money; asOf: SessionDate | null } {
  const close = closeBefore(accountState, date);
  if (close !== null)
    return { equity: close.equity, external: externalUntil(accountState, close.atMs), asOf: close.date };
  const opening = money(accountState.activities[0]?.wire.net_amount ?? "0");
  return { equity: opening, external: opening, asOf: null };
}

/** Money moved by each type of activity since the first window began, up to the end of each window. */
function cashflows(accountState: AccountState, query: HistoryQuery, points: Point[]): Record<string, number[]> {
  const result: Record<string, number[]> = {};
  const startMs = points[0]?.labelMs ?? Infinity;
  for (const activity of accountState.activities) {
    const { activity_type: type, net_amount: amount } = activity.wire;
    const isAsked = query.cashflowTypes === null || query.cashflowTypes.includes(type);
    const at = momentOf(activity);
    if (type === "FILL" || amount === undefined || !isAsked || at < startMs) continue;
    const line = (result[type] ??= points.map(() => 0));
    points.forEach((point, i) => {
      if (at <= point.endMs) line[i] = toNumber(money(line[i] ?? 0).plus(amount));
    });
  }
  return result;
}

/** Equity over time: the closes for days; for shorter steps the account's past valued again along the minute path. */
function portfolioHistory({ state, accountState, query: parameters }: TradingCall): Reply {
  const query = readHistoryQuery(state, parameters);
  const isDaily = query.stepMinutes === null;
  const points = isDaily ? dailyPoints(state, accountState, query) : intradayPoints(state, accountState, query);
  const base = baseOf(accountState, points[0]?.date ?? query.from);
  const bases = new Map<SessionDate, ReturnType<typeof baseOf>>();
  const baseFor = ({ date }: Point) => {
    if (isDaily || !query.resetsDaily) return base;
    const known = bases.get(date) ?? baseOf(accountState, date);
    bases.set(date, known);
    return known;
  };
  const gains = points.map((point) => {
    const { equity, external } = baseFor(point);
    const gain = point.equity.minus(equity).minus(point.external.minus(external));
    return { gain, share: equity.isZero() ? ZERO : gain.div(equity) };
  });
  return ok({
    timestamp: points.map((point) => Math.floor(point.labelMs / 1000)),
    equity: points.map((point) => toNumber(point.equity)),
    profit_loss: gains.map(({ gain }) => toNumber(gain)),
    profit_loss_pct: gains.map(({ share }) => toNumber(share)),
    base_value: toNumber(base.equity),
    ...(base.asOf !== null && { base_value_asof: base.asOf }),
    timeframe: query.timeframe,
    cashflow: cashflows(accountState, query, points),
  });
}

export const historyRoutes: Route[] = [trading("GET", "/v2/account/portfolio/history", portfolioHistory)];
