import { toNumber } from "../../domain/money.ts";
import { addDays, newYorkInstant } from "../../domain/time.ts";
import { equityOf } from "../book/accounts.ts";
import { invalid } from "../book/refusal.ts";
import type { EquityMark } from "../book/types.ts";
import { ok, type Reply, type Route, trading, type TradingCall } from "./router.ts";

const PERIOD_DAYS: Record<string, number> = { D: 1, W: 7, M: 30, A: 365, Y: 365 };
const TIMEFRAMES = ["1Min", "5Min", "15Min", "1H", "1D"];

function periodDays(text: string): number {
  const match = /^(\d+)([DWMAY])$/.exec(text);
  if (match === null) throw invalid(`invalid period: ${text}`);
  return Number(match[1]) * (PERIOD_DAYS[match[2] as string] ?? 1);
}

function instantOf(query: URLSearchParams, name: string): number | null {
  const value = query.get(name);
  if (value === null || value === "") return null;
  const ms = Date.parse(value);
  if (Number.isNaN(ms)) throw invalid(`invalid ${name}`);
  return ms;
}

/** Equity over time: the closes for days; the quarter-hour marks within them for shorter steps. */
function portfolioHistory(call: TradingCall): Reply {
  const { desk, holder, query } = call;
  const { hours, nowMs } = desk.view.moment();
  const days = periodDays(query.get("period") ?? "1M");
  const timeframe = query.get("timeframe") ?? (days < 7 ? "1Min" : days < 30 ? "15Min" : "1D");
  if (!TIMEFRAMES.includes(timeframe)) throw invalid(`invalid timeframe: ${timeframe}`);
  const isDaily = timeframe === "1D";
  const endMs = Math.min(nowMs, instantOf(query, "end") ?? nowMs);
  const startMs = instantOf(query, "start") ?? Date.parse(newYorkInstant(addDays(hours.date, 1 - days), 0, 0));

  const labelMs = (mark: EquityMark) => (isDaily ? Date.parse(newYorkInstant(mark.date, 0, 0)) : mark.atMs);
  const marks = holder.marks.filter(
    (mark) => (!isDaily || mark.isClose) && labelMs(mark) >= startMs && labelMs(mark) <= endMs,
  );
  const points = marks.map((mark) => ({ at: labelMs(mark), equity: toNumber(mark.equity) }));
  const isRunning = endMs === nowMs && (marks.at(-1)?.date !== hours.date || nowMs < hours.closesAtMs);
  if (isRunning) {
    const at = isDaily ? Date.parse(newYorkInstant(hours.date, 0, 0)) : nowMs;
    points.push({ at, equity: toNumber(equityOf(desk, holder)) });
  }
  const before = holder.marks.filter((mark) => mark.isClose && labelMs(mark) < startMs).at(-1);
  const base = toNumber(before?.equity ?? holder.account.deposit);
  return ok({
    timestamp: points.map((point) => Math.floor(point.at / 1000)),
    equity: points.map((point) => point.equity),
    profit_loss: points.map((point) => Math.round((point.equity - base) * 1e6) / 1e6),
    profit_loss_pct: points.map((point) => (base === 0 ? 0 : point.equity / base - 1)),
    base_value: base,
    base_value_asof: before?.date ?? holder.account.createdOn,
    timeframe,
    cashflow: {},
  });
}

export const historyRoutes: Route[] = [trading("GET", "/v2/account/portfolio/history", portfolioHistory)];
