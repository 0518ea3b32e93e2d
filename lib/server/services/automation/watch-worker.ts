import type { AuditEventType } from "@/lib/domain/audit-events.ts";
import { easternText } from "@/lib/domain/format.ts";
import { counted } from "@/lib/domain/counted.ts";
import { isWithinLast } from "@/lib/domain/wall-clock.ts";
import { recordEvent } from "../../core/record-event.ts";
import { recordAudit } from "../../audit/record-audit.ts";
import type { Context } from "../../context.ts";
import type { Tx } from "../../db.ts";
import { env } from "../../env.ts";
import { logUserEvents, type UserEvent } from "../../core/log-user-events.ts";
import { sendDueMails } from "../mail/send-due-mails.ts";
import { inTransaction } from "../../core/transaction.ts";
import {
  endOutage,
  markOutageChecked,
  outageKnown,
  readBeat,
  startOutage,
  takeWatch,
} from "../schedule/worker-lease.ts";
import { mailAlert } from "../../core/mail-alert.ts";
import { cancelEntriesAndProtect, type CheckedAccount } from "./cancel-entries-and-protect.ts";

/** An order that the broker took late turns up after the first check. */
const CHECK_AGAIN_MS = 15_000;
/** The lease and the health check of the process, 30 s each, outlast several of these. */
const RENEW_EVERY_MS = 5_000;
/** Accounts named in a mail; the log has all. */
const MOST_NAMED = 10;

/** What one watchdog has seen so far. Times are its own, so clocks of other machines do not matter. */
export interface Watch {
  owner: string;
  beatAt: Date | null;
  /** When the beat was last seen to move. */
  movedAt: Date;
  /** When the beat was last looked for and read. */
  lookedAt: Date;
  checkedAt: Date | null;
}

export function newWatch(owner: string, at: Date): Watch {
  return { owner, beatAt: null, movedAt: at, lookedAt: at, checkedAt: null };
}

/**
 * One look at the worker's beat. When it has not moved for the lease, an outage is reported, once, and every account is
 * checked; when it moves again, the return is recorded. Of many watchdogs one acts. A watchdog that slept itself, or
 * could not read the beat, gives the worker a whole lease again. `showAlive` is called every few seconds of a long check.
 */
export async function watchWorker(
  context: Context,
  watch: Watch,
  showAlive: () => Promise<void> = async () => undefined,
): Promise<"watching" | "standing by" | "acting"> {
  const at = context.now();
  const silenceMs = env().WORKER_SILENCE_SECONDS * 1000;
  const beatAt = await readBeat(context);
  const isMine = await takeWatch(context, watch.owner);
  // A look that failed counts as none: while Postgres was away no worker could beat either.
  const wasAway = !isWithinLast(silenceMs / 2, watch.lookedAt, at);
  watch.lookedAt = at;
  if (wasAway || beatAt?.getTime() !== watch.beatAt?.getTime()) {
    watch.beatAt = beatAt;
    watch.movedAt = at;
  }
  if (!isMine) return "standing by";
  if (beatAt === null) return "watching";
  if (at.getTime() - watch.movedAt.getTime() < silenceMs) {
    watch.checkedAt = null;
    await recordWorkerReturn(context, beatAt);
    return "watching";
  }
  if (watch.checkedAt !== null && at.getTime() - watch.checkedAt.getTime() < CHECK_AGAIN_MS) return "acting";
  context.log.error("worker.silenced", { since: beatAt });
  // The accounts are checked even where the report cannot be written; the next look tries it again.
  await reportOutage(context, beatAt).catch((error: unknown) =>
    context.log.error("outage-report.failed", { err: error }),
  );
  await whileRenewing(context, watch.owner, showAlive, () => checkAccounts(context, beatAt));
  watch.checkedAt = at;
  // A slow check of all accounts is no sleep of this process.
  watch.lookedAt = context.now();
  return "acting";
}

