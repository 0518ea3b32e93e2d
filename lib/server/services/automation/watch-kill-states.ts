import type { Context } from "../../context.ts";
import { guardedAccounts } from "../../jobs/canary.ts";
import type { Account } from "../../core/row-types.ts";
import { withAccountWriter } from "../../core/account-writer.ts";
import { resolveUnknownOrders } from "../sync/resolve-unknown-orders.ts";
import { activePolicy } from "../../core/active-policy.ts";
import { type AskedBack, askBack, RECALLED_SALES, STOPPED_ENTRIES } from "./ask-back.ts";
import { flattenAccount } from "./flatten-account.ts";
import { readRecalledSales } from "./read-recalled-sales.ts";
import { type OpenEntry, readStoppedAccounts, type StoppedAccount } from "./read-stopped-accounts.ts";

/** Entries must be asked back within five seconds of a stop. */
const LOOK_EVERY_MS = 1_000;
/** A cancel is a request: it is made again while the order still works. */
const ASK_AGAIN_MS = 5_000;
/** Orders whose answer was lost are asked for this often: what is found can be cancelled. */
const SETTLE_EVERY_MS = 2_000;
/** What one pass could not sell is tried again after this long. */
const FLATTEN_AGAIN_MS = 30_000;
const WRITER_WAIT_MS = 5_000;

export interface KillWatch {
  /** Ends the rounds, and resolves when what runs has ended. */
  close(): Promise<void>;
}

/**
 * Acts on stops that are in force: asks the broker to cancel entries that still work, and for those whose
 * answer was lost, sells what is to be flattened, and asks such sales back once that is lifted. It reads Postgres alone, beside the queue and its jobs, so that a stop needs neither; one account
 * whose broker is slow does not hold up the others.
 */
export function watchKillStates(context: Context, { everyMs = LOOK_EVERY_MS } = {}): KillWatch {
  const tasks = createTasks(context);
  const act = createActions(context, tasks.run);
  let isClosed = false;
  let timer: NodeJS.Timeout | undefined;

  async function look(): Promise<void> {
    const { stopped, entries } = await readStoppedAccounts(context);
    const recalled = await readRecalledSales(context);
    const isGuarded = await guardedAccounts(context.db);
    act.forgetAllBut(stopped, [...entries, ...recalled.flatMap(({ sales }) => sales)]);
    for (const account of stopped.filter(({ id }) => isGuarded(id))) {
      act.cancel(
        account,
        entries.filter(({ accountId }) => accountId === account.id),
      );
      if (account.hasUnresolvedOrders) act.settle(account);
      if (account.isFlattened) act.flatten(account);
    }
    for (const { account, sales } of recalled.filter((one) => isGuarded(one.account.id))) act.recall(account, sales);
  }

  let round: Promise<void> = Promise.resolve();
  function next(): void {
    round = look()
      .catch((error: unknown) => context.log.error("kill-watch.read-failed", { err: error }))
      .then(() => {
        if (!isClosed) timer = setTimeout(next, everyMs);
      });
  }
  next();
  return {
    async close() {
      isClosed = true;
      clearTimeout(timer);
      await round;
      await tasks.ended();
    },
  };
}

type Run = (name: string, accountId: string, work: () => Promise<unknown>) => void;

/** One piece of work of a name and an account at a time; its failure is logged, and a later round retries. */
function createTasks({ log }: Context): { run: Run; ended: () => Promise<unknown> } {
  const running = new Map<string, Promise<void>>();
  return {
    run(name, accountId, work) {
      const key = `${name}:${accountId}`;
      if (running.has(key)) return;
      const done = work()
        .then(() => undefined)
        .catch((error: unknown) => log.error("kill-watch.task-failed", { accountId, task: name, err: error }))
        .then(() => void running.delete(key));
      running.set(key, done);
    },
    ended: () => Promise.all(running.values()),
  };
}

/** What is done for a stopped account, each no more often than it may be. */
function createActions(context: Context, run: Run) {
  const askedAt = new Map<string, number>();
  const settledAt = new Map<string, number>();
  const flattenedAt = new Map<string, number>();
  const isDue = (doneAt: Map<string, number>, id: string, againMs: number) =>
    (doneAt.get(id) ?? -Infinity) <= performance.now() - againMs;
  const keepOnly = (doneAt: Map<string, number>, rows: readonly { id: string }[]) => {
    const ids = new Set(rows.map(({ id }) => id));
    for (const id of doneAt.keys()) if (!ids.has(id)) doneAt.delete(id);
  };
  return {
    /** What ended meanwhile starts anew when it comes back. */
    forgetAllBut(stopped: readonly StoppedAccount[], orders: readonly AskedBack[]) {
      keepOnly(askedAt, orders);
      keepOnly(
        settledAt,
        stopped.filter(({ hasUnresolvedOrders }) => hasUnresolvedOrders),
      );
      keepOnly(
        flattenedAt,
        stopped.filter(({ isFlattened }) => isFlattened),
      );
    },
    cancel(account: StoppedAccount, entries: readonly OpenEntry[]) {
      const due = entries.filter(({ id }) => isDue(askedAt, id, ASK_AGAIN_MS));
      if (due.length > 0)
        run("cancelling entries", account.id, () => askBack(context, account, due, askedAt, STOPPED_ENTRIES));
    },
    recall(account: Account, sales: readonly AskedBack[]) {
      const due = sales.filter(({ id }) => isDue(askedAt, id, ASK_AGAIN_MS));
      if (due.length > 0)
        run("recalling sales", account.id, () => askBack(context, account, due, askedAt, RECALLED_SALES));
    },
    settle({ id }: StoppedAccount) {
      if (!isDue(settledAt, id, SETTLE_EVERY_MS)) return;
      settledAt.set(id, performance.now());
      run("asking for orders", id, async () => {
        const { orders_execution } = await activePolicy(context);
        const settleWindowMs = orders_execution.settle_window_seconds * 1000;
        await resolveUnknownOrders(context, id, { settleWindowMs, isImpatient: true });
      });
    },
    flatten({ id }: StoppedAccount) {
      if (!isDue(flattenedAt, id, FLATTEN_AGAIN_MS)) return;
      run("flattening", id, async () => {
        const sell = (epoch: number) => flattenAccount(context, id, epoch);
        const legs = await withAccountWriter(context, id, sell, { waitMs: WRITER_WAIT_MS });
        // Another writer had the account all the time: the next round tries again.
        if (legs !== null) flattenedAt.set(id, performance.now());
      });
    },
  };
}
