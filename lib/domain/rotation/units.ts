import { besideLine, dollarsBeside, percentBeside } from "../beside-line.ts";
import { oneWayCostBps, sellFees } from "../costs.ts";
import { spreadBps } from "../engine/entry-price.ts";
import type { AccountState, MarketView } from "../engine/plan.ts";
import type { SideName } from "../enums.ts";
import { greatest, least, type Money, money, priceTick, wholeShares, ZERO } from "../money.ts";
import type { Policy } from "../policy.ts";
import { placesIn } from "../risk/book.ts";
import { STRATEGIES } from "../strategies/strategies.ts";
import type { AccountNames, RotationName } from "./names.ts";
import type { RotationConfigView, RotationKind } from "./proposal.ts";
import { orderSizeOf, strategyOf, targetValues } from "./targets.ts";

export interface RotationTrade {
  name: RotationName;
  side: SideName;
  qty: Money;
  /** At the decision price. */
  notional: Money;
  costBps: number;
  guardLow: Money;
  guardHigh: Money;
  reason: string;
}

/** Trades that only make sense together: a swap is a sell and a buy. */
export interface RotationUnit {
  kind: RotationKind;
  trades: RotationTrade[];
  benefitBps: number;
  /** Of all its trades together. */
  costBps: number;
}

/** Names a unit may be made of, and what was not worth its cost. */
export interface RotationUnits {
  forced: RotationUnit[];
  /** Highest benefit over cost first. */
  elective: RotationUnit[];
  skipped: { symbol: string; why: string }[];
}

/** The prices within which a leg is still the one that was planned: the collar around the last price. */
function guardsOf(name: RotationName, policy: Policy): { low: Money; high: Money } {
  const { price_collar } = policy.pretrade_filters;
  return {
    low: priceTick(name.price.times(1 - price_collar), "up"),
    high: priceTick(name.price.times(1 + price_collar), "down"),
  };
}

/** Volume and volatility of a name, on which the cost of its trades stands; null where one is not known. */
function costBasis({ view }: RotationName): { adv: number; sigmaDaily: number } | null {
  const { adv20: adv = null, sigma60: sigma = null } = view.features ?? {};
  return adv === null || adv <= 0 || sigma === null ? null : { adv, sigmaDaily: sigma / Math.sqrt(252) };
}

/** One trade with its price guards and its cost, infinite where that cannot be told; a text says why it is none. */
function tradeOf(
  name: RotationName,
  side: SideName,
  qty: Money,
  reason: string,
  market: MarketView,
  policy: Policy,
): RotationTrade | string {
  if (qty.lte(0)) return "less than one share";
  const notional = qty.times(name.price);
  const basis = costBasis(name);
  const spread = spreadBps(name.view) ?? policy.orders_execution.default_spread_bps;
  const oneWay =
    basis === null
      ? Number.POSITIVE_INFINITY
      : oneWayCostBps({ ...basis, notional: notional.toNumber(), spreadBps: spread }, policy);
  const fees = side === "SELL" ? sellFees(notional, qty, market.session.date).div(notional).times(1e4).toNumber() : 0;
  const { low, high } = guardsOf(name, policy);
  return {
    name,
    side,
    qty,
    notional,
    costBps: oneWay + fees,
    guardLow: low,
    guardHigh: high,
    reason,
  };
}

function unitOf(kind: RotationKind, trades: RotationTrade[], benefitBps: number): RotationUnit {
  return { kind, trades, benefitBps, costBps: trades.reduce((total, { costBps }) => total + costBps, 0) };
}

/** No trade within max(1 pp, 20 % of the target); outside it one trades to the nearest edge, never above the limit of a name. */
function bandOf(target: Money, state: AccountState, policy: Policy): { low: Money; high: Money } {
  const { rotation_band_pp, rotation_band_fraction } = policy.cadence;
  const equity = money(state.equity);
  const width = greatest(equity.times(rotation_band_pp), target.times(rotation_band_fraction));
  const limit = least(
    equity.times(policy.portfolio_limits.max_name_fraction),
    money(state.preferences.maxPositionValue),
  );
  return { low: greatest(ZERO, target.minus(width)), high: least(target.plus(width), greatest(limit, target)) };
}

