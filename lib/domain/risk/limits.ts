import type { AccountState, MarketView, RegimeLabel } from "../engine/plan.ts";
import { money, ZERO } from "../money.ts";
import type { Policy } from "../policy.ts";
import { rememberTwo } from "../remember.ts";
import type { FeatureRow } from "../screening/features.ts";
import { amountsOf } from "./amounts.ts";
import { type Book, sectorOf } from "./book.ts";
import { isLessUsd, minusUsd, plusUsd, type Usd, usd, usdNumber, usdText } from "./usd.ts";

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

function inName({ symbol, book }: LimitInput): Usd {
  const used = book.bySymbol.get(symbol);
  return used === undefined ? 0 : usd(used);
}

export function userPositionRoom(input: LimitInput): Usd {
  return minusUsd(amountsOf(input.state, input.policy).maxPositionValue, inName(input));
}

export function nameRoom(input: LimitInput): Usd {
  return minusUsd(amountsOf(input.state, input.policy).nameLine, inName(input));
}

export function positionRoom(input: LimitInput): Usd {
  const ofUser = userPositionRoom(input);
  const ofName = nameRoom(input);
  return isLessUsd(ofName, ofUser) ? ofName : ofUser;
}

export function sectorRoom({ state, market, policy, symbol, book }: LimitInput): Usd {
  const sector = sectorOf(symbol, market);
  // Without a sector the symbol may belong to the fullest one.
  const used =
    sector === null ? usd(book.gross) : plusUsd(usd(book.bySector.get(sector) ?? ZERO), usd(book.unknownSector));
  return minusUsd(amountsOf(state, policy).sectorLine, used);
}

export function grossRoom({ state, market, policy, book }: LimitInput): Usd {
  return minusUsd(amountsOf(state, policy).grossLine[market.regime.label], usd(book.gross));
}

/** The volume line with its double and its text: it is the same for every account. */
interface AdvLine {
  room: Usd;
  about: number;
  text: string;
}

const advLine = rememberTwo(({ adv20 }: FeatureRow, policy: Policy): AdvLine | null => {
  if (adv20 === null) return null;
  const room = usd(money(adv20).times(policy.portfolio_limits.max_adv_fraction));
  return { room, about: usdNumber(room), text: usdText(room) };
});

/** Part of the median dollar volume less what is already on its way; null when the volume is not known. */
export function advRoom({ market, policy, symbol }: LimitInput): AdvLine | null {
  const features = market.symbols[symbol]?.features ?? null;
  return features === null ? null : advLine(features, policy);
}

export function buyingPowerRoom({ state, policy, book }: LimitInput): Usd {
  return minusUsd(amountsOf(state, policy).buyingLine, usd(book.inFlight));
}
