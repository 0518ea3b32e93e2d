/** Closed sets of reasons. A refused order is a decision with a reason from here, never an error. */

/** Gates in the order in which they are asked (engine.md §9). */
export const GATE_CODES = [
  "automation_off",
  "kill_state",
  "account_status",
  "keys_missing",
  "live_not_allowed",
  "market_hours",
  "data_stale",
  "provider_disagreement",
  "not_tradable",
  "duplicate",
  "earnings_blackout",
  "regime",
  "conviction",
  "max_positions",
  "position_value",
  "sector",
  "gross",
  "adv",
  "price_collar",
  "order_rate",
  "daily_loss",
  "drawdown",
  "cooldown",
  "stop_guard",
  "buying_power",
  "day_trades",
  "wash_sale",
  "size",
] as const;
export type GateCode = (typeof GATE_CODES)[number];

/** One word per gate for the cycle line: "4 sector, 3 earnings". */
export const GATE_WORDS: Record<GateCode, string> = {
  automation_off: "automation off",
  kill_state: "kill switch",
  account_status: "account status",
  keys_missing: "keys missing",
  live_not_allowed: "live not allowed",
  market_hours: "market hours",
  data_stale: "stale data",
  provider_disagreement: "data disagreement",
  not_tradable: "not tradable",
  duplicate: "already held or in flight",
  earnings_blackout: "earnings",
  regime: "regime",
  conviction: "conviction",
  max_positions: "max positions",
  position_value: "position value",
  sector: "sector",
  gross: "gross exposure",
  adv: "liquidity",
  price_collar: "price collar",
  order_rate: "order rate",
  daily_loss: "daily loss",
  drawdown: "drawdown",
  cooldown: "cooldown",
  stop_guard: "stop guard",
  buying_power: "buying power",
  day_trades: "day trades",
  wash_sale: "wash sale",
  size: "size",
};

/** What each gate is about, for a list that says of each whether it passed: "broker keys: passed". */
export const GATE_NAMES: Record<GateCode, string> = {
  ...GATE_WORDS,
  automation_off: "automation",
  keys_missing: "broker keys",
  live_not_allowed: "live trading",
  data_stale: "age of data",
  provider_disagreement: "agreement of data",
  not_tradable: "tradable at the broker",
  duplicate: "one position a stock",
};

/** The market's regime within a sentence. */
export const REGIME_WORDS = { risk_on: "risk on", neutral: "neutral", risk_off: "risk off" } as const;

/** What each gate asks, for people: one sentence. */
export const GATE_TEXT: Record<GateCode, string> = {
  automation_off: "Automation has to be switched on, by you and for everybody.",
  kill_state: "While a kill switch is set, nothing new is bought.",
  account_status: "The account has to be active and not on hold.",
  keys_missing: "The account needs keys that the broker accepts.",
  live_not_allowed: "Real money is traded only where Paper Trading Only is off.",
  market_hours: "Entries are sent within the trading window of an open session.",
  data_stale: "The quote and the bars have to be fresh enough to decide on.",
  provider_disagreement: "Sources of the same figure have to agree.",
  not_tradable: "The stock has to be tradable and neither halted nor set aside by data checks.",
  duplicate: "A stock that is held or has an order in flight is not bought again.",
  earnings_blackout: "No entry shortly before or after the company reports earnings.",
  regime: "The market's regime has to allow new entries of this strategy.",
  conviction: "Score and confidence have to reach the line of your risk tolerance.",
  max_positions: "There has to be a free place under your Max Positions.",
  position_value: "A position may not grow beyond your Max Position Value.",
  sector: "One sector may not take more than its share.",
  gross: "All positions together may not exceed the exposure that the regime allows.",
  adv: "The order has to be small against what the stock trades in a day.",
  price_collar: "The limit price has to lie close to the last price.",
  order_rate: "Only so many orders go out in a minute and in a day.",
  daily_loss: "After too large a loss today, nothing new is bought until tomorrow.",
  drawdown: "Below the highest equity by too much, the account first slows and then only reduces.",
  cooldown: "A stock that was stopped out rests for some sessions.",
  stop_guard: "After too many stops in a short time, entries rest.",
  buying_power: "The account has to be able to pay.",
  day_trades: "Buying and selling within one day is counted and limited.",
  wash_sale: "A stock sold at a loss and bought back soon is pointed out for taxes.",
  size: "What the limits leave has to be at least one share and worth its costs.",
};

/** Why a position is reduced or closed (engine.md §10, in order of priority). */
export const EXIT_REASONS = [
  "kill_flatten",
  "protective_stop",
  "trailing_stop",
  "time_stop",
  "momentum_faded",
  "trend_broken",
  "mean_reverted",
  "channel_broken",
  "regime_trim",
  "profit_target",
  "protect_position",
  "rotation",
] as const;
export type ExitReason = (typeof EXIT_REASONS)[number];

/** For people. */
export const REASON_TEXT: Record<
  ExitReason | "entry_momentum" | "entry_mean_reversion" | "entry_breakout" | "broker_books",
  string
> = {
  entry_momentum: "Momentum entry",
  entry_mean_reversion: "Mean reversion entry",
  entry_breakout: "Breakout entry",
  kill_flatten: "Kill switch: flatten",
  protective_stop: "Protective stop",
  trailing_stop: "Trailing stop",
  time_stop: "Time stop",
  momentum_faded: "Momentum faded",
  trend_broken: "Trend broken",
  mean_reverted: "Mean reverted",
  channel_broken: "Channel broken",
  regime_trim: "Regime turned: exposure trimmed",
  profit_target: "Profit target",
  protect_position: "Protective order placed",
  rotation: "Rotation",
  broker_books: "Taken over from the broker's books",
};
