import type { Given, Received } from "@/lib/contracts/endpoint.ts";
import type { decisionsApi } from "@/lib/contracts/decisions.ts";
import { accountTitle, TITLE_FIELDS } from "@/lib/domain/account-title.ts";
import type { CandidateVerdict } from "@/lib/domain/engine/plan.ts";
import { REASON_TEXT } from "@/lib/domain/engine/reasons.ts";
import { Failure } from "@/lib/domain/failures.ts";
import { readCycleLine } from "@/lib/domain/insight/read-cycle-line.ts";
import { reasonGroups, reasonTexts } from "@/lib/domain/insight/reason-groups.ts";
import { closestToBuying, type DecidedOn, missingOf } from "@/lib/domain/insight/what-is-missing.ts";
import { accountStateOf, WITH_SHEET, wholePlanOf } from "../../core/json.ts";
import { policyReader } from "../../core/read-policy.ts";
import type { Context } from "../../context.ts";
import { environmentLabel } from "../../rows.ts";
import { boughtLegs, funnelOf, INTENTS_OF_FUNNEL } from "../cycles/funnel.ts";
import { gateView } from "./gate-view.ts";
import { readMarketView } from "../cycles/market-record.ts";

type Decision = Given<typeof decisionsApi.read>;

/** One decision with everything it was made on that a person asks for. Another user's is not found. */
export async function readDecision(
  { actor, db }: Context<"user">,
  { id }: Received<typeof decisionsApi.read>,
): Promise<Decision> {
  const row = await db.decisionRecord.findFirst({
    where: { id, account: { userId: actor.userId } },
    include: {
      ...WITH_SHEET,
      account: { select: { ...TITLE_FIELDS, environment: true } },
      intents: { select: { ...INTENTS_OF_FUNNEL, status: true }, orderBy: { attempt: "asc" } },
    },
  });
  if (!row) throw new Failure("not_found", "Decision not found.");
  const [market, policy] = await Promise.all([
    readMarketView({ db }, row.snapshotId),
    policyReader({ db })(row.policyVersion),
  ]);
  const plan = wholePlanOf(row);
  const state = accountStateOf(row);
  // A leg that was tried again has several intents; the last one that became an order is its trade.
  const tradeOfLeg = new Map(row.intents.flatMap(({ leg, orders }) => orders.map((order) => [leg, order.id] as const)));
  const statusOfLeg = new Map(row.intents.map(({ leg, status }) => [leg, status]));
  const { account } = row;
  const bought = boughtLegs(row.intents);
  const on: DecidedOn = { market, policy, preferences: state.preferences };
  return {
    id: row.id,
    cycleId: row.cycleId,
    account: {
      id: account.id,
      name: accountTitle(account),
      environmentLabel: environmentLabel(account),
      equity: state.equity,
      cash: state.cash,
      buyingPower: state.buyingPower,
      positions: state.positions.length,
      strategy: state.preferences.strategy,
      automationOff: state.automationOff,
      killState: state.killState,
      haltReason: state.haltReason,
    },
    decidedAt: row.decidedAt,
    line: row.line,
    ...funnelOf(plan, row.intents),
    orders: plan.counts.orders,
    reasons: reasonTexts(readCycleLine(row.line) ?? { refusals: [] }),
    engineVersion: row.engineVersion,
    policyVersion: row.policyVersion,
    inputHash: row.inputHash,
    outputHash: row.outputHash,
    market: market.market,
    sessionDate: market.session.date,
    regime: { label: market.regime.label, vix: market.regime.vix, votes: market.regime.votes },
    eligible: market.counts.eligible,
    candidates: plan.candidates.map((candidate) => candidateView(candidate, on, { tradeOfLeg, bought })),
    closest: closestToBuying(plan.candidates),
    groups: reasonGroups(plan.candidates),
    ordered: plan.orders.map(({ leg, purpose, symbol, side, qty, decisionPrice, reason }) => ({
      leg,
      purpose,
      symbol,
      side,
      quantity: qty,
      decisionPrice,
      reason: REASON_TEXT[reason],
      status: statusOfLeg.get(leg) ?? null,
      tradeId: tradeOfLeg.get(leg) ?? null,
    })),
  };
}

function candidateView(
  candidate: CandidateVerdict,
  on: DecidedOn,
  { tradeOfLeg, bought }: { tradeOfLeg: ReadonlyMap<number, string>; bought: ReadonlySet<number> },
): Decision["candidates"][number] {
  const { symbol, leg, size, gates, hasSignal, noSignal, confidence, failing, nearestFlip } = candidate;
  const { market } = on;
  const view = market.symbols[symbol];
  const seat = market.seats.find((each) => each.symbol === symbol);
  return {
    symbol,
    name: view?.name ?? null,
    sector: view?.sector ?? null,
    rank: seat?.rank ?? null,
    composite: seat?.composite ?? null,
    technical: seat?.technical ?? null,
    liquidity: seat?.liquidity ?? null,
    sentiment: seat?.sentiment ?? null,
    hasSignal,
    noSignal,
    confidence,
    gates: gates.map(gateView),
    failing,
    nearestFlip,
    missing: missingOf(candidate, on),
    size: size && { quantity: size.qty, notional: size.notional, boundBy: size.boundBy },
    tradeId: leg === null ? null : (tradeOfLeg.get(leg) ?? null),
    isBought: leg !== null && bought.has(leg),
  };
}
