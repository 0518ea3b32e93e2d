import { Failure } from "@/lib/domain/failures.ts";
import { HOUR_MS } from "@/lib/domain/time.ts";
import type { Context } from "../../context.ts";
import type { Prisma, Tx } from "../../db.ts";

/** How long a first administrator's confirmation is valid (wall time). */
const VALID_MS = 24 * HOUR_MS;

type Kind = Prisma.PendingApprovalCreateInput["kind"];

export type SecondApproval =
  /** A second administrator has agreed now; `firstId` is the one who asked. The request is used up. */
  | { isGranted: true; firstId: string }
  /** It waits for another administrator until `expiresAt`. */
  | { isGranted: false; expiresAt: Date };

/**
 * Two administrators agree to one thing: the first call stores a request, the call of another administrator for the same
 * `fingerprint` grants it. A request of something that was edited since, that has expired, or of a user who is no longer an
 * administrator, is replaced. Call it in the transaction of the change, with the row that it is about locked.
 *
 * @throws conflict when the administrator who asked asks again
 */
export async function requestSecondApproval(
  context: Pick<Context<"admin">, "actor" | "now">,
  tx: Tx,
  { kind, subject, fingerprint }: { kind: Kind; subject: string; fingerprint: string },
): Promise<SecondApproval> {
  const { userId } = context.actor;
  const now = context.now();
  const pending = await tx.pendingApproval.findUnique({ where: { kind_subject: { kind, subject } } });
  const stands =
    pending !== null &&
    pending.fingerprint === fingerprint &&
    pending.expiresAt > now &&
    (await isAdministratorStill(tx, pending.requestedById));
  if (stands && pending.requestedById === userId)
    throw new Failure("conflict", "You have confirmed this already: a second administrator has to confirm it, too.");
  if (stands) {
    await tx.pendingApproval.delete({ where: { kind_subject: { kind, subject } } });
    return { isGranted: true, firstId: pending.requestedById };
  }
  const expiresAt = new Date(now.getTime() + VALID_MS);
  const request = { fingerprint, requestedById: userId, requestedAt: now, expiresAt };
  await tx.pendingApproval.upsert({
    where: { kind_subject: { kind, subject } },
    create: { kind, subject, ...request },
    update: request,
  });
  return { isGranted: false, expiresAt };
}

async function isAdministratorStill(tx: Tx, userId: string): Promise<boolean> {
  return (await tx.user.count({ where: { id: userId, role: "ADMIN", disabledAt: null } })) > 0;
}
