import type { authApi } from "@/lib/contracts/auth.ts";
import type { Given, Received } from "@/lib/contracts/endpoint.ts";
import { jobs } from "@/lib/contracts/jobs.ts";
import { callFacts, recordAudit } from "../../audit/record-audit.ts";
import type { Context } from "../../context.ts";
import { isUniqueViolation, type Db } from "../../db.ts";
import { hashPassword, isOfStored, type GivenPassword } from "../../secrets/password.ts";
import { AddressTaken } from "./address-taken.ts";
import { refuseCommonPassword } from "./refuse-common-password.ts";
import { newId } from "../../core/new-id.ts";
import { issueVerification } from "./issue-verification.ts";
import { userView } from "./user-view.ts";

/**
 * The new user, their preferences, the verification mail and the audit row are there together or not at all. The
 * password is hashed first: that is the work, and an address that is taken costs as much, verified or not. The route limits what
 * the refusal tells.
 */
export async function register(
  { db, now, queue, request }: Context,
  { email, password, firstName, lastName }: Received<typeof authApi.register>,
): Promise<Given<typeof authApi.register>> {
  await refuseCommonPassword("password", password, email);
  const given = await hashGiven(db, { email, password });
  const { passwordHash } = given;
  const at = now();
  if (await db.user.findUnique({ where: { email }, select: { id: true } })) throw await taken(db, given, at);
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
        ...callFacts({ actor: { kind: "anonymous" }, request }),
        subjectUserId: created.id,
        data: {},
      });
      return created;
    });
    await queue.enqueue(jobs.mail, {});
    return { user: userView(user), token: null };
  } catch (error) {
    if (isUniqueViolation(error)) throw await taken(db, given, at);
    throw error;
  }
}

interface Registration extends GivenPassword {
  email: string;
}

/**
 * The hash of the password, under the salt of the stored one where the address has an account: whether the two are one password is then seen
 * without another hash, whose time would tell of the account.
 */
async function hashGiven(db: Db, { email, password }: { email: string; password: string }): Promise<Registration> {
  const known = await db.user.findUnique({ where: { email }, select: { passwordHash: true } });
  return { email, password, passwordHash: await hashPassword(password, {}, known?.passwordHash) };
}

async function taken(db: Db, given: Registration, at: Date): Promise<AddressTaken> {
  await noteFurtherRegistration(db, given, at);
  return new AddressTaken(given.passwordHash);
}

/**
 * A registration that is refused because its address had too many. The earlier ones may be an attacker's, made so that the owner's
 * own does not count: it is noted as a second one.
 */
export async function noteRefusedRegistration(
  { db, now }: Pick<Context, "db" | "now">,
  given: Received<typeof authApi.register>,
): Promise<void> {
  await noteFurtherRegistration(db, await hashGiven(db, given), now());
}

/**
 * Of an address that is not verified yet, the first registration may be a stranger's: when another one comes, the stored password ends
 * with the verification. The same password once more is a form that was sent twice.
 */
async function noteFurtherRegistration(db: Db, given: Registration, at: Date): Promise<void> {
  const unverified = { email: given.email, emailVerifiedAt: null, role: "USER" as const };
  const first = await db.user.findFirst({ where: unverified, select: { passwordHash: true } });
  if (first && !(await isOfStored(given, first.passwordHash)))
    await db.user.updateMany({ where: unverified, data: { registeredAgainAt: at } });
}
