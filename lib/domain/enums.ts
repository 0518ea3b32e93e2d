/**
 * Every closed set of the product, once: the contracts' `z.enum` and the types of the code are made of these lists, and a
 * test holds Prisma's enums against them.
 */
export const ROLES = ["USER", "ADMIN"] as const;
export type RoleName = (typeof ROLES)[number];

/** What an access token may do, from little to much: each includes those before it. */
export const ACCESS_TOKEN_SCOPES = ["READ", "STEER"] as const;
export type AccessTokenScopeName = (typeof ACCESS_TOKEN_SCOPES)[number];

/** Which clock and prices. */
export const MARKETS = ["PRACTICE", "US"] as const;
export type MarketName = (typeof MARKETS)[number];

export const BROKERS = ["PRACTICE", "ALPACA"] as const;
export type BrokerName = (typeof BROKERS)[number];

/** How an account is reached: with pasted keys, or with access that its owner granted at the broker. */
export const ACCOUNT_ACCESSES = ["KEYS", "OAUTH"] as const;
export type AccountAccessName = (typeof ACCOUNT_ACCESSES)[number];

/** Whose money, as the broker tells it; an account on the practice market is stored as PAPER. */
export const ACCOUNT_ENVIRONMENTS = ["PAPER", "LIVE"] as const;
export type AccountEnvironment = (typeof ACCOUNT_ENVIRONMENTS)[number];

/** Whose money a figure is about. The most real first: the order of lists, and of the default choice. */
export const ENVIRONMENTS = ["LIVE", "PAPER", "PRACTICE"] as const;
export type Environment = (typeof ENVIRONMENTS)[number];

export const ACCOUNT_TYPES = ["INDIVIDUAL", "JOINT", "TRUST", "CORPORATE"] as const;
export type AccountTypeName = (typeof ACCOUNT_TYPES)[number];

export const ACCOUNT_STATUSES = ["ACTIVE", "INACTIVE", "PAUSED"] as const;
export type AccountStatusName = (typeof ACCOUNT_STATUSES)[number];

/** From free to strict. */
export const KILL_STATES = ["NONE", "NO_NEW_ENTRIES", "REDUCE_ONLY", "FLATTEN"] as const;
export type KillStateName = (typeof KILL_STATES)[number];

export const KILL_SOURCES = ["OWNER", "ADMIN", "DRAWDOWN"] as const;
export type KillSourceName = (typeof KILL_SOURCES)[number];

export const STRATEGY_NAMES = ["MOMENTUM", "MEAN_REVERSION", "BREAKOUT"] as const;
export type StrategyName = (typeof STRATEGY_NAMES)[number];

/** Risk tolerance and risk level of a user, and the risk of a stock on the earnings watchlist. */
export const RISKS = ["LOW", "MEDIUM", "HIGH"] as const;
export type RiskName = (typeof RISKS)[number];

export const REGIMES = ["risk_on", "neutral", "risk_off"] as const;
export type RegimeLabel = (typeof REGIMES)[number];

export const SEAT_KINDS = ["sticky", "fresh"] as const;
export type SeatKindName = (typeof SEAT_KINDS)[number];

/** What of a symbol is compared between sources: the last close in raw shares, and the latest price. */
export const PRICE_FIGURES = ["CLOSE", "QUOTE"] as const;
export type PriceFigure = (typeof PRICE_FIGURES)[number];

export const EARNINGS_TIMES = ["BMO", "AMC", "UNKNOWN"] as const;
export type EarningsTime = (typeof EARNINGS_TIMES)[number];

export const QA_STATUSES = ["PASS", "FAIL", "UNKNOWN"] as const;
export type QaStatusName = (typeof QA_STATUSES)[number];

export const SEVERITIES = ["critical", "high", "medium", "low"] as const;
export type SeverityName = (typeof SEVERITIES)[number];

export const SIDES = ["BUY", "SELL"] as const;
export type SideName = (typeof SIDES)[number];

export const INTENT_PURPOSES = ["ENTRY", "EXIT", "TRIM", "PROTECT", "ROTATION", "FLATTEN", "MANUAL"] as const;

export const INTENT_STATUSES = [
  "PLANNED",
  "GATED",
  "DENIED",
  "SUBMITTING",
  "UNKNOWN",
  "PARKED",
  "LIVE",
  "FILLED",
  "CANCELED",
  "REJECTED",
  "EXPIRED",
  "HALTED",
] as const;
export type IntentStatusName = (typeof INTENT_STATUSES)[number];

