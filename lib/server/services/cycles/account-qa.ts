import type { AccountState, MarketView, Plan } from "@/lib/domain/engine/plan.ts";
import { money, sum } from "@/lib/domain/money.ts";
import type { Policy } from "@/lib/domain/policy.ts";
import { allocation } from "@/lib/domain/qa/allocation.ts";
import { convictionGates } from "@/lib/domain/qa/conviction-gates.ts";
import type { QaEntry, QaPortfolio, QaVerdict } from "@/lib/domain/qa/rule.ts";
import { positionValue } from "@/lib/domain/risk/book.ts";
import { convictionLine, strongFamilies } from "@/lib/domain/gates/conviction.ts";

/** A decision as QA looks at it: the account as it stands and what it is about to buy. */
export interface AccountQuestion {
  state: AccountState;
  market: MarketView;
  policy: Policy;
  plan: Plan;
}

/** The rules that speak of one account: the others speak of the selection, and are stored with it. */
export function accountQa(question: AccountQuestion): QaVerdict[] {
  const { policy } = question;
  const portfolios = [portfolioOf(question)];
  const input = { policy, selection: null, portfolios, entries: entriesOf(question), rotationSwaps: [] };
  return [allocation(input), convictionGates(input)];
}

function portfolioOf({ state, market }: AccountQuestion): QaPortfolio {
  const equity = money(state.equity);
  const share = (value: { div(by: typeof equity): { toNumber(): number } }) =>
    equity.gt(0) ? value.div(equity).toNumber() : Number.NaN;
  const ours = state.positions.filter(({ strategy }) => strategy !== null);
  return {
    accountId: state.accountId,
    isRaise: false,
    regime: market.regime.label,
    gross: share(sum(state.positions.map((position) => positionValue(position, market)))),
    weights: Object.fromEntries(ours.map((position) => [position.symbol, share(positionValue(position, market))])),
    sectors: {},
  };
}

function entriesOf({ state, market, policy, plan }: AccountQuestion): QaEntry[] {
  return plan.orders
    .filter(({ purpose }) => purpose === "ENTRY")
    .map(({ symbol, confidence }) => {
      const seat = market.seats.find((row) => row.symbol === symbol);
      return {
        symbol,
        confidence,
        line: convictionLine(state, policy),
        strongFamilies: seat === undefined ? null : strongFamilies(seat, policy),
      };
    });
}
