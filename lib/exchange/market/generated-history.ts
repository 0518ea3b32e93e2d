import { addSessions, isSession, nextSession } from "../../domain/market-calendar.ts";
import type { SessionDate } from "../../domain/time.ts";
import { companyName, SECTORS, tickerOf } from "./names.ts";
import { drawMarketFactor, type MarketFactor } from "./regimes.ts";
import { normal, type Random, randomOf, seedOf, uuidOf } from "./seeded.ts";
import type { Asset, Dividend, EarningsReport, Halt, Split, VixDay } from "./source.ts";

/** Sessions of history before the start: two years and a little. */
const HISTORY_SESSIONS = 520;
/** Sessions of a quarter. */
export const QUARTER = 63;

export interface Company {
  symbol: string;
  sector: number;
  beta: number;
  sectorBeta: number;
  idioVolatility: number;
  alpha: number;
  dollarVolume: number;
  yield: number;
  earningsOffset: number;
  reportsAfterClose: boolean;
  dividendOffset: number;
  eps: number;
  /** Last close, unrounded. */
  price: number;
  split: { at: number; ratio: number } | null;
  surprise: number;
}

export interface Growing {
  open: number[];
  high: number[];
  low: number[];
  close: number[];
  volume: number[];
}

export const clamp = (value: number, low: number, high: number) => Math.min(high, Math.max(low, value));

function foundCompanies(random: Random, assets: Map<string, Asset>): Company[] {
  const names = new Set<string>();
  const tickers = new Set<string>(["SPY"]);
  const companies: Company[] = [];
  for (const [sector, { name: sectorName, count, beta, endings }] of SECTORS.entries()) {
    for (let i = 0; i < count; i += 1) {
      const name = companyName(random, endings, names);
      const symbol = tickerOf(name, random, tickers);
      const exchange = random() < 0.45 ? "NASDAQ" : "NYSE";
      assets.set(symbol, { id: uuidOf(`asset:${symbol}`), symbol, name, sector: sectorName, exchange });
      const price = clamp(92 * Math.exp(0.75 * normal(random)), 14, 520);
      companies.push({
        symbol,
        sector,
        beta: clamp(beta + 0.22 * normal(random), 0.3, 2),
        sectorBeta: clamp(1 + 0.25 * normal(random), 0.4, 1.6),
        idioVolatility: 0.01 + 0.011 * random() * random() + 0.003 * random(),
        alpha: 0.01 + 0.05 * normal(random),
        dollarVolume: clamp(160e6 * Math.exp(0.95 * normal(random)), 14e6, 8e9),
        yield: random() < 0.7 ? 0.005 + 0.03 * random() : 0,
        earningsOffset: 6 + Math.floor(30 * random()),
        reportsAfterClose: random() < 0.55,
        dividendOffset: Math.floor(QUARTER * random()),
        eps: price / (14 + 14 * random()) / 4,
        price,
        split: null,
        surprise: 0,
      });
    }
  }
  return companies;
}

/** All that a generated market has drawn: plain data, so that it can be kept, and drawn on from where it stands. */
export interface GeneratedHistory {
  seed: number;
  firstStart: SessionDate;
  assets: Map<string, Asset>;
  companies: Company[];
  columns: Map<string, Growing>;
  factor: MarketFactor;
  sessions: SessionDate[];
  upcoming: SessionDate;
  splits: Split[];
  dividends: Dividend[];
  earnings: EarningsReport[];
  vix: VixDay[];
  halts: Halt[];
  indexPrice: number;
  variance: number;
  fear: number;
}

/** A market before its first session. */
export function foundHistory({ seed, start }: { seed: number; start: SessionDate }): GeneratedHistory {
  const random = randomOf(seedOf(seed, "companies"));
  const assets = new Map<string, Asset>();
  const companies = foundCompanies(random, assets);
  assets.set("SPY", {
    id: uuidOf("asset:SPY"),
    symbol: "SPY",
    name: "Practice 500 Index Trust",
    sector: "ETF",
    exchange: "ARCA",
  });
  const firstStart = isSession(start) ? start : nextSession(start);
  const symbols = [...assets.keys()].sort();
  const columns = new Map<string, Growing>(
    symbols.map((symbol) => [symbol, { open: [], high: [], low: [], close: [], volume: [] }]),
  );
  return {
    ...{ seed, firstStart, assets, companies, columns },
    factor: drawMarketFactor(randomOf(seedOf(seed, "regimes"))),
    sessions: [],
    upcoming: addSessions(firstStart, -HISTORY_SESSIONS),
    ...{ splits: [], dividends: [], earnings: [], vix: [], halts: [] },
    ...{ indexPrice: 400, variance: (0.15 * 0.15) / 252, fear: 17 },
  };
}
