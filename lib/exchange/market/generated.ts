import { addSessions, isEarlyClose, isSession, nextSession } from "../../domain/market-calendar.ts";
import type { SessionDate } from "../../domain/time.ts";
import { companyName, SECTORS, tickerOf } from "./names.ts";
import { drawMarketFactor, type MarketFactor, nextIndexReturn } from "./regimes.ts";
import { normal, type Random, randomOf, seedOf, uuidOf } from "./seeded.ts";
import type { Asset, Dividend, EarningsReport, Halt, Market, Split, VixDay } from "./source.ts";

/** Sessions of history before the start: two years and a little. */
const HISTORY_SESSIONS = 520;
const QUARTER = 63;
/** Sessions between the announcement of a split and its day. */
const SPLIT_NOTICE = 12;
const SPLIT_ABOVE = 620;
const REVERSE_BELOW = 4;

/** Move within a session that may pause trading, and how often a session brings a halt for news. */
const PAUSING_MOVE = 0.06;
const NEWS_HALT_CHANCE = 0.0003;

interface Company {
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

/** A session's index return that is given instead of drawn, as logarithms. */
export interface IndexMove {
  move: number;
  /** The part of it between the close before and the opening; by default a third and some chance. */
  overnight?: number;
}

interface Growing {
  open: number[];
  high: number[];
  low: number[];
  close: number[];
  volume: number[];
}

const clamp = (value: number, low: number, high: number) => Math.min(high, Math.max(low, value));
const round = (price: number) => Math.max(0.01, Math.round(price * 100) / 100);

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

/** Splits bring dear shares back to about 150 USD, reverse splits bring penny shares back to above 30. */
function plannedRatio(price: number): number | null {
  if (price > SPLIT_ABOVE) return clamp(Math.round(price / 150), 2, 10);
  return price < REVERSE_BELOW ? 0.1 : null;
}

interface GeneratedMarketOptions {
  seed: number;
  start: SessionDate;
  /** Sessions whose index return is given: a test's crash comes on its day. */
  indexMove?: (date: SessionDate) => IndexMove | undefined;
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
export function foundHistory({ seed, start }: GeneratedMarketOptions): GeneratedHistory {
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

/**
 * A market that never was: about 500 companies and SPY, driven by a regime-switching factor model (market,
 * sector, own news, jumps). The same seed and start give the same market, however far it is asked to go.
 */
export function generateMarket({ seed, start, indexMove }: GeneratedMarketOptions): Market {
  return goOn(foundHistory({ seed, start }), indexMove);
}

/** The market of a history, which it draws on when it is asked to. */
export function goOn(history: GeneratedHistory, indexMove?: GeneratedMarketOptions["indexMove"]): Market {
  const { seed, firstStart, assets, companies, columns, factor } = history;
  const { sessions, splits, dividends, earnings, vix, halts } = history;
  const symbols = [...columns.keys()];
  const index = new Map(sessions.map((date, at) => [date, at]));

  function addBar(
    symbol: string,
    before: number,
    move: number,
    gap: number,
    sigma: number,
    dollars: number,
    draw: Random,
  ): void {
    const column = columns.get(symbol) as Growing;
    const open = round(before * Math.exp(gap));
    const close = round(before * Math.exp(move));
    const reach = () => Math.exp(0.45 * sigma * Math.abs(normal(draw)));
    column.open.push(open);
    column.close.push(close);
    column.high.push(Math.max(open, close, round(Math.max(open, close) * reach())));
    column.low.push(Math.min(open, close, round(Math.min(open, close) / reach())));
    column.volume.push(Math.max(100, Math.round(dollars / close)));
  }

  /** Own news of a session: the earnings jump falls on the report's day, or on the next when it came after the close. */
  function earningsJump(company: Company, at: number, date: SessionDate, draw: Random): number {
    const phase = (at - company.earningsOffset) % QUARTER;
    let jump = 0;
    if (phase === (company.reportsAfterClose ? 1 : 0) && at >= company.earningsOffset) jump = 0.05 * company.surprise;
    const isReport = phase === 0;
    const surprise = normal(draw);
    if (isReport) {
      if (company.reportsAfterClose) company.surprise = surprise;
      else jump = 0.05 * surprise;
      company.eps *= 1.01;
      const estimate = Math.round(company.eps * 100) / 100;
      earnings.push({
        date,
        symbol: company.symbol,
        hour: company.reportsAfterClose ? "amc" : "bmo",
        epsEstimate: estimate,
        epsActual: Math.round(company.eps * (1 + 0.06 * surprise) * 100) / 100,
      });
    }
    return jump;
  }

  function payDividend(company: Company, at: number, date: SessionDate): number {
    if (company.yield === 0 || at % QUARTER !== company.dividendOffset) return 0;
    const amount = Math.max(0.01, Math.round((company.price * company.yield * 100) / 4) / 100);
    dividends.push({ date, symbol: company.symbol, amount: String(amount) });
    return amount / company.price;
  }

  function splitIfDue(company: Company, at: number, date: SessionDate): void {
    if (company.split !== null && company.split.at === at) {
      splits.push({ date, symbol: company.symbol, ratio: String(company.split.ratio) });
      company.price /= company.split.ratio;
      company.split = null;
    }
    const ratio = company.split === null ? plannedRatio(company.price) : null;
    if (ratio !== null) company.split = { at: at + SPLIT_NOTICE, ratio };
  }

  function addIndexDay(date: SessionDate, at: number, { move, overnight }: IndexMove, draw: Random): void {
    const isPaying = at % QUARTER === 50;
    if (isPaying) dividends.push({ date, symbol: "SPY", amount: String(round(history.indexPrice * 0.0035)) });
    const net = move - (isPaying ? 0.0035 : 0);
    const sigma = Math.sqrt(history.variance);
    const dollars = 28e9 * Math.exp(0.15 * normal(draw) + 25 * Math.abs(move));
    const drawnGap = 0.35 * net + 0.2 * sigma * normal(draw);
    addBar("SPY", history.indexPrice, net, overnight ?? drawnGap, sigma, dollars, draw);
    history.indexPrice *= Math.exp(net);
    history.variance = 0.94 * history.variance + 0.06 * move * move;
    const opening = history.fear;
    const target = 3.5 + 100 * Math.sqrt(252 * history.variance) * 1.02;
    history.fear = clamp(0.88 * history.fear + 0.12 * target - 90 * move + 0.35 * normal(draw), 9, 85);
    const open = round(opening + 0.3 * normal(draw));
    const close = round(history.fear);
    const wick = () => 0.6 * Math.abs(normal(draw));
    vix.push({
      date,
      open,
      high: round(Math.max(open, close) + wick()),
      low: round(Math.min(open, close) - wick()),
      close,
    });
  }

  /** Half of the violent sessions see a pause of five or ten minutes; now and then news stops a share for longer. */
  function haltOf(symbol: string, date: SessionDate, intradayMove: number, draw: Random): void {
    const isViolent = Math.abs(intradayMove) > PAUSING_MOVE;
    if (draw() >= (isViolent ? 0.5 : NEWS_HALT_CHANCE)) return;
    const minutes = isViolent ? (draw() < 0.7 ? 5 : 10) : 15 + Math.floor(draw() * 45);
    const latest = (isEarlyClose(date) ? 210 : 390) - minutes - 15;
    const fromMinute = 10 + Math.floor(draw() * (latest - 10));
    halts.push({ date, symbol, fromMinute, minutes, reason: isViolent ? "volatility" : "news" });
  }

  function addSession(date: SessionDate): void {
    const at = sessions.length;
    const draw = randomOf(seedOf(seed, "session", at));
    // A stream of its own, so that halts do not change the prices of a seed.
    const haltDraw = randomOf(seedOf(seed, "halts", at));
    sessions.push(date);
    index.set(date, at);
    const drawnMove = nextIndexReturn(factor, draw);
    const given = indexMove?.(date) ?? { move: drawnMove };
    const { move, overnight } = given;
    const overnightShare = overnight === undefined || move === 0 ? 0.35 : overnight / move;
    addIndexDay(date, at, given, draw);
    const sectorMoves = SECTORS.map(() => 0.0058 * normal(draw));
    for (const company of companies) {
      splitIfDue(company, at, date);
      const jump = earningsJump(company, at, date, draw) + (draw() < 0.0015 ? 0.06 * normal(draw) : 0);
      const dividend = payDividend(company, at, date);
      const own = company.idioVolatility * normal(draw);
      const common = company.beta * move + company.sectorBeta * (sectorMoves[company.sector] as number);
      const total = clamp(company.alpha / 252 + common + own + jump - dividend, -0.4, 0.4);
      const sigma = company.idioVolatility + Math.sqrt(history.variance);
      const gap = clamp(
        overnightShare * (common + own) + jump * 0.85 - dividend + 0.25 * sigma * normal(draw),
        -0.4,
        0.4,
      );
      const dollars = company.dollarVolume * Math.exp(0.25 * normal(draw) + 7 * Math.abs(total));
      addBar(company.symbol, company.price, total, gap, sigma, dollars, draw);
      haltOf(company.symbol, date, total - gap, haltDraw);
      company.price = Math.max(1, company.price * Math.exp(total));
    }
  }

  function extendTo(date: SessionDate): void {
    for (; history.upcoming <= date; history.upcoming = nextSession(history.upcoming)) addSession(history.upcoming);
  }
  extendTo(firstStart);

  return {
    kind: "generated",
    name: "practice market",
    seed,
    symbols,
    assets,
    sessions,
    defaultStart: firstStart,
    lastSession: null,
    splits,
    dividends,
    earnings,
    vix,
    halts,
    extendTo,
    series: (symbol) => columns.get(symbol),
    sessionIndex: (date) => index.get(date),
  };
}
