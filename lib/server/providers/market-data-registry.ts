import type { MarketName } from "@/lib/domain/enums.ts";
import { HOUR_MS, MINUTE_MS } from "@/lib/domain/time.ts";
import { Failure } from "@/lib/domain/failures.ts";
import type { ProviderName } from "@/lib/domain/providers.ts";
import { type Env, env } from "../env.ts";
import { alpacaData, type AlpacaDataOptions } from "./alpaca-data.ts";
import { alphaVantage, alphaVantageCloses } from "./alpha-vantage.ts";
import { cboe } from "./cboe.ts";
import { edgar } from "./edgar.ts";
import { finnhub, finnhubPrices } from "./finnhub.ts";
import { fmp } from "./fmp.ts";
import { fmpPrices } from "./fmp-prices.ts";
import { fred } from "./fred.ts";
import type { MarketData, PriceSource } from "./market-data.ts";
import { filledVix } from "./vix.ts";

type VendorAddresses = Pick<Env, "FINNHUB_URL" | "CBOE_URL" | "FRED_URL" | "FMP_URL" | "ALPHA_VANTAGE_URL">;

/** Where the vendors of the US market answer. */
export const usVendors = (settings: VendorAddresses = env()) => {
  const { FINNHUB_URL, CBOE_URL, FRED_URL, FMP_URL, ALPHA_VANTAGE_URL } = settings;
  return { finnhub: FINNHUB_URL, cboe: CBOE_URL, fred: FRED_URL, fmp: FMP_URL, alphaVantage: ALPHA_VANTAGE_URL };
};

/** The SEC's filings of the companies of the US market; null where no contact is set who answers for the requests. */
export function edgarSource() {
  const { SEC_URL, SEC_DATA_URL, SEC_CONTACT } = env();
  if (SEC_CONTACT === undefined || !hasMarket("US")) return null;
  return edgar({ url: SEC_URL, dataUrl: SEC_DATA_URL, contact: SEC_CONTACT });
}

interface Vendors {
  finnhubUrl: string;
  finnhubToken: string | undefined;
  cboeUrl: string;
  fredUrl: string;
  fmpUrl: string;
  fmpKey: string | undefined;
  alphaVantageUrl: string;
  alphaVantageKey: string | undefined;
  /** Who answers, where it is not the vendors themselves. */
  countedAs?: ProviderName;
}

const known = new Map<MarketName, MarketData>();

/** True where the market can be screened: its data source is configured. */
export function hasMarket(market: MarketName): boolean {
  return market === "PRACTICE"
    ? env().EXCHANGE_URL !== undefined
    : env().ALPACA_DATA_KEY_ID !== undefined && env().ALPACA_DATA_SECRET !== undefined;
}

/** Market data of a market. The practice market answers the vendors' wire formats too, so the same adapters run. */
export function marketData(market: MarketName): MarketData {
  let found = known.get(market);
  if (!found) {
    found = market === "PRACTICE" ? practice() : unitedStates(env());
    known.set(market, found);
  }
  return found;
}

function practice(): MarketData {
  const { EXCHANGE_URL, EXCHANGE_CONTROL_TOKEN } = env();
  if (!EXCHANGE_URL) throw new Failure("unavailable", "There is no practice market in this installation.");
  const fmpUrl = `${EXCHANGE_URL}/vendors/fmp`;
  return compose(
    {
      tradingUrl: EXCHANGE_URL,
      dataUrl: EXCHANGE_URL,
      feed: "sip",
      keyId: "TPDATA",
      secret: EXCHANGE_CONTROL_TOKEN ?? "",
      countedAs: "Practice market",
    },
    {
      finnhubUrl: `${EXCHANGE_URL}/vendors/finnhub`,
      finnhubToken: "practice",
      cboeUrl: `${EXCHANGE_URL}/vendors/cboe`,
      fredUrl: `${EXCHANGE_URL}/vendors/fred`,
      fmpUrl,
      fmpKey: "practice",
      alphaVantageUrl: `${EXCHANGE_URL}/vendors/alphavantage`,
      alphaVantageKey: "practice",
      countedAs: "Practice market",
    },
    // One source that answers all symbols at once; its clock may run sixty times faster, so that nothing read before is new enough.
    [fmpPrices({ url: fmpUrl, key: "practice", countedAs: "Practice market", freshMs: 0 })],
  );
}

type UsSettings = Pick<
  Env,
  | "ALPACA_PAPER_URL"
  | "ALPACA_DATA_URL"
  | "ALPACA_DATA_FEED"
  | "ALPACA_DATA_KEY_ID"
  | "ALPACA_DATA_SECRET"
  | "FINNHUB_TOKEN"
  | "FMP_API_KEY"
  | "ALPHA_VANTAGE_KEY"
  | "ALPHA_VANTAGE_CLOSES"
> &
  VendorAddresses;

