import type { AccountState, MarketView } from "./engine/plan.ts";
import { addSessions, sessionHours, sessionsBetween } from "./market-calendar.ts";
import { type Money, money, sum, text, ZERO } from "./money.ts";
import type { Policy } from "./policy.ts";
import type {
  KpiSnapshot,
  PortfolioView,
  RotationAction,
  RotationConfigView,
  RotationLegPlan,
  RotationProposal,
} from "./rotation/proposal.ts";
import { type AccountRotation, rotateAccount } from "./rotation/rotate-account.ts";
import type { SessionDate } from "./time.ts";

/** Sessions after the day of planning until whose close a plan may be executed. */
const VALID_SESSIONS = 1;

/**
 * True when the sessions since the last rotation reach the cadence (14 calendar days are 10 sessions): a holiday shifts
 * it, and a day without a check is made up for on the next. The first rotation is due at once.
 */
export function rotationDue(lastRotation: SessionDate | null, today: SessionDate, cadenceDays: number): boolean {
  if (lastRotation === null) return true;
  const needed = Math.max(1, Math.round((cadenceDays * 5) / 7));
  return sessionsBetween(lastRotation, today).filter((session) => session > lastRotation).length >= needed;
}

/** An account that automation may trade now; a paused, keyless or flattened one takes no part. */
export function takesPartInRotation({
  automationOff,
  status,
  hasKeys,
  killState,
  haltReason,
  ...state
}: AccountState): boolean {
  const isLiveBarred = state.environment === "LIVE" && state.preferences.paperTradingOnly;
  return (
    automationOff === null &&
    status === "ACTIVE" &&
    hasKeys &&
    killState !== "FLATTEN" &&
    haltReason === null &&
    !isLiveBarred &&
    money(state.equity).gt(0)
  );
}

/** Shares by symbol and side over all accounts, sells first. */
function actionsOf(legs: readonly RotationLegPlan[]): RotationAction[] {
  const groups = new Map<string, RotationLegPlan[]>();
  for (const leg of legs) {
    const key = `${leg.side === "SELL" ? 0 : 1} ${leg.symbol}`;
    groups.set(key, [...(groups.get(key) ?? []), leg]);
  }
  return [...groups]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([, group]) => {
      const { side, symbol } = group[0]!;
      const shares = sum(group.map(({ qty }) => money(qty)));
      return {
        type: side,
        symbol,
        changeShares: text(side === "SELL" ? shares.negated() : shares),
        reason: [...new Set(group.map(({ reason }) => reason))].join("; "),
      };
    });
}

function together(views: readonly PortfolioView[]): PortfolioView {
  const total = sum(views.map(({ totalValue }) => money(totalValue)));
  const weighted = (of: (view: PortfolioView) => number) =>
    total.lte(0)
      ? 0
      : sum(views.map((view) => money(view.totalValue).times(of(view))))
          .div(total)
          .toNumber();
  return {
    totalValue: text(total),
    cashBufferPct: weighted(({ cashBufferPct }) => cashBufferPct),
    grossExposurePct: weighted(({ grossExposurePct }) => grossExposurePct),
    positionCount: views.reduce((count, { positionCount }) => count + positionCount, 0),
  };
}

/** Of the value whose cost is known; null where it is known of none. */
function costBpsOf(rotated: readonly AccountRotation[]): number | null {
  const costed = sum(rotated.map((one) => one.costed));
  const cost = rotated.reduce((total, one) => total + one.cost, 0);
  return costed.lte(0) ? null : (1e4 * cost) / costed.toNumber();
}

/**
 * The biweekly rotation of every participating account (engine.md §10): equal-risk targets over held and seated names, a
 * no-trade band, swaps and entries that pay for their cost, the turnover cap, and forced exits before everything. Pure;
 * the order of accounts does not matter. `isDue` says whether the calendar asks for it; a plan is made either way.
 */
export function planRotation(input: {
  market: MarketView;
  accounts: readonly AccountState[];
  policy: Policy;
  config: RotationConfigView;
  lastRotation: SessionDate | null;
  kpis: KpiSnapshot;
}): RotationProposal {
  const { market, policy, config, lastRotation, kpis } = input;
  const { date } = market.session;
  const rotated = input.accounts
    .filter(takesPartInRotation)
    .sort((a, b) => (a.accountId < b.accountId ? -1 : 1))
    .map((state) => rotateAccount(state, market, config, policy));
  const legs = rotated.flatMap((one) => one.legs);
  const violations = rotated.flatMap((one) => one.violations);
  const traded = sum(rotated.map((one) => one.traded));
  const equity: Money = sum(rotated.map(({ account }) => money(account.equity)));
  const part = (value: Money, whole: Money) => (whole.lte(0) ? ZERO : value.div(whole)).toNumber();
  return {
    market: market.market,
    at: market.at,
    sessionDate: date,
    policyVersion: policy.version,
    isDue: rotationDue(lastRotation, date, config.cadenceDays),
    isAdvisoryOnly: config.advisoryOnly,
    expiresAt: sessionHours(addSessions(date, VALID_SESSIONS))?.closesAt ?? market.session.closesAt,
    legs,
    actions: actionsOf(legs),
    accounts: rotated.map(({ account }) => account),
    metrics: {
      turnover: { turnoverPct: 100 * part(traded.div(2), equity) },
      costs: { estimatedCostsBps: traded.lte(0) ? 0 : costBpsOf(rotated) },
      guardrails: {
        allChecksPassed: violations.length === 0,
        violations: violations.map(({ guardrail, message }) => `${guardrail}: ${message}`),
        details: violations,
      },
      currentPortfolio: together(rotated.map(({ account }) => account.current)),
      projectedPortfolio: together(rotated.map(({ account }) => account.projected)),
    },
    kpiSnapshot: kpis,
  };
}
