/**
 * Every constant of the trading core with its default (policy 2.9.0), bounds and unit. One table; the policy's
 * type, its default value, its checks and the form in the console all follow from it.
 */
export interface PolicyFieldDefinition {
  value: number;
  min: number;
  max: number;
  unit: string;
  description: string;
}

function field(value: number, min: number, max: number, unit: string, description: string): PolicyFieldDefinition {
  return { value, min, max, unit, description };
}

/** Units whose fields must be whole numbers. `switch` is 0 (off) or 1 (on). */
export const WHOLE_UNITS: readonly string[] = [
  "seats",
  "bars",
  "sessions",
  "selections",
  "rank",
  "events",
  "positions",
  "orders",
  "minutes",
  "seconds",
  "count",
  "days",
  "switch",
  "closes",
  "reviews",
  "trips",
];

// oxfmt-ignore
export const POLICY_DEFINITION = {
  selector_top50: {
    seats: field(50, 5, 500, "seats", "Seats in the selection"),
    min_price: field(5, 0, 1000, "USD", "Lowest last price that is eligible"),
    min_bars: field(253, 30, 400, "bars", "Fewest daily bars that are eligible"),
    min_adv: field(20_000_000, 0, 1e10, "USD", "Lowest median 20-day dollar volume"),
    max_spread_bps: field(20, 1, 500, "bps", "Widest median spread, where quotes exist"),
    weight_technical: field(0.45, 0, 1, "fraction", "Weight of the technical score in the composite"),
    weight_liquidity: field(0.25, 0, 1, "fraction", "Weight of the liquidity score in the composite"),
    weight_sentiment: field(0.3, 0, 1, "fraction", "Weight of the sentiment score in the composite"),
    liquidity_volume_share: field(0.7, 0, 1, "fraction", "Share of dollar volume in the liquidity score; the rest is spread"),
    min_coverage: field(0.7, 0, 1, "fraction", "Smallest sum of present weights that is eligible"),
    winsor_fraction: field(0.01, 0, 0.2, "fraction", "Winsorized at each end before ranking"),
    rsi_low: field(30, 0, 50, "RSI", "RSI14 at or below which the band scores 0"),
    rsi_band_from: field(50, 10, 90, "RSI", "RSI14 from which the band scores 1"),
    rsi_band_to: field(65, 10, 95, "RSI", "RSI14 up to which the band scores 1"),
    rsi_high: field(85, 50, 100, "RSI", "RSI14 at or above which the band scores 0"),
    sentiment_window_days: field(7, 1, 60, "days", "Age of the oldest news item that counts"),
    sentiment_half_life_days: field(3, 0.25, 60, "calendar days", "Age at which a news item weighs half"),
    sentiment_shrink_items: field(3, 0, 50, "items", "Few items are shrunk towards neutral by n/(n + this)"),
    enter_rank: field(40, 1, 500, "rank", "Ranks up to this enter the target"),
    keep_rank: field(60, 1, 500, "rank", "Incumbents up to this rank stay in the target"),
    max_sector_seats: field(12, 1, 500, "seats", "Most seats of one sector"),
    min_sectors: field(5, 1, 11, "count", "Fewest sectors among the seats"),
    max_swaps: field(5, 0, 100, "count", "Most swaps in one selection"),
    swap_margin: field(5, 0, 50, "points", "Composite margin that a swap needs"),
    swap_selections: field(2, 1, 2, "selections", "Selections running on which the margin must hold"),
    min_tenure_sessions: field(5, 0, 60, "sessions", "Sessions an incumbent sat before this one, so that it can be swapped out; younger seats are fresh"),
    fast_track_max: field(2, 0, 20, "events", "Most fast-tracked events in one selection"),
    fast_track_max_age_hours: field(24, 1, 168, "hours", "Oldest event that can be fast-tracked"),
    promotion_min_composite: field(60, 0, 100, "points", "Composite a promoted seat should have (QA)"),
    watchlist_size: field(20, 1, 100, "count", "Rows of the earnings watchlist"),
    watchlist_days: field(14, 1, 60, "days", "Reports within this many days are watched"),
    watchlist_reports: field(8, 1, 8, "count", "Past reports the expected move is the mean of"),
    watchlist_low_move: field(0.04, 0, 1, "fraction", "Expected move below which the risk is LOW"),
    watchlist_high_move: field(0.08, 0, 1, "fraction", "Expected move from which the risk is HIGH"),
    watchlist_high_sigma: field(0.6, 0, 5, "annualized", "Volatility above which the risk goes one level up"),
  },
  portfolio_limits: {
    max_name_fraction: field(0.08, 0.001, 1, "fraction", "Largest part of equity in one name"),
    max_sector_fraction: field(0.25, 0.01, 1, "fraction", "Largest part of equity in one sector"),
    gross_risk_on: field(1, 0, 1, "fraction", "Gross exposure cap, risk on"),
    gross_neutral: field(0.6, 0, 1, "fraction", "Gross exposure cap, neutral"),
    gross_risk_off: field(0.25, 0, 1, "fraction", "Gross exposure cap, risk off"),
    cash_buffer: field(0.02, 0, 1, "fraction", "Part of equity that stays cash"),
    risk_per_trade: field(0.005, 0.0001, 0.05, "fraction", "Part of equity lost when the ATR stop is hit"),
    target_volatility: field(0.15, 0.01, 1, "annualized", "Volatility target of the whole book"),
    target_names: field(20, 1, 200, "count", "Names the volatility target is spread over"),
    momentum_book_volatility: field(0.12, 0.01, 1, "annualized", "Realized volatility the momentum book is scaled down to"),
    max_adv_fraction: field(0.01, 0.0001, 0.2, "fraction", "Largest part of median daily dollar volume"),
    kelly_fraction: field(0.25, 0, 1, "fraction", "Part of the Kelly bet that may be at risk"),
    kelly_min_trips: field(100, 10, 10_000, "trips", "Closed round trips of the strategy, their initial risk known, from which Kelly bounds the size"),
    kelly_z: field(1.2815515655446004, 0, 4, "standard deviations", "One-sided bound on mean(R)/mean(R²) (1.28 is 90 %)"),
    kelly_window_trips: field(250, 20, 500, "trips", "Latest round trips that the Kelly bound reads"),
    kelly_half_life_trips: field(60, 5, 1000, "trips", "Age, in round trips, at which one weighs half in the Kelly bound"),
    kelly_probe: field(0.001, 0.0001, 0.02, "fraction", "Part of equity that a position may always put at risk under the Kelly bound"),
    tolerance_low: field(0.5, 0.05, 1, "multiple", "Size at LOW risk tolerance"),
    tolerance_medium: field(1, 0.05, 2, "multiple", "Size at MEDIUM risk tolerance"),
    tolerance_high: field(1.5, 0.05, 3, "multiple", "Size at HIGH risk tolerance"),
    daily_loss_fraction: field(0.03, 0.001, 0.5, "fraction", "Loss against the prior close that stops entries"),
    drawdown_soft: field(0.1, 0.01, 0.9, "fraction", "Drawdown from the high-water mark that stops entries"),
    drawdown_hard: field(0.15, 0.01, 0.9, "fraction", "Drawdown that leaves reducing only, until a person resumes"),
    live_second_approver_usd: field(0, 0, 1e9, "USD", "Live plans above this need a second administrator; 0 is off"),
  },
  orders_execution: {
    entry_limit_offset_bps: field(50, 0, 300, "bps", "Entries are limit orders at the ask (or last) plus this"),
    entry_timeout_minutes: field(30, 1, 390, "minutes", "An unfilled entry is cancelled after this much market time; a bid of mean reversion stays for its session"),
    settle_window_seconds: field(60, 15, 3600, "seconds", "An order that cannot be found for this long is parked"),
    min_order_usd: field(100, 1, 10_000, "USD", "Smallest order"),
    min_order_fraction: field(0.25, 0, 1, "fraction", "Smallest part of the intended size that limits may leave of an order"),
    max_cost_of_edge: field(0.25, 0.01, 1, "fraction", "Largest part of the expected edge that round-trip cost may eat"),
    expected_edge_bps_momentum: field(200, 1, 5000, "bps", "Expected gross edge of a momentum trade"),
    expected_edge_bps_mean_reversion: field(60, 1, 5000, "bps", "Expected gross edge of a mean-reversion trade"),
    expected_edge_bps_breakout: field(150, 1, 5000, "bps", "Expected gross edge of a breakout trade"),
    default_spread_bps: field(5, 0, 100, "bps", "Spread used for costs where there is no quote"),
    commission_bps: field(0, 0, 100, "bps", "Commission one way"),
    impact_coefficient: field(1, 0, 10, "multiple", "Y of the square-root impact law"),
    slip_bps: field(5, 0, 200, "bps", "Slip of stop fills in a backtest"),
    two_person_policy: field(0, 0, 1, "switch", "A second administrator has to confirm the activation of a policy"),
    two_person_roles: field(0, 0, 1, "switch", "A second administrator has to confirm each change of an administrator's role or access"),
    require_admin_second_factor: field(0, 0, 1, "switch", "Administrators need a second factor: without one the console stays closed to them"),
    two_person_rotation_usd: field(0, 0, 1e9, "USD", "Rotation plans that trade more need a second administrator; 0: none does"),
  },
  signals_confidence: {
    composite_weight: field(0.5, 0, 1, "fraction", "Weight of the composite in the confidence; the rest is the strategy's percentile"),
    min_confidence: field(0.7, 0, 1, "fraction", "Conviction line"),
    low_risk_extra: field(0.1, 0, 0.5, "fraction", "Added to the line at LOW risk level"),
    high_risk_relief: field(0.05, 0, 0.5, "fraction", "Taken from the line at HIGH risk level"),
    min_families: field(2, 0, 3, "count", "Factor families that must be strong"),
    family_score: field(55, 0, 100, "points", "Score from which a factor family is strong"),
    momentum_enter_percentile: field(80, 0, 100, "percentile", "Momentum: entry"),
    momentum_keep_percentile: field(60, 0, 100, "percentile", "Momentum: keep"),
    momentum_high_distance: field(0.25, 0.01, 1, "fraction", "Momentum: largest distance from the 52-week high"),
    reversion_rsi: field(10, 1, 50, "RSI", "Mean reversion: RSI2 below this enters"),
    reversion_gap_atr: field(3, 0.1, 20, "ATR", "Mean reversion: largest opening gap"),
    reversion_min_adv: field(50_000_000, 0, 1e10, "USD", "Mean reversion: lowest dollar volume"),
    reversion_limit_atr: field(0.25, 0, 5, "ATR", "Mean reversion: limit below the close"),
    reversion_size: field(0.5, 0.05, 1, "multiple", "Mean reversion: size"),
    reversion_max_positions: field(5, 1, 100, "positions", "Mean reversion: most open"),
    reversion_max_sector: field(2, 1, 100, "positions", "Mean reversion: most open in a sector"),
    breakout_high_fraction: field(0.95, 0.5, 1, "fraction", "Breakout: smallest part of the 52-week high"),
    breakout_volume_ratio: field(1.5, 0.1, 20, "ratio", "Breakout: smallest volume ratio"),
    breakout_adx: field(20, 0, 100, "ADX", "Breakout: smallest ADX14, and rising"),
    breakout_chase_atr: field(1, 0.1, 10, "ATR", "Breakout: farthest above the channel"),
    regime_band: field(0.005, 0, 0.1, "fraction", "Band around SPY's averages in which the vote is 0"),
    regime_vix_calm: field(15, 5, 50, "VIX", "VIX below this votes +1"),
    regime_vix_fear: field(25, 5, 90, "VIX", "VIX above this votes −1"),
    regime_vix_shock: field(35, 10, 150, "VIX", "VIX from which it is risk off at once"),
    regime_spy_shock: field(-0.04, -0.3, 0, "fraction", "SPY day at or below which it is risk off at once"),
    regime_vote_line: field(2, 1, 3, "count", "Votes that make risk on (and, negative, risk off)"),
    regime_closes: field(2, 1, 10, "closes", "Closes that entering a regime needs"),
    regime_risk_off_closes: field(1, 1, 10, "closes", "Closes that entering risk off needs"),
    regime_dwell_sessions: field(5, 0, 60, "sessions", "Sessions a regime is in force at least, its first included"),
  },
  cadence: {
    rotation_cadence_days: field(14, 1, 90, "days", "Calendar days between rotations, counted in sessions"),
    rotation_turnover_cap_pct: field(30, 0, 100, "percent", "Turnover cap of one rotation"),
    rotation_cost_threshold_bps: field(10, 0, 500, "bps", "Expected benefit a rotation swap needs at least"),
    rotation_benefit_multiple: field(1.5, 1, 10, "multiple", "Expected benefit over sell and buy cost"),
    rotation_band_pp: field(0.01, 0, 0.2, "fraction", "No-trade band, absolute"),
    rotation_band_fraction: field(0.2, 0, 1, "fraction", "No-trade band, part of the target"),
    max_orders_per_minute: field(20, 1, 200, "orders", "Orders of an account in one minute"),
    max_orders_per_day: field(200, 1, 5000, "orders", "Orders of an account in one session"),
  },
  pretrade_filters: {
    open_minutes: field(5, 0, 120, "minutes", "No entries in the first minutes of a session"),
    close_minutes: field(10, 0, 120, "minutes", "No entries in the last minutes of a session"),
    max_quote_age_seconds: field(900, 5, 7200, "seconds", "Older quotes are stale (market time)"),
    max_bar_lag_sessions: field(1, 1, 5, "sessions", "Sessions the last closed bar may lie behind"),
    earnings_sessions_before: field(2, 0, 20, "sessions", "Blackout before a report"),
    earnings_sessions_after: field(1, 0, 20, "sessions", "Blackout after a report"),
    price_collar: field(0.03, 0.001, 0.5, "fraction", "Farthest a limit may lie from the last trade"),
    cooldown_sessions: field(5, 0, 60, "sessions", "No entry after a stop-out of the same symbol"),
    stop_guard_count: field(3, 1, 50, "count", "Stop-outs that stop all entries"),
    stop_guard_window_sessions: field(10, 1, 60, "sessions", "Window in which stop-outs are counted"),
    stop_guard_pause_sessions: field(5, 1, 60, "sessions", "Pause after the stop guard trips"),
    wash_sale_days: field(30, 0, 60, "days", "A buy this soon after a sale of the symbol at a loss warns of a wash sale"),
    day_trade_warn: field(3, 1, 50, "count", "Day trades in 5 sessions from which to warn"),
    day_trade_blocks: field(0, 0, 1, "switch", "Block entries instead of warning"),
  },
  exits: {
    momentum_stop_atr: field(3, 0.5, 20, "ATR", "Momentum: initial stop"),
    momentum_trail_atr: field(3, 0.5, 20, "ATR", "Momentum: trailing stop from the highest close"),
    momentum_weak_reviews: field(2, 1, 20, "reviews", "Momentum: reviews below the keep line that close the position"),
    trend_closes: field(2, 1, 20, "closes", "Momentum: closes below SMA200 that close the position"),
    reversion_stop_atr: field(3, 0.5, 20, "ATR", "Mean reversion: disaster stop"),
    reversion_exit_rsi: field(70, 30, 100, "RSI", "Mean reversion: RSI2 above this closes"),
    reversion_time_sessions: field(7, 1, 60, "sessions", "Mean reversion: time stop"),
    trail_step_pct: field(0.5, 0, 10, "percent", "Trailing stops: smallest rise of a resting stop that moves it"),
    breakout_stop_atr: field(2, 0.5, 20, "ATR", "Breakout: initial stop"),
    breakout_trail_from_r: field(2, 0.5, 20, "R", "Breakout: gain from which the stop trails"),
    breakout_trail_atr: field(3, 0.5, 20, "ATR", "Breakout: trailing stop"),
    breakout_time_sessions: field(10, 1, 60, "sessions", "Breakout: time stop without the gain below"),
    breakout_time_r: field(1, 0, 10, "R", "Breakout: gain that lifts the time stop"),
  },
  providers_consensus: {
    max_close_difference_bps: field(50, 1, 1000, "bps", "A symbol whose last close differs more between providers is set aside"),
    max_quote_difference_bps: field(100, 1, 1000, "bps", "A symbol whose price differs more between providers is set aside"),
    min_agreeing_providers: field(1, 1, 5, "count", "Providers that must agree on close and price before an entry"),
    max_compared_age_seconds: field(120, 5, 7200, "seconds", "Prices farther from the moment are not compared (market time)"),
    weight_alpaca: field(1, 0, 10, "multiple", "Weight of Alpaca among the providers, or of the practice market's own prices; 0: it does not count"),
    weight_finnhub: field(1, 0, 10, "multiple", "Weight of Finnhub among the providers; 0: it does not count"),
    weight_fmp: field(1, 0, 10, "multiple", "Weight of Financial Modeling Prep among the providers; 0: it does not count"),
    weight_alpha_vantage: field(1, 0, 10, "multiple", "Weight of Alpha Vantage among the providers; 0: it does not count"),
    max_vix_age_sessions: field(1, 1, 10, "sessions", "Older VIX counts as missing"),
  },
} as const satisfies Record<string, Record<string, PolicyFieldDefinition>>;

