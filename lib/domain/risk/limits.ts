import type { AccountState, MarketView } from "../engine/plan.ts";
import type { RegimeLabel } from "../enums.ts";
import { estimated, least, greatest, ZERO } from "../money.ts";
import type { Policy } from "../policy.ts";
import type { FeatureRow } from "../screening/features.ts";
import { type NameRooms, nameRoomsOf } from "./amounts.ts";
import { type Book, sectorOf } from "./book.ts";
import { Room } from "./room.ts";

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

/** Room in one name: the user's largest position, the largest part of equity, and the smaller of both. */
export function nameRooms({ symbol, book }: LimitInput): NameRooms {
  const { freeName } = book.amounts;
  const used = book.bySymbol.get(symbol);
  if (used === undefined) return freeName;
  const { ofUser, ofName } = freeName;
  return nameRoomsOf(new Room(ofUser.amount.minus(used)), new Room(ofName.amount.minus(used)));
}

export function sectorRoom({ market, symbol, book }: LimitInput): Room {
  const sector = sectorOf(symbol, market);
  const { sectors } = book.rooms;
  let room = sectors.get(sector);
  if (room === undefined) {
    // Without a sector the symbol may belong to the fullest one.
    const own = sector === null ? greatest(ZERO, ...book.bySector.values()) : (book.bySector.get(sector) ?? ZERO);
    const used = own.plus(book.unknownSector);
    sectors.set(sector, (room = new Room(book.amounts.sectorLine.minus(used))));
  }
  return room;
}

export function grossRoom({ market, policy, book }: LimitInput): Room {
  const { rooms, amounts, gross } = book;
  return (rooms.gross ??= new Room(amounts.equity.times(grossCap(market.regime.label, policy)).minus(gross)));
}

/** Part of the median dollar volume; null when the volume is not known. */
export function advRoom(features: FeatureRow | null, policy: Policy): Room | null {
  const adv = features?.adv20 ?? null;
  return adv === null ? null : new Room(estimated(adv).times(policy.portfolio_limits.max_adv_fraction));
}

/** Cash above the buffer, and no more than the broker lets through: nothing is bought with borrowed money. */
export function buyingPowerRoom({ book }: LimitInput): Room {
  const { rooms, amounts, inFlight, unreserved } = book;
  return (rooms.buying ??= new Room(
    least(amounts.buyingPower.minus(unreserved), amounts.cash.minus(inFlight)).minus(amounts.cashBuffer),
  ));
}
