/**
 * The worker of the chaos run, a process of its own: told by its parent which account and which decisions, it does what
 * the worker does with the services themselves, and says what it believes to be done. Then it waits for the next task.
 */
import { Failure } from "@/lib/domain/failures.ts";
import { isUnreachable } from "@/lib/server/db.ts";
import { forgetEnv } from "@/lib/server/env.ts";
import { systemContext } from "@/lib/server/system-context.ts";
import { withAccountWriter } from "@/lib/server/services/orders/account-writer.ts";
import { allPass } from "@/lib/server/services/orders/bench.ts";
import { followAccount } from "@/lib/server/services/orders/follow-account.ts";
import { reconcileAccount } from "@/lib/server/services/orders/reconcile-account.ts";
import { recoverAccount } from "@/lib/server/services/orders/recover-account.ts";
import { settleUnknowns } from "@/lib/server/services/orders/settle-unknowns.ts";
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
}

export type Word =
  | { kind: "ready" }
  | { kind: "recovered" }
  | { kind: "legs"; decisionId: string; legs: SubmittedLeg[] }
  | { kind: "done" }
  /** Could not go on: the broker or the database is away. */
  | { kind: "gave_up"; why: string }
  /** Something that no fault explains. */
  | { kind: "failed"; why: string };

const LOCK_WAIT_MS = 1_500;
const say = (word: Word) =>
  new Promise<void>((resolve) => void (process.send ? process.send(word, () => resolve()) : resolve()));

async function work(task: Task): Promise<void> {
  const { accountId, decisionIds, settleWindowMs } = task;
  process.env.EXCHANGE_URL = task.exchangeUrl;
  process.env.CRASH_AT = task.crashAt ?? "";
  forgetEnv();
  const context = systemContext("chaos");
  const submit = async (epoch: number) => {
    for (const decisionId of decisionIds)
      await say({ kind: "legs", decisionId, legs: await submitPlan(context, { decisionId, epoch, regate: allPass }) });
  };
  const account = await context.db.account.findUniqueOrThrow({ where: { id: accountId } });
  const following = task.isFollowing ? followAccount(context, account, () => undefined) : null;
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
          await settleUnknowns(context, accountId, { settleWindowMs });
          await reconcileAccount(context, accountId);
        },
        { waitMs: LOCK_WAIT_MS },
      );
    following?.close();
    await say({ kind: "done" });
  } catch (error) {
    following?.close();
    const why = error instanceof Error ? `${error.stack ?? error.message}${cause(error)}` : String(error);
    await say({ kind: isExplained(error) ? "gave_up" : "failed", why });
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
