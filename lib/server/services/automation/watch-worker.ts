import type { AuditEventType } from "@/lib/domain/audit-events.ts";
import { easternText } from "@/lib/domain/format.ts";
import { counted } from "@/lib/domain/insight/sentence-parts.ts";
import { recordEvent } from "../../core/record-event.ts";
import { recordAudit } from "../../audit/record-audit.ts";
import type { Context } from "../../context.ts";
import type { Tx } from "../../db.ts";
import { env } from "../../env.ts";
import { logUserEvents, type UserEvent } from "../../core/log-user-events.ts";
import { sendDueMails } from "../mail/send-due-mails.ts";
import { inTransaction } from "../../core/transaction.ts";
import { endOutage, outageKnown, readBeat, startOutage, takeWatch } from "../schedule/worker-lease.ts";
import { mailAlert } from "../../core/mail-alert.ts";
import { cancelEntriesAndProtect, type CheckedAccount } from "./cancel-entries-and-protect.ts";

/** An order that the broker took late turns up after the first check. */
const CHECK_AGAIN_MS = 15_000;
/** Accounts named in a mail; the log has all. */
const MOST_NAMED = 10;

/** What one watchdog has seen so far. Times are its own, so clocks of other machines do not matter. */
export interface Watch {
  owner: string;
  beatAt: Date | null;
  /** When the beat was last seen to move. */
  movedAt: Date;
  lookedAt: Date;
  checkedAt: Date | null;
}

export function newWatch(owner: string, at: Date): Watch {
  return { owner, beatAt: null, movedAt: at, lookedAt: at, checkedAt: null };
}

/**
 * One look at the worker's beat. When it has not moved for the lease, every account is checked, and once an
 * outage users are notified; when it moves again, the return is recorded. Of many watchdogs one acts. A watchdog
 * that slept itself gives the worker a whole lease again.
 */
export async function watchWorker(context: Context, watch: Watch): Promise<"watching" | "standing by" | "acting"> {
  const at = context.now();
  const silenceMs = env().WORKER_SILENCE_SECONDS * 1000;
  const hasSlept = at.getTime() - watch.lookedAt.getTime() > silenceMs / 2;
  watch.lookedAt = at;
  const beatAt = await readBeat(context);
  if (hasSlept || beatAt?.getTime() !== watch.beatAt?.getTime()) {
    watch.beatAt = beatAt;
    watch.movedAt = at;
  }
  if (!(await takeWatch(context, watch.owner))) return "standing by";
  if (beatAt === null) return "watching";
  if (at.getTime() - watch.movedAt.getTime() < silenceMs) {
    watch.checkedAt = null;
    await recordWorkerReturn(context, watch.owner, beatAt);
    return "watching";
  }
  if (watch.checkedAt !== null && at.getTime() - watch.checkedAt.getTime() < CHECK_AGAIN_MS) return "acting";
  context.log.error("worker.silenced", { since: beatAt });
  const checked = await cancelEntriesAndProtect(context);
  watch.checkedAt = at;
  // A slow check of all accounts is no sleep of this process.
  watch.lookedAt = context.now();
  await notifyOutage(context, watch.owner, beatAt, checked);
  // Mail is the worker's work: while there is none, what is due goes out from here.
  await sendDueMails(context).catch((error: unknown) => context.log.error("mails.failed", { err: error }));
  return "acting";
}

/** Reports an outage once, whichever watchdog came first. */
async function notifyOutage(context: Context, owner: string, beatAt: Date, checked: CheckedAccount[]): Promise<void> {
  const findings = checked.filter(
    ({ cancelled, notCancelled, protected: placed, unprotected, problem }) =>
      cancelled.length + notCancelled.length + placed.length + unprotected.length > 0 || problem !== null,
  );
  for (const row of findings)
    context.log.error("outage.handled", { accountId: row.accountId, reason: findingText(row) });
  await inTransaction(context, async (tx) => {
    if (!(await startOutage(tx, owner, beatAt))) return;
    const since = `The worker has been silent since ${easternText(beatAt.getTime())}`;
    const summary = `${since}: ${counted(count(checked, "cancelled"), "open entry order")} cancelled, ${counted(count(checked, "unprotected"), "position")} without a live stop`;
    await logUserEvents(tx, [
      { level: "error", message: summary, userId: null, marketAt: null },
      ...findings.map((row): UserEvent => ({
        level: "error",
        message: `${since}. ${findingText(row)}`,
        userId: row.userId,
        accountId: row.accountId,
        marketAt: null,
      })),
    ]);
    await mailAlert(tx, "administrators", {
      key: `worker-silent:${beatAt.toISOString()}`,
      subject: "The trading worker is silent",
      isUrgent: true,
      paragraphs: [
        `${summary}. ${counted(checked.length, "account")} checked. Nothing is bought until a worker runs again.`,
        ...findings.slice(0, MOST_NAMED).map((row) => `Account ${row.accountId}: ${findingText(row)}`),
        ...(findings.length > MOST_NAMED ? [`${findings.length - MOST_NAMED} more accounts are in the log.`] : []),
      ],
    });
    await audit(context, tx, "WORKER_SILENT", {
      since: beatAt.toISOString(),
      accounts: checked.length,
      found: findings.map(({ userId: _, ...row }) => row),
    });
  });
}

async function recordWorkerReturn(context: Context, owner: string, beatAt: Date): Promise<void> {
  const outage = await outageKnown(context);
  if (outage === null || beatAt <= outage) return;
  await inTransaction(context, async (tx) => {
    if (!(await endOutage(tx, owner, outage))) return;
    const message = `The worker has been back since ${easternText(beatAt.getTime())}; it had been silent since ${easternText(outage.getTime())}`;
    await recordEvent(context, tx, {
      level: "info",
      message,
      userId: null,
      alerts: [
        {
          to: "administrators",
          key: `worker-back:${outage.toISOString()}`,
          subject: "The trading worker is back",
          paragraphs: [`${message}.`],
        },
      ],
    });
    await audit(context, tx, "WORKER_BACK", { since: outage.toISOString(), backAt: beatAt.toISOString() });
    context.log.warn("worker.recovered", { from: outage, to: beatAt });
  });
}

const count = (checked: CheckedAccount[], what: "cancelled" | "unprotected") =>
  checked.reduce((total, row) => total + row[what].length, 0);

function findingText({ cancelled, notCancelled, protected: placed, unprotected, problem }: CheckedAccount): string {
  return [
    cancelled.length > 0 ? `Open entry orders cancelled: ${cancelled.join(", ")}.` : null,
    notCancelled.length > 0 ? `The broker did not accept the cancellation of: ${notCancelled.join(", ")}.` : null,
    placed.length > 0 ? `Stops placed for unprotected shares of: ${placed.join(", ")}.` : null,
    unprotected.length > 0
      ? `Without a live stop: ${unprotected.map(({ symbol, qty, protectedQty }) => `${symbol} (${protectedQty} of ${qty} covered)`).join(", ")}.`
      : null,
    problem === null ? null : `Could not be checked: ${problem}`,
  ]
    .filter((word) => word !== null)
    .join(" ");
}

async function audit(
  context: Context,
  tx: Tx,
  eventType: AuditEventType,
  data: Parameters<typeof recordAudit>[1]["data"],
) {
  await recordAudit(tx, { at: context.now(), eventType, actor: context.actor, requestId: context.request.id, data });
}