/** Why a trade is not worth its cost: the expected benefit does not pay for it by the policy's multiple, or stays below the configured line; null where it is. */
function costRefusal(benefitBps: number, costBps: number, config: RotationConfigView, policy: Policy): string | null {
  const { rotation_benefit_multiple: multiple } = policy.cadence;
  const { costAwareThresholdBps: least } = config;
  if (costBps === Number.POSITIVE_INFINITY) return "its cost is not known";
  const needed = multiple * costBps;
  const below = (line: number) => besideLine(benefitBps, line, 1, 1).join(" bps is below ");
  if (!(benefitBps >= needed)) return `benefit ${below(needed)} bps, ${multiple} times the cost`;
  return benefitBps >= least ? null : `benefit ${below(least)} bps, the least that a trade has to bring`;
}

interface Intake {
  /** Names that shall be held after the rotation. */
  held: RotationName[];
  entering: RotationName[];
  swaps: { from: RotationName; to: RotationName }[];
}

/**
 * Which names shall be held: free places first, then the best challengers against the weakest holdings whose sale makes room for them.
 * Places of the strategy are counted as its gates count them: by each holding's and purchase's own strategy.
 */
function intakeOf(names: AccountNames, state: AccountState, policy: Policy): Intake {
  const { strategy, maxPositions } = state.preferences;
  const most = STRATEGIES[strategy].most?.(policy) ?? { positions: Infinity, inSector: Infinity };
  const isOfStrategy = (name: RotationName | null) => name?.position?.strategy === strategy;
  let taken = new Map(names.book.counts.get(strategy));
  // Forced exits are sold before anything is bought.
  for (const { name } of names.forced) if (isOfStrategy(name)) taken = counted(taken, name.sector, -1);
  let open = [...taken.values()].reduce((total, count) => total + count, 0);
  let free = maxPositions - names.kept.length - names.untouched.size;
  const fits = ({ sector }: RotationName, from: RotationName | null) => {
    const without = isOfStrategy(from) ? counted(taken, from!.sector, -1) : taken;
    const left = isOfStrategy(from) ? open - 1 : open;
    return (from !== null || free > 0) && left < most.positions && placesIn(without, sector) < most.inSector;
  };
  let held = [...names.kept];
  const swaps: Intake["swaps"] = [];
  const entering: RotationName[] = [];
  const weakest = [...names.kept].sort((a, b) => a.confidence - b.confidence || (a.symbol < b.symbol ? -1 : 1));
  for (const challenger of names.challengers) {
    const mayLeave = (name: RotationName) =>
      held.includes(name) && name.confidence < challenger.confidence && fits(challenger, name);
    const isFull = swaps.length >= policy.selector_top50.max_swaps;
    const from = fits(challenger, null) ? null : isFull ? undefined : weakest.find(mayLeave);
    if (from === undefined) continue;
    held = [...held.filter((name) => name !== from), challenger];
    // A swap may be dropped for its cost: a place that it gives back in its sector is no other purchase's.
    if (!isOfStrategy(from) || from?.sector !== challenger.sector) taken = counted(taken, challenger.sector, 1);
    if (!isOfStrategy(from)) open++;
    if (from === null) {
      entering.push(challenger);
      free--;
    } else swaps.push({ from, to: challenger });
  }
  return { held, entering, swaps };
}

/** The places of a strategy by sector, with so many more. */
function counted(places: ReadonlyMap<string, number>, sector: string | null, more: number): Map<string, number> {
  const key = sector ?? "";
  return new Map(places).set(key, (places.get(key) ?? 0) + more);
}

/** A purchase of a value within every limit; a text says why it is none. */
function purchaseOf(
  name: RotationName,
  value: Money,
  reason: string,
  state: AccountState,
  market: MarketView,
  policy: Policy,
): RotationTrade | string {
  const { min_order_usd } = policy.orders_execution;
  // A sell that must happen does not wait for its cost to be known; a purchase does.
  if (costBasis(name) === null) return "its cost is not known";
  const bounded = least(value, orderSizeOf(name, state, market, policy));
  if (bounded.lt(min_order_usd)) return dollarsBeside(bounded, min_order_usd).join(" is below the smallest order of ");
  // Within the limits even at the highest price that the guards allow.
  return tradeOf(name, "BUY", wholeShares(bounded.div(guardsOf(name, policy).high)), reason, market, policy);
}

