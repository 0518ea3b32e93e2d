import { accountTitle } from "@/lib/domain/account-title.ts";
import { Failure } from "@/lib/domain/failures.ts";
import { RESOLVED_BY_PERSON } from "../orders/unsent.ts";
import { recordAudit, type AuditEntry } from "../../audit/record-audit.ts";
import type { Context } from "../../context.ts";
import { erasedEmail, haltNewsKey, roleNewsKey } from "../../core/people.ts";
import type { Tx } from "../../db.ts";
import { queueMail } from "../../mail/outbox.ts";
import { voidRequests } from "../approvals/void-requests.ts";
import { lockWithAdministrators, otherAdministrators } from "../users/managed-user.ts";

const LOGS_AT_ONCE = 5_000;

/**
 * Erases everything that identifies a user, in one transaction: the key of their audit trail, name and address, sign-ins,
 * second factors, links, mails, notifications and where they go, preferences and logs. Refused while an account is open.
 * The last administrator is not erased. A last mail says so. `isReplayed`: neither, since the erasure was done before.
 */
export async function forgetPerson(
  { db, now }: Context,
  { userId, unusableHash, isReplayed = false }: { userId: string; unusableHash: string; isReplayed?: boolean },
  entry: Omit<AuditEntry, "at">,
): Promise<void> {
  // Years of lines would keep the transaction for too long; what is written meanwhile goes with it.
  for (let removed = LOGS_AT_ONCE; removed === LOGS_AT_ONCE;)
    removed = await db.$executeRaw`
      delete from "LogEvent" where "id" in
        (select "id" from "LogEvent" where "userId" = ${userId}::uuid order by "id" limit ${LOGS_AT_ONCE})`;
  const at = now();
  await db.$transaction(
    async (tx) => {
      await lockPerson(tx, userId, isReplayed);
      const known = await tx.subjectKey.findUnique({ where: { userId }, select: { erasedAt: true } });
      if (known?.erasedAt) throw new Failure("unauthenticated", "Please sign in.");
      const open = await tx.account.count({ where: { userId, deletedAt: null } });
      if (open > 0) throw new Failure("conflict", "An account was added in the meantime. Please try again.");
      const { email, firstName, emailVerifiedAt } = await tx.user.findUniqueOrThrow({
        where: { id: userId },
        select: { email: true, firstName: true, emailVerifiedAt: true },
      });
      await emptyTables(tx, userId, email);
      // The last trace of the address: the row is deleted once the mail is sent or has failed (send-due-mails.ts).
      if (!isReplayed && emailVerifiedAt !== null)
        await queueMail(tx, {
          dedupeKey: `account-erased:${userId}`,
          userId: null,
          recipient: email,
          template: "account-erased",
          props: { firstName, erasedAt: at.toISOString() },
        });
      await tx.user.update({
        where: { id: userId },
        data: {
          email: erasedEmail(userId),
          firstName: "Erased",
          lastName: "User",
          displayName: null,
          bio: null,
          passwordHash: unusableHash,
          role: "USER",
          emailVerifiedAt: null,
          registeredAgainAt: null,
          pausedReason: null,
          killReason: null,
          tokenVersion: { increment: 1 },
          disabledAt: at,
        },
      });
      // The row stays without a key, so that no second key is made for the person.
      const erased = { sealedKey: null, erasedAt: at };
      await tx.subjectKey.upsert({ where: { userId }, create: { userId, ...erased }, update: erased });
      await recordAudit(tx, { ...entry, at });
    },
    { timeout: 30_000 },
  );
}

export const lastAdministrator = () =>
  new Failure(
    "conflict",
    "You are the only administrator. Make another user an administrator before you delete your account.",
  );

