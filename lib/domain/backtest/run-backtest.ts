import { sessionHours } from "../market-calendar.ts";
import { bookVolatility } from "../metrics.ts";
import { greatest, type Money, money, text } from "../money.ts";
import { MINUTE_MS, newYorkInstant } from "../time.ts";
import { beginDay, openLedger, positionsValue, unrealisedOf } from "./account.ts";
import { payDividend, splitHolding } from "./corporate-actions.ts";
import { prepareFeatures } from "./features.ts";
import { ACCOUNT_ID, type BacktestInput, barToday, type Fold, type Today } from "./fold.ts";
import { INDEX_SYMBOL } from "./history.ts";
import { sessionsAround } from "./market.ts";
import type { BacktestDay, BacktestResult } from "./result.ts";
import { fillAtOpen, fillInSession, moveStops, submit } from "./session.ts";
import { atSpread } from "./spreads.ts";
import { accountState } from "./state.ts";
import { rotate } from "./rotation.ts";
import { openRoom, screen } from "./screen.ts";
import { regimesThrough, viewAtOpen } from "./view.ts";
import { type Decision, decideOrders } from "../engine/decide.ts";
import { openSession } from "../engine/session-view.ts";
import { ENGINE_VERSION } from "../engine/plan.ts";

function priceOf(fold: Fold): (symbol: string) => Money {
  return (symbol) => fold.marks.get(symbol) ?? money(fold.ledger.positions.get(symbol)?.book.avgPrice ?? "0");
}

function tradeSession(fold: Fold, session: number): BacktestDay {
  const { ledger, input } = fold;
  const { index } = input;
  const date = index.history.sessions[session]!;
  const hours = sessionHours(date);
  const opensAt = hours?.opensAt ?? newYorkInstant(date, 9, 30);
  const openMinutes = input.policy.pretrade_filters.open_minutes;
  const today: Today = {
    session,
    date,
    sessions: sessionsAround(index, session, input.policy),
    opensAt,
    closesAt: hours?.closesAt ?? newYorkInstant(date, 16, 0),
    // Opening prices are acted on as soon as the policy lets entries through.
    decidedAt: new Date(Date.parse(opensAt) + openMinutes * MINUTE_MS).toISOString(),
    regime: fold.regimes[session]!,
  };
  beginDay(ledger, today.sessions.slice(0, today.sessions.indexOf(date) + 1));
  for (const { symbol, ratio } of index.splitsOn.get(date) ?? []) {
    splitHolding(ledger, symbol, ratio, date);
    const mark = fold.marks.get(symbol);
    if (mark !== undefined) fold.marks.set(symbol, mark.div(ratio).toDecimalPlaces(9));
  }
  for (const { symbol, amount } of index.dividendsOn.get(date) ?? []) payDividend(ledger, symbol, amount);
  fillAtOpen(fold, today);

  const mark = (price: "open" | "close") => {
    for (const symbol of ledger.positions.keys()) {
      const bar = barToday(fold, symbol, today);
      if (bar !== null) fold.marks.set(symbol, money(bar[price]));
    }
  };
  mark("open");
  const screening = screen(fold, today);
  fold.selection = screening.remembered;
  const view = viewAtOpen(fold, today, screening);
  const equity = ledger.cash.plus(positionsValue(ledger, priceOf(fold)));
  fold.highWaterMark = greatest(fold.highWaterMark, equity);
  const state = accountState(ledger, ACCOUNT_ID, input.preferences, {
    equity,
    lastEquity: fold.equity,
    highWaterMark: fold.highWaterMark,
    bookVolatility: bookVolatility(fold.returns),
  });
  const plan = decideOrders(state, openSession(view, input.policy));
  if (plan.latch !== null) {
    ledger.killState = plan.latch.killState;
    fold.halted ??= { session: date, reason: plan.latch.reason };
  }
  submit(fold, today, plan);
  if (input.hasRotation === true) {
    rotate(fold, today, view, plan.orders.length, () =>
      accountState(ledger, ACCOUNT_ID, input.preferences, {
        equity: ledger.cash.plus(positionsValue(ledger, priceOf(fold))),
        lastEquity: fold.equity,
        highWaterMark: fold.highWaterMark,
        bookVolatility: bookVolatility(fold.returns),
      }),
    );
  }
  moveStops(fold, state, view, plan);
  fillInSession(fold, today);
  mark("close");
  return closeDay(fold, today, plan);
}

