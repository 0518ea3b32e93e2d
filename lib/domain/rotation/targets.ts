import { rawAtr } from "../engine/entry-price.ts";
import type { AccountState, MarketView } from "../engine/plan.ts";
import { least, type Money, money, sum, ZERO } from "../money.ts";
import type { Policy } from "../policy.ts";
import { amountsOf } from "../risk/amounts.ts";
import { emptyBook, sectorOf } from "../risk/book.ts";
import { advRoom, grossCap } from "../risk/limits.ts";
import { sizeBounds } from "../sizing.ts";
import type { RotationName } from "./names.ts";

/** Bounds of one order or of the whole book; they are kept when a leg is cut and when the targets are scaled. */
const NOT_OF_A_NAME: ReadonlySet<string> = new Set(["order size", "buying power", "sector limit", "gross exposure"]);

export function strategyOf(name: RotationName, state: AccountState) {
  return name.position?.strategy ?? state.preferences.strategy;
}

/** Largest buy of one order for this name: the user's order size × risk tolerance. */
export function orderSizeOf(name: RotationName, state: AccountState, market: MarketView, policy: Policy): Money {
  return boundsOf(name, state, market, policy).find(([bound]) => bound === "order size")![1];
}

function boundsOf(name: RotationName, state: AccountState, market: MarketView, policy: Policy): [string, Money][] {
  const strategy = strategyOf(name, state);
  return sizeBounds({
    state,
    market,
    policy,
    symbol: name.symbol,
    // A target is not reduced by what the account already holds: it is the whole that should be held.
    book: emptyBook(amountsOf(state, policy)),
    strategy,
    limitPrice: name.price,
    atr: rawAtr(strategy, name.view),
    stop: null,
    sigma: name.view.features?.sigma60 ?? null,
    spreadBps: null,
    volumeRoom: advRoom(name.view.features, policy),
  });
}

/** Equal risk: the least of the name's own bounds, of which the volatility target is one. Null where its risk is not known. */
function ownTarget(name: RotationName, state: AccountState, market: MarketView, policy: Policy): Money | null {
  const { features } = name.view;
  if (features === null || features.sigma60 === null || rawAtr(strategyOf(name, state), name.view) === null)
    return null;
  const [first, ...rest] = boundsOf(name, state, market, policy)
    .filter(([bound]) => !NOT_OF_A_NAME.has(bound))
    .map(([, value]) => value);
  const target = least(first!, ...rest);
  return target.gt(0) ? target : ZERO;
}

/**
 * Target values in USD of the names that shall be held, scaled down together where a sector or the whole would pass its
 * limit. A holding whose risk is not known keeps its value.
 */
export function targetValues(
  names: readonly RotationName[],
  untouched: ReadonlyMap<string, Money>,
  state: AccountState,
  market: MarketView,
  policy: Policy,
): Map<string, Money> {
  const equity = money(state.equity);
  const { max_sector_fraction, cash_buffer } = policy.portfolio_limits;
  const targets = new Map<string, Money>();
  for (const name of names) targets.set(name.symbol, ownTarget(name, state, market, policy) ?? name.value);
  const unknown = sum([...untouched].filter(([symbol]) => sectorOf(symbol, market) === null).map(([, value]) => value));
  for (const sector of new Set(names.map((name) => name.sector))) {
    const members = names.filter((name) => name.sector === sector);
    const others = [...untouched].filter(([symbol]) => sector !== null && sectorOf(symbol, market) === sector);
    const room = equity
      .times(max_sector_fraction)
      .minus(unknown)
      .minus(sum(others.map(([, value]) => value)));
    scale(targets, members, room);
  }
  const whole = equity.times(Math.min(grossCap(market.regime.label, policy), 1 - cash_buffer));
  scale(targets, names, whole.minus(sum(untouched.values())));
  return targets;
}

function scale(targets: Map<string, Money>, names: readonly RotationName[], room: Money): void {
  const total = sum(names.map(({ symbol }) => targets.get(symbol)!));
  if (total.lte(room)) return;
  const factor = room.lte(0) ? ZERO : room.div(total);
  for (const { symbol } of names) targets.set(symbol, targets.get(symbol)!.times(factor).toDecimalPlaces(9));
}
