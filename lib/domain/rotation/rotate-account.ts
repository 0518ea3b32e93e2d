import { dollarsBeside } from "../beside-line.ts";
import type { AccountState, MarketView } from "../engine/plan.ts";
import { type Money, money, sum, text } from "../money.ts";
import type { Policy } from "../policy.ts";
import { after, brokenBy, type Ledger, type Lines, linesOf, openLedger, sectorValues } from "./ledger.ts";
import { accountNames } from "./names.ts";
import type {
  PortfolioView,
  RotationAccount,
  RotationConfigView,
  RotationLegPlan,
  RotationViolation,
} from "./proposal.ts";
import { type RotationTrade, type RotationUnit, rotationUnits } from "./units.ts";

export interface AccountRotation {
  legs: RotationLegPlan[];
  account: RotationAccount;
  violations: RotationViolation[];
  /** USD, for the sums of the whole plan. */
  traded: Money;
  /** Of `traded`, what has a known cost, and that cost. */
  costed: Money;
  cost: number;
}

interface OrderedTrade {
  kind: RotationUnit["kind"];
  trade: RotationTrade;
}

function portfolioView(ledger: Ledger, state: AccountState): PortfolioView {
  const equity = money(state.equity);
  const percent = (value: Money) => (equity.lte(0) ? 0 : value.div(equity).times(100).toNumber());
  return {
    totalValue: state.equity,
    cashBufferPct: percent(ledger.cashAtDecision),
    grossExposurePct: percent(sum(ledger.values.values())),
    positionCount: ledger.values.size,
  };
}

/** A forced exit does not wait for its cost to be known. */
const isCostKnown = ({ costBps }: { costBps: number }): boolean => Number.isFinite(costBps);

function costUsd(unit: RotationUnit): number {
  return unit.trades.reduce((total, { notional, costBps }) => total + (notional.toNumber() * costBps) / 1e4, 0);
}

/** Benefit in USD: what the unit promises on the value it buys (or, for a sell alone, sells). */
function benefitUsd({ trades, benefitBps }: RotationUnit): number {
  const buys = trades.filter(({ side }) => side === "BUY");
  const value = sum((buys.length > 0 ? buys : trades).map(({ notional }) => notional));
  return (value.toNumber() * benefitBps) / 1e4;
}

/** Everything that must hold of the plan as a whole, asked of the book that it leaves. */
function violationsOf(
  units: readonly RotationUnit[],
  ledger: Ledger,
  lines: Lines,
  ours: ReadonlySet<string>,
  state: AccountState,
  market: MarketView,
  policy: Policy,
): RotationViolation[] {
  const { accountId } = state;
  const found: RotationViolation[] = [];
  const need = (guardrail: RotationViolation["guardrail"], holds: boolean, message: () => string) => {
    if (!holds) found.push({ guardrail, accountId, message: message() });
  };
  const within = (
    guardrail: RotationViolation["guardrail"],
    value: Money,
    line: Money,
    say: (value: string, line: string) => string,
  ) => need(guardrail, value.lte(line), () => say(...dollarsBeside(value, line)));
  const gross = sum(ledger.values.values());
  const whole = money(state.equity).times(1 - policy.portfolio_limits.cash_buffer);
  within("allocation", gross, whole, (is) => `positions of ${is} leave less than the cash buffer`);
  for (const [symbol, value] of ledger.values) {
    if (ours.has(symbol))
      within("allocation", value, lines.name, (is, line) => `${symbol} is ${is}, the limit is ${line}`);
  }
  const swaps = units.filter(({ kind }) => kind === "swap").length;
  const { max_swaps } = policy.selector_top50;
  need("swaps", swaps <= max_swaps, () => `${swaps} ${swaps === 1 ? "swap" : "swaps"}, the limit is ${max_swaps}`);
  const turnover = ledger.traded.div(2);
  within("turnover", turnover, lines.turnover, (is, line) => `turnover ${is}, the cap is ${line}`);
  for (const [sector, value] of sectorValues(ledger.values, market)) {
    const name = sector === "" ? "names without a sector" : sector;
    within("sector", value, lines.sector, (is, line) => `${name}: ${is}, the limit is ${line}`);
  }
  const cash = () => dollarsBeside(ledger.cash, lines.cash).join(", the buffer is ");
  need("cash", ledger.cash.gte(lines.cash), () => `cash may fall to ${cash()}`);
  within("gross", gross, lines.gross, (is, line) => `gross ${is}, the cap is ${line}`);
  const elective = units.filter(({ kind }) => kind !== "forced_exit");
  const cost = elective.reduce((total, unit) => total + costUsd(unit), 0);
  const benefit = elective.reduce((total, unit) => total + benefitUsd(unit), 0);
  // A swap sells and buys different values, so what each unit keeps in bps is asked again in USD.
  need("cost", benefit >= cost, () => `cost ${dollarsBeside(cost, benefit).join(" is above the benefit of ")}`);
  return found;
}

