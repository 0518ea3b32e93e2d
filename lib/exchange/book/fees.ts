import { least, type Money, money, ZERO } from "../../domain/money.ts";
import { newActivity } from "./activities.ts";
import { type ExchangeState, saveAccount } from "./state.ts";
import type { AccountState } from "./types.ts";

/** The regulators' fees on sales, as a broker passes them on: of the proceeds, and of the shares up to a maximum a trade. */
const SEC_RATE = money("0.0000206");
const TAF_PER_SHARE = money("0.000195");
const TAF_MAX = money("9.79");

/** Rounds up to the cent. */
const upToCent = (value: Money) => value.toDecimalPlaces(2, "up");

interface Fees {
  regulatory: Money;
  activity: Money;
  proceeds: Money;
  shares: Money;
}

/** The fees on the sales that were not charged for yet; nothing for accounts that pay none. */
function unchargedFees(state: ExchangeState, { account, fills }: AccountState): Fees {
  const total = { regulatory: ZERO, activity: ZERO, proceeds: ZERO, shares: ZERO };
  if (!account.paysFees) return total;
  // The closing auction's executions are of the very moment of the close, and some are of the minute before it.
  const since = account.chargedThrough ?? closeBefore(state);
  for (let i = fills.length - 1; i >= 0; i -= 1) {
    const fill = fills[i];
    if (fill === undefined || fill.at <= since) break;
    if (fill.side !== "sell") continue;
    total.proceeds = total.proceeds.plus(fill.qty.times(fill.price));
    total.shares = total.shares.plus(fill.qty);
    total.activity = total.activity.plus(least(TAF_MAX, fill.qty.times(TAF_PER_SHARE)));
  }
  return { ...total, regulatory: upToCent(total.proceeds.times(SEC_RATE)), activity: upToCent(total.activity) };
}

/** Fees that the next close will charge. */
export function pendingFees(state: ExchangeState, accountState: AccountState): Money {
  const { regulatory, activity } = unchargedFees(state, accountState);
  return regulatory.plus(activity);
}

/** For accounts that were never charged: as a prefix of stamps. */
function closeBefore({ sessions, view }: ExchangeState): string {
  const { closesAtMs } = sessions.hours(sessions.previous(view.moment().hours.date));
  return new Date(closesAtMs).toISOString().slice(0, 23);
}

/** Charges the day's fees at the close, one line for each of the two. */
export function chargeFees(state: ExchangeState, accountState: AccountState): void {
  if (!accountState.account.paysFees) return;
  const { regulatory, activity, proceeds, shares } = unchargedFees(state, accountState);
  const { date } = state.view.moment().hours;
  const charge = (kind: "REG" | "TAF", amount: Money, description: string) => {
    if (amount.isZero()) return;
    accountState.account.cash = accountState.account.cash.minus(amount);
    const wire = { activity_type: "FEE", activity_sub_type: kind, net_amount: amount.negated().toFixed(), description };
    newActivity(state, accountState.account.id, date, wire);
  };
  charge("REG", regulatory, `REG fee for proceeds of $${proceeds.toFixed(2)} on ${date}`);
  charge("TAF", activity, `TAF fee for ${shares.toFixed()} shares sold on ${date}`);
  accountState.account.chargedThrough = accountState.fills.at(-1)?.at ?? null;
  saveAccount(state, accountState.account);
}
