import type { Given, Received } from "@/lib/contracts/endpoint.ts";
import type { insightApi } from "@/lib/contracts/insight.ts";
import { accountTitle, TITLE_FIELDS } from "@/lib/domain/account-title.ts";
import { type Alteration, alterAccount, alterMarket, stopsReached } from "@/lib/domain/engine/alter-market.ts";
import { decide } from "@/lib/domain/engine/decide.ts";
import { ENGINE_VERSION, type Plan, type RegimeView } from "@/lib/domain/engine/plan.ts";
import { recordedState } from "@/lib/domain/engine/recorded-state.ts";
import { REASON_TEXT } from "@/lib/domain/engine/reasons.ts";
import { Failure } from "@/lib/domain/failures.ts";
import { GATE_OF } from "@/lib/domain/gates/gates.ts";
import { waitsFor } from "@/lib/domain/insight/gate-text.ts";
import { rehearsalSentences } from "@/lib/domain/insight/rehearsal-sentences.ts";
import { accountsOfEnvironment } from "../../core/accounts-of-environment.ts";
import { accountStateOf, regimeMemoryOf } from "../../core/json.ts";
import { policyReader } from "../../core/read-policy.ts";
import type { Context } from "../../context.ts";
import { dateOf, environmentLabel } from "../../rows.ts";
import { hashOf, readMarketView } from "../cycles/market-record.ts";
import { isFlagOn } from "../flags/read-flags.ts";

type Input = Received<typeof insightApi.rehearsal>;
type Answer = Given<typeof insightApi.rehearsal>;

const ASSUMPTIONS = [
  "Every price moves by the change of SPY, but for stocks with a change of their own.",
  "The regime is read as if SPY had closed that much lower or higher, and this were its change of the day.",
  "The account's equity moves with what it holds; its orders, stops and cash are those of the decision.",
  "Scores and signals are those of the last closed bars: a fall in the day changes them only at its close.",
];

/**
 * The latest decision made again on a hypothetical market, by the same engine and under the same policy. It reads
 * records and answers: it has no broker, and writes nothing.
 */
export async function rehearse(
  { actor, db }: Pick<Context<"user">, "actor" | "db">,
  { environment: wanted, accountId, ...supposed }: Input,
): Promise<Answer> {
  const own = accountId === undefined ? null : await ownAccount({ actor, db }, accountId);
  const { accounts, ...scope } = await accountsOfEnvironment(
    { actor, db },
    wanted ?? (own && environmentLabel(own)) ?? undefined,
  );
  const isOn = await isFlagOn({ db }, "ai_insights");
  const ids = accounts.map(({ id }) => id).filter((id) => accountId === undefined || id === accountId);
  const none = { ...scope, isOn, rehearsal: null };
  if (!isOn || ids.length === 0) return none;
  const row = await db.decisionRecord.findFirst({
    where: { accountId: { in: ids } },
    orderBy: [{ decidedAt: "desc" }, { id: "desc" }],
    include: { account: { select: TITLE_FIELDS } },
  });
  if (!row) return none;
  const recorded = await readMarketView({ db }, row.snapshotId);
  const policy = await policyReader({ db })(row.policyVersion);
  const before = await db.regimeReading.findFirst({
    where: { market: recorded.market, sessionDate: { lt: dateOf(recorded.session.date) } },
    orderBy: { sessionDate: "desc" },
  });
  const alteration: Alteration = {
    vix: supposed.vix ?? null,
    spyChangePct: supposed.spyChangePct ?? null,
    changePctOf: Object.fromEntries((supposed.changes ?? []).map(({ symbol, changePct }) => [symbol, changePct])),
  };
  const market = alterMarket(recorded, before && regimeMemoryOf(before), alteration, policy);
  const state = recordedState(accountStateOf(row));
  const plan = decide(alterAccount(state, recorded, market), market, policy);
  const isAsRecorded = hashOf(plan) === row.outputHash;
  const decision = { id: row.id, decidedAt: row.decidedAt, line: row.line };
  return {
    ...scope,
    isOn,
    rehearsal: {
      isHypothetical: true,
      account: { id: row.account.id, name: accountTitle(row.account) },
      decision,
      isAsRecorded,
      regime: { recorded: regimeView(recorded.regime), supposed: regimeView(market.regime) },
      ...planView(plan),
      sentences: rehearsalSentences({
        ...alteration,
        decision: { id: row.id, at: row.decidedAt.toISOString() },
        recorded: recorded.regime,
        supposed: market.regime,
        plan,
        stopsReached: stopsReached(state, recorded, market),
        isUnaltered: market === recorded,
        isAsRecorded,
        engine: { recorded: row.engineVersion, now: ENGINE_VERSION },
      }),
      assumptions: market === recorded ? [] : ASSUMPTIONS,
    },
  };
}

async function ownAccount({ actor, db }: Pick<Context<"user">, "actor" | "db">, id: string) {
  const account = await db.account.findFirst({
    where: { id, userId: actor.userId },
    select: { broker: true, environment: true },
  });
  if (!account) throw new Failure("not_found", "Account not found.");
  return account;
}

const regimeView = ({ label, vix, spyClose, votes }: RegimeView) => ({ label, vix, spyClose, votes });

function planView({ line, orders, cancels, candidates }: Plan) {
  return {
    line,
    cancels: cancels.length,
    orders: orders.map(({ leg, purpose, symbol, side, qty, ...order }) => ({
      leg,
      purpose,
      symbol,
      side,
      quantity: qty,
      limitPrice: order.limitPrice,
      stopPrice: order.stopLossPrice ?? order.stopPrice,
      targetPrice: order.takeProfitPrice,
      decisionPrice: order.decisionPrice,
      reason: REASON_TEXT[order.reason],
    })),
    refused: candidates.flatMap(({ symbol, hasSignal, failing: [first] }) =>
      hasSignal && first !== undefined ? [{ symbol, word: GATE_OF[first].label, waitsFor: waitsFor(first) }] : [],
    ),
  };
}
