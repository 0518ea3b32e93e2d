/**
 * The worker of the chaos run, a process of its own: told by its parent which account and which decisions, it does what
 * the worker does with the services themselves, and says what it believes to be done. Then it waits for the next task.
 */
import { setTimeout as delay } from "node:timers/promises";
import { Failure } from "@/lib/domain/failures.ts";
import { isUnreachable } from "@/lib/server/db.ts";
import { forgetEnv } from "@/lib/server/env.ts";
import type { Context } from "@/lib/server/context.ts";
import { systemContext } from "@/lib/server/system-context.ts";
import { allPass } from "@/lib/proof/fixtures/orders.ts";
import { withAccountWriter } from "@/lib/server/core/account-writer.ts";
import { bareShares } from "@/lib/server/services/orders/bare-shares.ts";
import { streamAccount } from "@/lib/server/services/sync/stream-account.ts";
import { protectPositions } from "@/lib/server/services/orders/protect-positions.ts";
import { checkBooks } from "@/lib/server/services/sync/check-books.ts";
import { reconcileAccount } from "@/lib/server/services/sync/reconcile-account.ts";
import { recoverAccount } from "@/lib/server/services/sync/recover-account.ts";
import { resolveUnknownOrders } from "@/lib/server/services/sync/resolve-unknown-orders.ts";
import { submitPlan } from "@/lib/server/services/orders/submit-plan.ts";
import type { SubmittedLeg } from "@/lib/server/services/orders/submit-leg.ts";

export interface Task {
  exchangeUrl: string;
  crashAt: string | null;
  accountId: string;
  decisionIds: string[];
  settleWindowMs: number;
  isFollowing: boolean;
  isLockless: boolean;
  /** No further faults: half a minute later by its clock, it continues until no share is bare. */
  isClean: boolean;
}

export type WorkerMessage =
  | { kind: "ready" }
  | { kind: "recovered" }
  | { kind: "legs"; decisionId: string; legs: SubmittedLeg[] }
  | { kind: "done" }
  /** Could not continue: the broker or the database is unavailable. */
  | { kind: "gave_up"; why: string }
  /** Something that no fault explains. */
  | { kind: "failed"; why: string };

const LOCK_WAIT_MS = 1_500;
/** The longest that shares may be bare (I26), and how often the worker looks after them in that time. */
const BARE_MS = 30_000;
const PROTECT_EVERY_MS = 2_000;
const LOOK_EVERY_MS = 20;
const say = (message: WorkerMessage) =>
  new Promise<void>((resolve) => void (process.send ? process.send(message, () => resolve()) : resolve()));

async function work(task: Task): Promise<void> {
  const { accountId, decisionIds, settleWindowMs } = task;
  process.env.EXCHANGE_URL = task.exchangeUrl;
  process.env.CRASH_AT = task.crashAt ?? "";
  forgetEnv();
  const context = contextAhead(task.isClean ? BARE_MS : 0);
  const submit = async (epoch: number) => {
    for (const decisionId of decisionIds)
      await say({ kind: "legs", decisionId, legs: await submitPlan(context, { decisionId, epoch, regate: allPass }) });
  };
  const account = await context.db.account.findUniqueOrThrow({ where: { id: accountId } });
  const following = task.isFollowing ? streamAccount(context, account, () => undefined) : null;
  const looking = task.isFollowing ? lookBeside(context, accountId) : null;
  try {
    if (task.isLockless) await submit(account.writerEpoch);
    else
      await withAccountWriter(
        context,
        accountId,
        async (epoch) => {
          await recoverAccount(context, accountId, { settleWindowMs, untilSettled: true });
          await say({ kind: "recovered" });
          await submit(epoch);
          await resolveUnknownOrders(context, accountId, { settleWindowMs });
          await reconcileAccount(context, accountId);
          if (task.isClean) await protectUntilCovered(accountId, epoch);
          else await protectPositions(context, accountId, epoch);
        },
        { waitMs: LOCK_WAIT_MS },
      );
    following?.close();
    await looking?.end();
    await say({ kind: "done" });
  } catch (error) {
    following?.close();
    await looking?.end();
    const why = error instanceof Error ? `${error.stack ?? error.message}${cause(error)}` : String(error);
    await say({ kind: isExplained(error) ? "gave_up" : "failed", why });
  }
}

/** Pages of accounts are looked at beside whatever the account's writer does. */
function lookBeside(context: Context, accountId: string): { end: () => Promise<void> } {
  let isOver = false;
  const looks = (async () => {
    while (!isOver) {
      // What keeps a look from its end keeps the writer from its own, which says so.
      await checkBooks(context, [accountId]).catch(() => undefined);
      await delay(LOOK_EVERY_MS);
    }
  })();
  return {
    end: () => {
      isOver = true;
      return looks;
    },
  };
}

/** Wall time passes in the services by this much: an entry that is still filling is not waited for in every episode. */
function contextAhead(ms: number): Context {
  return { ...systemContext("chaos"), now: () => new Date(Date.now() + ms) };
}

/** The worker's rounds beside the queue, in as much time again as shares may be bare; the oracle says what is left. */
async function protectUntilCovered(accountId: string, epoch: number): Promise<void> {
  for (let laterMs = 0; laterMs <= BARE_MS; laterMs += PROTECT_EVERY_MS) {
    const context = contextAhead(BARE_MS + laterMs);
    await protectPositions(context, accountId, epoch);
    await reconcileAccount(context, accountId);
    if ((await bareShares(context.db, accountId)).length === 0) return;
  }
}

const cause = (error: Error) => (error.cause instanceof Error ? ` (${error.cause.message})` : "");

function isExplained(error: unknown): boolean {
  if (error instanceof Failure) return error.code === "broker_unavailable" || error.code === "broker_refused";
  if (isUnreachable(error)) return true;
  // A cut or starved database ends a transaction or a connection in words of the driver's own.
  return error instanceof Error && /connection|terminat|ECONN|57P0|transaction|timeout expired/i.test(error.message);
}

process.on("message", (task: Task) => void work(task));
// A Ctrl-C is for the parent, which lets the episode end.
process.on("SIGINT", () => undefined);
process.on("disconnect", () => process.exit(0));
void say({ kind: "ready" });