function closeDay(fold: Fold, { date, regime, session }: Today, plan: Decision): BacktestDay {
  const { ledger, input } = fold;
  const gross = positionsValue(ledger, priceOf(fold));
  const equity = ledger.cash.plus(gross);
  fold.returns.push(equity.over(fold.equity) - 1);
  fold.equity = equity;
  fold.peak = greatest(fold.peak, equity);
  fold.highWaterMark = greatest(fold.highWaterMark, equity);
  const { benchmarks } = input.index;
  const indexClose = input.index.bySymbol.get(INDEX_SYMBOL)?.close[session];
  return {
    session: date,
    equity: text(equity),
    cash: text(ledger.cash),
    gross: text(gross),
    exposure: gross.over(equity),
    drawdown: equity.over(fold.peak) - 1,
    regime: regime.label,
    positions: ledger.positions.size,
    realised: text(ledger.day.realised),
    unrealised: text(unrealisedOf(ledger, priceOf(fold))),
    dividends: text(ledger.day.dividends),
    fees: text(ledger.day.fees),
    flows: "0",
    traded: text(ledger.day.traded),
    indexClose: indexClose === undefined || Number.isNaN(indexClose) ? null : indexClose,
    indexReturn: benchmarks.index[session]!,
    universeReturn: benchmarks.universe[session]!,
    refusals: Object.fromEntries(plan.refusals) as BacktestDay["refusals"],
    line: plan.line,
  };
}

/**
 * Folds `decide` and `applyFill` over the sessions from `from` to `to` with the fill model of engine.md §10: decisions see
 * bars closed before the session and its opening prices, nothing else. The same input gives the same result. Throws a
 * RangeError when the sessions are not of the market.
 */
export function runBacktest(input: BacktestInput): BacktestResult {
  const { index, policy, preferences, seed } = input;
  const from = index.sessionAt.get(input.from);
  const to = index.sessionAt.get(input.to);
  if (from === undefined || to === undefined || from < 1 || to < from)
    throw new RangeError(`no sessions from ${input.from} to ${input.to} with one before them in ${index.history.name}`);
  const cash = money(input.cash);
  const features = input.features ?? prepareFeatures(index, from - 1, to - 1);
  const fold: Fold = {
    input,
    fillPolicy: atSpread(policy, input.spreadMultiple ?? 1),
    features,
    room: openRoom(features),
    regimes: regimesThrough(index, to, policy),
    ledger: openLedger(cash),
    selection: null,
    lastFeatures: new Map(),
    marks: new Map(),
    equity: cash,
    peak: cash,
    returns: [],
    highWaterMark: cash,
    halted: null,
    lastRotation: null,
  };
  const days: BacktestDay[] = [];
  for (let session = from; session <= to; session++) {
    days.push(tradeSession(fold, session));
    input.onSession?.(session - from + 1, to - from + 1);
  }
  const { ledger } = fold;
  return {
    market: index.history.name,
    config: {
      cash: text(cash),
      preferences,
      policyVersion: policy.version,
      engineVersion: ENGINE_VERSION,
      from: input.from,
      to: input.to,
      seed,
      earningsGate: input.isWithoutEarnings === true ? "off" : "on",
      ...(input.hasRotation === true ? { rotation: "on" as const } : {}),
    },
    symbolCount: index.history.symbols.length,
    days,
    orders: ledger.orders,
    fills: ledger.fills,
    trades: ledger.trades,
    halted: fold.halted,
    openPositions: [...ledger.positions].map(([symbol, held]) => {
      const last = priceOf(fold)(symbol);
      const avgPrice = held.book.avgPrice ?? "0";
      return {
        symbol,
        strategy: held.strategy,
        opened: held.openedSession,
        qty: held.book.qty,
        avgPrice,
        lastPrice: text(last),
        unrealised: text(money(held.book.qty).times(last.minus(avgPrice)).toDecimalPlaces(9)),
      };
    }),
  };
}
