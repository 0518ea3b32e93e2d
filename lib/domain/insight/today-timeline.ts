import type { TodayEventName } from "../enums.ts";
import { quantityText } from "../format.ts";
import { type DecimalText, toNumber } from "../money.ts";
import type { Instant } from "../time.ts";
import type { TripFacts } from "./facts.ts";
import { tradePage, symbolPage, LOG } from "./pages.ts";
import { type CycleLine, readCycleLine } from "./read-cycle-line.ts";
import { counted } from "../counted.ts";
import { lowerFirst, partsOf, plain, signed, type Part } from "./sentence-parts.ts";
import type { DayTrade } from "./today-facts.ts";
import { mainRefusal, waitingText } from "./today-text.ts";

/** What is recorded of a session, in order of time. */
export interface TimelineFacts {
  looks: Look[];
  trades: DayTrade[];
  trips: TripFacts[];
  raises: { symbol: string; stopPrice: DecimalText; at: Instant }[];
  rejected: { symbol: string; tradeId: string | null; at: Instant }[];
}

/** One decision of one account; the account's name where there are several. */
export interface Look {
  id: string;
  accountId: string;
  at: Instant;
  line: string;
  account: string | null;
}

/** One line of the day, with the page on which it can be checked. */
export interface TimelineEntry {
  kind: TodayEventName;
  at: Instant;
  /** The last of a run of equal looks; null for what happened once. */
  until: Instant | null;
  parts: Part[];
  href: string;
}

/** The day as a person follows it, oldest first: looks, purchases, raised stops, sales. Looks that say the same are one line. */
export function dayTimeline({ looks, trades, trips, raises, rejected }: TimelineFacts): TimelineEntry[] {
  const happened: TimelineEntry[] = [
    ...trades.map((trade) => tradeEntry(trade, trips)),
    ...raises.map(({ symbol, stopPrice, at }) =>
      entry("STOP_RAISED", at, [`Stop of ${symbol} raised to `, plain(stopPrice)], symbolPage(symbol).href),
    ),
    ...rejected.map(({ symbol, tradeId, at }) =>
      entry(
        "REFUSED",
        at,
        [`The broker rejected the order in ${symbol}`],
        tradeId === null ? LOG.href : tradePage({ symbol, tradeId }).href,
      ),
    ),
  ];
  return runsOf(looks, happened).sort((a, b) => (a.at < b.at ? -1 : a.at > b.at ? 1 : orderOf(a) - orderOf(b)));
}

/** Of what happened at one instant the look comes first: it is the reason of the rest. */
const orderOf = ({ kind }: TimelineEntry) => (kind === "LOOKED" ? 0 : 1);

const entry = (kind: TodayEventName, at: Instant, pieces: (string | Part)[], href: string): TimelineEntry => ({
  kind,
  at,
  until: null,
  parts: partsOf(pieces),
  href,
});

function tradeEntry(trade: DayTrade, trips: readonly TripFacts[]): TimelineEntry {
  const { symbol, quantity, price, at, side, reason, isOurs } = trade;
  const by = isOurs ? "" : ", at the broker and not by Tradewind";
  const { href } = tradePage(trade);
  if (side === "BUY")
    return entry("BOUGHT", at, [`Bought ${quantityText(toNumber(quantity))} ${symbol} at `, plain(price), by], href);
  const trip = trips.find(({ tradeId }) => tradeId === trade.tradeId);
  const why = trip?.exitReason ?? reason;
  return entry(
    "SOLD",
    at,
    [
      `Sold ${quantityText(toNumber(quantity))} ${symbol} at `,
      plain(price),
      why === null ? "" : ` (${lowerFirst(why)})`,
      ...(trip ? [", ", signed(trip.pnl)] : []),
      by,
    ],
    href,
  );
}

/** Which looks say the same: those that ordered nothing for the same first reason. */
function sameness({ accountId }: Look, says: CycleLine | null): string | null {
  if (says === null || says.orders > 0) return null;
  return `${accountId} ${mainRefusal(says)?.code ?? (says.signals === 0 ? "quiet" : "")}`;
}

interface Run {
  same: string | null;
  first: Look;
  last: Look;
  says: CycleLine | null;
  count: number;
}

/** Looks in runs; what happened in between ends a run. */
function runsOf(looks: readonly Look[], happened: readonly TimelineEntry[]): TimelineEntry[] {
  const runs: Run[] = [];
  const moments = happened.map(({ at }) => at);
  for (const look of looks) {
    const says = readCycleLine(look.line);
    const same = sameness(look, says);
    const open = runs.findLast(({ first }) => first.accountId === look.accountId);
    const isBroken = open !== undefined && moments.some((at) => at > open.last.at && at <= look.at);
    if (open !== undefined && same !== null && open.same === same && !isBroken) {
      open.last = look;
      open.says = says;
      open.count += 1;
    } else runs.push({ same, first: look, last: look, says, count: 1 });
  }
  return [...happened, ...runs.map(runEntry)];
}

function runEntry({ first, last, says, count }: Run): TimelineEntry {
  const of = first.account === null ? "" : ` (${first.account})`;
  const looked =
    count === 1
      ? `Looked${says === null ? "" : ` at ${counted(says.screened, "stock")}`}`
      : `${count} looks, nothing new`;
  const made = entry("LOOKED", first.at, [`${looked}${of}${resultText(says)}`], `/decisions/${last.id}`);
  return count === 1 ? made : { ...made, until: last.at };
}

function resultText(says: CycleLine | null): string {
  if (says === null) return "";
  if (says.orders > 0) return `: ${counted(says.orders, "order")} decided`;
  const main = mainRefusal(says);
  if (main === null) return says.signals === 0 ? ": none met your strategy's conditions" : ": nothing to buy";
  if (main.count === null) return ": nothing is bought";
  return `: nothing to buy, ${waitingText(main.code, main.count)}`;
}
