import type { Policy } from "../policy.ts";

/** What a backtest takes for granted, in words: it stands beside its figures. */
export function assumptionsOf({ pretrade_filters, orders_execution }: Policy, hasRotation = false): string[] {
  return [
    "Hypothetical: no account was traded, and past prices are no evidence of an edge.",
    "Stocks are those that exist today. Companies that failed or were taken over meanwhile are missing, which flatters results.",
    `One decision a session, ${pretrade_filters.open_minutes} minutes after the open, on bars closed before that session and its opening prices. The live automation looks more often.`,
    `Fills come from a model: an order decided after the open pays half of three times the usual spread on the opening price, and meets the chance of its first ${pretrade_filters.open_minutes} minutes; an entry never pays more than its limit, and rests where the price is above it. Stops fill at the worse of the open and the stop, and where a bar holds both stop and target, the stop.`,
    `Each fill pays half of a spread of ${orders_execution.default_spread_bps} bps, market impact that grows with the order's share of the day's volume, and the sell fees of its date.`,
    "News is not in it: its factor counts as missing for every stock, so scores are lower than in live trading.",
    ...(hasRotation
      ? [
          "The biweekly rotation is traded in the session in which it falls due, right after the cycle: approved at once and without its QA rules, where the live one waits for a person.",
        ]
      : []),
    "Splits and dividends are booked on their dates. The index and the equal-weight universe count the dividends that the market's history lists, and pay no costs. Taxes and interest are left out.",
  ];
}
