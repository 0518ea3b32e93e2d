import { type GateCode, GATE_OF } from "../gates/gates.ts";

/** Of which stocks it is said: of the subject of the sentence, of several, or of one beside another subject. */
export type Whose = "its" | "their" | "the stock's";

const OBJECT: Record<Whose, string> = { its: "it", their: "them", "the stock's": "the stock" };
const oneOrMore = (whose: Whose, one: string) => (whose === "their" ? `${one}s` : one);

/** What a stock that a gate refused waits for, in what a person can watch. */
const WAITS: Partial<Record<GateCode, string | ((whose: Whose) => string)>> = {
  automation_off: "the automation to run again",
  kill_state: "the restriction to be lifted",
  account_status: "the account to be active",
  keys_missing: "the account's broker keys",
  live_not_allowed: "trading with real money to be allowed in your settings",
  market_hours: "the market's trading hours",
  data_stale: "a fresh price",
  provider_disagreement: (whose) => `${whose} sources to agree`,
  not_tradable: (whose) => `${whose} trading to be resumed`,
  duplicate: (whose) =>
    `the ${oneOrMore(whose, "position")} or ${oneOrMore(whose, "order")} in ${OBJECT[whose]} to end`,
  // The report may lie ahead or behind, or its date may not be known.
  earnings_blackout: (whose) => `days clear of ${whose} earnings ${oneOrMore(whose, "report")}`,
  regime: "a calmer market",
  conviction: "a higher score",
  max_positions: "a free place under your Max Positions",
  position_value: "room under your Max Position Value",
  sector: (whose) => `room in ${whose} ${oneOrMore(whose, "sector")}`,
  gross: "room under the limit on what is invested",
  adv: (whose) => `more trading in ${OBJECT[whose]}`,
  order_rate: "fewer orders in a row",
  daily_loss: "a day with a smaller loss",
  drawdown: "the account's recovery from losses",
  cooldown: (whose) => `${whose} rest after a sale or a refused order to end`,
  stop_guard: "the rest after several stops to end",
  buying_power: "more buying power",
  price_collar: "a limit near the last price",
  day_trades: "fewer day trades",
  size: (whose) => `${whose === "their" ? "orders that are" : "an order that is"} worth the costs`,
};

/** "a calmer market"; a gate without words of its own is named. */
export function waitsFor(code: GateCode, whose: Whose = "its"): string {
  const words = WAITS[code] ?? `“${GATE_OF[code].label}” to clear`;
  return typeof words === "string" ? words : words(whose);
}
