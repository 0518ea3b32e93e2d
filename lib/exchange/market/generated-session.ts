import { isEarlyClose } from "../../domain/market-calendar.ts";
import type { SessionDate } from "../../domain/time.ts";
import { clamp, type Company, type GeneratedHistory, type Growing, QUARTER } from "./generated-history.ts";
import { SECTORS } from "./names.ts";
import { nextIndexReturn } from "./regimes.ts";
import { normal, type Random, randomOf, seedOf } from "./seeded.ts";

/** Sessions between the announcement of a split and its day. */
const SPLIT_NOTICE = 12;
const SPLIT_ABOVE = 620;
const REVERSE_BELOW = 4;

/** Move within a session that may pause trading, and how often a session brings a halt for news. */
const PAUSING_MOVE = 0.06;
const NEWS_HALT_CHANCE = 0.0003;

/** A session's index return that is given instead of drawn, as logarithms. */
export interface IndexMove {
  move: number;
  /** The part of it between the close before and the opening; by default a third and some chance. */
  overnight?: number;
}

/** The index moves of those sessions whose move is given. */
export type GivenMoves = (date: SessionDate) => IndexMove | undefined;

/** The session that is being drawn. */
interface Session {
  date: SessionDate;
  /** Its index among the market's sessions. */
  at: number;
  draw: Random;
  /** A stream of its own, so that halts do not change the prices of a seed. */
  haltDraw: Random;
}

/** A symbol's day: the close before, its change and the part at the opening as logarithms, its volatility and turnover. */
interface DayMove {
  before: number;
  move: number;
  gap: number;
  sigma: number;
  dollars: number;
}

const round = (price: number) => Math.max(0.01, Math.round(price * 100) / 100);

/** Splits bring dear shares back to about 150 USD, reverse splits bring penny shares back to above 30. */
function plannedRatio(price: number): number | null {
  if (price > SPLIT_ABOVE) return clamp(Math.round(price / 150), 2, 10);
  return price < REVERSE_BELOW ? 0.1 : null;
}

