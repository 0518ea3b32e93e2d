import { type HistoryProgress, historyText, isScreenable } from "./bars/history-text.ts";
import { weightIn } from "./consensus/weight-in.ts";
import { PRICE_FIGURES, type PriceFigure } from "./enums.ts";
import { countText } from "./format.ts";
import type { Policy } from "./policy.ts";
import type { EarningsCalendar } from "./providers.ts";
import { EITHER_SIDE_DAYS } from "./screening/estimate-report.ts";
import type { SessionDate } from "./time.ts";

/** What the engine needs of the US market, the most important first. */
export const NEEDS = [
  "Market data",
  "Price history",
  "Earnings dates",
  "Sectors",
  "Volatility index",
  "Agreeing sources",
] as const;
export type Need = (typeof NEEDS)[number];

/** ready: as good as it gets here; reduced: it trades with less; missing: it does not buy. */
export const READINESS_STATES = ["ready", "reduced", "missing"] as const;
export type ReadinessState = (typeof READINESS_STATES)[number];

/** Which sources of the US market are configured, and what was read of them. */
export interface SourceFacts {
  hasMarketData: boolean;
  /** How far the bars of the market are loaded; null before the first look at it. */
  history: (HistoryProgress & { through: SessionDate }) | null;
  /** Null where no calendar of reports is configured. */
  earningsCalendar: EarningsCalendar | null;
  hasSectorVendor: boolean;
  /** It named none at the last screening. */
  hasSectorVendorFailed: boolean;
  /** A calendar was configured at the last screening and did not answer. */
  hasCalendarFailed: boolean;
  /** Companies of whose filings so much was read; null where no contact for the SEC is set. */
  companies: { withIndustry: number; withReports: number } | null;
  /** Sources of prices beside Alpaca, and what each gives. */
  priceSources: readonly {
    vendor: string;
    figures: readonly PriceFigure[];
    /** It did not answer at the last screening. */
    hasFailed: boolean;
  }[];
  /** Symbols whose sources disagree now. */
  putAside: number;
  /** The newest reading of the regime; null before the first. */
  regime: { session: SessionDate; vix: number | null } | null;
}

/** One need: its state, what that costs in seats and entries, and what to do about it. */
export interface Readiness {
  need: Need;
  state: ReadinessState;
  says: string;
  cost: string | null;
  remedy: string | null;
}

const companiesText = (count: number) => `${countText(count)} ${count === 1 ? "company" : "companies"}`;

const NOT_READ = "The first reading of the companies takes under an hour; wait for it.";

function marketData({ hasMarketData }: SourceFacts): Readiness {
  const need = "Market data";
  if (hasMarketData)
    return { need, state: "ready", says: "Bars, quotes and news by Alpaca.", cost: null, remedy: null };
  return {
    need,
    state: "missing",
    says: "No source of bars and quotes is set up.",
    cost: "The market is not screened and nothing is bought; what is held keeps its stops at the broker.",
    remedy: "Set ALPACA_DATA_KEY_ID and ALPACA_DATA_SECRET. The keys of a free paper account will do.",
  };
}

function priceHistory({ history }: SourceFacts): Readiness {
  const need = "Price history";
  if (history === null || !isScreenable(history)) {
    return {
      need,
      state: "missing",
      says: history === null ? "Not loaded yet: the worker starts with its next run." : historyText(history),
      cost: "The market is not screened and nothing is bought; what is held keeps its stops at the broker.",
      remedy:
        "Wait for it to finish; it continues after a restart. ALPACA_DATA_REQUESTS_PER_MINUTE says what the data plan allows.",
    };
  }
  const says =
    history.waiting > 0
      ? historyText(history)
      : `Daily bars of ${countText(history.symbols)} stocks through ${history.through}.`;
  return { need, state: "ready", says, cost: null, remedy: null };
}

/** In the order in which they are asked. */
const CALENDAR_SETTINGS = "FINNHUB_TOKEN (free key), FMP_API_KEY or ALPHA_VANTAGE_KEY (free key)";

function calendarText({ vendor, coversPast }: EarningsCalendar, companies: SourceFacts["companies"]): string {
  if (coversPast) return `Calendar by ${vendor}.`;
  const known = companies?.withReports ?? 0;
  if (known > 0) return `Calendar by ${vendor}; past reports from the filings of ${companiesText(known)}.`;
  const past = companies === null ? "SEC_CONTACT brings the past ones" : "no company's filings were read yet";
  return `Calendar by ${vendor}, which lists coming reports only; ${past}.`;
}

