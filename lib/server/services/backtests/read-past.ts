import { type FeatureTable, prepareFeatures } from "@/lib/domain/backtest/features.ts";
import type { HistoryFacts } from "@/lib/domain/backtest/history.ts";
import { type HistoryIndex, indexHistory } from "@/lib/domain/backtest/market.ts";
import type { MarketName } from "@/lib/domain/enums.ts";
import { Failure } from "@/lib/domain/failures.ts";
import { dateText } from "@/lib/domain/format.ts";
import type { Policy } from "@/lib/domain/policy.ts";
import type { SessionDate } from "@/lib/domain/time.ts";
import { marketData } from "../../providers/market-data-registry.ts";
import type { KnownCompanies } from "./known-companies.ts";
import { readHistory } from "./read-history.ts";
import { storedBars } from "./stored-bars.ts";

/** The past that a thread trades. */
export interface Past {
  market: MarketName;
  policy: Policy;
  from: SessionDate;
  to: SessionDate;
  /** What filings say of the real market's companies; null for the practice market. */
  companies: KnownCompanies | null;
}

/** A thread that reads a past and needs more than this ends by itself, and its worker does not. */
export const PAST_HEAP_MB = 1_024;

/** The real market's source counts calls, and screening comes first: half of its 200 a minute are left to it. */
const PAUSE_MS = { PRACTICE: 0, US: 600 } as const;

/** How much of the history is read, before the first session. */
export interface ReadNews {
  kind: "read";
  percent: number;
}

/** What every run on a past begins with. */
interface OpenPast {
  index: HistoryIndex;
  features: FeatureTable;
  facts: HistoryFacts | null;
  first: SessionDate;
  last: SessionDate;
}

/** A market's past with its first and last traded session. */
export async function readPast(
  { market, policy, from, to, companies }: Past,
  post: (news: ReadNews) => void,
): Promise<OpenPast> {
  const data = marketData(market);
  const { history, facts } = await readHistory(data, {
    market,
    // The practice market answers at once, and may have gone back in time since its bars were stored.
    ...(market === "US" ? { bars: storedBars(market, data.dailyBars) } : {}),
    from,
    to,
    companies,
    pauseMs: PAUSE_MS[market],
    // The practice market's stocks are all large enough; a real market has thousands that are never chosen.
    leastTurnover: market === "US" ? policy.selector_top50.min_adv : 0,
    onRead: (done, total) => post({ kind: "read", percent: Math.floor((100 * done) / total) }),
  });
  const traded = history.sessions.filter((date, i) => i > 0 && date >= from && date <= to);
  const [first, last] = [traded[0], traded.at(-1)];
  if (first === undefined || last === undefined)
    throw new Failure("invalid_input", `The market was closed from ${dateText(from)} to ${dateText(to)}.`);
  const index = indexHistory(history);
  const features = prepareFeatures(index, index.sessionAt.get(first)! - 1, index.sessionAt.get(last)! - 1);
  return { index, features, facts, first, last };
}
