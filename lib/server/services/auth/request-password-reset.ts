import { randomUUID } from "node:crypto";
import type { authApi } from "@/lib/contracts/auth.ts";
import { RESET_REQUESTED } from "@/lib/contracts/auth-calls.ts";
import type { Given, Received } from "@/lib/contracts/endpoint.ts";
import { jobs } from "@/lib/contracts/jobs.ts";
import { Failure } from "@/lib/domain/failures.ts";
import { MAILS_A_DAY } from "@/lib/domain/rate-limits.ts";
import { DAY_MS, MINUTE_MS } from "@/lib/domain/time.ts";
import { callFacts, recordAudit } from "../../audit/record-audit.ts";
import type { Context } from "../../context.ts";
import type { Tx } from "../../db.ts";
import { queueMail } from "../../mail/outbox.ts";
import { emailToken, tokenHash } from "../../secrets/email-token.ts";

export const RESET_LINK_MS = 30 * MINUTE_MS;
/** The last link of a day, after which the address gets no other for as long: strangers who ask for all of them do not lock its owner out. */
const LAST_LINK_MS = DAY_MS;

interface FoundUser {
  id: string;
  email: string;
  /** Null for an unconfirmed address: its mail names no recipient. */
  firstName: string | null;
  isMailed: boolean;
  /** Whether the address may get no other mail of this kind for a day. */
  isLast: boolean;
}

/**
 * Puts a mail with a reset link into the outbox, or answers that no user has this address. Both ways the same
 * statements run: for an unknown address the mail is one that is not sent. A disabled person is known, and gets no
 * mail. The route limits how often this is revealed.
 */
export async function requestPasswordReset(
  { db, now, queue, request }: Context,
  { email }: Received<typeof authApi.forgotPassword>,
): Promise<Given<typeof authApi.forgotPassword>> {
  const at = now();
  const emailTokenId = randomUUID();
  const isKnown = await db.$transaction(async (tx) => {
    const found = await storeToken(tx, email, emailTokenId, at);
    const isMailed = found?.isMailed === true;
    await queueMail(tx, {
      dedupeKey: `reset-password:${emailTokenId}`,
      userId: found?.id ?? null,
      recipient: isMailed ? found.email : "nobody",
      template: "reset-password",
      props: {
        firstName: found?.firstName ?? null,
        emailTokenId,
        validFor: found?.isLast === true ? "24 hours" : "30 minutes",
      },
      dueAt: at,
      sentAt: isMailed ? null : at,
    });
    await recordAudit(tx, {
      at,
      eventType: "PASSWORD_RESET_REQUESTED",
      ...callFacts({ actor: { kind: "anonymous" }, request }),
      ...(found ? { subjectUserId: found.id } : {}),
      data: {},
    });
    return found !== undefined;
  });
  await queue.enqueue(jobs.mail, {});
  if (!isKnown) throw new Failure("not_found", "No account found with this email address.");
  return { message: RESET_REQUESTED };
}

/** Looks the address up and stores the link's hash in one statement, which is the same for an unknown address. */
async function storeToken(tx: Tx, email: string, id: string, at: Date): Promise<FoundUser | undefined> {
  const hash = tokenHash(emailToken("RESET_PASSWORD", id));
  const [dayAgo, expiresAt, lastExpiresAt] = [-DAY_MS, RESET_LINK_MS, LAST_LINK_MS].map(
    (ms) => new Date(at.getTime() + ms),
  );
  const [found] = await tx.$queryRaw<FoundUser[]>`
    with "found" as (
      select "id", "email", case when "emailVerifiedAt" is null then null else "firstName" end as "firstName",
        "disabledAt" is null as "isMailed", (
          select count(*) from "EmailToken"
          where "EmailToken"."userId" = "User"."id" and "kind" = 'RESET_PASSWORD' and "createdAt" > ${dayAgo}::timestamptz
        ) >= ${MAILS_A_DAY - 1} as "isLast"
      from "User" where "email" = ${email}
    ), "stored" as (
      insert into "EmailToken" ("id", "userId", "kind", "tokenHash", "createdAt", "expiresAt")
      select ${id}::uuid, "id", 'RESET_PASSWORD', ${hash}, ${at}::timestamptz,
        case when "isLast" then ${lastExpiresAt}::timestamptz else ${expiresAt}::timestamptz end
      from "found" where "isMailed"
    )
    select "id", "email", "firstName", "isMailed", "isLast" from "found"`;
  return found;
}
