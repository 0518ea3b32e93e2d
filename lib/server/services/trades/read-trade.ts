import type { Given, Received } from "@/lib/contracts/endpoint.ts";
import type { tradesApi } from "@/lib/contracts/trades.ts";
import { Failure } from "@/lib/domain/failures.ts";
import { slippageBps } from "@/lib/domain/metrics.ts";
import { money, sum, ZERO } from "@/lib/domain/money.ts";
import { gateResultsOf, planOf } from "../../core/json.ts";
import type { Context } from "../../context.ts";
import type { Db, Prisma } from "../../db.ts";
import { moneyOrNull } from "../../rows.ts";
import { readMarketView } from "../cycles/market-record.ts";
import { funnelOf, INTENTS_OF_FUNNEL } from "../cycles/funnel.ts";
import { gateView } from "../decisions/gate-view.ts";
import { readProtection } from "./read-protection.ts";
import { readLots, readTrip } from "./read-trip.ts";
import { TRADE_WITH_ACCOUNT } from "./find-trades.ts";
import { timelineOf } from "./trade-timeline.ts";
import { tradeView } from "./trade-view.ts";

type Input = Received<typeof tradesApi.read>;
type Detail = Given<typeof tradesApi.read>;

/** One trade with everything that is known of it. Another user's is not found. */
export async function readTrade(context: Context<"user">, { id }: Input): Promise<Detail> {
  return detailOf(context, { id, account: { userId: context.actor.userId } });
}

/** One trade of any user, for administrators. */
export async function readAnyTrade(context: Context<"admin">, { id }: Input): Promise<Detail> {
  return detailOf(context, { id });
}

const WHOLE = {
  ...TRADE_WITH_ACCOUNT,
  intent: {
    include: {
      verdicts: { orderBy: [{ phase: "asc" }, { createdAt: "asc" }] },
      decision: { include: { intents: { select: INTENTS_OF_FUNNEL } } },
      rotationLeg: { select: { planId: true } },
    },
  },
  fills: { orderBy: [{ at: "asc" }, { id: "asc" }] },
  parent: { include: { legs: true } },
  legs: true,
} as const satisfies Prisma.OrderInclude;

export type WholeTrade = Prisma.OrderGetPayload<{ include: typeof WHOLE }>;

async function detailOf({ actor, db }: Context<"user">, where: Prisma.OrderWhereInput): Promise<Detail> {
  const row = await db.order.findFirst({ where, include: WHOLE });
  if (!row) throw new Failure("not_found", "Trade not found.");
  const [decision, trip, lots] = await Promise.all([decisionOf(db, row), readTrip(db, row), readLots(db, row)]);
  const protection = await readProtection(db, row, trip);
  const { intent } = row;
  return {
    ...tradeView(row),
    isOwn: actor.userId === row.account.user.id,
    order: {
      origin: row.origin,
      role: row.role,
      orderClass: row.orderClass,
      type: row.type,
      timeInForce: row.timeInForce,
      notional: moneyOrNull(row.notional),
      limitPrice: moneyOrNull(row.limitPrice),
      stopPrice: moneyOrNull(row.stopPrice),
      brokerOrderId: row.brokerOrderId,
      clientOrderId: row.clientOrderId,
      brokerStatus: row.brokerStatus,
      submittedAt: row.submittedAt,
      filledAt: row.filledAt,
      endedAt: row.endedAt,
      fees: sum(row.fills.map(({ fees }) => money(fees))),
    },
    intent: intent && {
      purpose: intent.purpose,
      strategy: intent.strategy,
      quantity: money(intent.qty),
      decisionPrice: money(intent.decisionPrice),
      takeProfitPrice: moneyOrNull(intent.takeProfitPrice),
      stopLossPrice: moneyOrNull(intent.stopLossPrice),
      decidedAt: intent.decidedAt,
      policyVersion: intent.verdicts[0]?.policyVersion ?? null,
    },
    decision,
    rotationPlanId: intent?.rotationLeg?.planId ?? null,
    verdicts: (intent?.verdicts ?? []).map(({ phase, passed, policyVersion, at, results }) => ({
      phase,
      passed,
      policyVersion,
      at,
      gates: gateResultsOf({ results }).map(gateView),
    })),
    timeline: timelineOf(row, trip),
    fills: row.fills.map(({ id, at, qty, price, fees }) => ({
      id,
      at,
      quantity: money(qty),
      price: money(price),
      value: money(qty).times(money(price)).toDecimalPlaces(9),
      fees: money(fees),
    })),
    ...slippageOf(row),
    trip,
    ...lots,
    ...protection,
  };
}

/** The decision behind it, and the symbol as that decision saw it. */
async function decisionOf(db: Db, { intent, symbol }: WholeTrade): Promise<Detail["decision"]> {
  const decision = intent?.decision;
  if (!decision) return null;
  const market = await readMarketView({ db }, decision.snapshotId);
  const plan = planOf(decision);
  const seat = market.seats.find((each) => each.symbol === symbol);
  return {
    id: decision.id,
    line: decision.line,
    funnel: funnelOf(plan, decision.intents),
    decidedAt: decision.decidedAt,
    engineVersion: decision.engineVersion,
    policyVersion: decision.policyVersion,
    regime: market.regime.label,
    scores: seat
      ? {
          rank: seat.rank,
          composite: seat.composite,
          technical: seat.technical,
          liquidity: seat.liquidity,
          sentiment: seat.sentiment,
          momentum: seat.momentumPercentile,
        }
      : null,
    confidence: plan.orders.find(({ leg }) => leg === intent.leg)?.confidence ?? null,
  };
}

/** What was paid beyond the price that the decision was made on (metric slippageBps). */
function slippageOf({
  intent,
  role,
  side,
  filledQty,
  filledAvgPrice,
  filledValue,
}: WholeTrade): Pick<Detail, "slippage" | "slippageReason"> {
  const none = (slippageReason: string) => ({ slippage: null, slippageReason });
  if (!intent) return none("Tradewind did not decide this order, so there is no decision price.");
  if (role === "STOP" || role === "TARGET")
    return none("A resting order fills at the price it waits for, so it has no decision price of its own.");
  if (filledAvgPrice === null || money(filledQty).isZero()) return none("Nothing of it has been filled.");
  const decisionPrice = money(intent.decisionPrice);
  if (decisionPrice.lte(ZERO)) return none("The decision has no price.");
  const beyond = money(filledValue)
    .minus(decisionPrice.times(money(filledQty)))
    .toDecimalPlaces(9);
  return {
    slippage: {
      bps: slippageBps(side, decisionPrice, money(filledAvgPrice)),
      usd: side === "BUY" ? beyond : beyond.negated(),
    },
    slippageReason: null,
  };
}
