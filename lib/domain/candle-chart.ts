import type { SideName } from "./enums.ts";
import { newYork, type Instant, type SessionDate } from "./time.ts";

/** Daily bars in columns, oldest first; a null average where there are too few bars. */
export interface Candles {
  sessions: readonly SessionDate[];
  open: readonly number[];
  high: readonly number[];
  low: readonly number[];
  close: readonly number[];
  volume: readonly number[];
  sma50: readonly (number | null)[];
  sma200: readonly (number | null)[];
}

export interface Split {
  session: SessionDate;
  /** New shares per old. */
  ratio: number;
}

/** A stop or a target that rested at the broker. */
export interface ChartLevel {
  accountId: string;
  kind: "STOP" | "TARGET";
  price: number;
  from: Instant;
  /** Null while it rests. */
  to: Instant | null;
}

/** A filled trade on its session. */
export interface ChartTrade {
  id: string;
  side: SideName;
  filledQuantity: number;
  averagePrice: number | null;
  at: Instant;
}

/** What a price of a session is multiplied by to stand among bars in the basis of the last of them. */
export const factorSince = (splits: readonly Split[], session: SessionDate): number =>
  splits.filter((split) => split.session > session).reduce((factor, { ratio }) => factor / ratio, 1);

export interface LevelLine {
  kind: ChartLevel["kind"];
  points: { session: SessionDate; value: number }[];
}

/**
 * The levels of each account as stepped lines over the sessions in which one rested: where one follows another the step lies on its
 * session, and of several that rest together the lowest counts, as it does where the position is shown.
 */
export function levelLines(
  levels: readonly ChartLevel[],
  sessions: readonly SessionDate[],
  splits: readonly Split[],
): LevelLine[] {
  const groups = new Map<string, ChartLevel[]>();
  for (const level of levels) {
    const key = `${level.accountId} ${level.kind}`;
    groups.set(key, [...(groups.get(key) ?? []), level]);
  }
  return [...groups.values()].flatMap((group) => linesOf(group, sessions, splits));
}

function linesOf(
  levels: readonly ChartLevel[],
  sessions: readonly SessionDate[],
  splits: readonly Split[],
): LevelLine[] {
  const dated = levels.map((level) => {
    const last = level.to === null ? "9999-12-31" : newYork(level.to).date;
    return {
      ...level,
      first: newYork(level.from).date,
      last,
      // The broker restates what rests through a split: its price is of its last session.
      value: level.price * factorSince(splits, last),
    };
  });
  const lines: LevelLine[] = [];
  let line: LevelLine | null = null;
  for (const session of sessions) {
    const value = valueIn(session, dated);
    if (value === null) line = null;
    else if (line === null) lines.push((line = { kind: levels[0]!.kind, points: [{ session, value }] }));
    else line.points.push({ session, value });
  }
  return lines;
}

type Dated = ChartLevel & { first: SessionDate; last: SessionDate; value: number };

/** What rests after the session, else what rested last in it. */
function valueIn(session: SessionDate, levels: readonly Dated[]): number | null {
  const within = levels.filter(({ first, last }) => first <= session && last >= session);
  const after = within.filter(({ last }) => last > session);
  if (after.length > 0) return Math.min(...after.map(({ value }) => value));
  return within.reduce<Dated | null>((a, b) => (a === null || b.from > a.from ? b : a), null)?.value ?? null;
}

export interface CandleMark {
  /** Index into the sessions. */
  place: number;
  side: ChartTrade["side"];
  trades: ChartTrade[];
}

/** Filled trades on their sessions; those of one side within a stretch of so many sessions share a mark, on the last of its own. */
export function candleMarks(
  trades: readonly ChartTrade[],
  sessions: readonly SessionDate[],
  stretch: number,
): CandleMark[] {
  const placeOf = new Map(sessions.map((session, place) => [session, place]));
  const marks = new Map<string, CandleMark>();
  for (const trade of trades.filter(({ filledQuantity }) => filledQuantity > 0)) {
    const place = placeOf.get(newYork(trade.at).date);
    if (place === undefined) continue;
    const key = `${Math.floor(place / stretch)} ${trade.side}`;
    const mark = marks.get(key);
    if (mark === undefined) marks.set(key, { place, side: trade.side, trades: [trade] });
    else {
      mark.trades.push(trade);
      mark.place = Math.max(mark.place, place);
    }
  }
  return [...marks.values()].sort((a, b) => a.place - b.place || (a.side < b.side ? -1 : 1));
}
