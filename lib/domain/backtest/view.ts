import { money, priceTick, text } from "../money.ts";
import type { Policy } from "../policy.ts";
import { readRegime, type RegimeMemory } from "../screening/regime.ts";
import { barToday, featuresBefore, type Fold, quarantineBefore, type Today } from "./fold.ts";
import { INDEX_SYMBOL } from "./history.ts";
import { earningsAround, type HistoryIndex, sessionsAround } from "./market.ts";
import type { Screening } from "./screen.ts";
import type { MarketView, RegimeView } from "../engine/plan.ts";

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

/** What the earnings gate lets pass. */
const NO_REPORTS = { isKnown: true, next: null, last: null };

/** What the account sees just after the open: bars closed before the session, and its opening prices. */
export function viewAtOpen(fold: Fold, today: Today, { ranking, seats, screened }: Screening): MarketView {
  const { index, policy } = fold.input;
  const { session, date } = today;
  // Half the policy's spread to either side of the opening price.
  const half = money(policy.orders_execution.default_spread_bps).div(20_000);
  const [bidFactor, askFactor] = [money(1).minus(half), half.plus(1)];
  const splits = index.splitsOn.get(date) ?? [];
  const { ledger } = fold;
  const symbols = new Set([
    ...seats.map(({ symbol }) => symbol),
    ...ledger.positions.keys(),
    ...ledger.entries.map(({ order }) => order.symbol),
  ]);
  const earnings = fold.input.isWithoutEarnings === true ? () => NO_REPORTS : earningsAround(index, date);
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
      quarantine: quarantineBefore(fold, symbol, session),
      features: featuresBefore(fold, symbol, session),
      momentumPercentile: ranking.of(symbol)?.momentumPercentile ?? null,
      splitToday: splits.find((split) => split.symbol === symbol)?.ratio ?? null,
      quote:
        open === null
          ? null
          : {
              last: text(open),
              bid: text(priceTick(open.times(bidFactor), "down")),
              ask: text(priceTick(open.times(askFactor), "up")),
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
    seats,
    symbols: views,
    counts: { screened, eligible: ranking.count },
  };
}
