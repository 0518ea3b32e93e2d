import { type GateCode, GATE_OF } from "../gates/gates.ts";

/** What a stock that a gate refused waits for, in what a person can watch. */
const WAITS: Partial<Record<GateCode, string>> = {
  automation_off: "the automation to run again",
  kill_state: "the restriction to be lifted",
  account_status: "the account to be active",
  keys_missing: "the account's broker keys",
  live_not_allowed: "trading with real money to be allowed in your settings",
  market_hours: "the market's trading hours",
  data_stale: "a fresh price",
  provider_disagreement: "its sources to agree",
  not_tradable: "its trading to be resumed",
  duplicate: "the position or order in it to end",
  earnings_blackout: "its earnings report to be past",
  regime: "a calmer market",
  conviction: "a higher score",
  max_positions: "a free place under your Max Positions",
  position_value: "room under your Max Position Value",
  sector: "room in its sector",
  gross: "room under the limit on what is invested",
  adv: "more trading in it",
  order_rate: "fewer orders in a row",
  daily_loss: "a day with a smaller loss",
  drawdown: "the account to recover from its losses",
  cooldown: "its rest after a stop to end",
  stop_guard: "the rest after several stops to end",
  buying_power: "more buying power",
};

/** "a calmer market"; a gate without words of its own is named. */
export const waitsFor = (code: GateCode): string => WAITS[code] ?? `“${GATE_OF[code].label}” to clear`;
