import { decide, regate } from "@/lib/domain/engine/decide.ts";
import { ENGINE_VERSION, type MarketView, type Plan } from "@/lib/domain/engine/plan.ts";
import { isConflict, isTaken, type Prisma, type Tx } from "../../db.ts";
import type { Context } from "../../context.ts";
import { withAccountWriter } from "../orders/account-writer.ts";
import type { SubmitOptions } from "../orders/submit-leg.ts";
import { submitPlan } from "../orders/submit-plan.ts";
import { activePolicy } from "../policy/active-policy.ts";
import { hashOf, readMarketView } from "./market-record.ts";
import { loadAccountState, type BrokerBalances } from "./load-account-state.ts";
import { readQuotes } from "./run-screening.ts";

const WRITER_WAIT_MS = 10_000;

/**
 * One account in one cycle: load, decide, record, submit. The record is written before anything is sent;
 * a cycle that was already decided is not decided again, its unfinished plan is left to recovery.
 */
export async function runAccountCycle(context: Context, input: { cycleId: string; accountId: string }): Promise<void> {
  // Following the orders takes a moment; the decision waits for its turn rather than for the next cycle.
  const work = (epoch: number) => decideAndSubmit(context, input, epoch);
  const done = await withAccountWriter(context, input.accountId, work, { waitMs: WRITER_WAIT_MS });
  if (done === null)
    context.log.warn({ accountId: input.accountId }, "another writer has the account: this cycle is left out");
}

async function decideAndSubmit(
  context: Context,
  { accountId, cycleId }: { cycleId: string; accountId: string },
  epoch: number,
): Promise<void> {
  const { db } = context;
  const account = await db.account.findUnique({ where: { id: accountId } });
  if (!account || account.deletedAt || account.status !== "ACTIVE" || account.sealedKeys === null) return;
  // Recovery comes before new work: an account whose books were never read takes no orders.
  if (account.reconciledAt === null) return;
  const [cycle, policy] = await Promise.all([
    db.cycle.findUniqueOrThrow({ where: { id: cycleId } }),
    activePolicy(context),
  ]);
  if (!cycle.snapshotId) return;
  const market = await readMarketView(context, cycle.snapshotId);
  const broker = context.brokers.forAccount(account);
  const balances = (): Promise<BrokerBalances> =>
    broker.account().then(({ equity, lastEquity, cash, buyingPower }) => ({ equity, lastEquity, cash, buyingPower }));

  const state = await loadAccountState(context, accountId, await balances(), market.at);
  const plan = decide(state, market, policy);
  const record = await recordDecision(context, {
    cycleId,
    accountId,
    snapshotId: cycle.snapshotId,
    state,
    market,
    plan,
  });
  if (!record) return;

  /** Just before sending, the gates are asked again with fresh figures and a fresh quote. */
  const askAgain: SubmitOptions["regate"] = async ({ purpose, ...order }, clientOrderId) => {
    if (purpose === "ROTATION") throw new Error("a cycle's plan holds no rotation legs");
    const clock = await context.marketData(account.market).clock();
    const quotes = await readQuotes(context, account.market, [order.symbol]);
    const row = market.symbols[order.symbol];
    const fresh: MarketView = {
      ...market,
      at: clock.now,
      session: { ...market.session, isOpen: clock.isOpen && clock.now < market.session.closesAt },
      symbols: row
        ? { ...market.symbols, [order.symbol]: { ...row, quote: quotes.get(order.symbol) ?? null } }
        : market.symbols,
    };
    const state = await loadAccountState(context, accountId, await balances(), clock.now);
    const others = state.openOrders.filter((open) => open.clientOrderId !== clientOrderId);
    return regate({ ...order, purpose }, { ...state, openOrders: others }, fresh, policy);
  };
  if (plan.orders.length > 0 || plan.cancels.length > 0) {
    await submitPlan(context, { decisionId: record, epoch, regate: askAgain });
  }
}

interface Decision {
  cycleId: string;
  accountId: string;
  snapshotId: string;
  state: Parameters<typeof decide>[0];
  market: MarketView;
  plan: Plan;
}

/** Stores the decision and the engine's memory of positions; null when this cycle was decided before. */
async function recordDecision(context: Context, decision: Decision): Promise<string | null> {
  const { state, market, plan } = decision;
  const accountState = state as unknown as Prisma.InputJsonObject;
  const planJson = plan as unknown as Prisma.InputJsonObject;
  const write = (tx: Tx) =>
    tx.decisionRecord
      .create({
        data: {
          cycleId: decision.cycleId,
          accountId: decision.accountId,
          engineVersion: ENGINE_VERSION,
          policyVersion: plan.policyVersion,
          snapshotId: decision.snapshotId,
          inputHash: hashOf({ state, market, policyVersion: plan.policyVersion, engineVersion: ENGINE_VERSION }),
          accountState,
          plan: planJson,
          outputHash: hashOf(plan),
          line: plan.line,
          decidedAt: new Date(market.at),
        },
        select: { id: true },
      })
      .then(async ({ id }) => {
        for (const { symbol, review } of plan.reviews) {
          await tx.position.updateMany({
            where: { accountId: decision.accountId, symbol },
            data: { review: review as unknown as Prisma.InputJsonObject },
          });
        }
        await tx.cycle.update({
          where: { id: decision.cycleId },
          data: { signals: { increment: plan.counts.signals }, orders: { increment: plan.counts.orders } },
        });
        return id;
      });
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await context.db.$transaction(write);
    } catch (error) {
      if (isTaken(error)) return null;
      if (!isConflict(error) || attempt >= 5) throw error;
    }
  }
}
