import { countText } from "../format.ts";
import { GATE_OF, type GateCode } from "../gates/gates.ts";
import { waitsFor } from "./gate-text.ts";
import type { CycleLine } from "./read-cycle-line.ts";

/** What holds stocks back that one gate refused first, told of one stock and of several. A calmer market stands for each of the regime's reasons, by design. */
const SAYS: Partial<Record<GateCode, readonly [one: string, several: string]>> = {
  automation_off: ["waits for the automation to run again", "wait for the automation to run again"],
  kill_state: ["waits for a stop on buying to be lifted", "wait for a stop on buying to be lifted"],
  account_status: ["waits for the account to be active", "wait for the account to be active"],
  keys_missing: ["waits for the account's broker keys", "wait for the account's broker keys"],
  live_not_allowed: [
    "waits for trading with real money to be allowed in your settings",
    "wait for trading with real money to be allowed in your settings",
  ],
  market_hours: ["waits for the market's trading hours", "wait for the market's trading hours"],
  data_stale: ["waits for a fresh price", "wait for a fresh price"],
  provider_disagreement: [
    "waits for the sources of its price to agree",
    "wait for the sources of their prices to agree",
  ],
  not_tradable: ["cannot be traded at the broker now", "cannot be traded at the broker now"],
  duplicate: ["is already yours or on order", "are already yours or on order"],
  earnings_blackout: ["waits because of its earnings report", "wait because of their earnings reports"],
  regime: ["waits for a calmer market", "wait for a calmer market"],
  conviction: ["does not reach the scores that a purchase takes", "do not reach the scores that a purchase takes"],
  max_positions: ["waits for a free place: all are taken", "wait for a free place: all are taken"],
  position_value: ["would pass your Max Position Value", "would pass your Max Position Value"],
  sector: ["waits because enough of its sector is held", "wait because enough of their sectors is held"],
  gross: ["waits because enough is invested", "wait because enough is invested"],
  adv: ["is too thinly traded", "are too thinly traded"],
  price_collar: ["would be ordered too far from its last price", "would be ordered too far from their last prices"],
  order_rate: ["waits because enough orders have gone out", "wait because enough orders have gone out"],
  daily_loss: ["waits for tomorrow: today's loss is too large", "wait for tomorrow: today's loss is too large"],
  drawdown: ["waits for the account to recover from its losses", "wait for the account to recover from its losses"],
  cooldown: ["rests after a sale or a refused order", "rest after a sale or a refused order"],
  stop_guard: ["waits because several positions were stopped out", "wait because several positions were stopped out"],
  buying_power: ["waits for more cash", "wait for more cash"],
  day_trades: ["waits because too many day trades were made", "wait because too many day trades were made"],
  wash_sale: ["was sold at a loss a short time ago", "were sold at a loss a short time ago"],
  size: ["allows no sensible order now", "allow no sensible order now"],
};

/** True where the gate has words of its own: a test asks it of each. */
export const hasGroupWords = (code: GateCode): boolean => SAYS[code] !== undefined;

/** "26 stocks wait for a free place: all are taken". */
export function reasonGroupText(code: GateCode, count: number): string {
  const [one, several] = SAYS[code] ?? [
    `waits for “${GATE_OF[code].label}” to clear`,
    `wait for “${GATE_OF[code].label}” to clear`,
  ];
  return count === 1 ? `1 stock ${one}` : `${countText(count)} stocks ${several}`;
}

/** Why a decision bought no more, the most first; what stops the whole account says so. */
export function reasonTexts({ refusals }: Pick<CycleLine, "refusals">): string[] {
  return refusals.map(({ code, count }) =>
    count === null ? `Nothing is bought: it waits for ${waitsFor(code)}` : reasonGroupText(code, count),
  );
}

/** Stocks that lead a list of those with one reason in common. */
export interface ReasonGroup {
  /** The gate that refused first; null for stocks without a signal. */
  code: GateCode | null;
  text: string;
  symbols: string[];
}

interface Looked {
  symbol: string;
  hasSignal: boolean;
  failing: readonly GateCode[];
}

/** The stocks that were not bought by their first reason, the most first; those without a signal stand at the end. */
export function reasonGroups(candidates: readonly Looked[]): ReasonGroup[] {
  const refused = new Map<GateCode, string[]>();
  const quiet: string[] = [];
  for (const { symbol, hasSignal, failing } of candidates) {
    const [first] = failing;
    if (!hasSignal) quiet.push(symbol);
    else if (first !== undefined) refused.set(first, [...(refused.get(first) ?? []), symbol]);
  }
  const groups = [...refused]
    .sort(([, a], [, b]) => b.length - a.length)
    .map(([code, symbols]): ReasonGroup => ({ code, text: reasonGroupText(code, symbols.length), symbols }));
  if (quiet.length === 0) return groups;
  const gave =
    quiet.length === 1
      ? "1 stock gives no reason to buy now"
      : `${countText(quiet.length)} stocks give no reason to buy now`;
  return [...groups, { code: null, text: gave, symbols: quiet }];
}
