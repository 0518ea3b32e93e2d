import type { ProviderName } from "@/lib/domain/providers.ts";
import { previousSession } from "@/lib/domain/market-calendar.ts";
import { addDays, newYork } from "@/lib/domain/time.ts";
import { env } from "../env.ts";
import { alphaVantage } from "./alpha-vantage.ts";
import { cboe } from "./cboe.ts";
import { finnhub } from "./finnhub.ts";
import { fmp } from "./fmp.ts";
import { fmpQuotes, isBeyondPlan } from "./fmp-prices.ts";
import { fred } from "./fred.ts";
import { askInsightModel } from "./insight-model.ts";
import type { MarketData } from "./market-data.ts";
import { edgarSource, hasMarket, marketData, usVendors } from "./market-data-registry.ts";
import { practiceStatus } from "./practice-control.ts";

export interface Probe {
  provider: ProviderName;
  /** Why it is not configured; null where it is. */
  absence(): string | null;
  /** Asks for little; answers what was found, in words. Throws where the provider does not answer as it should. */
  ask(now: Date): Promise<string>;
}

const missing = (name: string) => `Not configured: ${name} is not set.`;
/** Known to every source of prices. */
const PROBED = "SPY";

/** No market is without a report for so long. */
const CALENDAR_DAYS = 10;
/** Older than this the engine counts the VIX as missing, as the policy is delivered. Sessions. */
const VIX_SESSIONS = 1;

const today = (now: Date) => newYork(now.toISOString()).date;

async function askEarnings(source: Pick<MarketData, "earnings">, now: Date): Promise<string> {
  const rows = await source.earnings(today(now), addDays(today(now), CALENDAR_DAYS));
  // Screening takes such an answer for none: a plan may leave the calendar out without a word.
  if (rows.length === 0) throw new Error(`The earnings calendar has no report within ${CALENDAR_DAYS} days.`);
  return `The earnings calendar answers: ${rows.length} reports within ${CALENDAR_DAYS} days.`;
}

/** A plan without quotes works: closes are compared instead. */
async function askFmpQuotes(): Promise<string> {
  try {
    const quotes = await fmpQuotes({ url: usVendors().fmp, key: env().FMP_API_KEY ?? "" }, [PROBED]);
    return quotes.has(PROBED) ? "Quotes answer." : `It returns no quote for ${PROBED}.`;
  } catch (error) {
    if (isBeyondPlan(error)) return "Its plan does not include quotes, so closes are compared.";
    throw error;
  }
}

async function askVix(source: Pick<MarketData, "vix">, now: Date): Promise<string> {
  const rows = await source.vix(addDays(today(now), -14), today(now));
  const last = rows.at(-1);
  if (!last) throw new Error("The VIX has no close within two weeks.");
  let oldest = today(now);
  for (let back = 0; back <= VIX_SESSIONS; back += 1) oldest = previousSession(oldest);
  if (last.session < oldest) throw new Error(`The VIX's last close is of ${last.session}, which is too old to count.`);
  return `The VIX answers: ${last.close} on ${last.session}.`;
}

/** Every provider of the product, in the order in which the console lists them. */
export const PROBES: readonly Probe[] = [
  {
    provider: "Alpaca",
    absence: () => (hasMarket("US") ? null : "Not configured: ALPACA_DATA_KEY_ID and ALPACA_DATA_SECRET are not set."),
    async ask() {
      const { isOpen } = await marketData("US").clock();
      const quotes = await marketData("US").snapshots(["SPY"]);
      if (!quotes.has("SPY")) throw new Error("Its clock answers, but its data host returns no quote for SPY.");
      return `Clock and quotes answer; the market is ${isOpen ? "open" : "closed"}.`;
    },
  },
  {
    provider: "Finnhub",
    absence: () => (env().FINNHUB_TOKEN === undefined ? missing("FINNHUB_TOKEN") : null),
    async ask(now) {
      const source = finnhub({ url: usVendors().finnhub, token: env().FINNHUB_TOKEN ?? "" });
      if ((await source.quoteOf(PROBED)) === null) throw new Error(`It returns no quote for ${PROBED}.`);
      return `Quotes answer. ${await askEarnings(source, now)}`;
    },
  },
  {
    provider: "Financial Modeling Prep",
    absence: () => (env().FMP_API_KEY === undefined ? missing("FMP_API_KEY") : null),
    async ask(now) {
      const source = fmp({ url: usVendors().fmp, key: env().FMP_API_KEY ?? "" });
      await source.sectors(1);
      return `The list of sectors answers. ${await askFmpQuotes()} ${await askEarnings(source, now)}`;
    },
  },
  {
    provider: "Alpha Vantage",
    absence: () => (env().ALPHA_VANTAGE_KEY === undefined ? missing("ALPHA_VANTAGE_KEY") : null),
    // A source of its own: what the market's holds was answered up to an hour ago.
    ask: (now) => askEarnings(alphaVantage({ url: usVendors().alphaVantage, key: env().ALPHA_VANTAGE_KEY ?? "" }), now),
  },
  {
    provider: "CBOE",
    absence: () => (hasMarket("US") ? null : "Not configured: it is read for the US market only, which is not set up."),
    ask: (now) => askVix(cboe({ url: usVendors().cboe }), now),
  },
  {
    provider: "FRED",
    absence: () => (hasMarket("US") ? null : "Not configured: it is read for the US market only, which is not set up."),
    ask: (now) => askVix(fred({ url: usVendors().fred }), now),
  },
  {
    provider: "SEC EDGAR",
    absence: () =>
      env().SEC_CONTACT === undefined
        ? missing("SEC_CONTACT")
        : hasMarket("US")
          ? null
          : "Not configured: it is read for the US market only, which is not set up.",
    async ask() {
      const tickers = await edgarSource()?.tickers();
      return `The list of companies answers: ${tickers?.size ?? 0} tickers.`;
    },
  },
  {
    provider: "Insight model",
    absence: () =>
      env().INSIGHT_PROVIDER === undefined
        ? `${missing("INSIGHT_PROVIDER")} The built-in writer narrates the recorded facts.`
        : null,
    ask: askInsightModel,
  },
  {
    provider: "Practice market",
    absence: () => (hasMarket("PRACTICE") ? null : missing("EXCHANGE_URL")),
    async ask() {
      const { speed, isPaused } = await practiceStatus();
      await marketData("PRACTICE").clock();
      return isPaused ? "It answers; its clock is paused." : `It answers; its clock runs at ${speed}×.`;
    },
  },
];
