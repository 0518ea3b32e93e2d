/** What the broker sends and is sent, as it is on the wire: the parsers' samples are made of it. */
export const ID = "0192f0c1-2b3c-7d4e-8f90-a1b2c3d4e5f6";

export const ORDER = {
  id: ID,
  client_order_id: "tw-1",
  symbol: "AAPL",
  asset_class: "us_equity",
  side: "buy",
  type: "limit",
  order_class: "bracket",
  time_in_force: "day",
  qty: "10",
  notional: null,
  filled_qty: "0",
  filled_avg_price: null,
  limit_price: "101.5",
  stop_price: null,
  status: "new",
  created_at: "2026-11-20T15:00:00.123456789Z",
  updated_at: "2026-11-20T15:00:00Z",
  submitted_at: "2026-11-20T15:00:00Z",
  filled_at: null,
  canceled_at: null,
  expired_at: null,
  legs: [],
};
export const SENT_ORDER = {
  symbol: "AAPL",
  side: "buy",
  type: "limit",
  time_in_force: "day",
  qty: "10",
  limit_price: "101.5",
  order_class: "bracket",
  client_order_id: "tw-1",
  stop_loss: { stop_price: "95" },
  take_profit: { limit_price: "120" },
};
export const POSITION = {
  symbol: "AAPL",
  asset_class: "us_equity",
  qty: "10",
  side: "long",
  avg_entry_price: "100",
  market_value: "1010",
  cost_basis: "1000",
  current_price: "101",
  unrealized_pl: "10",
  unrealized_plpc: "0.01",
};
export const ACCOUNT = {
  id: ID,
  account_number: "PA1",
  status: "ACTIVE",
  currency: "USD",
  cash: "1000.5",
  equity: "2000",
  last_equity: "1990",
  buying_power: "1000",
  long_market_value: "1000",
  trading_blocked: false,
  account_blocked: false,
  shorting_enabled: false,
};
export const CLOCK = {
  timestamp: "2026-11-20T15:00:00Z",
  is_open: true,
  next_open: "2026-11-23T14:30:00Z",
  next_close: "2026-11-20T21:00:00Z",
};
export const FILL = {
  id: "20261120::1",
  activity_type: "FILL",
  order_id: ID,
  symbol: "AAPL",
  side: "buy",
  qty: "10",
  price: "101.5",
  cum_qty: "10",
  leaves_qty: "0",
  transaction_time: "2026-11-20T15:00:00Z",
};
export const DIVIDEND = {
  id: "20261120::2",
  activity_type: "DIV",
  date: "2026-11-20",
  net_amount: "1.5",
  symbol: "AAPL",
  qty: "10",
};
export const TRADE_UPDATE = {
  event: "fill",
  order: { ...ORDER, filled_qty: "10", filled_avg_price: "101.5" },
  price: "101.5",
  qty: "10",
  execution_id: ID,
  timestamp: ORDER.created_at,
};