function earnings({ earningsCalendar, hasCalendarFailed, companies }: SourceFacts, policy: Policy): Readiness {
  const need = "Earnings dates";
  if (earningsCalendar !== null && hasCalendarFailed) {
    return {
      need,
      state: "missing",
      says: `The calendar by ${earningsCalendar.vendor} did not answer at the last screening.`,
      cost: "No position is opened until it answers; it is asked at the opening of each session.",
      remedy: "Press Test Global APIs to see what it answers. A plan without the calendar refuses it.",
    };
  }
  if (earningsCalendar !== null)
    return { need, state: "ready", says: calendarText(earningsCalendar, companies), cost: null, remedy: null };
  const known = companies?.withReports ?? 0;
  if (known === 0) {
    return {
      need,
      state: "missing",
      says: companies === null ? "No source says when companies report." : "No company's filings were read yet.",
      cost: "No position is opened.",
      remedy:
        companies === null
          ? `Set ${CALENDAR_SETTINGS}, or SEC_CONTACT to estimate dates from filings without a key.`
          : NOT_READ,
    };
  }
  const { earnings_sessions_before: before, earnings_sessions_after: after } = policy.pretrade_filters;
  const wide = before + 1 + after + sessionsIn(2 * EITHER_SIDE_DAYS);
  return {
    need,
    state: "reduced",
    says: `No calendar: estimated from the filings of ${companiesText(known)}.`,
    cost: `Entries wait ${wide} sessions around a report instead of ${before + 1 + after}, and companies without a year of reports are not bought.`,
    remedy: `Set ${CALENDAR_SETTINGS}: each gives a calendar.`,
  };
}

/** Weekdays in whole weeks. */
const sessionsIn = (days: number) => (days / 7) * 5;

function sectors({ hasSectorVendor, hasSectorVendorFailed, companies }: SourceFacts, policy: Policy): Readiness {
  const need = "Sectors";
  const { seats, max_sector_seats } = policy.selector_top50;
  const hasFailed = hasSectorVendor && hasSectorVendorFailed;
  if (hasSectorVendor && !hasFailed)
    return { need, state: "ready", says: "Named by Financial Modeling Prep.", cost: null, remedy: null };
  const failure = hasFailed ? "Financial Modeling Prep named none at the last screening. " : "";
  if (companies !== null && companies.withIndustry > 0) {
    const says = `${failure}From the SEC's classification of ${companiesText(companies.withIndustry)}. A few hundred have another sector than an index provider gives them.`;
    return { need, state: "ready", says, cost: null, remedy: null };
  }
  return {
    need,
    state: "reduced",
    says: `${failure}${companies === null ? "No source says which sector a company belongs to." : "No company was read yet."}`,
    cost: `At most ${max_sector_seats} of ${seats} seats are taken: without sectors all companies share one limit.`,
    remedy: companies !== null ? NOT_READ : hasFailed ? SECTORS_REFUSED : NO_SECTORS,
  };
}

const NO_SECTORS = "Set SEC_CONTACT, an email address (no key needed), or FMP_API_KEY.";
const SECTORS_REFUSED =
  "Press Test Global APIs to see what it answers: a plan without the list of companies refuses it. SEC_CONTACT, an email address, needs no key.";

function volatilityIndex({ regime }: SourceFacts): Readiness {
  const need = "Volatility index";
  const sources = "VIX by CBOE, then FRED; neither needs a key.";
  if (regime === null) return { need, state: "ready", says: `${sources} Not read yet.`, cost: null, remedy: null };
  if (regime.vix !== null)
    return { need, state: "ready", says: `${sources} Last read for ${regime.session}.`, cost: null, remedy: null };
  return {
    need,
    state: "reduced",
    says: `Neither CBOE nor FRED gave the close before ${regime.session}.`,
    cost: "The market never counts as calm and rising: entries keep at most the limits of a mixed market.",
    remedy: "Allow this machine to reach CBOE and FRED, and press Test Global APIs to see what they answer.",
  };
}

const OF_FIGURE = { CLOSE: "the last close", QUOTE: "the price" } as const satisfies Record<PriceFigure, string>;

