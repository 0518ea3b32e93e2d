import { maxDrawdown } from "./metrics.ts";
import { type Money, ZERO } from "./money.ts";
import type { SessionDate } from "./time.ts";

/** Equity of one environment at a close, or now; `netDeposits` is all that came in less what went out until then. USD. */
export interface EquityAt {
  session: SessionDate;
  equity: Money;
  netDeposits: Money;
}

/** A session's growth: money that moved counts as moved before the open, as flows are dated. */
export interface SessionGrowth {
  session: SessionDate;
  /** The session at whose end it begins; null where nothing was held then, so that it begins with what was paid in. */
  since: SessionDate | null;
  /** What came in less what went out. */
  flow: Money;
  start: Money;
  end: Money;
}

/**
 * Growth from point to point; the first begins with `before`, or with what was paid in. Sessions without any money are left
 * out: nothing can grow there.
 */
export function growthOf(points: readonly EquityAt[], before: EquityAt | null): SessionGrowth[] {
  let last = before;
  const growth: SessionGrowth[] = [];
  for (const point of points) {
    const { session, equity, netDeposits } = point;
    const flow = netDeposits.minus(last?.netDeposits ?? ZERO);
    const start = (last?.equity ?? ZERO).plus(flow);
    const since = last === null || last.equity.isZero() ? null : last.session;
    if (!start.isZero() || !equity.isZero()) growth.push({ session, since, flow, start, end: equity });
    last = point;
  }
  return growth;
}

/** Daily returns, fractions; null when a session began with nothing or with debts. */
export function returnsOfGrowth(growth: readonly SessionGrowth[]): number[] | null {
  const returns: number[] = [];
  for (const { start, end } of growth) {
    if (start.lte(0)) return null;
    returns.push(end.div(start).toNumber() - 1);
  }
  return returns;
}

/** Where the deepest fall of a curve began, ended and was made good (null while it is not). Indices; null without a fall. */
export function deepestFall(
  curve: readonly number[],
): { peak: number; trough: number; recovered: number | null } | null {
  const depth = maxDrawdown(curve);
  if (depth === null || depth === 0) return null;
  let peak = 0;
  for (const [trough, value] of curve.entries()) {
    if (value > curve[peak]!) peak = trough;
    if (value / curve[peak]! - 1 !== depth) continue;
    const top = curve[peak]!;
    const after = curve.slice(trough).findIndex((later) => later >= top);
    return { peak, trough, recovered: after < 0 ? null : trough + after };
  }
  return null;
}

/** What a session came to. */
export interface SessionResult {
  session: SessionDate;
  /** At its end, USD. */
  equity: Money;
  /** Deposits less withdrawals, USD; of the first session of all, what the accounts began with. */
  flow: Money;
  /** USD; the results of a period add up to its P&L, to the cent. */
  pnl: Money;
  /** Fraction of what the session began with; null where it began without money. */
  value: number | null;
}

/** The result of each session, the oldest first. */
export const sessionResults = (growth: readonly SessionGrowth[]): SessionResult[] =>
  growth.map(({ session, flow, start, end }) => ({
    session,
    equity: end,
    flow,
    pnl: end.minus(start),
    value: start.lte(0) ? null : end.div(start).toNumber() - 1,
  }));