/** Keeps the watch and shows that this process is alive, however long the task takes. */
async function whileRenewing(
  context: Context,
  owner: string,
  showAlive: () => Promise<void>,
  task: () => Promise<void>,
): Promise<void> {
  let renewing: Promise<unknown> = Promise.resolve();
  const renew = () => {
    renewing = Promise.all([takeWatch(context, owner), showAlive()]).catch((error: unknown) =>
      context.log.error("watchdog.check-failed", { err: error }),
    );
  };
  const timer = setInterval(renew, RENEW_EVERY_MS);
  try {
    await task();
  } finally {
    clearInterval(timer);
    await renewing;
  }
}

async function checkAccounts(context: Context, beatAt: Date): Promise<void> {
  // Mail is the worker's work: while there is none, what is due goes out from here.
  const sendMails = () =>
    sendDueMails(context).catch((error: unknown) => context.log.error("mails.failed", { err: error }));
  const [checked] = await Promise.all([cancelEntriesAndProtect(context), sendMails()]);
  await reportFindings(context, beatAt, checked);
  await sendMails();
}

const silentSince = (beatAt: Date) => `The worker has been silent since ${easternText(beatAt.getTime())}`;

/** Reports an outage once, whichever watchdog came first, and before the accounts are checked: that can take long. */
async function reportOutage(context: Context, beatAt: Date): Promise<void> {
  await inTransaction(context, async (tx) => {
    if (!(await startOutage(tx, beatAt))) return;
    const message = `${silentSince(beatAt)}: every account is checked`;
    await recordEvent(context, tx, {
      level: "error",
      message,
      userId: null,
      alerts: [
        {
          to: "administrators",
          key: `worker-silent:${beatAt.toISOString()}`,
          subject: "The trading worker is silent",
          isUrgent: true,
          paragraphs: [
            `${silentSince(beatAt)}. Nothing is bought until a worker runs again.`,
            "Every account is checked: open entry orders are cancelled, and stops are placed for shares that have none. If anything is found, a second mail says what.",
          ],
        },
      ],
    });
    await audit(context, tx, "WORKER_SILENT", { since: beatAt.toISOString() });
  });
}

/** Reports what the first whole check of an outage found, once; what later ones find is in the program's log. */
async function reportFindings(context: Context, beatAt: Date, checked: CheckedAccount[]): Promise<void> {
  const findings = checked.filter(
    ({ cancelled, notCancelled, protected: placed, unprotected, problem }) =>
      cancelled.length + notCancelled.length + placed.length + unprotected.length > 0 || problem !== null,
  );
  for (const row of findings)
    context.log.error("outage.handled", { accountId: row.accountId, reason: findingText(row) });
  await inTransaction(context, async (tx) => {
    if (!(await markOutageChecked(tx, beatAt))) return;
    const since = silentSince(beatAt);
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
    if (findings.length > 0)
      await mailAlert(tx, "administrators", {
        key: `worker-silent-found:${beatAt.toISOString()}`,
        subject: "Accounts checked while the trading worker is silent",
        isUrgent: true,
        paragraphs: [
          `${summary}. ${counted(checked.length, "account")} checked.`,
          ...findings.slice(0, MOST_NAMED).map((row) => `Account ${row.accountId}: ${findingText(row)}`),
          ...(findings.length > MOST_NAMED ? [moreText(findings.length - MOST_NAMED)] : []),
        ],
      });
    await audit(context, tx, "WORKER_OUTAGE_CHECKED", {
      since: beatAt.toISOString(),
      accounts: checked.length,
      found: findings.map(({ userId: _, ...row }) => row),
    });
  });
}

async function recordWorkerReturn(context: Context, beatAt: Date): Promise<void> {
  const outage = await outageKnown(context);
  if (outage === null || beatAt.getTime() === outage.getTime()) return;
  await inTransaction(context, async (tx) => {
    if (!(await endOutage(tx, outage))) return;
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

const moreText = (count: number) => `${counted(count, "more account")} ${count === 1 ? "is" : "are"} in the log.`;
