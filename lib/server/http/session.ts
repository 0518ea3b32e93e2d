import type { RoleName } from "@/lib/domain/enums.ts";
import type { SignedIn } from "../context.ts";
import type { Db } from "../db.ts";
import { env } from "../env.ts";
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
  claims: TokenClaims;
  user: SignedInUser;
}

/**
 * The sign-in behind a token, read from Postgres every time: logout, a changed password, a disabled or
 * deleted user end it with the next request. Null when the token does not hold.
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
  if (!signIn || signIn.revokedAt !== null || signIn.expiresAt <= now()) return null;
  const { tokenVersion, disabledAt, emailVerifiedAt, ...user } = signIn.user;
  if (user.id !== claims.sub || tokenVersion !== claims.ver || disabledAt !== null) return null;
  return { signInId: signIn.id, claims, user: { ...user, emailVerified: emailVerifiedAt !== null } };
}

export function actorOf({ user, signInId }: Session): SignedIn {
  return { kind: "user", userId: user.id, role: user.role, signInId };
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
