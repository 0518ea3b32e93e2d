import type { automationApi } from "@/lib/contracts/automation.ts";
import type { Given } from "@/lib/contracts/endpoint.ts";
import type { Context } from "../../context.ts";
import { signedInUserId } from "../auth/signed-in-user-id.ts";
import { scheduleKey } from "../schedule/schedule-keys.ts";
import { isWorkerBeating } from "../schedule/worker-lease.ts";
import { marketOfUser } from "./market-of-user.ts";
import { KILL_STATE_TEXT } from "./set-kill-state.ts";

/** Registration writes the defaults within this time of the user's own row. */
const REGISTRATION_MS = 2000;

/** The defaults that registration wrote are no choice; a save of them is one. */
const isLaterSave = (savedAt: Date | null, registeredAt: Date) =>
  savedAt !== null && savedAt.getTime() - registeredAt.getTime() > REGISTRATION_MS;

/** Health is measured by work done: the worker's beat and the schedule's rows, never a ping. */
export async function readHeartbeat(context: Context): Promise<Given<typeof automationApi.heartbeat>> {
  const userId = signedInUserId(context.actor);
  const market = await marketOfUser(context);
  const [screening, isBeating, user, system, accounts, decision] = await Promise.all([
    context.db.schedule.findUnique({ where: { key: scheduleKey("screening", market) } }),
    isWorkerBeating(context),
    context.db.user.findUniqueOrThrow({
      where: { id: userId },
      select: {
        createdAt: true,
        automationPausedAt: true,
        pausedReason: true,
        tradingPreferences: { select: { updatedAt: true } },
      },
    }),
    context.db.systemState.findUniqueOrThrow({ where: { id: 1 } }),
    context.db.account.findMany({
      where: { userId, deletedAt: null, status: "ACTIVE" },
      select: { id: true, haltReason: true, killState: true, killReason: true, reconciledAt: true },
    }),
    context.db.decisionRecord.findFirst({
      where: { account: { userId, deletedAt: null } },
      orderBy: { decidedAt: "desc" },
      select: { id: true, line: true },
    }),
  ]);
  const halted = accounts.find((account) => account.haltReason !== null);
  const stopped = accounts.find(({ killState }) => killState !== "NONE");
  const pausedReason =
    (user.automationPausedAt ? (user.pausedReason ?? "Paused by you") : null) ??
    (system.killState === "NONE" ? null : (system.killReason ?? "Stopped by an administrator")) ??
    (system.isQueueActive ? null : "The job queue is paused by an administrator") ??
    halted?.haltReason ??
    (stopped
      ? `${KILL_STATE_TEXT[stopped.killState]}${stopped.killReason === null ? "" : ` ${stopped.killReason}`}`
      : null);
  const isIdle = accounts.length === 0 || user.automationPausedAt !== null || !system.isQueueActive;
  const status = isBeating ? (isIdle ? "IDLE" : "RUNNING") : "STOPPED";
  const lastFollowed = accounts
    .map((account) => account.reconciledAt)
    .reduce<Date | null>((latest, at) => (at && (!latest || at > latest) ? at : latest), null);
  return {
    orderStatusUpdate: { status, lastRunAt: lastFollowed },
    marketScreening: {
      status,
      lastRunAt: screening?.lastMarketAt ?? null,
      nextRunAt: isBeating ? (screening?.dueAt ?? null) : null,
    },
    isInitialized: isBeating && screening?.lastMarketAt != null,
    pausedReason,
    lastCycle: decision?.line ?? null,
    lastDecisionId: decision?.id ?? null,
    hasChosenStrategy: isLaterSave(user.tradingPreferences?.updatedAt ?? null, user.createdAt),
    coalesced: screening?.coalesced ?? 0,
  };
}
