import { type DecimalText, type Money, money, text } from "../money.ts";
import type { SessionDate } from "../time.ts";
import type { GateCode } from "../gates/gates.ts";
import type { BacktestResult } from "./result.ts";

/** Sessions that settings are tried on. */
export const PREVIEW_SESSIONS = 20;

interface NamedGain {
  symbol: string;
  /** USD after fees; of an open position what it stands at. */
  pnl: DecimalText;
  isOpen: boolean;
}

/** What a person compares settings by: a short run in a few figures. Money in USD, ratios as fractions. */
export interface PreviewFigures {
  pnl: DecimalText;
  totalReturn: number;
  /** ≤ 0, the starting cash included. */
  maxDrawdown: number;
  /** Entries that were filled, in whole or in part. */
  purchases: number;
  won: number;
  lost: number;
  /** Positions held at the end. */
  open: number;
  /** Of closed round trips and open positions; null where nothing was bought. */
  best: NamedGain | null;
  worst: NamedGain | null;
  /** Sessions that closed with a position. */
  daysInvested: number;
  /** The gate that refused the most candidates first, over all sessions; null where none refused. */
  refused: { gate: GateCode; count: number } | null;
  /** When the engine stopped entries until a person resumes them. */
  halted: SessionDate | null;
}

/** What is kept of a run of settings that are tried. The same result gives the same figures. */
export function previewFigures({ config, days, fills, trades, openPositions, halted }: BacktestResult): PreviewFigures {
  const cash = money(config.cash);
  const end = days.at(-1);
  const pnl = money(end?.equity ?? config.cash).minus(cash);
  const gains = [
    ...trades.map((trade) => ({ symbol: trade.symbol, pnl: money(trade.pnl), isOpen: false })),
    ...openPositions.map(({ symbol, unrealised }) => ({ symbol, pnl: money(unrealised), isOpen: true })),
  ];
  return {
    pnl: text(pnl),
    totalReturn: pnl.div(cash).toNumber(),
    maxDrawdown: Math.min(0, ...days.map(({ drawdown }) => drawdown)),
    purchases: new Set(fills.filter(({ side }) => side === "BUY").map(({ orderId }) => orderId)).size,
    won: trades.filter(({ outcome }) => outcome === "WIN").length,
    lost: trades.filter(({ outcome }) => outcome === "LOSS").length,
    open: openPositions.length,
    best: extreme(gains, (one, other) => one.gt(other)),
    worst: extreme(gains, (one, other) => one.lt(other)),
    daysInvested: days.filter(({ positions }) => positions > 0).length,
    refused: mostRefused(days),
    halted: halted?.session ?? null,
  };
}

/** The first of equals. */
function extreme(
  gains: readonly { symbol: string; pnl: Money; isOpen: boolean }[],
  isBeyond: (one: Money, other: Money) => boolean,
): NamedGain | null {
  const found = gains.reduce<(typeof gains)[number] | null>(
    (kept, each) => (kept === null || isBeyond(each.pnl, kept.pnl) ? each : kept),
    null,
  );
  return found && { ...found, pnl: text(found.pnl) };
}

/** Of equals the one whose name comes first. */
function mostRefused(days: BacktestResult["days"]): PreviewFigures["refused"] {
  const counts = new Map<GateCode, number>();
  for (const { refusals } of days)
    for (const [gate, count] of Object.entries(refusals) as [GateCode, number][])
      counts.set(gate, (counts.get(gate) ?? 0) + count);
  const [most] = [...counts].sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1));
  return most === undefined ? null : { gate: most[0], count: most[1] };
}
