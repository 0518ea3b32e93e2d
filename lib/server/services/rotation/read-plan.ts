import type { Given, Received } from "@/lib/contracts/endpoint.ts";
import type { rotationApi } from "@/lib/contracts/rotation.ts";
import { accountTitle, TITLE_FIELDS } from "@/lib/domain/account-title.ts";
import { Failure } from "@/lib/domain/failures.ts";
import { money } from "@/lib/domain/money.ts";
import type { RotationAccount } from "@/lib/domain/rotation/proposal.ts";
import { byText } from "@/lib/domain/text-order.ts";
import { leftOutOf, proposalOf } from "../../core/json.ts";
import type { Context } from "../../context.ts";
import { legOf } from "./fingerprint.ts";
import { type LegWithAttempt, orderOf, resultOf, WITH_ATTEMPT } from "./leg-state.ts";
import { viewPlans } from "./plan-view.ts";

type Detail = Given<typeof rotationApi.readPlan>;

const ACCOUNTS_MAX = 200;

/** One plan, and what became of each of its legs as of now. */
export async function readPlan(context: Context, { planId }: Received<typeof rotationApi.readPlan>): Promise<Detail> {
  const { db } = context;
  const row = await db.rotationPlan.findUnique({ where: { id: planId }, include: { qaResults: true } });
  if (!row) throw new Failure("not_found", "Rotation plan not found.");
  const counted = await db.rotationLeg.groupBy({ by: ["accountId"], where: { planId }, _count: { _all: true } });
  const legCount = new Map(counted.map(({ accountId, _count }) => [accountId, _count._all]));
  const shown = proposalOf(row)
    .accounts.sort((a, b) => (legCount.get(b.accountId) ?? 0) - (legCount.get(a.accountId) ?? 0))
    .slice(0, ACCOUNTS_MAX);
  const ids = { in: shown.map(({ accountId }) => accountId) };
  const [legs, accounts, [plan]] = await Promise.all([
    db.rotationLeg.findMany({ where: { planId, accountId: ids }, orderBy: { leg: "asc" }, include: WITH_ATTEMPT }),
    db.account.findMany({
      where: { id: ids },
      select: { ...TITLE_FIELDS, user: { select: { firstName: true, lastName: true, email: true } } },
    }),
    viewPlans(db, context, [row]),
  ]);
  const accountOf = new Map(accounts.map((account) => [account.id, account]));
  return {
    plan: plan!,
    accounts: shown.flatMap((one) => {
      const account = accountOf.get(one.accountId);
      // An account that was erased since takes its legs with it.
      if (!account) return [];
      const { id, user } = account;
      const own = legs.filter(({ accountId }) => accountId === one.accountId);
      return [{ ...bookOf(one), account: { id, name: accountTitle(account), owner: user }, legs: own.map(legView) }];
    }),
    leftOut: leftOutOf(row),
    qaResults: row.qaResults.map(({ ruleId, status, severity, message, expected, actual, margin }) => ({
      ruleId,
      status,
      severity,
      message,
      expected,
      actual,
      margin,
    })),
  };
}

function bookOf({ equity, turnover, swaps, current, projected, weights, weightsBefore, skipped }: RotationAccount) {
  const symbols = [...new Set([...Object.keys(weightsBefore), ...Object.keys(weights)])];
  const rows = symbols.map((symbol) => ({
    symbol,
    before: weightsBefore[symbol] ?? 0,
    after: weights[symbol] ?? 0,
  }));
  const size = ({ before, after }: (typeof rows)[number]) => Math.max(before, after);
  rows.sort((a, b) => size(b) - size(a) || byText(a.symbol, b.symbol));
  return { equity, turnover, swaps, current, projected, weights: rows, skipped };
}

function legView(row: LegWithAttempt): Detail["accounts"][number]["legs"][number] {
  const { id, leg, symbol, side, reason } = row;
  const { kind, costBps } = legOf(row);
  const { outcome, reason: outcomeReason } = resultOf(row);
  return {
    id,
    leg,
    kind,
    symbol,
    side,
    quantity: money(row.qty),
    reason,
    decisionPrice: money(row.decisionPrice),
    priceGuardLow: money(row.priceGuardLow),
    priceGuardHigh: money(row.priceGuardHigh),
    costBps,
    outcome,
    outcomeReason,
    tradeId: orderOf(row)?.id ?? null,
  };
}