/** Who put records into words: the product's own writer, or a language model whose text was checked. */
export const INSIGHT_WRITERS = ["TRADEWIND", "MODEL"] as const;

/** The one thing that a person can do about the day, beside looking. */
export const TODAY_ACTIONS = ["PAUSE", "RESUME", "RESUME_ACCOUNT", "ADD_ACCOUNT", "FIX_KEYS", "NONE"] as const;
export type TodayActionName = (typeof TODAY_ACTIONS)[number];

/** What happened in a day, as a person follows it. */
export const TODAY_EVENTS = ["LOOKED", "BOUGHT", "SOLD", "STOP_RAISED", "REFUSED"] as const;
export type TodayEventName = (typeof TODAY_EVENTS)[number];

/** What a text is about. */
export const INSIGHT_KINDS = ["DAILY", "TRADE", "DECISION", "ROTATION"] as const;
export type InsightKindName = (typeof INSIGHT_KINDS)[number];

/** Of a text that a model is asked for: it waits, the model was asked, it was written, or what came was refused. */
export const INSIGHT_STATES = ["WAITING", "ASKED", "WRITTEN", "REFUSED"] as const;

export const ORDER_ORIGINS = ["OURS", "EXTERNAL"] as const;
export type OrderOriginName = (typeof ORDER_ORIGINS)[number];

export const ORDER_ROLES = ["ENTRY", "EXIT", "STOP", "TARGET", "EXTERNAL"] as const;
export type OrderRoleName = (typeof ORDER_ROLES)[number];

export const ORDER_CLASSES = ["SIMPLE", "BRACKET", "OCO", "OTO"] as const;
export type OrderClassName = (typeof ORDER_CLASSES)[number];

export const ORDER_TYPES = ["MARKET", "LIMIT", "STOP", "STOP_LIMIT", "TRAILING_STOP"] as const;
export type OrderTypeName = (typeof ORDER_TYPES)[number];

/** The broker's view of an order; what the product shows of it is TRADE_STATUSES. */
export const ORDER_STATUSES = [
  "PENDING_NEW",
  "ACCEPTED",
  "NEW",
  "HELD",
  "PARTIALLY_FILLED",
  "PENDING_CANCEL",
  "PENDING_REPLACE",
  "DONE_FOR_DAY",
  "OTHER",
  "FILLED",
  "CANCELED",
  "EXPIRED",
  "REJECTED",
  "REPLACED",
] as const;
export type OrderStatusName = (typeof ORDER_STATUSES)[number];

/** The four words of Trade History. */
export const TRADE_STATUSES = ["FILLED", "PENDING", "CANCELLED", "REJECTED"] as const;
export type TradeStatus = (typeof TRADE_STATUSES)[number];

export const TRIP_OUTCOMES = ["WIN", "LOSS", "SCRATCH"] as const;
export type TripOutcome = (typeof TRIP_OUTCOMES)[number];

export const PLAN_STATUSES = ["PENDING", "APPROVED", "REJECTED", "EXECUTED"] as const;
export type PlanStatusName = (typeof PLAN_STATUSES)[number];

export const POLICY_STATUSES = ["DRAFT", "ACTIVE", "RETIRED"] as const;

/** Backtests and what-ifs. */
export const RUN_STATUSES = ["QUEUED", "RUNNING", "DONE", "FAILED", "CANCELED"] as const;

/** Settings of which a backtest can be repeated with two varied, in the order of their choice. */
export const GRID_AXES = ["MAX_POSITIONS", "POSITION_SIZE", "PROFIT_TARGET", "STOP_LOSS"] as const;
export type GridAxisName = (typeof GRID_AXES)[number];

export const NOTIFICATION_KINDS = ["ORDER", "TRADE", "SYSTEM", "SECURITY", "WEEKLY"] as const;
export type NotificationKindName = (typeof NOTIFICATION_KINDS)[number];

/** Ways of a notification out of the house, beside mail. */
export const DELIVERY_CHANNELS = ["WEBHOOK", "PUSH"] as const;
export type DeliveryChannelName = (typeof DELIVERY_CHANNELS)[number];

export const LOG_LEVELS = ["debug", "info", "warn", "error"] as const;
export type LogLevelName = (typeof LOG_LEVELS)[number];

export const FLAG_ENVIRONMENTS = ["development", "staging", "production"] as const;

/** How many times faster than the wall the practice market may run, by an administrator's choice. */
export const PRACTICE_SPEEDS = [1, 10, 60, 300, 600] as const;
