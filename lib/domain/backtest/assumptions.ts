import { countText, moneyText } from "../format.ts";
import type { Policy } from "../policy.ts";
import type { HistoryFacts } from "./history.ts";

const SECTORS_BY = {
  vendor: "as a vendor names them",
  SEC: "by the SEC's classification of companies",
  "vendor and SEC": "as a vendor names them, else by the SEC's classification of companies",
} as const;

const stocksText = (count: number) => `${countText(count)} ${count === 1 ? "stock" : "stocks"}`;
const have = (count: number) => (count === 1 ? "has" : "have");

/** What is missing of a real market's past, each point under its label. */
function missingOf({ stocks, untraded, ...facts }: HistoryFacts, { selector_top50 }: Policy): string[] {
  const { sectorsBy, withoutSector, calendar, withoutReports } = facts;
  const leftOut =
    untraded === 0
      ? []
      : [
          `Small stocks: ${stocksText(untraded)} without a single session of ${moneyText(selector_top50.min_adv).replace(".00", "")} in turnover ${have(untraded)} no part in it. None could have been chosen, and the equal-weight universe is without them.`,
        ];
  return [
    `Survivorship: the ${stocksText(stocks)} of it are listed today. Names that were delisted meanwhile, because they failed or were taken over, are missing, which flatters results.`,
    ...leftOut,
    sectorsBy === "none"
      ? "Sectors: none are known, so all stocks share the limits of one sector."
      : `Sectors: those of today, ${SECTORS_BY[sectorsBy]}, for every session of the past.${withoutSector === 0 ? "" : ` ${stocksText(withoutSector)} ${have(withoutSector)} none and share the limits of one.`}`,
    calendar === null
      ? `Report dates: estimated for each session from the companies' earlier filings, as in live trading without a calendar. ${stocksText(withoutReports)} without filings ${have(withoutReports)} no estimate and ${withoutReports === 1 ? "is" : "are"} not bought; filings reach back about three years, and a year of them has to lie before an entry.`
      : `Report dates: as the calendar by ${calendar} lists them now; what was announced later than it seems is not visible. It lists no report of ${stocksText(withoutReports)}, which the run buys without waiting for one.`,
  ];
}

interface Run {
  hasRotation?: boolean;
  /** Of a real market's history; null for a tape and the practice market. */
  facts?: HistoryFacts | null;
}

/** What a backtest takes for granted, in words: it stands beside its figures. */
export function assumptionsOf(policy: Policy, { hasRotation = false, facts = null }: Run = {}): string[] {
  const { pretrade_filters, orders_execution } = policy;
  return [
    "Hypothetical: no account was traded, and past prices are no evidence of an edge.",
    ...(facts === null
      ? [
          "Stocks are those that exist today. Companies that failed or were taken over meanwhile are missing, which flatters results.",
        ]
      : missingOf(facts, policy)),
    `One decision a session, ${pretrade_filters.open_minutes} minutes after the open, on bars closed before that session and its opening prices. The live automation looks more often.`,
    `Fills come from a model: an order decided after the open pays half of three times the usual spread on the opening price, and meets the chance of its first ${pretrade_filters.open_minutes} minutes; an entry never pays more than its limit, and rests where the price is above it. Stops fill ${orders_execution.slip_bps} bps below the lower of the open and the stop, and where a bar holds both stop and target, the stop.`,
    `Each fill pays half of a spread of ${orders_execution.default_spread_bps} bps, market impact that grows with the order's share of the usual volume of the 20 sessions before, and the sell fees of its date.`,
    "News is not included: its factor counts as missing for every stock, so scores are lower than in live trading.",
    ...(hasRotation
      ? [
          "The biweekly rotation is traded in the session in which it falls due, right after the cycle: approved at once and without its QA rules, where the live one waits for a person.",
        ]
      : []),
    "Splits and dividends are booked on their dates. The index and the equal-weight universe count the dividends that the market's history lists, and pay no costs. Taxes and interest are left out.",
  ];
}
