import { rename } from "node:fs/promises";
import { Failure } from "@/lib/domain/failures.ts";
import { anchorFile, readAnchors, type Anchors } from "@/lib/server/audit/anchors.ts";
import { erasureListFile, readErasureList, type ErasureList } from "@/lib/server/audit/erasure-list.ts";
import { recordAudit } from "@/lib/server/audit/record-audit.ts";
import { verifyAudit } from "@/lib/server/audit/verify-audit.ts";
import type { Context } from "@/lib/server/context.ts";
import { inTransaction } from "@/lib/server/core/transaction.ts";
import { dropBrowsers } from "@/lib/server/core/drop-browsers.ts";
import { setSystemKillState } from "@/lib/server/services/automation/set-kill-state.ts";
import { replayErasures } from "@/lib/server/services/erasure/replay-erasures.ts";
import { replayRemovals } from "@/lib/server/services/erasure/replay-removals.ts";
import { describeAudit } from "./describe-audit.ts";

export interface Restored {
  /** When the backup was made, and the last event of its audit chain; null where nothing says it. */
  madeAt: string | null;
  chainEnd: bigint | null;
  /** A list of erasures and removed accounts, or "none"; null for the one beside the signed heads. */
  erasures: string | null;
}

/**
 * Settles a restored database so that programs can start on it. Its audit chain has to be whole. Then all sign-ins end, mailed links are invalid, each
 * account waits until its broker was read, no entry is sent before an administrator allows it, and
 * users erased and accounts removed since the backup are erased and removed again.
 */
export async function settleRestored(
  context: Context,
  { madeAt, chainEnd, erasures: from }: Restored,
): Promise<string[]> {
  const { erasures, removals, unreadable } = await listOf(from);
  const anchors = await readAnchors();
  const end = chainEnd ?? (await endOf(context));
  const older = { ...anchors, heads: anchors.heads.filter(({ seq }) => seq <= end) };
  const verdict = await verifyAudit(context.db, { anchors: older.heads });
  const chain = describeAudit(verdict, older);
  if (!verdict.ok) throw new Failure("conflict", chain.join("\n"));
  // Before the first event is written: where the rest fails, the chain's end has moved past heads of what is lost, and they would contradict it.
  const aside = await putAside(context, anchors, end);
  await forgetPresent(context);
  const reason = `Restored from a backup${madeAt === null ? "" : ` of ${madeAt}`}`;
  const { killState } = await context.db.systemState.findUniqueOrThrow({ where: { id: 1 } });
  if (killState === "NONE") await setSystemKillState(context, { killState: "NO_NEW_ENTRIES", reason });
  // The accounts of who is erased end with them.
  const replayed = await replayErasures(context, erasures);
  const removed = await replayRemovals(context, removals);
  await inTransaction(context, (tx) =>
    recordAudit(tx, {
      at: context.now(),
      eventType: "DATABASE_RESTORED",
      actor: context.actor,
      requestId: context.request.id,
      data: {
        madeAt,
        chainEnd: end.toString(),
        newestHead: anchors.heads.at(-1)?.seq.toString() ?? null,
        replayed,
        removed,
      },
    }),
  );
  return [
    ...chain,
    ...(aside === null ? [] : [`Signed heads of what is lost were set aside: ${aside}. Keep that file.`]),
    `Erasures of the list: ${erasures.length}, done again: ${replayed}.`,
    `Removed accounts of the list: ${removals.length}, removed again: ${removed}.`,
    ...(unreadable === 0 ? [] : [`Lines of the list that were not written here: ${unreadable}. Look at them.`]),
    "All sign-ins have ended. Each account trades again once its broker was read.",
  ];
}

async function listOf(from: string | null): Promise<ErasureList> {
  if (from === "none") return { erasures: [], removals: [], unreadable: 0 };
  const file = from ?? erasureListFile();
  if (file === null) throw new Failure("invalid_input", "Give the list of erasures: --erasures <file>, or none.");
  return readErasureList(file);
}

async function endOf({ db }: Context): Promise<bigint> {
  return (await db.auditHead.findFirst({ select: { seq: true } }))?.seq ?? 0n;
}

/** What the copy holds of sign-ins and links may have been ended or used since; what it says of a broker's books is old. */
async function forgetPresent(context: Context): Promise<void> {
  await inTransaction(context, async (tx) => {
    await tx.account.updateMany({ data: { reconciledAt: null } });
    await tx.brokerAuthorization.deleteMany();
    await tx.signIn.deleteMany();
    // Browsers show notifications for as long as their sign-in lasts, and some were ended since.
    await dropBrowsers(tx, {}, context.now());
    await tx.emailToken.deleteMany();
    await tx.authChallenge.deleteMany();
    await tx.user.updateMany({ data: { tokenVersion: { increment: 1 } } });
    await tx.processBeat.deleteMany();
  });
}

/** Heads of events that are lost would contradict the chain forever. */
async function putAside({ now, log }: Context, { heads }: Anchors, end: bigint): Promise<string | null> {
  const file = anchorFile();
  if (file === null || heads.every(({ seq }) => seq <= end)) return null;
  const aside = `${file}.before-${now().toISOString().replaceAll(":", "-")}`;
  await rename(file, aside);
  log.warn("audit-heads.set-aside", { path: aside });
  return aside;
}