interface Resize {
  /** A text says why there is none. */
  trade: RotationTrade | string;
  benefitBps: number;
}

/** The trade that brings a held name back into the band around its target; null within it. */
function resizeOf(
  name: RotationName,
  target: Money,
  state: AccountState,
  market: MarketView,
  policy: Policy,
): Resize | null {
  const edge = STRATEGIES[strategyOf(name, state)].edge(policy);
  const { low, high } = bandOf(target, state, policy);
  const share = (value: Money) => value.div(state.equity);
  const print = { digits: 2, lineDigits: 2 };
  const reason = percentBeside(share(name.value), [share(target)], print).join(" of equity, target ");
  if (name.value.gt(high)) {
    // Rounded up, so that what is left does not stand above the edge.
    const qty = least(name.value.minus(high).div(name.price).ceil(), money(name.position!.qty));
    const trade = tradeOf(name, "SELL", qty, reason, market, policy);
    return { trade, benefitBps: edge * (1 - name.confidence) };
  }
  if (name.value.gte(low)) return null;
  const trade = name.refusal ?? purchaseOf(name, low.minus(name.value), reason, state, market, policy);
  return { trade, benefitBps: edge * name.confidence };
}

/** Most benefit for its cost first. */
function byMerit(a: RotationUnit, b: RotationUnit): number {
  const merit = ({ benefitBps, costBps }: RotationUnit) =>
    costBps === 0 ? Number.POSITIVE_INFINITY : benefitBps / costBps;
  return merit(b) - merit(a) || (a.trades[0]!.name.symbol < b.trades[0]!.name.symbol ? -1 : 1);
}

/**
 * Expected benefits, bps of the value traded: the strategy's expected edge × confidence for a name that comes, × the
 * difference of confidence for a swap, × (1 − confidence) for what is cut back.
 */
export function rotationUnits(
  names: AccountNames,
  state: AccountState,
  market: MarketView,
  config: RotationConfigView,
  policy: Policy,
): RotationUnits {
  const edge = STRATEGIES[state.preferences.strategy].edge(policy);
  const skipped: RotationUnits["skipped"] = [];
  const sellWhole = (name: RotationName, reason: string) =>
    tradeOf(name, "SELL", money(name.position!.qty), reason, market, policy);
  const forced = names.forced.flatMap(({ name, reason }) => {
    const trade = sellWhole(name, reason);
    return typeof trade === "string" ? [] : [unitOf("forced_exit", [trade], 0)];
  });
  const { held, entering, swaps } = intakeOf(names, state, policy);
  const targets = targetValues(held, names.untouched, state, market, policy);
  const buyTarget = (name: RotationName, reason: string) =>
    purchaseOf(name, targets.get(name.symbol)!, reason, state, market, policy);
  const elective: RotationUnit[] = [];
  const propose = (kind: RotationKind, symbol: string, trades: (RotationTrade | string)[], benefitBps: number) => {
    const made = trades.filter((trade) => typeof trade !== "string");
    const unit = unitOf(kind, made, benefitBps);
    const why =
      trades.find((trade) => typeof trade === "string") ?? costRefusal(unit.benefitBps, unit.costBps, config, policy);
    if (why === null) elective.push(unit);
    else skipped.push({ symbol, why });
  };
  for (const name of entering) {
    const reason = `Seated with confidence ${name.confidence.toFixed(2)}`;
    propose("enter", name.symbol, [buyTarget(name, reason)], edge * name.confidence);
  }
  for (const { from, to } of swaps) {
    const gain = to.confidence - from.confidence;
    const [own, rival] = besideLine(to.confidence, from.confidence, 2, 2);
    const reason = `${to.symbol} (confidence ${own}) for ${from.symbol} (${rival})`;
    propose("swap", to.symbol, [sellWhole(from, reason), buyTarget(to, reason)], edge * gain);
  }
  for (const name of names.kept) {
    const target = targets.get(name.symbol);
    const resize = target && resizeOf(name, target, state, market, policy);
    if (resize) propose("resize", name.symbol, [resize.trade], resize.benefitBps);
  }
  return { forced, elective: elective.sort(byMerit), skipped };
}
