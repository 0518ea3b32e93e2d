import { type RegimeLabel, REGIMES } from "../enums.ts";
import { winRate } from "../metrics.ts";
import { type DecimalText, type Money, money, sum, text } from "../money.ts";
import type { SessionDate } from "../time.ts";
import type { BacktestResult, BacktestTrade } from "../backtest/result.ts";

/** Return of a calendar month of the tape, fraction. */
export interface MonthlyReturn {
  year: number;
  /** 1 … 12 */
  month: number;
  value: number;
}

/** Returns by calendar month; the first begins with the starting cash. */
export function monthlyReturns({ days, config }: BacktestResult): MonthlyReturn[] {
  const months: MonthlyReturn[] = [];
  let before = money(config.cash);
  for (const [i, { session, equity }] of days.entries()) {
    const month = session.slice(0, 7);
    if (days[i + 1]?.session.slice(0, 7) === month) continue;
    const after = money(equity);
    const [year, number] = month.split("-").map(Number);
    months.push({ year: year!, month: number!, value: after.div(before).toNumber() - 1 });
    before = after;
  }
  return months;
}

/** Returns of the index by calendar month, of a holding of it by session that began with the cash; months without a value are left out. */
export function indexMonths(
  { sessions, index }: { sessions: readonly SessionDate[]; index: readonly (number | null)[] },
  cash: DecimalText,
): MonthlyReturn[] {
  const months: MonthlyReturn[] = [];
  let before = Number(cash);
  for (const [i, session] of sessions.entries()) {
    const month = session.slice(0, 7);
    const after = index[i] ?? null;
    if (after === null || sessions[i + 1]?.slice(0, 7) === month) continue;
    const [year, number] = month.split("-").map(Number);
    months.push({ year: year!, month: number!, value: after / before - 1 });
    before = after;
  }
  return months;
}

/** What a group of round trips earned. */
export interface Attribution {
  group: string;
  trades: number;
  /** After fees, USD. */
  pnl: DecimalText;
  fees: DecimalText;
  winRate: number | null;
  /** Of the P&L over the entry value. */
  meanFraction: number;
}

function attribute(trades: readonly BacktestTrade[], groupOf: (trade: BacktestTrade) => string): Attribution[] {
  const groups = new Map<string, BacktestTrade[]>();
  for (const trade of trades) groups.set(groupOf(trade), [...(groups.get(groupOf(trade)) ?? []), trade]);
  return [...groups]
    .map(([group, rows]) => ({
      group,
      trades: rows.length,
      pnl: text(sum(rows.map(({ pnl }) => money(pnl)))),
      fees: text(sum(rows.map(({ fees }) => money(fees)))),
      winRate: winRate(rows.map(({ outcome }) => outcome)),
      meanFraction: rows.reduce((total, { pnlFraction }) => total + pnlFraction, 0) / rows.length,
    }))
    .sort((a, b) => Number(b.pnl) - Number(a.pnl) || (a.group < b.group ? -1 : 1));
}

/** How the account fared while the regime stood, open positions included. */
export interface RegimeDays {
  regime: RegimeLabel;
  sessions: number;
  /** Change of equity over these sessions, USD. */
  pnl: DecimalText;
  meanExposure: number;
}

function regimeDays({ days, config }: BacktestResult): RegimeDays[] {
  let before: Money = money(config.cash);
  const changes = days.map((day) => {
    const change = money(day.equity).minus(before);
    before = money(day.equity);
    return { day, change };
  });
  return REGIMES.flatMap((regime) => {
    const rows = changes.filter(({ day }) => day.regime === regime);
    if (rows.length === 0) return [];
    const exposure = rows.reduce((total, { day }) => total + day.exposure, 0) / rows.length;
    const pnl = text(sum(rows.map(({ change }) => change)));
    return [{ regime, sessions: rows.length, pnl, meanExposure: exposure }];
  });
}

export interface CostBreakdown {
  spread: DecimalText;
  impact: DecimalText;
  /** Commission and regulatory fees. */
  fees: DecimalText;
  total: DecimalText;
  /** Of the traded value. */
  totalBps: number | null;
}

function costBreakdown({ fills, days }: BacktestResult): CostBreakdown {
  const spread = sum(fills.map(({ spreadCost }) => money(spreadCost)));
  const impact = sum(fills.map(({ impactCost }) => money(impactCost)));
  const fees = sum(fills.map((fill) => money(fill.fees)));
  const total = spread.plus(impact).plus(fees);
  const traded = sum(days.map((day) => money(day.traded)));
  return {
    spread: text(spread),
    impact: text(impact),
    fees: text(fees),
    total: text(total),
    totalBps: traded.isZero() ? null : total.div(traded).times(1e4).toNumber(),
  };
}

export interface BacktestTables {
  monthly: MonthlyReturn[];
  byStrategy: Attribution[];
  byRegimeAtEntry: Attribution[];
  byExit: Attribution[];
  bySector: Attribution[];
  regimeDays: RegimeDays[];
  costs: CostBreakdown;
}

/** The tables of a report: months, attribution of closed round trips, regimes, costs. */
export function tablesOf(result: BacktestResult): BacktestTables {
  const { trades } = result;
  return {
    monthly: monthlyReturns(result),
    byStrategy: attribute(trades, ({ strategy }) => strategy ?? "none"),
    byRegimeAtEntry: attribute(trades, ({ entryRegime }) => entryRegime),
    byExit: attribute(trades, ({ exitReason }) => exitReason),
    bySector: attribute(trades, ({ sector }) => sector ?? "Unknown"),
    regimeDays: regimeDays(result),
    costs: costBreakdown(result),
  };
}
