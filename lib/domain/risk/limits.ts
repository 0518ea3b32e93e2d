import type { AccountState, MarketView } from "../engine/plan.ts";
import type { RegimeLabel } from "../enums.ts";
import { money, ZERO } from "../money.ts";
import type { Policy } from "../policy.ts";
import { rememberOne, rememberTwo } from "../remember.ts";
import type { FeatureRow } from "../screening/features.ts";
import { type AccountAmounts, amountsOf } from "./amounts.ts";
import { type Book, type KnownRooms, type Room, sectorOf } from "./book.ts";
import { dollarText, isLessUsd, minusUsd, plusUsd, type Usd, usd, usdNumber } from "./usd.ts";

/** Room that the limits leave for one more entry, USD (negative when a limit is already broken). Gates and sizes read the same lines. */
export interface LimitInput {
  state: AccountState;
  market: MarketView;
  policy: Policy;
  symbol: string;
  book: Book;
}

export function grossCap(label: RegimeLabel, policy: Policy): number {
  const { gross_risk_on, gross_neutral, gross_risk_off } = policy.portfolio_limits;
  return { risk_on: gross_risk_on, neutral: gross_neutral, risk_off: gross_risk_off }[label];
}

function roomOf(amount: Usd): Room {
  return { amount, about: usdNumber(amount), words: null };
}

export function roomText(room: Room): string {
  room.words ??= dollarText(room.amount);
  return room.words;
}

function smaller(a: Room, b: Room): Room {
  return isLessUsd(b.amount, a.amount) ? b : a;
}

/** The rooms known of a book, for these amounts. */
function roomsOf(amounts: AccountAmounts, { rooms }: Book): KnownRooms {
  if (rooms.of === amounts) return rooms;
  rooms.of = amounts;
  rooms.gross = {};
  rooms.buying = null;
  rooms.sectors.clear();
  return rooms;
}

/** Rooms in a name that the book does not hold: the lines themselves. */
const freeRooms = rememberOne(({ maxPositionValue, nameLine }: AccountAmounts) => {
  const ofUser = roomOf(maxPositionValue);
  const ofName = roomOf(nameLine);
  return { ofUser, ofName, position: smaller(ofUser, ofName) };
});

/** Room in one name: the user's largest position, the largest part of equity, and the smaller of both. */
export function nameRooms({ state, policy, symbol, book }: LimitInput): { ofUser: Room; ofName: Room; position: Room } {
  const amounts = amountsOf(state, policy);
  const used = book.bySymbol.get(symbol);
  if (used === undefined) return freeRooms(amounts);
  const ofUser = roomOf(minusUsd(amounts.maxPositionValue, usd(used)));
  const ofName = roomOf(minusUsd(amounts.nameLine, usd(used)));
  return { ofUser, ofName, position: smaller(ofUser, ofName) };
}

export function sectorRoom({ state, market, policy, symbol, book }: LimitInput): Room {
  const sector = sectorOf(symbol, market);
  const amounts = amountsOf(state, policy);
  const { sectors } = roomsOf(amounts, book);
  let room = sectors.get(sector);
  if (room === undefined) {
    // Without a sector the symbol may belong to the fullest one.
    const used =
      sector === null ? usd(book.gross) : plusUsd(usd(book.bySector.get(sector) ?? ZERO), usd(book.unknownSector));
    sectors.set(sector, (room = roomOf(minusUsd(amounts.sectorLine, used))));
  }
  return room;
}

export function grossRoom({ state, market, policy, book }: LimitInput): Room {
  const amounts = amountsOf(state, policy);
  const { label } = market.regime;
  return (roomsOf(amounts, book).gross[label] ??= roomOf(minusUsd(amounts.grossLine[label], usd(book.gross))));
}

/** The volume line: it is the same for every account. */
const advLine = rememberTwo(({ adv20 }: FeatureRow, policy: Policy): Room | null => {
  if (adv20 === null) return null;
  const { max_adv_fraction: fraction } = policy.portfolio_limits;
  // Hundredths of cents times basis points are hundredths of millionths: mostly a whole count, told without the decimal library.
  const volume = Math.round(adv20 * 10_000);
  const bps = Math.round(fraction * 10_000);
  const product = volume * bps;
  const isExact = volume / 10_000 === adv20 && volume < DIGITS_MOST && bps / 10_000 === fraction;
  return roomOf(
    isExact && Number.isSafeInteger(product) && product % 100 === 0 ? product / 100 : usd(money(adv20).times(fraction)),
  );
});

/** Fifteen digits: a decimal of so many is told apart from every other by its double. */
const DIGITS_MOST = 1e15;

/** Part of the median dollar volume; null when the volume is not known. */
export function advRoom({ market, policy, symbol }: LimitInput): Room | null {
  const features = market.symbols[symbol]?.features ?? null;
  return features === null ? null : advLine(features, policy);
}

export function buyingPowerRoom({ state, policy, book }: LimitInput): Room {
  const amounts = amountsOf(state, policy);
  return (roomsOf(amounts, book).buying ??= roomOf(minusUsd(amounts.buyingLine, usd(book.inFlight))));
}
