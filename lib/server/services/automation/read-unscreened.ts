import type { AccountState, MarketView } from "@/lib/domain/engine/plan.ts";
import { POLICY_2_9_0 } from "@/lib/domain/policy.ts";
import { newYork } from "@/lib/domain/time.ts";
import type { Broker, MarketClock } from "../../broker/broker.ts";
import type { Context } from "../../context.ts";
import type { Account } from "../../core/row-types.ts";
import { loadAccountState } from "../cycles/load-account-state.ts";

/** The account and its market as they are now, without a screening: what a sale is asked about (exit-gates.ts). */
export async function readUnscreened(
  context: Context,
  broker: Broker,
  account: Account,
): Promise<{ state: AccountState; market: MarketView }> {
  const [clock, { equity, lastEquity, cash, buyingPower }] = await Promise.all([broker.clock(), broker.account()]);
  const balances = { equity, lastEquity, cash, buyingPower };
  // The policy says only how far back stop-outs are read, and no gate of a sale asks for them.
  const state = await loadAccountState(context, account.id, balances, { at: clock.now, policy: POLICY_2_9_0 });
  return { state, market: unscreened(account.market, clock) };
}

/** What is known of the market without a screening: the time, and whether it is open. */
function unscreened(market: MarketView["market"], clock: MarketClock): MarketView {
  const { date } = newYork(clock.now);
  return {
    market,
    at: clock.now,
    session: { date, opensAt: clock.now, closesAt: clock.nextClose, isOpen: clock.isOpen },
    barsThrough: date,
    sessions: [],
    regime: { label: "neutral", vix: null, spyClose: null, spyMa20: null, spyMa50: null, spyMa200: null, votes: 0 },
    seats: [],
    symbols: {},
    counts: { screened: 0, eligible: 0 },
  };
}
