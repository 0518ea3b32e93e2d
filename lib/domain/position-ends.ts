import type { HeldPosition, PositionReview, SymbolView } from "./engine/plan.ts";
import { hasGained, trailingStop } from "./exits.ts";
import { dateText, priceText } from "./format.ts";
import { estimated, type Money, money, priceTick, text } from "./money.ts";
import type { Policy } from "./policy.ts";
import type { BarSeries } from "./screening/features.ts";
import { nextSession } from "./market-calendar.ts";
import { STRATEGIES } from "./strategies/strategies.ts";
import type { SessionDate } from "./time.ts";

/** One way in which a position ends. */
export interface PositionEnd {
  /** By an order at the broker, by a close, by the calendar, by a count of the reviews; a note ends nothing. */
  kind: "STOP" | "TARGET" | "CLOSE" | "TIME" | "REVIEW" | "NOTE";
  /** A sentence. */
  text: string;
  price: Money | null;
  date: SessionDate | null;
}

interface Held {
  position: HeldPosition;
  review: PositionReview;
  /** What rests at the broker for it. */
  resting: { stop: Money | null; target: Money | null };
  view: SymbolView | undefined;
  /** Closed bars in today's price basis; null where none are stored. */
  bars: BarSeries | null;
  policy: Policy;
  /** What keeps the strategy's own sales from being sent; null where nothing does. */
  hold: "HALTED" | "PAPER_ONLY" | null;
}

const HOLD_TEXT = {
  HALTED: "While the account is halted Tradewind sends no other sale of it.",
  PAPER_ONLY:
    "While Paper Trading Only is on Tradewind sends no other sale of it, unless you sell it or a kill switch closes everything.",
} as const;

/** The price of an order, in all its digits. */
const usd = (price: Money) => priceText(text(price));

/** A line between closes, to the cent on its own side, so that a close beyond what is written is beyond the line: up where it is "below" or "at or above", down where it is "above". */
const lineText = (line: Money, rounded: "up" | "down") => usd(priceTick(line, rounded));

/** What sells a position, as its owner can watch it: its orders at the broker first, then its strategy's own exits, then time. */
export function positionEnds({ position, review, resting, view, bars, policy, hold }: Held): PositionEnd[] {
  const ends = restingEnds(resting);
  if (hold !== null) return [...ends, note(HOLD_TEXT[hold])];
  if (position.strategy === null)
    return [...ends, note("Tradewind did not buy these shares, and its strategies sell none of them.")];
  const strategy = STRATEGIES[position.strategy];
  const trail = trailingStop(position, review, view, policy);
  if (trail !== null && trail.gt(0)) {
    ends.push({
      kind: "CLOSE",
      text: `Sold when it closes below ${lineText(trail, "up")}, its trailing stop: the level rises with its highest close.`,
      price: trail,
      date: null,
    });
  }
  const lines = strategy.exitLines({
    closes: bars?.close ?? new Float64Array(0),
    lows: bars?.low ?? new Float64Array(0),
    review,
    policy,
  });
  for (const { price, side, text } of lines) {
    const at = price === null ? null : estimated(price);
    ends.push({
      kind: at === null ? "REVIEW" : "CLOSE",
      text: `Sold when ${text(at === null ? "" : ` (${lineText(at, side === "above" ? "down" : "up")})`)}.`,
      price: at,
      date: null,
    });
  }
  const time = strategy.time?.(policy);
  // The highest close never falls: once it has gained enough, time sells it no more.
  if (
    time !== undefined &&
    !(time.unlessR !== null && hasGained(position, review, time.unlessR, strategy.stop(policy)))
  )
    ends.push(timeEnd(position, review, time, strategy.stop(policy)));
  return [
    ...ends,
    note("Beyond these it is sold to lower what is invested in a falling market, by a rotation, or by a kill switch."),
  ];
}

const note = (text: string): PositionEnd => ({ kind: "NOTE", text, price: null, date: null });

function restingEnds({ stop, target }: Held["resting"]): PositionEnd[] {
  const ends: PositionEnd[] = [];
  if (stop !== null)
    ends.push({
      kind: "STOP",
      text: `Sold when it trades at ${usd(stop)} or below: its stop rests at the broker.`,
      price: stop,
      date: null,
    });
  if (target !== null)
    ends.push({
      kind: "TARGET",
      text: `Sold when it trades at ${usd(target)} or above: its target rests at the broker.`,
      price: target,
      date: null,
    });
  return ends;
}

/** The session so many after the one of the entry. */
function sessionAfter(date: SessionDate, sessions: number): SessionDate {
  let last = date;
  for (let i = 0; i < sessions; i++) last = nextSession(last);
  return last;
}

function timeEnd(
  { openedSession, avgEntryPrice }: HeldPosition,
  { entryAtr }: PositionReview,
  { sessions, unlessR }: { sessions: number; unlessR: number | null },
  stopAtr: number,
): PositionEnd {
  const date = sessionAfter(openedSession, sessions);
  const gain = unlessR === null || entryAtr === null ? null : money(entryAtr).times(stopAtr).times(unlessR);
  const unless =
    gain === null
      ? ""
      : `, unless it has closed at ${lineText(money(avgEntryPrice).plus(gain), "up")} or above by then`;
  return { kind: "TIME", text: `Sold on ${dateText(date)} at the latest${unless}.`, price: null, date };
}
