import type { AccountState, MarketView, RegimeLabel } from "../engine/plan.ts";
import { least, type Money, money, ZERO } from "../money.ts";
import type { Policy } from "../policy.ts";
import { rememberTwo } from "../remember.ts";
import type { FeatureRow } from "../screening/features.ts";
import { amountsOf } from "./amounts.ts";
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

export function userPositionRoom({ state, policy, symbol, book }: LimitInput): Money {
  return amountsOf(state, policy).maxPositionValue.minus(book.bySymbol.get(symbol) ?? ZERO);
}

export function nameRoom({ state, policy, symbol, book }: LimitInput): Money {
  return amountsOf(state, policy).nameLine.minus(book.bySymbol.get(symbol) ?? ZERO);
}

export function positionRoom(input: LimitInput): Money {
  return least(userPositionRoom(input), nameRoom(input));
}

export function sectorRoom({ state, market, policy, symbol, book }: LimitInput): Money {
  const sector = sectorOf(symbol, market);
  // Without a sector the symbol may belong to the fullest one.
  const used = sector === null ? book.gross : (book.bySector.get(sector) ?? ZERO).plus(book.unknownSector);
  return amountsOf(state, policy).sectorLine.minus(used);
}

export function grossRoom({ state, market, policy, book }: LimitInput): Money {
  return amountsOf(state, policy).grossLine[market.regime.label].minus(book.gross);
}

const advLine = rememberTwo(({ adv20 }: FeatureRow, policy: Policy): Money | null =>
  adv20 === null ? null : money(adv20).times(policy.portfolio_limits.max_adv_fraction),
);

/** Part of the median dollar volume less what is already on its way; null when the volume is not known. */
export function advRoom({ market, policy, symbol }: LimitInput): Money | null {
  const features = market.symbols[symbol]?.features ?? null;
  return features === null ? null : advLine(features, policy);
}

export function buyingPowerRoom({ state, policy, book }: LimitInput): Money {
  const { buyingPower, cashLine } = amountsOf(state, policy);
  return buyingPower.minus(book.inFlight).minus(cashLine);
}
