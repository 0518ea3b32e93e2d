import type { AccessTokenScopeName } from "@/lib/domain/enums.ts";
import { MINUTE_MS } from "@/lib/domain/time.ts";
import type { Db } from "../db.ts";
import { accessTokenHash } from "../secrets/access-token.ts";
import type { SignedInUser } from "./session.ts";

export interface HeldToken {
  id: string;
  scope: AccessTokenScopeName;
  lastFour: string;
  user: SignedInUser;
}

interface StoredToken extends Omit<HeldToken, "user">, Omit<SignedInUser, "id" | "emailVerified"> {
  userId: string;
  lastUsedAt: Date | null;
  emailVerifiedAt: Date | null;
}

/**
 * The access token behind a bearer, read from Postgres every time like a sign-in. Null when it does not hold: unknown, expired,
 * revoked, older than the person's last change of password, or a disabled person's. No sign-in is touched by it.
 */
export async function accessTokenOf(
  bearer: string,
  { db, now }: { db: Db; now: () => Date },
): Promise<HeldToken | null> {
  const at = now();
  const [found] = await db.$queryRaw<StoredToken[]>`
    select t."id", t."scope"::text as "scope", t."lastFour", t."lastUsedAt",
      u."id" as "userId", u."email", u."firstName", u."lastName", u."role"::text as "role", u."emailVerifiedAt"
    from "AccessToken" t join "User" u on u."id" = t."userId"
    where t."tokenHash" = ${accessTokenHash(bearer)} and t."revokedAt" is null and t."expiresAt" > ${at}
      and t."tokenVersion" = u."tokenVersion" and u."disabledAt" is null`;
  if (!found) return null;
  await noteUse(db, found, at);
  const { id, scope, lastFour, userId, email, firstName, lastName, role, emailVerifiedAt } = found;
  const user = { id: userId, email, firstName, lastName, role, emailVerified: emailVerifiedAt !== null };
  return { id, scope, lastFour, user };
}

/** Written at most once a minute; of requests at once, one writes. */
async function noteUse(db: Db, { id, lastUsedAt }: StoredToken, at: Date): Promise<void> {
  const before = new Date(at.getTime() - MINUTE_MS);
  if (lastUsedAt !== null && lastUsedAt > before) return;
  await db.accessToken.updateMany({
    where: { id, OR: [{ lastUsedAt: null }, { lastUsedAt: { lte: before } }] },
    data: { lastUsedAt: at },
  });
}
