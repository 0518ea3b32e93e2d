import type { GateCode } from "../gates/gates.ts";
import { GATE_OF } from "../gates/gates.ts";
import type { CycleLine } from "./read-cycle-line.ts";
import { counted } from "../counted.ts";

const of = (count: number, one: string, many: string) => `${counted(count, "stock")} ${count === 1 ? one : many}`;

/** What so many stocks wait for, without a word of the engine's own. */
const WAITING: Partial<Record<GateCode, (count: number) => string>> = {
  regime: (count) => of(count, "waits for a calmer market", "wait for a calmer market"),
  duplicate: (count) => of(count, "is already yours", "are already yours"),
  earnings_blackout: (count) =>
    of(count, "waits because of its earnings report", "wait because of their earnings reports"),
  conviction: (count) => of(count, "scores below what a purchase takes", "score below what a purchase takes"),
  max_positions: (count) => of(count, "waits for a free place", "wait for a free place"),
  sector: (count) => of(count, "is of a sector you have enough of", "are of sectors you have enough of"),
  gross: (count) => of(count, "waits because enough is invested", "wait because enough is invested"),
  adv: (count) => of(count, "is too thinly traded", "are too thinly traded"),
  buying_power: (count) => of(count, "waits for more cash", "wait for more cash"),
  cooldown: (count) => of(count, "rests after a sale or a refused order", "rest after a sale or a refused order"),
  stop_guard: (count) => of(count, "waits after several stops", "wait after several stops"),
  data_stale: (count) => of(count, "has no fresh price", "have no fresh price"),
  provider_disagreement: (count) =>
    of(count, "has sources that disagree on its price", "have sources that disagree on their price"),
  market_hours: (count) =>
    of(
      count,
      "waits for the part of the session in which orders go out",
      "wait for the part of the session in which orders go out",
    ),
  automation_off: (count) => of(count, "waits until automation runs again", "wait until automation runs again"),
  account_status: (count) =>
    of(count, "waits until the account is active again", "wait until the account is active again"),
  keys_missing: (count) => of(count, "waits for the account's broker keys", "wait for the account's broker keys"),
  live_not_allowed: (count) =>
    of(count, "waits until you allow trading with real money", "wait until you allow trading with real money"),
  kill_state: (count) => of(count, "waits until a restriction is lifted", "wait until a restriction is lifted"),
  not_tradable: (count) => of(count, "cannot be traded now", "cannot be traded now"),
  order_rate: (count) => of(count, "waits: many orders went out just now", "wait: many orders went out just now"),
  price_collar: (count) => of(count, "has a price that moves too fast", "have prices that move too fast"),
  day_trades: (count) => of(count, "waits: too many day trades were made", "wait: too many day trades were made"),
  size: (count) => of(count, "leaves room for too small an order", "leave room for too small an order"),
  daily_loss: (count) => of(count, "waits: the day's loss is at its limit", "wait: the day's loss is at its limit"),
  drawdown: (count) =>
    of(
      count,
      "waits until the account has recovered from its losses",
      "wait until the account has recovered from its losses",
    ),
  wash_sale: (count) => of(count, "was sold at a loss not long ago", "were sold at a loss not long ago"),
  position_value: (count) => of(count, "would pass your Max Position Value", "would pass your Max Position Value"),
};

/** "26 stocks wait for a calmer market"; a rule without words of its own is named. */
export function waitingText(code: GateCode, count: number): string {
  return (
    WAITING[code]?.(count) ?? of(count, `is held by “${GATE_OF[code].label}”`, `are held by “${GATE_OF[code].label}”`)
  );
}

/** Gates that hold a whole account: what they mean is said by the holds and the hours of the market. */
export type MainRefusal = CycleLine["refusals"][number];

/** What kept most from being bought; a stock that is held already was bought before and counts where nothing else is in the way. */
export function mainRefusal({ refusals }: CycleLine): MainRefusal | null {
  return refusals.find(({ code }) => code !== "duplicate") ?? refusals[0] ?? null;
}

/** The two things that most wait for: "26 stocks wait for a calmer market, 1 stock waits because of its earnings report". */
export function refusalsText({ refusals }: CycleLine): string {
  return refusals
    .filter(({ count }) => count !== null)
    .slice(0, 2)
    .map(({ code, count }) => waitingText(code, count ?? 0))
    .join(", ");
}