/** Forced exits first, then sells, then buys; by symbol within each. */
function orderedTrades(accepted: readonly RotationUnit[]): OrderedTrade[] {
  const place = { forced_exit: 0, SELL: 1, BUY: 2 };
  const of = ({ kind, trade }: OrderedTrade) => (kind === "forced_exit" ? place.forced_exit : place[trade.side]);
  return accepted
    .flatMap((unit) => unit.trades.map((trade) => ({ kind: unit.kind, trade })))
    .sort((a, b) => of(a) - of(b) || (a.trade.name.symbol < b.trade.name.symbol ? -1 : 1));
}

function legOf({ kind, trade }: OrderedTrade, leg: number, accountId: string): RotationLegPlan {
  return {
    accountId,
    leg,
    kind,
    symbol: trade.name.symbol,
    side: trade.side,
    qty: text(trade.qty),
    reason: trade.reason,
    decisionPrice: text(trade.name.price),
    priceGuardLow: text(trade.guardLow),
    priceGuardHigh: text(trade.guardHigh),
    costBps: isCostKnown(trade) ? trade.costBps : null,
  };
}

/** The legs of one account: forced exits always, then the most worthwhile units within the turnover cap and every limit. */
export function rotateAccount(
  state: AccountState,
  market: MarketView,
  config: RotationConfigView,
  policy: Policy,
): AccountRotation {
  const names = accountNames(state, market, policy);
  const { forced, elective, skipped } = rotationUnits(names, state, market, config, policy);
  const lines = linesOf(state, market, config.turnoverCapPctPerPeriod, policy);
  const start = openLedger(state, names);
  const apply = (ledger: Ledger, unit: RotationUnit) =>
    unit.trades.reduce((book, trade) => after(book, trade, market), ledger);
  let ledger = forced.reduce(apply, start);
  const accepted = [...forced];
  let isCapped = false;
  for (const unit of elective) {
    const next = apply(ledger, unit);
    // Lowest benefit over cost is dropped first: nothing after the first unit that the cap refuses is taken.
    const why: string | null = isCapped ? "turnover cap" : brokenBy(unit, ledger, next, lines, state, market);
    isCapped ||= why === "turnover cap";
    if (why === null) {
      ledger = next;
      accepted.push(unit);
    } else skipped.push({ symbol: unit.trades.at(-1)!.name.symbol, why });
  }
  const ordered = orderedTrades(accepted);
  const equity = money(state.equity);
  const weight = (value: Money) => (equity.lte(0) ? 0 : value.div(equity).toNumber());
  const ours = new Set([
    ...state.positions.filter(({ strategy }) => strategy !== null).map(({ symbol }) => symbol),
    ...names.challengers.map(({ symbol }) => symbol),
  ]);
  const weightsOf = ({ values }: Ledger) =>
    Object.fromEntries(
      [...values].filter(([symbol]) => ours.has(symbol)).map(([symbol, value]) => [symbol, weight(value)]),
    );
  const sectorsOf = ({ values }: Ledger) =>
    Object.fromEntries([...sectorValues(values, market)].map(([sector, value]) => [sector, weight(value)]));
  const entries = ordered
    .filter(({ trade }) => trade.side === "BUY")
    .map(({ trade: { name } }) => ({
      symbol: name.symbol,
      confidence: name.confidence,
      line: name.conviction!.line,
      strongFamilies: name.conviction!.strongFamilies,
    }));
  const costed = accepted.filter(isCostKnown);
  return {
    legs: ordered.map((trade, leg) => legOf(trade, leg, state.accountId)),
    account: {
      accountId: state.accountId,
      equity: state.equity,
      turnover: weight(ledger.traded.div(2)),
      swaps: accepted.filter(({ kind }) => kind === "swap").length,
      current: portfolioView(start, state),
      projected: portfolioView(ledger, state),
      weightsBefore: weightsOf(start),
      weights: weightsOf(ledger),
      sectorsBefore: sectorsOf(start),
      sectors: sectorsOf(ledger),
      entries,
      skipped,
    },
    violations: violationsOf(accepted, ledger, lines, ours, state, market, policy),
    traded: ledger.traded,
    costed: sum(costed.flatMap(({ trades }) => trades.map(({ notional }) => notional))),
    cost: costed.reduce((total, unit) => total + costUsd(unit), 0),
  };
}