/** Administrators leave in turn, with one another and with those whose role or access is taken: the last one stays. */
async function lockPerson(tx: Tx, userId: string, isReplayed: boolean): Promise<void> {
  const roleNow = async () => (await tx.user.findUniqueOrThrow({ where: { id: userId }, select: { role: true } })).role;
  const isAdministrator = (await roleNow()) === "ADMIN";
  if (isAdministrator) await lockWithAdministrators(tx, userId);
  // New accounts and sign-ins of the person wait here until they are gone.
  await tx.$queryRaw`select 1 from "User" where "id" = ${userId}::uuid for update`;
  if (isReplayed || (await roleNow()) !== "ADMIN") return;
  if (!isAdministrator)
    throw new Failure("conflict", "You were made an administrator in the meantime. Please try again.");
  if ((await otherAdministrators(tx, userId)) === 0) throw lastAdministrator();
}

async function emptyTables(tx: Tx, userId: string, email: string): Promise<void> {
  const where = { userId };
  await voidRequests(tx, userId);
  await tx.signIn.deleteMany({ where });
  await tx.emailToken.deleteMany({ where });
  await tx.concealedRegistration.deleteMany({ where });
  await tx.totpFactor.deleteMany({ where });
  await tx.passkey.deleteMany({ where });
  await tx.accessToken.deleteMany({ where });
  await tx.recoveryCode.deleteMany({ where });
  await tx.authChallenge.deleteMany({ where });
  await tx.brokerAuthorization.deleteMany({ where });
  await tx.tradingPreferences.deleteMany({ where });
  await tx.notificationPreferences.deleteMany({ where });
  await tx.notification.deleteMany({ where });
  await tx.delivery.deleteMany({ where });
  await tx.webhook.deleteMany({ where });
  await tx.pushSubscription.deleteMany({ where });
  await tx.insightText.deleteMany({ where });
  await tx.exportHold.deleteMany({ where });
  await tx.backtestGrid.deleteMany({ where });
  await tx.backtest.deleteMany({ where });
  await tx.settingsPreview.deleteMany({ where });
  // The streams of an erased user have no follower.
  await tx.streamState.deleteMany({ where: { account: where } });
  await tx.logEvent.deleteMany({ where });
  await tx.outbox.deleteMany({ where: { OR: [where, { recipient: email }] } });
  await removeFromNews(tx, userId, email);
  // The broker's number of an account leads to its owner; what they typed about it may.
  await tx.$executeRaw`
    update "Account" set "name" = null, "killReason" = null, "brokerAccountId" = 'erased:' || "id"
    where "userId" = ${userId}::uuid`;
  await tx.intent.updateMany({
    where: { account: { userId }, lastError: { startsWith: `${RESOLVED_BY_PERSON}: ` } },
    data: { lastError: RESOLVED_BY_PERSON },
  });
}

/** What administrators were told of the person's role and accounts goes on without the address and the accounts' names. */
async function removeFromNews(tx: Tx, userId: string, email: string): Promise<void> {
  await replaceInNews(tx, roleNewsKey(userId), email, "A person who was erased since");
  for (const account of await tx.account.findMany({ where: { userId } })) {
    const key = haltNewsKey(account.id);
    await replaceInNews(tx, key, `${accountTitle(account)} of ${email}`, "An account of a person who was erased since");
    // The account may have had another name at the time.
    await replaceInNews(tx, key, email, "a person who was erased since");
  }
}

async function replaceInNews(tx: Tx, key: string, said: string, instead: string): Promise<void> {
  const keys = `alert:${key}%`;
  const saidInJson = JSON.stringify(said).slice(1, -1);
  await tx.$executeRaw`
    update "Delivery" set "payload" = replace("payload"::text, ${saidInJson}, ${instead})::jsonb
    where "notificationId" in (select "id" from "Notification" where "dedupeKey" like ${keys})`;
  await tx.$executeRaw`
    update "Notification" set "text" = replace("text", ${said}, ${instead}) where "dedupeKey" like ${keys}`;
  await tx.$executeRaw`
    update "Outbox" set "props" = replace("props"::text, ${saidInJson}, ${instead})::jsonb where "dedupeKey" like ${keys}`;
}
