import { setImmediate } from "node:timers/promises";
import type { Plan } from "@/lib/domain/engine/plan.ts";
import type { SessionView } from "@/lib/domain/engine/session-view.ts";
import type { Context } from "../../context.ts";
import { activePolicy } from "../../core/active-policy.ts";
import { askBrokers } from "../../core/ask-brokers.ts";
import type { Account } from "../../core/row-types.ts";
import { traced } from "../../tracing.ts";
import { readStopsAtRest } from "../orders/stops-at-rest.ts";
import { wouldRaiseStops } from "../orders/raise-trailing-stops.ts";
import { wasReadSinceStart } from "../sync/recover-accounts.ts";
import { readAccountRows } from "./account-rows.ts";
import { takesPart } from "./due-accounts.ts";
import { readBalances, stateOf } from "./load-account-state.ts";
import { asRecorded } from "./market-record.ts";
import type { OpenCycle } from "./newest-cycle.ts";
import { decideWithQa, openQaGate } from "./qa-gate.ts";
import { type QuietDecision, recordQuietDecisions } from "./record-decision.ts";
import { openSharedView } from "./shared-view.ts";

/**
 * Decides for several accounts of a cycle at once, without being the writer of any: what sends nothing needs none. Such quiet
 * decisions are stored together, as the account's own turn would have stored them. Answers the accounts that have to take a turn of their
 * own (`runAccountCycle`), where everything is looked at again: those with something to send, and those that could not be
 * read or recorded here.
 */
export async function decidePage(
  context: Context,
  { cycle, accountIds }: { cycle: OpenCycle; accountIds: readonly string[] },
): Promise<string[]> {
  const isDone = new Set<string>();
  try {
    const quiet = await quietDecisions(context, cycle, accountIds);
    await step("record decisions", () => recordQuietDecisions(context, quiet));
    for (const { account } of quiet) isDone.add(account.id);
  } catch (error) {
    context.log.warn("account-page.not-decided", { cycleId: cycle.id, err: error });
  }
  return accountIds.filter((id) => !isDone.has(id));
}

/** A part of the page as a span of its own. */
const step = <T>(name: string, work: () => Promise<T>) => traced("step", { step: name }, work);

async function quietDecisions(
  context: Context,
  cycle: OpenCycle,
  accountIds: readonly string[],
): Promise<QuietDecision[]> {
  const [accounts, policy, qa] = await Promise.all([
    context.db.account.findMany({ where: { id: { in: [...accountIds] } }, orderBy: { id: "asc" } }),
    activePolicy(context),
    openQaGate(context, cycle.selectionId),
  ]);
  const session = await openSharedView(context, cycle.snapshotId, policy);
  const ready = accounts.filter((account) => takesPart(account) && wasReadSinceStart(account, context.now()));
  const [balances, { rowsOf, stopAtRest }] = await step("load accounts", () => load(context, ready, session));
  return step("decide", async () => {
    const quiet: QuietDecision[] = [];
    for (const account of ready) {
      const stated = balances.get(account.id);
      if (stated === undefined) continue;
      try {
        const rows = rowsOf(account.id);
        const loaded = stateOf(rows, stated, new Date(session.market.at));
        const { state, plan } = decideWithQa(qa, asRecorded(loaded), session);
        const look = { ...session, state, plan };
        if (sends(plan) || wouldRaiseStops(look, (symbol) => stopAtRest(account.id, symbol))) continue;
        const openedAt = new Map(rows.positions.map((row) => [row.symbol, new Date(row.openedAt)]));
        quiet.push({ cycleId: cycle.id, account, snapshotId: cycle.snapshotId, state, session, plan, openedAt });
      } catch {
        // The account's own job meets the same error and logs it.
      }
      // Orders of other accounts are on their way in this process.
      await setImmediate();
    }
    return quiet;
  });
}

const sends = ({ orders, cancels, latch }: Plan) => orders.length > 0 || cancels.length > 0 || latch !== null;

/** Balances from the brokers, then the rows of all accounts as they stand at one moment: a writer's change is seen as a whole or not at all. */
async function load(context: Context, accounts: readonly Account[], { market, policy }: SessionView) {
  const balances = await askBrokers(context, accounts, 1, readBalances);
  const ids = [...balances.keys()];
  const rows = await context.db.$transaction(
    async (tx) => ({
      rowsOf: await readAccountRows(tx, ids, new Date(market.at), policy),
      stopAtRest: market.session.isOpen ? await readStopsAtRest({ db: tx }, ids) : () => null,
    }),
    { isolationLevel: "RepeatableRead", timeout: 15_000, maxWait: 10_000 },
  );
  return [balances, rows] as const;
}
