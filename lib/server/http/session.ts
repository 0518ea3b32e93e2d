import type { RoleName } from "@/lib/domain/enums.ts";
import { MINUTE_MS } from "@/lib/domain/time.ts";
import type { SignedIn } from "../context.ts";
import type { Db } from "../db.ts";
import { env } from "../env.ts";
import { idleSince } from "../idle.ts";
import { readToken, SIGN_IN_MS, type TokenClaims } from "../secrets/token.ts";

export interface SignedInUser {
  id: string;
  email: string;
  firstName: string;
  lastName: string;
  role: RoleName;
  emailVerified: boolean;
}

export interface Session {
  signInId: string;
  confirmedAt: Date;
  /** The policy in force asks administrators for a second factor, and this one has none: they have no powers. */
  lacksRequiredFactor: boolean;
  claims: TokenClaims;
  user: SignedInUser;
}

/**
 * The sign-in behind a token, read from Postgres every time: logout, a changed password, a disabled or
 * deleted user, and hours without a use end it with the next request. Null when the token does not hold.
 */
export async function sessionOf(token: string, { db, now }: { db: Db; now: () => Date }): Promise<Session | null> {
  const claims = readToken(token, now());
  if (!claims) return null;
  const signIn = await storedSignIn(db, claims.jti);
  const at = now();
  if (!signIn || signIn.revokedAt !== null || signIn.expiresAt <= at || signIn.lastSeenAt <= idleSince(at)) return null;
  const { id, email, firstName, lastName, role, tokenVersion, emailVerifiedAt, disabledAt } = signIn;
  if (id !== claims.sub || tokenVersion !== claims.ver || disabledAt !== null) return null;
  await noteUse(db, signIn, at);
  const { signInId, confirmedAt, lacksRequiredFactor } = signIn;
  const user = { id, email, firstName, lastName, role, emailVerified: emailVerifiedAt !== null };
  return { signInId, confirmedAt, lacksRequiredFactor, claims, user };
}

interface StoredSignIn extends Omit<SignedInUser, "emailVerified"> {
  signInId: string;
  revokedAt: Date | null;
  expiresAt: Date;
  lastSeenAt: Date;
  confirmedAt: Date;
  tokenVersion: number;
  emailVerifiedAt: Date | null;
  disabledAt: Date | null;
  lacksRequiredFactor: boolean;
}

/** Sign-in, person and the rule for administrators in one statement: every call of the API begins with it. */
async function storedSignIn(db: Db, jti: string): Promise<StoredSignIn | undefined> {
  const [found] = await db.$queryRaw<StoredSignIn[]>`
    select s."id" as "signInId", s."revokedAt", s."expiresAt", s."lastSeenAt", s."confirmedAt",
      u."id", u."email", u."firstName", u."lastName", u."role"::text as "role", u."tokenVersion", u."emailVerifiedAt", u."disabledAt",
      case when u."role" = 'ADMIN' then
        not exists (select 1 from "TotpFactor" t where t."userId" = u."id" and t."confirmedAt" is not null)
        and not exists (select 1 from "Passkey" k where k."userId" = u."id")
        and exists (select 1 from "PolicyVersion" p where p."status" = 'ACTIVE'
          and p."content" -> 'orders_execution' ->> 'require_admin_second_factor' = '1')
      else false end as "lacksRequiredFactor"
    from "SignIn" s join "User" u on u."id" = s."userId" where s."jti" = ${jti}`;
  return found;
}

/** Written at most once a minute; of requests at once, one writes. */
async function noteUse(db: Db, { signInId: id, lastSeenAt }: StoredSignIn, at: Date): Promise<void> {
  const before = new Date(at.getTime() - MINUTE_MS);
  if (lastSeenAt > before) return;
  await db.signIn.updateMany({ where: { id, lastSeenAt: { lte: before } }, data: { lastSeenAt: at } });
}

export function actorOf({ user, signInId, confirmedAt }: Session): SignedIn {
  return { kind: "user", userId: user.id, role: user.role, signInId, confirmedAt };
}

/** Administrators may enter without a verified address. */
export function mayEnter({ role, emailVerified }: SignedInUser): boolean {
  return emailVerified || role === "ADMIN";
}

/** Next-auth's session cookie. It guards pages, and their documents are made by it (prefetch.ts); no call of /api/v1 reads it. */
export function sessionCookie() {
  const secure = env().APP_BASE_URL.startsWith("https://");
  return {
    name: `${secure ? "__Secure-" : ""}next-auth.session-token`,
    options: { httpOnly: true, sameSite: "lax" as const, path: "/", secure },
  };
}

/** Set-Cookie for a new sign-in; with null, the one that removes the cookie. */
export function sessionCookieHeader(token: string | null): string {
  const { name, options } = sessionCookie();
  const parts = [
    `${name}=${token ?? ""}`,
    "Path=/",
    "HttpOnly",
    "SameSite=Lax",
    `Max-Age=${token ? SIGN_IN_MS / 1000 : 0}`,
  ];
  return [...parts, ...(options.secure ? ["Secure"] : [])].join("; ");
}
