/** The data websockets, what can be subscribed on each, and how much. */

export const STOCK_CHANNELS = [
  "trades",
  "quotes",
  "bars",
  "updatedBars",
  "dailyBars",
  "statuses",
  "lulds",
  "imbalances",
] as const;
export type Channel = (typeof STOCK_CHANNELS)[number] | "news";

export type Feed = "iex" | "sip" | "delayed_sip" | "test" | "news";

export interface FeedRules {
  feed: Feed;
  path: string;
  channels: readonly Channel[];
  /** Minutes by which the feed lags behind the market. */
  delayMinutes: number;
}

const stocks = (feed: Feed, delayMinutes = 0): FeedRules => ({
  feed,
  path: `/v2/${feed}`,
  channels: STOCK_CHANNELS,
  delayMinutes,
});

export const FEEDS: readonly FeedRules[] = [
  stocks("iex"),
  stocks("sip"),
  stocks("delayed_sip", 15),
  stocks("test"),
  { feed: "news", path: "/v1beta1/news", channels: ["news"], delayMinutes: 0 },
];

/** What a subscription plan allows; the broker's plans differ in nothing else here. */
export interface DataPlan {
  /** Connections of one key to one feed. */
  connections: number;
  /** Symbols with trades or quotes on `iex`; null = any number. Bars are not counted. */
  symbols: number | null;
  /** Feeds that the plan does not hold. */
  withoutFeeds: readonly Feed[];
  /** Wall milliseconds within which a client has to authenticate. */
  authTimeoutMs: number;
  /** Bytes that may wait for a slow client. */
  bufferBytes: number;
  /** How long a client has to read why its connection ends, in wall milliseconds. */
  farewellMs: number;
}

/** The paid plan, with the one connection that both plans have. */
export const DEFAULT_PLAN: DataPlan = {
  connections: 1,
  symbols: null,
  withoutFeeds: [],
  authTimeoutMs: 10_000,
  bufferBytes: 8 * 1024 * 1024,
  farewellMs: 3_000,
};

export const ERRORS: Readonly<Record<number, string>> = {
  400: "invalid syntax",
  401: "not authenticated",
  402: "auth failed",
  403: "already authenticated",
  404: "auth timeout",
  405: "symbol limit exceeded",
  406: "connection limit exceeded",
  407: "slow client",
  409: "insufficient subscription",
  410: "invalid subscribe action for this feed",
};

/** What a client is subscribed to: symbols by channel, "*" for all. */
export type Subscriptions = Map<Channel, Set<string>>;

export function covers(subscriptions: Subscriptions, channel: Channel, symbol: string): boolean {
  const wanted = subscriptions.get(channel);
  return wanted !== undefined && (wanted.has("*") || wanted.has(symbol));
}

/** The acknowledgement: always the full lists, as the SDK replaces its own by them. */
export function subscriptionFrame(rules: FeedRules, subscriptions: Subscriptions): Record<string, unknown> {
  const lists = Object.fromEntries(rules.channels.map((channel) => [channel, [...(subscriptions.get(channel) ?? [])]]));
  if (rules.feed === "news") return { T: "subscription", ...lists };
  // Corrections and cancellations come with the trades.
  return { T: "subscription", ...lists, corrections: lists.trades, cancelErrors: lists.trades };
}

/** Whether a message names a channel but nothing of it, as clients do that always send every field they know, of other markets too. */
const isNothing = (symbols: unknown) => symbols === null || (Array.isArray(symbols) && symbols.length === 0);

/** What comes with the trades of a stock feed, and is named nevertheless by clients that know it as channels. */
const WITH_TRADES: readonly string[] = ["corrections", "cancelErrors"];

/** Reads `{ trades: ["AAPL"], bars: ["*"] }`: the error's code, or the symbols by channel. */
export function readChannels(rules: FeedRules, message: Record<string, unknown>): number | [Channel, string[]][] {
  const read: [Channel, string[]][] = [];
  const named = Object.entries(message).filter(([name]) => name !== "action");
  if (named.length === 0) return 400;
  for (const [name, symbols] of named) {
    if (isNothing(symbols) || (rules.feed !== "news" && WITH_TRADES.includes(name))) continue;
    const channel = rules.channels.find((known) => known === name);
    if (channel === undefined) return 410;
    if (!Array.isArray(symbols) || symbols.some((symbol) => typeof symbol !== "string" || symbol === "")) return 400;
    read.push([channel, symbols as string[]]);
  }
  return read;
}

/** True when the plan's number of symbols with trades or quotes would be exceeded. */
export function exceedsSymbols(plan: DataPlan, rules: FeedRules, subscriptions: Subscriptions): boolean {
  if (plan.symbols === null || rules.feed !== "iex") return false;
  const counted = [...(subscriptions.get("trades") ?? []), ...(subscriptions.get("quotes") ?? [])];
  return counted.includes("*") || counted.length > plan.symbols;
}
