import type { GateResult } from "../engine/plan.ts";
import type { GateCode } from "../gates/gates.ts";

/**
 * Margins that count as far from the line, in each gate's own unit. Gates that only say yes or no have no distance; those that
 * count a room in USD are measured by that room.
 */
const FAR: Partial<Record<GateCode, number>> = {
  market_hours: 60,
  data_stale: 300,
  earnings_blackout: 10,
  conviction: 0.2,
  max_positions: 5,
  price_collar: 0.02,
  order_rate: 10,
  daily_loss: 0.03,
  drawdown: 0.1,
  day_trades: 3,
};

const ROOM = /room for \$([\d,.]*\d)/;

/** How far a gate that passed was from refusing: 0 at its line, 1 far from it; null where it has no distance. */
export function closeness({ code, passed, margin, detail }: GateResult): number | null {
  if (!passed || margin === null) return null;
  const room = ROOM.exec(detail)?.[1];
  const far = room === undefined ? FAR[code] : Number(room.replaceAll(",", ""));
  return far === undefined || far <= 0 ? null : Math.min(1, Math.max(0, margin / far));
}
