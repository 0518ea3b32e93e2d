import { generateMarket } from "../../exchange/market/generated.ts";
import type { Asset, Dividend, EarningsReport, Market, Series, Split, VixDay } from "../../exchange/market/source.ts";
import type { SessionDate } from "../../domain/time.ts";
import { CAST, LEVEL_DAY, type Role } from "./cast.ts";
import { indexPath } from "./index-path.ts";

const SEED = 59;
/** The generator goes 520 sessions back from here; from this day on, companies report in January and February. */
const GENERATED_FROM: SessionDate = "2020-08-12";
const FIRST: SessionDate = "2018-10-01";
const LAST: SessionDate = "2020-12-31";

export interface DailyBar {
  date: SessionDate;
  symbol: string;
  open: number;
  high: number;
  low: number;
  close: number;
  volume: number;
}

export interface FixtureMarket {
  sessions: SessionDate[];
  assets: Pick<Asset, "symbol" | "name" | "sector">[];
  /** By date, then by symbol. */
  bars: DailyBar[];
  splits: Split[];
  dividends: Dividend[];
  earnings: Pick<EarningsReport, "date" | "symbol">[];
  vix: VixDay[];
}

const cents = (price: number) => Math.max(0.01, Math.round(price * 100) / 100);

/** New shares for one old that came before a date's session, as the number by which older prices are multiplied. */
function sharesSince({ split }: Role, date: SessionDate): number {
  return split !== undefined && date < split.date ? split.ratio : 1;
}

/** Value that was still in the company before it spun a part off. */
function wholeBefore({ spunOff }: Role, date: SessionDate): number {
  return spunOff !== undefined && date < spunOff.date ? 1 / (1 - spunOff.share) : 1;
}

function levelSession({ listed, delisted }: Role, sessions: SessionDate[]): SessionDate {
  if (delisted !== undefined) return sessions.findLast((date) => date < delisted)!;
  return listed ?? LEVEL_DAY;
}

/** The role's bars: those of a generated company, at the role's price and volume, with its split, its start and its end. */
function play(role: Role, part: Series, market: Market, sessions: SessionDate[]): DailyBar[] {
  const at = (date: SessionDate) => market.sessionIndex(date)!;
  const scale = role.price / part.close[at(levelSession(role, sessions))]!;
  const dollars = sessions.map((date) => part.close[at(date)]! * part.volume[at(date)]!).toSorted((a, b) => a - b);
  const busier = role.dollarVolume / dollars[Math.floor(dollars.length / 2)]!;
  return sessions
    .filter((date) => date >= (role.listed ?? FIRST) && date < (role.delisted ?? "9999"))
    .map((date) => {
      const i = at(date);
      const factor = scale * sharesSince(role, date) * wholeBefore(role, date);
      return {
        date,
        symbol: role.symbol,
        open: cents(part.open[i]! * factor),
        high: cents(part.high[i]! * factor),
        low: cents(part.low[i]! * factor),
        close: cents(part.close[i]! * factor),
        volume: Math.round((part.volume[i]! * busier) / factor),
      };
    });
}

/**
 * The market of the tests, made from a seed: 2018-10-01 to 2020-12-31, a calm rise, from 2020-02-24 a decline with a day
 * of −12 % and a VIX above 60, a recovery; and the cast with a 4:1 and a 5:1 split, a reverse split, dividends, a spin-off
 * and a merger. Raw prices, as a tape has them.
 */
export function fixtureMarket(): FixtureMarket {
  const market = generateMarket({ seed: SEED, start: GENERATED_FROM, indexMove: indexPath(SEED) });
  market.extendTo(LAST);
  const sessions = market.sessions.filter((date) => date >= FIRST && date <= LAST);

  // A role is played by a company that neither splits its shares nor pays dividends of its own.
  const busy = new Set(["SPY", ...[...market.splits, ...market.dividends].map(({ symbol }) => symbol)]);
  const actors = market.symbols.filter((symbol) => !busy.has(symbol)).slice(0, CAST.length);
  const roleOf = new Map(actors.map((symbol, i) => [symbol, CAST[i]!]));
  const nameOf = (symbol: string) => roleOf.get(symbol)?.symbol ?? symbol;
  const isWithin = ({ date }: { date: SessionDate }) => date >= FIRST && date <= LAST;

  const bars = market.symbols.flatMap((symbol) => {
    const series = market.series(symbol)!;
    const role = roleOf.get(symbol);
    if (role !== undefined) return play(role, series, market, sessions);
    return sessions.map((date) => {
      const i = market.sessionIndex(date)!;
      const [open, high, low] = [series.open[i]!, series.high[i]!, series.low[i]!];
      return { date, symbol, open, high, low, close: series.close[i]!, volume: series.volume[i]! };
    });
  });
  const order = <T extends { date: string; symbol: string }>(rows: T[]) =>
    rows.sort((a, b) => (a.date === b.date ? (a.symbol < b.symbol ? -1 : 1) : a.date < b.date ? -1 : 1));
  const isListed = ({ date, symbol }: { date: SessionDate; symbol: string }) => {
    const role = CAST.find((candidate) => candidate.symbol === symbol);
    return date >= (role?.listed ?? FIRST) && date < (role?.delisted ?? "9999");
  };

  return {
    sessions,
    assets: market.symbols
      .map((symbol) => {
        const { name, sector } = market.assets.get(symbol)!;
        return { symbol: nameOf(symbol), name: roleOf.get(symbol)?.name ?? name, sector };
      })
      .sort((a, b) => (a.symbol < b.symbol ? -1 : 1)),
    bars: order(bars),
    splits: order([
      ...market.splits.filter(isWithin),
      ...CAST.flatMap(({ symbol, split }) =>
        split === undefined ? [] : [{ symbol, date: split.date, ratio: String(split.ratio) }],
      ),
    ]),
    dividends: order([
      ...market.dividends.filter(isWithin),
      ...CAST.flatMap(({ symbol, dividends = [] }) => dividends.map((row) => ({ ...row, symbol }))),
    ]),
    earnings: order(
      market.earnings
        .filter(isWithin)
        .map(({ date, symbol }) => ({ date, symbol: nameOf(symbol) }))
        .filter(isListed),
    ),
    vix: market.vix.filter(isWithin),
  };
}
