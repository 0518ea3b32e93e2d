import type { AccountState, MarketView, RegimeLabel } from "../engine/plan.ts";
import { least, type Money, money, ZERO } from "../money.ts";
import type { Policy } from "../policy.ts";
import { type Book, sectorOf } from "./book.ts";

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

export function userPositionRoom({ state, symbol, book }: LimitInput): Money {
  return money(state.preferences.maxPositionValue).minus(book.bySymbol.get(symbol) ?? ZERO);
}

export function nameRoom({ state, policy, symbol, book }: LimitInput): Money {
  return money(state.equity)
    .times(policy.portfolio_limits.max_name_fraction)
    .minus(book.bySymbol.get(symbol) ?? ZERO);
}

export function positionRoom(input: LimitInput): Money {
  return least(userPositionRoom(input), nameRoom(input));
}

export function sectorRoom({ state, market, policy, symbol, book }: LimitInput): Money {
  const sector = sectorOf(symbol, market);
  // Without a sector the symbol may belong to the fullest one.
  const used = sector === null ? book.gross : (book.bySector.get(sector) ?? ZERO).plus(book.unknownSector);
  return money(state.equity).times(policy.portfolio_limits.max_sector_fraction).minus(used);
}

export function grossRoom({ state, market, policy, book }: LimitInput): Money {
  return money(state.equity).times(grossCap(market.regime.label, policy)).minus(book.gross);
}

/** Part of the median dollar volume less what is already on its way; null when the volume is not known. */
export function advRoom({ market, policy, symbol }: LimitInput): Money | null {
  const adv = market.symbols[symbol]?.features?.adv20 ?? null;
  return adv === null ? null : money(adv).times(policy.portfolio_limits.max_adv_fraction);
}

export function buyingPowerRoom({ state, policy, book }: LimitInput): Money {
  return money(state.buyingPower)
    .minus(book.inFlight)
    .minus(money(state.equity).times(policy.portfolio_limits.cash_buffer));
}