/** Sources that count for a figure: at a weight of zero one does not. */
const countedFor = (figure: PriceFigure, { priceSources }: SourceFacts, policy: Policy): number =>
  [{ vendor: "Alpaca", figures: PRICE_FIGURES }, ...priceSources].filter(
    ({ vendor, figures }) => figures.includes(figure) && weightIn(policy, vendor) > 0,
  ).length;

function agreeingSources(facts: SourceFacts, policy: Policy): Readiness {
  const need = "Agreeing sources";
  const { min_agreeing_providers: quorum } = policy.providers_consensus;
  const short = PRICE_FIGURES.find((figure) => countedFor(figure, facts, policy) < quorum);
  if (short !== undefined) {
    const count = countedFor(short, facts, policy);
    return {
      need,
      state: "missing",
      says: `${quorum} ${quorum === 1 ? "source has" : "sources have"} to agree on ${OF_FIGURE[short]}, and ${count} ${count === 1 ? "is" : "are"} set up.`,
      cost: "No position is opened.",
      remedy: "Set FINNHUB_TOKEN (free key) or FMP_API_KEY, or lower min_agreeing_providers in the policy.",
    };
  }
  const { priceSources, putAside } = facts;
  const silent = priceSources.filter(({ hasFailed }) => hasFailed).map(({ vendor }) => vendor);
  if (silent.length > 0) {
    const heard = priceSources.filter(({ hasFailed }) => !hasFailed);
    const isShort = PRICE_FIGURES.some(
      (figure) => countedFor(figure, { ...facts, priceSources: heard }, policy) < quorum,
    );
    return {
      need,
      state: isShort ? "missing" : "reduced",
      says: `${silent.join(" and ")} did not answer at the last screening.`,
      cost: isShort
        ? `No position is opened where fewer than ${quorum} sources are heard.`
        : `Prices are ${heard.length === 0 ? "Alpaca's alone, and compared with no other source" : `not compared with ${silent.length === 1 ? "its" : "theirs"}`}.`,
      remedy: "Press Test Global APIs to see what they answer.",
    };
  }
  const ready = (says: string): Readiness => ({ need, state: "ready", says, cost: null, remedy: null });
  if (priceSources.length === 0)
    return ready("Prices by Alpaca alone; FINNHUB_TOKEN (free key) or FMP_API_KEY brings a second source.");
  const others = priceSources.map(({ vendor }) => vendor).join(" and ");
  if (putAside === 0) return ready(`Prices by Alpaca are compared with those by ${others}.`);
  return {
    need,
    state: "reduced",
    says: `${countText(putAside)} ${putAside === 1 ? "symbol is" : "symbols are"} set aside: Alpaca and ${others} disagree.`,
    cost: "No seat and no new position there until the sources agree; stops and exits are not affected.",
    remedy: "The tab Performance lists them with both prices.",
  };
}

/** What of the US market is there and what is not, by need. Without market data nothing else is read, and nothing else is said. */
export function readinessOf(facts: SourceFacts, policy: Policy): Readiness[] {
  if (!facts.hasMarketData) return [marketData(facts)];
  return [
    marketData(facts),
    priceHistory(facts),
    earnings(facts, policy),
    sectors(facts, policy),
    volatilityIndex(facts),
    agreeingSources(facts, policy),
  ];
}

const FOR_TRADERS: Record<Need, Partial<Record<ReadinessState, string>>> = {
  "Market data": {
    missing: "US market data is not connected here: nothing is bought, and stops stay at the broker.",
  },
  "Price history": {
    missing: "The price history of US stocks is still being loaded: until it is there, nothing is screened or bought.",
  },
  "Earnings dates": {
    missing: "When companies report is not known here, so no position is opened.",
    reduced: "Report dates are estimated from filings, so entries wait longer around them.",
  },
  Sectors: { reduced: "Companies' sectors are not known here, so fewer stocks are chosen." },
  "Volatility index": { reduced: "The VIX could not be read, so purchases keep at most the limits of a mixed market." },
  "Agreeing sources": {
    missing: "Fewer price sources answer here than have to agree, so no position is opened.",
  },
};

/** What a trader should know of it: the most severe in one sentence; null where all is ready. */
export function limitationOf(readiness: readonly Readiness[]): string | null {
  const gravest =
    readiness.find(({ state }) => state === "missing") ?? readiness.find(({ state }) => state === "reduced");
  return (gravest && FOR_TRADERS[gravest.need][gravest.state]) ?? null;
}