/** The US market of an installation with these settings. */
export function unitedStates(settings: UsSettings): MarketData {
  const vendors = usVendors(settings);
  if (!settings.ALPACA_DATA_KEY_ID || !settings.ALPACA_DATA_SECRET) {
    throw new Failure("unavailable", "Market data of the US market is not configured.");
  }
  return compose(
    {
      tradingUrl: settings.ALPACA_PAPER_URL,
      dataUrl: settings.ALPACA_DATA_URL,
      feed: settings.ALPACA_DATA_FEED,
      keyId: settings.ALPACA_DATA_KEY_ID,
      secret: settings.ALPACA_DATA_SECRET,
    },
    {
      finnhubUrl: vendors.finnhub,
      finnhubToken: settings.FINNHUB_TOKEN,
      cboeUrl: vendors.cboe,
      fredUrl: vendors.fred,
      fmpUrl: vendors.fmp,
      fmpKey: settings.FMP_API_KEY,
      alphaVantageUrl: vendors.alphaVantage,
      alphaVantageKey: settings.ALPHA_VANTAGE_KEY,
    },
    usPriceSources(settings, vendors),
  );
}

/** Every source of prices beside Alpaca that has a key; Alpha Vantage only where it is told how many closes a day its plan allows. */
function usPriceSources(settings: UsSettings, vendors: ReturnType<typeof usVendors>): PriceSource[] {
  const { FINNHUB_TOKEN: token, FMP_API_KEY: fmpKey, ALPHA_VANTAGE_KEY: key, ALPHA_VANTAGE_CLOSES: closes } = settings;
  return [
    ...(token ? [finnhubPrices({ url: vendors.finnhub, token })] : []),
    ...(fmpKey ? [fmpPrices({ url: vendors.fmp, key: fmpKey })] : []),
    ...(key && closes > 0 ? [alphaVantageCloses({ url: vendors.alphaVantage, key }, closes)] : []),
  ];
}

function compose(alpacaOptions: AlpacaDataOptions, vendors: Vendors, priceSources: readonly PriceSource[]): MarketData {
  const alpaca = alpacaData(alpacaOptions);
  const whose = vendors.countedAs === undefined ? {} : { countedAs: vendors.countedAs };
  const readSectors = sectorsBy(vendors);
  return {
    ...alpaca,
    async assets() {
      const rows = await alpaca.assets();
      const sectors = await readSectors();
      return rows.map((row) => ({ ...row, sector: sectors.get(row.symbol) ?? "Unknown" }));
    },
    hasSectorVendor: Boolean(vendors.fmpKey),
    priceSources,
    ...earningsSource(vendors),
    ...filledVix(cboe({ url: vendors.cboeUrl, ...whose }), fred({ url: vendors.fredUrl, ...whose })),
  };
}

/** How long a list of companies is held, and after how long it is asked for again where it did not come: the calendar lives on the same calls of the day. */
const SECTORS_HELD_MS = 6 * HOUR_MS;
const SECTORS_AGAIN_MS = 15 * MINUTE_MS;

/**
 * Sectors by symbol. A plan may leave the list of companies out, and a market without sectors is screened all the same: an answer that never came
 * names none. Where the vendor fails later the last list stands: without it funds would count as stocks.
 */
function sectorsBy({ fmpUrl, fmpKey, countedAs }: Vendors): () => Promise<Map<string, string>> {
  if (!fmpKey) return () => Promise.resolve(new Map());
  const source = fmp({ url: fmpUrl, key: fmpKey, ...(countedAs === undefined ? {} : { countedAs }) });
  let held = new Map<string, string>();
  /** Monotonic time, ms. */
  let againAt = 0;
  return async () => {
    if (performance.now() < againAt) return held;
    try {
      held = await source.sectors();
      againAt = performance.now() + SECTORS_HELD_MS;
    } catch (error) {
      if (!(error instanceof Failure) || error.code !== "unavailable") throw error;
      againAt = performance.now() + SECTORS_AGAIN_MS;
    }
    return held;
  };
}

/** The first calendar of reports that is configured. Made once: Alpha Vantage's holds its answer. */
function earningsSource(vendors: Vendors): Pick<MarketData, "earningsCalendar" | "earnings"> {
  const { finnhubUrl, finnhubToken, fmpUrl, fmpKey, alphaVantageUrl, alphaVantageKey } = vendors;
  const whose = vendors.countedAs === undefined ? {} : { countedAs: vendors.countedAs };
  if (finnhubToken) {
    const { earnings } = finnhub({ url: finnhubUrl, token: finnhubToken, ...whose });
    return { earningsCalendar: { vendor: "Finnhub", coversPast: true }, earnings };
  }
  if (fmpKey) {
    const { earnings } = fmp({ url: fmpUrl, key: fmpKey, ...whose });
    return { earningsCalendar: { vendor: "Financial Modeling Prep", coversPast: true }, earnings };
  }
  if (alphaVantageKey) {
    const { earnings } = alphaVantage({ url: alphaVantageUrl, key: alphaVantageKey, ...whose });
    return { earningsCalendar: { vendor: "Alpha Vantage", coversPast: false }, earnings };
  }
  return {
    earningsCalendar: null,
    earnings: () => Promise.reject(new Failure("unavailable", "No earnings calendar is configured.")),
  };
}
