import type { AccountState } from "../engine/plan.ts";
import { kellyRiskFraction } from "../kelly.ts";
import { type Money, money } from "../money.ts";
import type { Policy } from "../policy.ts";
import { Room } from "./room.ts";

/** An account's amounts and lines in USD, read once: every candidate of a plan asks for the same ones. */
export interface AccountAmounts {
  equity: Money;
  /** defaultOrderSize × risk tolerance. */
  orderSize: Money;
  riskPerTrade: Money;
  /** Room in a name that is not held: the user's largest position, the largest part of equity, and the smaller of both. */
  freeName: NameRooms;
  sectorLine: Money;
  /** The broker's, less what its open orders may cost; on a margin account more than the cash. */
  buyingPower: Money;
  /** Stated with what open orders may cost. */
  cash: Money;
  /** Part of the equity that stays cash. */
  cashBuffer: Money;
  /** 1 − stop loss and 1 + profit target of the user. */
  stopFactor: Money;
  targetFactor: Money;
  /** The Kelly bound of the strategy whose round trips the state holds; null where it says nothing. */
  kellyFraction: () => number | null;
}

export interface NameRooms {
  ofUser: Room;
  ofName: Room;
  position: Room;
}

export function nameRoomsOf(ofUser: Room, ofName: Room): NameRooms {
  return { ofUser, ofName, position: ofUser.orSmaller(ofName) };
}

export function amountsOf(state: AccountState, policy: Policy): AccountAmounts {
  const { preferences, trips } = state;
  const limits = policy.portfolio_limits;
  const equity = money(state.equity);
  const tolerance = { LOW: limits.tolerance_low, MEDIUM: limits.tolerance_medium, HIGH: limits.tolerance_high }[
    preferences.riskTolerance
  ];
  // An estimate over hundreds of round trips: made when a size asks for it.
  let kelly: number | null | undefined;
  return {
    equity,
    orderSize: money(preferences.defaultOrderSize).times(tolerance),
    riskPerTrade: equity.times(limits.risk_per_trade),
    freeName: nameRoomsOf(
      new Room(money(preferences.maxPositionValue)),
      new Room(equity.times(limits.max_name_fraction)),
    ),
    sectorLine: equity.times(limits.max_sector_fraction),
    buyingPower: money(state.buyingPower),
    cash: money(state.cash),
    cashBuffer: equity.times(limits.cash_buffer),
    stopFactor: money(1).minus(money(preferences.stopLoss).div(100)),
    targetFactor: money(preferences.profitTarget).div(100).plus(1),
    kellyFraction: () => (kelly === undefined ? (kelly = kellyRiskFraction(trips, trips.strategy, policy)) : kelly),
  };
}
