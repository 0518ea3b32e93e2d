import type { SessionDate } from "../domain/time.ts";
import type { Stamp } from "./book/types.ts";
import type { ClockState } from "./clock.ts";
import { generateMarket } from "./market/generated.ts";
import type { Sessions } from "./market/sessions.ts";
import type { Market } from "./market/source.ts";
import { readTape } from "./market/tape.ts";
import { currentSession, NOW } from "./wall-clock.ts";

const DEFAULT_SEED = 2;
/** A Monday with two years of generated history behind it. */
const GENERATED_START: SessionDate = "2024-01-08";

export interface MarketOptions {
  /** A tape directory; absent = the generated market. */
  tape?: string | undefined;
  /** The first session, or "now" to follow the wall clock. */
  start?: SessionDate | undefined;
  seed?: number | undefined;
  /** Makes the generated market; tests keep theirs and give the way to it. */
  generate?: typeof generateMarket | undefined;
}

interface MarketRow {
  kind: "tape" | "generated";
  name: string;
  seed: number;
  start: SessionDate;
  isWallClock?: boolean;
}

export interface ClockRow extends ClockState {
  /** Absent in rows from before it was kept. */
  lastStamp?: Stamp | null;
}

interface StateRows {
  market: MarketRow | undefined;
  clock: ClockRow | undefined;
}

export function stateRows(rows: Map<string, Record<string, unknown>[]>): StateRows {
  const found = rows.get("state") ?? [];
  const of = (id: string) => found.find((row) => row.id === id);
  return { market: of("market") as MarketRow | undefined, clock: of("clock") as ClockRow | undefined };
}

const OTHER_DATABASE = "give the other market a database of its own (npm start: another DATA_DIR)";

/** The market asked for; a stored state belongs to the market it was made with. */
export function openMarket(options: MarketOptions, stored: MarketRow | undefined): { market: Market; row: MarketRow } {
  const seed = options.seed ?? stored?.seed ?? DEFAULT_SEED;
  const isWallClock = options.start === NOW;
  const start = stored?.start ?? (options.start === NOW ? currentSession(Date.now()) : options.start);
  const market =
    options.tape === undefined
      ? (options.generate ?? generateMarket)({ seed, start: start ?? GENERATED_START })
      : readTape(options.tape, seed);
  const row: MarketRow = {
    kind: market.kind,
    name: market.name,
    seed,
    start: start ?? market.defaultStart,
    isWallClock,
  };
  if (stored !== undefined && (stored.isWallClock ?? false) !== isWallClock) {
    const does = stored.isWallClock ? "follows the wall clock (EXCHANGE_START=now)" : "does not follow the wall clock";
    throw new Error(`the stored exchange ${does}: ${OTHER_DATABASE}`);
  }
  if (stored !== undefined && (stored.kind !== row.kind || stored.name !== row.name || stored.seed !== row.seed)) {
    throw new Error(
      `the stored exchange belongs to ${stored.kind} "${stored.name}" with seed ${stored.seed}, not to ${row.kind} "${row.name}" with seed ${seed}: ${OTHER_DATABASE}`,
    );
  }
  return { market, row };
}

function firstSession(market: Market, sessions: Sessions, start: SessionDate): SessionDate {
  const first = sessions.isSession(start) ? start : sessions.next(start);
  if (market.lastSession !== null && first > market.lastSession) throw new Error(`the tape ends before ${start}`);
  if (market.sessions[0] !== undefined && first < market.sessions[0])
    throw new Error(`the market begins after ${start}`);
  return first;
}

/** The session a number of sessions earlier, as far back as the market goes. */
function leadDate(market: Market, sessions: Sessions, first: SessionDate, count: number): SessionDate {
  let date = first;
  for (let left = count; left > 0; left -= 1) {
    const earlier = sessions.previous(date);
    if (market.sessions[0] !== undefined && earlier < market.sessions[0]) break;
    date = earlier;
  }
  return date;
}

/** The market's first session, and the one that a new exchange begins with: a number of sessions earlier. */
export function beginningOf(market: Market, sessions: Sessions, start: SessionDate, leadSessions: number) {
  const first = firstSession(market, sessions, start);
  const lead = leadDate(market, sessions, first, leadSessions);
  return {
    startsAtMs: sessions.hours(first).opensAtMs,
    openingMs: sessions.hours(lead).opensAtMs,
    isLeading: lead < first,
  };
}
