import { money, priceTick, text } from "../money.ts";
import type { Policy } from "../policy.ts";
import { readRegime, type RegimeMemory } from "../screening/regime.ts";
import { type ScreenResult, screenMarket } from "../screening/screen-market.ts";
import { barToday, featuresBefore, type Fold, type Today } from "./backtest-fold.ts";
import { earningsAround, type HistoryIndex, INDEX_SYMBOL, sessionsAround } from "./backtest-market.ts";
import type { MarketView, RegimeView } from "./plan.ts";

const REGIME_CLOSES = 260;

/** The regime machine, stepped over every session of the market so that it is settled where trading begins. */
export function regimesThrough({ history, bySymbol, vixOn }: HistoryIndex, to: number, policy: Policy): RegimeView[] {
  const index = bySymbol.get(INDEX_SYMBOL);
  const closes: number[] = [];
  const views: RegimeView[] = [];
  let memory: RegimeMemory | null = null;
  for (let session = 0; session <= to; session++) {
    const before = session - 1;
    const close = index?.close[before];
    const isCurrent = close !== undefined && !Number.isNaN(close);
    if (isCurrent) closes.push(close);
    const previous = closes.at(-2);
    const reading = readRegime(
      {
        // A stale index is no index: the last close must be of the session before.
        spyCloses: isCurrent ? closes.slice(-REGIME_CLOSES) : [],
        vix: vixOn.get(history.sessions[before] ?? "") ?? null,
        spyDayReturn: isCurrent && previous !== undefined ? close / previous - 1 : null,
      },
      memory,
      history.sessions[session]!,
      policy,
    );
    memory = reading.memory;
    views.push(reading.view);
  }
  return views;
}

/** The selection of the session, and how many symbols have features. */
export function screen(fold: Fold, { session, date }: Today): { result: ScreenResult; screened: number } {
  const { index, policy } = fold.input;
  let screened = 0;
  const universe = [];
  for (const { symbol, name, sector } of index.history.symbols) {
    const features = featuresBefore(fold, symbol, session);
    if (features !== null) screened++;
    if (sector === "ETF") continue;
    universe.push({
      symbol,
      name,
      sector: sector ?? "Unknown",
      isTradable: true,
      isHalted: false,
      quarantine: null,
      features,
      spreadBps: null,
      lastPrice: features?.close ?? null,
    });
  }
  // A tape has no news: the factor is missing for every symbol, which is the safer branch.
  const result = screenMarket({
    market: "PRACTICE",
    sessionDate: date,
    universe,
    news: null,
    previous: fold.selection,
    fastTrack: [],
    policy,
  });
  return { result, screened };
}

/** What the account sees just after the open: bars closed before the session, and its opening prices. */
export function viewAtOpen(fold: Fold, today: Today, screening: ReturnType<typeof screen>): MarketView {
  const { index, policy } = fold.input;
  const { session, date } = today;
  const { result, screened } = screening;
  const half = money(policy.orders_execution.default_spread_bps).div(20_000);
  const momentum = new Map(result.scores.map(({ symbol, momentumPercentile }) => [symbol, momentumPercentile]));
  const splits = index.splitsOn.get(date) ?? [];
  const { ledger } = fold;
  const symbols = new Set([
    ...result.seats.map(({ symbol }) => symbol),
    ...ledger.positions.keys(),
    ...ledger.entries.map(({ order }) => order.symbol),
  ]);
  const earnings = earningsAround(index, date);
  const views: MarketView["symbols"] = {};
  for (const symbol of [...symbols].sort()) {
    const row = index.bySymbol.get(symbol)!;
    const bar = barToday(fold, symbol, today);
    const open = bar === null ? null : money(bar.open);
    views[symbol] = {
      symbol,
      name: row.name,
      sector: row.sector ?? "Unknown",
      isTradable: true,
      isHalted: bar === null,
      quarantine: null,
      features: featuresBefore(fold, symbol, session),
      momentumPercentile: momentum.get(symbol) ?? null,
      splitToday: splits.find((split) => split.symbol === symbol)?.ratio ?? null,
      quote:
        open === null
          ? null
          : {
              last: text(open),
              bid: text(priceTick(open.minus(open.times(half)), "down")),
              ask: text(priceTick(open.plus(open.times(half)), "up")),
              at: today.opensAt,
            },
      earnings: earnings(symbol),
    };
  }
  return {
    market: "PRACTICE",
    at: today.decidedAt,
    session: { date, opensAt: today.opensAt, closesAt: today.closesAt, isOpen: true },
    barsThrough: index.history.sessions[session - 1]!,
    sessions: sessionsAround(index, session),
    regime: today.regime,
    seats: result.seats.map(
      ({ symbol, rank, kind, composite, liquidity, sentiment, technical, momentumPercentile }) => ({
        symbol,
        rank,
        kind,
        composite,
        liquidity,
        sentiment,
        technical,
        momentumPercentile,
      }),
    ),
    symbols: views,
    counts: { screened, eligible: result.eligibleCount },
  };
}
