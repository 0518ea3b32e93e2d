import type { authApi } from "@/lib/contracts/auth.ts";
import type { Given, Received } from "@/lib/contracts/endpoint.ts";
import { jobs } from "@/lib/contracts/jobs.ts";
import { Failure } from "@/lib/domain/failures.ts";
import { recordAudit } from "@/lib/server/audit/record-audit.ts";
import type { Context } from "@/lib/server/context.ts";
import { isUniqueViolation } from "@/lib/server/db.ts";
import { hashPassword } from "@/lib/server/secrets/password.ts";
import { refuseCommonPassword } from "./refuse-common-password.ts";
import { newId } from "../../core/new-id.ts";
import { issueVerification } from "./issue-verification.ts";
import { userView } from "./user-view.ts";

/**
 * The new user, their preferences, the verification mail and the audit row are there together or not at all. The
 * password is hashed first: that is the work, and an address that is taken costs as much. The route limits what the
 * refusal tells.
 */
export async function register(
  { db, now, queue, request }: Context,
  { email, password, firstName, lastName }: Received<typeof authApi.register>,
): Promise<Given<typeof authApi.register>> {
  await refuseCommonPassword("password", password, email);
  const passwordHash = await hashPassword(password);
  if (await db.user.findUnique({ where: { email }, select: { id: true } })) throw taken();
  const at = now();
  try {
    const user = await db.$transaction(async (tx) => {
      const created = await tx.user.create({
        data: {
          id: newId(at),
          email,
          firstName,
          lastName,
          passwordHash,
          createdAt: at,
          tradingPreferences: { create: {} },
          notificationPreferences: { create: {} },
        },
      });
      await issueVerification(tx, created, at);
      await recordAudit(tx, {
        at,
        eventType: "USER_REGISTERED",
        actor: { kind: "anonymous" },
        subjectUserId: created.id,
        ipAddress: request.ipAddress,
        requestId: request.id,
        data: {},
      });
      return created;
    });
    await queue.enqueue(jobs.mail, {});
    return { user: userView(user), token: null };
  } catch (error) {
    if (isUniqueViolation(error)) throw taken();
    throw error;
  }
}

const taken = () => new Failure("conflict", "An account with this email already exists.");