/**
 * Fields that versions stored before them lack: stored policies are never rewritten, so such a field is read as its default,
 * with which the engine of the time agreed or which it did not know.
 */
export const LATER_FIELDS: readonly string[] = [
  "exits.trail_step_pct",
  "orders_execution.min_order_fraction",
  "orders_execution.require_admin_second_factor",
  "orders_execution.two_person_policy",
  "orders_execution.two_person_roles",
  "orders_execution.two_person_rotation_usd",
  "portfolio_limits.kelly_half_life_trips",
  "portfolio_limits.kelly_probe",
  "portfolio_limits.kelly_window_trips",
  "providers_consensus.max_compared_age_seconds",
  "providers_consensus.weight_alpaca",
  "providers_consensus.weight_alpha_vantage",
  "providers_consensus.weight_finnhub",
  "providers_consensus.weight_fmp",
  "pretrade_filters.wash_sale_days",
];

/**
 * Largest values that earlier versions could have, beyond what the history of bars and reports that is read can carry: stored policies
 * are never rewritten, so such a value is read as it is. None is set anew.
 */
export const EARLIER_MAXIMA: Readonly<Record<string, number>> = {
  "selector_top50.min_bars": 1000,
  "selector_top50.watchlist_reports": 40,
};

/** Fields of earlier versions that nothing reads: stored policies are never rewritten, so such a field is passed over. */
export const RETIRED_FIELDS: readonly string[] = ["orders_execution.retry_same_id_after_window"];