function addBar(column: Growing, { before, move, gap, sigma, dollars }: DayMove, draw: Random): void {
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
function earningsJump({ earnings }: GeneratedHistory, company: Company, { at, date, draw }: Session): number {
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

function payDividend({ dividends }: GeneratedHistory, company: Company, { at, date }: Session): number {
  if (company.yield === 0 || at % QUARTER !== company.dividendOffset) return 0;
  const amount = Math.max(0.01, Math.round((company.price * company.yield * 100) / 4) / 100);
  dividends.push({ date, symbol: company.symbol, amount: String(amount) });
  return amount / company.price;
}

function splitIfDue({ splits }: GeneratedHistory, company: Company, { at, date }: Session): void {
  if (company.split !== null && company.split.at === at) {
    splits.push({ date, symbol: company.symbol, ratio: String(company.split.ratio) });
    company.price /= company.split.ratio;
    company.split = null;
  }
  const ratio = company.split === null ? plannedRatio(company.price) : null;
  if (ratio !== null) company.split = { at: at + SPLIT_NOTICE, ratio };
}

function addIndexDay(history: GeneratedHistory, { at, date, draw }: Session, { move, overnight }: IndexMove): void {
  const isPaying = at % QUARTER === 50;
  if (isPaying) history.dividends.push({ date, symbol: "SPY", amount: String(round(history.indexPrice * 0.0035)) });
  const net = move - (isPaying ? 0.0035 : 0);
  const sigma = Math.sqrt(history.variance);
  const dollars = 28e9 * Math.exp(0.15 * normal(draw) + 25 * Math.abs(move));
  const drawnGap = 0.35 * net + 0.2 * sigma * normal(draw);
  const spy = history.columns.get("SPY") as Growing;
  addBar(spy, { before: history.indexPrice, move: net, gap: overnight ?? drawnGap, sigma, dollars }, draw);
  history.indexPrice *= Math.exp(net);
  history.variance = 0.94 * history.variance + 0.06 * move * move;
  addVixDay(history, date, move, draw);
}

function addVixDay(history: GeneratedHistory, date: SessionDate, indexMove: number, draw: Random): void {
  const opening = history.fear;
  const target = 3.5 + 100 * Math.sqrt(252 * history.variance) * 1.02;
  history.fear = clamp(0.88 * history.fear + 0.12 * target - 90 * indexMove + 0.35 * normal(draw), 9, 85);
  const open = round(opening + 0.3 * normal(draw));
  const close = round(history.fear);
  const wick = () => 0.6 * Math.abs(normal(draw));
  history.vix.push({
    date,
    open,
    high: round(Math.max(open, close) + wick()),
    low: round(Math.min(open, close) - wick()),
    close,
  });
}

/** Half of the violent sessions see a pause of five or ten minutes; now and then news stops a share for longer. */
function haltIfDrawn({ halts }: GeneratedHistory, symbol: string, session: Session, intradayMove: number): void {
  const { date, haltDraw: draw } = session;
  const isViolent = Math.abs(intradayMove) > PAUSING_MOVE;
  if (draw() >= (isViolent ? 0.5 : NEWS_HALT_CHANCE)) return;
  const minutes = isViolent ? (draw() < 0.7 ? 5 : 10) : 15 + Math.floor(draw() * 45);
  const latest = (isEarlyClose(date) ? 210 : 390) - minutes - 15;
  const fromMinute = 10 + Math.floor(draw() * (latest - 10));
  halts.push({ date, symbol, fromMinute, minutes, reason: isViolent ? "volatility" : "news" });
}

/** What moves all companies in a session: the index, their sectors, and how much of it comes at the opening. */
interface CommonMove {
  move: number;
  overnightShare: number;
  sectorMoves: readonly number[];
}

function addCompanyDay(history: GeneratedHistory, company: Company, session: Session, all: CommonMove): void {
  const { draw } = session;
  splitIfDue(history, company, session);
  const jump = earningsJump(history, company, session) + (draw() < 0.0015 ? 0.06 * normal(draw) : 0);
  const dividend = payDividend(history, company, session);
  const own = company.idioVolatility * normal(draw);
  const common = company.beta * all.move + company.sectorBeta * (all.sectorMoves[company.sector] as number);
  const move = clamp(company.alpha / 252 + common + own + jump - dividend, -0.4, 0.4);
  const sigma = company.idioVolatility + Math.sqrt(history.variance);
  const drawnGap = all.overnightShare * (common + own) + jump * 0.85 - dividend + 0.25 * sigma * normal(draw);
  const gap = clamp(drawnGap, -0.4, 0.4);
  const dollars = company.dollarVolume * Math.exp(0.25 * normal(draw) + 7 * Math.abs(move));
  const column = history.columns.get(company.symbol) as Growing;
  addBar(column, { before: company.price, move, gap, sigma, dollars }, draw);
  haltIfDrawn(history, company.symbol, session, move - gap);
  company.price = Math.max(1, company.price * Math.exp(move));
}

/** Draws the next session: the index, the VIX, and every company. */
export function addSession(history: GeneratedHistory, date: SessionDate, givenMoves?: GivenMoves): void {
  const at = history.sessions.length;
  const draw = randomOf(seedOf(history.seed, "session", at));
  const session: Session = { date, at, draw, haltDraw: randomOf(seedOf(history.seed, "halts", at)) };
  history.sessions.push(date);
  const drawnMove = nextIndexReturn(history.factor, draw);
  const indexMove = givenMoves?.(date) ?? { move: drawnMove };
  const { move, overnight } = indexMove;
  const overnightShare = overnight === undefined || move === 0 ? 0.35 : overnight / move;
  addIndexDay(history, session, indexMove);
  const sectorMoves = SECTORS.map(() => 0.0058 * normal(draw));
  for (const company of history.companies)
    addCompanyDay(history, company, session, { move, overnightShare, sectorMoves });
}
