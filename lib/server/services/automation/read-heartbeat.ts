import type { automationApi } from "@/lib/contracts/automation.ts";
import type { Given, Received } from "@/lib/contracts/endpoint.ts";
import type { KillStateName } from "@/lib/domain/enums.ts";
import type { Context } from "../../context.ts";
import { accountsOfEnvironment, isOneOf } from "../../core/accounts-of-environment.ts";
import { decisionOutcomes } from "../cycles/decision-outcomes.ts";
import { scheduleKey } from "../schedule/schedule-keys.ts";
import { isWorkerBeating } from "../schedule/worker-lease.ts";
import { marketOf } from "../../core/market-of.ts";
import { usLimitation } from "../providers/read-readiness.ts";
import { KILL_STATE_TEXT } from "./set-kill-state.ts";

/** Registration writes the defaults within this time of the user's own row. */
const REGISTRATION_MS = 2000;

/** The defaults that registration wrote are no choice; a save of them is one. */
const isLaterSave = (savedAt: Date | null, registeredAt: Date) =>
  savedAt !== null && savedAt.getTime() - registeredAt.getTime() > REGISTRATION_MS;

interface Stop {
  killState: KillStateName;
  killReason: string | null;
}

/** Health is measured by work done: the worker's beat and the schedule's rows, never a ping. */
export async function readHeartbeat(
  context: Context<"user">,
  { environment: wanted }: Received<typeof automationApi.heartbeat>,
): Promise<Given<typeof automationApi.heartbeat>> {
  const { userId } = context.actor;
  const { accounts: scoped, ...scope } = await accountsOfEnvironment(context, wanted);
  const market = marketOf({ accounts: scoped });
  const ids = scoped.map(({ id }) => id);
  const [screening, isBeating, user, system, accounts, [lastDecision], first] = await Promise.all([
    context.db.schedule.findUnique({ where: { key: scheduleKey("screening", market) } }),
    isWorkerBeating(context),
    context.db.user.findUniqueOrThrow({
      where: { id: userId },
      select: {
        createdAt: true,
        automationPausedAt: true,
        pausedReason: true,
        killState: true,
        killReason: true,
        tradingPreferences: { select: { updatedAt: true } },
      },
    }),
    context.db.systemState.findUniqueOrThrow({ where: { id: 1 } }),
    context.db.account.findMany({
      where: { id: { in: ids }, status: "ACTIVE" },
      select: { id: true, haltReason: true, killState: true, killReason: true, reconciledAt: true },
    }),
    ids.length === 0 ? [] : decisionOutcomes(context.db, isOneOf(scoped), 1),
    context.db.decisionRecord.findFirst({ where: { account: { userId } }, select: { id: true } }),
  ]);
  const halted = accounts.find((account) => account.haltReason !== null);
  const stopped = accounts.find(({ killState }) => killState !== "NONE");
  const stopText = ({ killState, killReason }: Stop) =>
    `${KILL_STATE_TEXT[killState]}${killReason === null ? "" : ` ${killReason}`}`;
  const pausedReason =
    (user.automationPausedAt ? (user.pausedReason ?? "Paused by you") : null) ??
    (system.killState === "NONE" ? null : (system.killReason ?? "Stopped by an administrator")) ??
    (system.isQueueActive ? null : "The job queue is paused by an administrator") ??
    halted?.haltReason ??
    (user.killState === "NONE" ? null : `Stopped by an administrator. ${stopText(user)}`) ??
    (stopped ? stopText(stopped) : null);
  const isIdle = accounts.length === 0 || user.automationPausedAt !== null || !system.isQueueActive;
  const status = isBeating ? (isIdle ? "IDLE" : "RUNNING") : "STOPPED";
  const lastFollowed = accounts
    .map((account) => account.reconciledAt)
    .reduce<Date | null>((latest, at) => (at && (!latest || at > latest) ? at : latest), null);
  // The schedule runs for all users: for a user without an account it reads nothing.
  const run = ids.length === 0 ? null : screening;
  return {
    ...scope,
    orderStatusUpdate: { status, lastRunAt: lastFollowed },
    marketScreening: {
      status,
      // Of a past that was played at the start, the schedule knows nothing.
      lastRunAt: run?.lastMarketAt ?? lastDecision?.decidedAt ?? null,
      nextRunAt: isBeating ? (run?.dueAt ?? null) : null,
    },
    isInitialized: isBeating && run?.lastMarketAt != null,
    pausedReason,
    limitation: market === "US" ? await usLimitation(context) : null,
    lastDecision: lastDecision ?? null,
    hasDecided: first !== null,
    hasChosenStrategy: isLaterSave(user.tradingPreferences?.updatedAt ?? null, user.createdAt),
    coalesced: screening?.coalesced ?? 0,
  };
}
