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
  const signIn = await db.signIn.findUnique({
    where: { jti: claims.jti },
    select: {
      id: true,
      revokedAt: true,
      expiresAt: true,
      lastSeenAt: true,
      confirmedAt: true,
      user: {
        select: {
          id: true,
          email: true,
          firstName: true,
          lastName: true,
          role: true,
          emailVerifiedAt: true,
          tokenVersion: true,
          disabledAt: true,
        },
      },
    },
  });
  const at = now();
  if (!signIn || signIn.revokedAt !== null || signIn.expiresAt <= at || signIn.lastSeenAt <= idleSince(at)) return null;
  const { tokenVersion, disabledAt, emailVerifiedAt, ...user } = signIn.user;
  if (user.id !== claims.sub || tokenVersion !== claims.ver || disabledAt !== null) return null;
  await noteUse(db, signIn, at);
  const { id: signInId, confirmedAt } = signIn;
  return { signInId, confirmedAt, claims, user: { ...user, emailVerified: emailVerifiedAt !== null } };
}

/** Written at most once a minute; of requests at once, one writes. */
async function noteUse(db: Db, { id, lastSeenAt }: { id: string; lastSeenAt: Date }, at: Date): Promise<void> {
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

/** Next-auth's session cookie. It guards pages only: no call of /api/v1 reads it. */
export function sessionCookie() {
  const secure = env().APP_BASE_URL.startsWith("https://");
  return {
    name: `${secure ? "__Secure-" : ""}next-auth.session-token`,
    options: { httpOnly: true, sameSite: "lax" as const, path: "/", secure },
  };
}

/** Set-Cookie for a new sign-in; with null, the one that takes the cookie away. */
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
