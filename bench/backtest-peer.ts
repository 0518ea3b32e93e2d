import { DataFrame } from "data-forge";
import { backtest, type IBar, type IStrategy } from "grademark";
import { atr } from "@/lib/domain/indicators/atr.ts";
import { highestOf } from "@/lib/domain/indicators/extremes.ts";
import { momentumAt } from "@/lib/domain/indicators/momentum.ts";
import { sma } from "@/lib/domain/indicators/sma.ts";
import type { HistorySymbol, MarketHistory } from "@/lib/domain/backtest/history.ts";
import { measure, type Timing } from "./timing.ts";

interface PeerBar extends IBar {
  sma50: number;
  sma200: number;
  atr14: number;
  momentum12: number;
  high252: number;
}

/** The momentum strategy as far as an engine of one instrument can follow it: no ranking, seats, sizes, gates, costs or log. */
const momentum: IStrategy<PeerBar, PeerBar, object> = {
  entryRule: (enterPosition, { bar }) => {
    const isRising = bar.close > bar.sma200 && bar.sma50 > bar.sma200 && bar.momentum12 > 0;
    if (isRising && bar.close >= 0.75 * bar.high252) enterPosition();
  },
  exitRule: (exitPosition, { bar }) => {
    if (bar.close < bar.sma200) exitPosition();
  },
  stopLoss: ({ entryPrice, bar }) => Math.min(0.08 * entryPrice, 3 * bar.atr14),
  trailingStopLoss: ({ bar }) => 3 * bar.atr14,
  profitTarget: ({ entryPrice }) => 0.2 * entryPrice,
};

/** Indicators are ours, made inside the time that is measured; the engine is given rows, as it asks. */
function rowsOf({ open, high, low, close, volume }: HistorySymbol, times: Date[], from: number): PeerBar[] {
  const sma50 = sma(close, 50);
  const sma200 = sma(close, 200);
  const atr14 = atr(high, low, close, 14);
  const rows: PeerBar[] = [];
  for (let i = from; i < close.length; i++)
    rows.push({
      time: times[i]!,
      open: open[i]!,
      high: high[i]!,
      low: low[i]!,
      close: close[i]!,
      volume: volume[i]!,
      sma50: sma50[i]!,
      sma200: sma200[i]!,
      atr14: atr14[i]!,
      momentum12: momentumAt(close, i, 252),
      high252: highestOf(high, i - 251, i + 1),
    });
  return rows;
}

export interface PeerBench extends Timing {
  symbolBars: number;
  trades: number;
}

/** grademark over the same symbols and sessions, one symbol after the other. */
export function benchPeerBacktest({ symbols, sessions }: MarketHistory, from: number, rounds: number): PeerBench {
  const times = sessions.map((date) => new Date(`${date}T00:00:00.000Z`));
  let trades = 0;
  const timing = measure(rounds, () => {
    trades = 0;
    for (const symbol of symbols)
      trades += backtest(momentum, new DataFrame<number, PeerBar>(rowsOf(symbol, times, from))).length;
  });
  return { ...timing, symbolBars: symbols.length * (sessions.length - from), trades };
}
