import { regate } from "@/lib/domain/engine/decide.ts";
import type { MarketView } from "@/lib/domain/engine/plan.ts";
import { areStoppedByLosses } from "@/lib/domain/engine/stale-entries.ts";
import type { Context } from "../../context.ts";
import { withAccountWriter } from "../../core/account-writer.ts";
import type { Account } from "../../core/row-types.ts";
import { annotate, traced } from "../../tracing.ts";
import { raiseTrailingStops } from "../orders/raise-trailing-stops.ts";
import type { SubmitOptions } from "../orders/submit-leg.ts";
import { submitPlan } from "../orders/submit-plan.ts";
import { reconcileAccount } from "../sync/reconcile-account.ts";
import { recoveredSinceStart } from "../sync/recover-accounts.ts";
import { activePolicy } from "../../core/active-policy.ts";
import { loadAccountState, readBalances } from "./load-account-state.ts";
import { asRecorded } from "./market-record.ts";
import { logLegs } from "./log-legs.ts";
import { newestCycle } from "./newest-cycle.ts";
import { decideWithQa, openQaGate } from "./qa-gate.ts";
import { takesPart } from "./due-accounts.ts";
import { recordDecision } from "./record-decision.ts";
import { readQuotes } from "./run-screening.ts";
import { openSharedView } from "./shared-view.ts";

const WRITER_WAIT_MS = 10_000;

/**
 * One account in one cycle: load, decide, record, submit. The record is written before anything is sent;
 * a cycle that was already decided is not decided again, its unfinished plan is left to recovery.
 */
export async function runAccountCycle(context: Context, input: { cycleId: string; accountId: string }): Promise<void> {
  // Following the orders takes a moment; the decision waits for its turn rather than for the next cycle.
  const work = (epoch: number, account: Account) => decideAndSubmit(context, input.cycleId, epoch, account);
  const done = await withAccountWriter(context, input.accountId, work, { waitMs: WRITER_WAIT_MS });
  if (done === null) context.log.warn("cycle.skipped", { accountId: input.accountId });
}

/** A part of the cycle as a span of its own. */
const step = <T>(name: string, work: () => Promise<T>) => traced("step", { step: name }, work);

async function decideAndSubmit(context: Context, asked: string, epoch: number, account: Account): Promise<void> {
  const accountId = account.id;
  if (!takesPart(account)) return;
  annotate({ market: account.market });
  // Recovery comes before new work: an account whose books were never read takes no orders.
  if (!(await recoveredSinceStart(context, account))) return;
  const [cycle, policy] = await Promise.all([newestCycle(context, asked, account.market), activePolicy(context)]);
  if (!cycle) return;
  const { id: cycleId, snapshotId } = cycle;
  const session = await openSharedView(context, snapshotId, policy);
  const { market } = session;
  const balances = () => readBalances(context.brokers.forAccount(account));

  const decideNow = async () => {
    const loaded = await step("load account", async () =>
      loadAccountState(context, accountId, await balances(), { at: market.at, policy }),
    );
    return step("decide", async () =>
      decideWithQa(await openQaGate(context, cycle.selectionId), asRecorded(loaded), session),
    );
  };
  let decided = await decideNow();
  const hasLossCancels = decided.plan.cancels.length > 0 && areStoppedByLosses(decided.state, market, policy);
  if (decided.plan.latch !== null || hasLossCancels) {
    // Only a person ends such a stop, and what is cancelled has lost its place: a withdrawal that was not booked yet must not look like a loss.
    try {
      await step("read books", () => reconcileAccount(context, accountId));
      decided = await decideNow();
    } catch (error) {
      if (decided.plan.latch !== null) throw error;
      // A purchase that was cancelled for nothing costs its place. Exits do not wait for a broker that lists no activities.
      context.log.warn("cycle.books-unread", { cycleId, accountId, err: error });
    }
  }
  const { state, plan } = decided;
  const record = await step("record decision", () =>
    recordDecision(context, { cycleId, account, snapshotId, state, session, plan }),
  );
  if (!record) return;

  /** Just before sending, the gates are asked again with fresh figures and a fresh quote. */
  const askAgain: SubmitOptions["regate"] = async ({ purpose, ...order }, clientOrderId) => {
    if (purpose === "MANUAL") throw new Error("a cycle's plan holds no orders by hand");
    const clock = await context.marketData(account.market).clock();
    const quotes = await readQuotes(context, {
      market: account.market,
      symbols: [order.symbol],
      at: clock.now,
      policy,
    });
    const row = market.symbols[order.symbol];
    const fresh: MarketView = {
      ...market,
      at: clock.now,
      session: { ...market.session, isOpen: clock.isOpen && clock.now < market.session.closesAt },
      symbols: row
        ? { ...market.symbols, [order.symbol]: { ...row, quote: quotes.get(order.symbol) ?? null } }
        : market.symbols,
    };
    const state = await loadAccountState(context, accountId, await balances(), { at: clock.now, policy });
    const others = state.openOrders.filter((open) => open.clientOrderId !== clientOrderId);
    return regate({ ...order, purpose }, { ...state, openOrders: others }, fresh, policy);
  };
  if (plan.orders.length > 0 || plan.cancels.length > 0) {
    const legs = await step("submit plan", () => submitPlan(context, { decisionId: record, epoch, regate: askAgain }));
    await logLegs(context, { cycleId, account, plan }, legs);
  }
  if (market.session.isOpen)
    await raiseTrailingStops(
      context,
      { account, decisionId: record, state, market, plan, policy },
      { epoch, regate: askAgain },
    );
}
