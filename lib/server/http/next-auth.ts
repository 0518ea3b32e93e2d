import type { NextAuthOptions } from "next-auth";
import type { JWT } from "next-auth/jwt";
import Credentials from "next-auth/providers/credentials";
import { db, isUnreachable } from "../db.ts";
import { env } from "../env.ts";
import { createLog } from "../log.ts";
import { addressHeaders } from "./client-address.ts";
import { isDeviceMark } from "./device-mark.ts";
import type { Handler } from "./route.ts";
import { sessionCookie, sessionOf, type SignedInUser } from "./session.ts";
import { readToken, SIGN_IN_MS, writeToken, type TokenClaims } from "../secrets/token.ts";

declare module "next-auth" {
  interface User {
    claims: TokenClaims;
  }
  interface Session {
    user: SignedInUser;
  }
}

declare module "next-auth/jwt" {
  interface JWT {
    claims: TokenClaims;
    signedIn?: SignedInUser;
  }
}

const log = createLog("next-auth");
const now = () => new Date();

/** What next-auth throws where `decode` finds no sign-in that holds. */
const NO_SESSION = "JWT invalid";

/** Is told why a sign-in could not be looked up. */
type OnFault = (fault: unknown) => void;

/**
 * Next-auth's cookie and our bearer token are one and the same JWT: next-auth reads and writes it through
 * `token.ts`, and every reading asks Postgres whether the sign-in still holds. Whatever a reading throws, next-auth
 * answers "no session": `onFault` tells the one from the other.
 */
export function sessionOptions(onFault: OnFault = () => undefined): NextAuthOptions {
  return {
    secret: env().NEXTAUTH_SECRET,
    useSecureCookies: env().APP_BASE_URL.startsWith("https://"),
    session: { strategy: "jwt", maxAge: SIGN_IN_MS / 1000 },
    pages: { signIn: "/auth", error: "/auth" },
    cookies: { sessionToken: sessionCookie() },
    providers: [],
    jwt: {
      maxAge: SIGN_IN_MS / 1000,
      // Re-written, not renewed: the same claims give the same token with the same end.
      encode: async ({ token }) => (token?.claims ? writeToken(token.claims) : ""),
      decode: async ({ token }) => {
        try {
          const session = token ? await sessionOf(token, { db: db(), now }) : null;
          return session && ({ claims: session.claims, signedIn: session.user } satisfies JWT);
        } catch (error) {
          onFault(error);
          throw error;
        }
      },
    },
    callbacks: {
      // Next-auth declares `user` always there; it is so at sign-in only.
      jwt: ({ token, user }) => ((user as typeof user | undefined) ? { claims: user.claims } : token),
      session: ({ session, token }) =>
        ({ expires: session.expires, ...(token.signedIn ? { user: token.signedIn } : {}) }) as typeof session,
      redirect: () => env().APP_BASE_URL,
    },
    events: {
      signOut: async ({ token }) => {
        // Null for a cookie that no longer held.
        const jti = (token as JWT | null)?.claims.jti;
        if (jti) await db().signIn.updateMany({ where: { jti, revokedAt: null }, data: { revokedAt: now() } });
      },
    },
    logger: {
      error: (code, metadata) => {
        const err = metadata instanceof Error ? metadata : metadata.error;
        if (code !== "JWT_SESSION_ERROR") log.error("next-auth.failed", { code, err });
        // A cookie whose sign-in has ended is daily life.
        else if (err.message === NO_SESSION) log.debug("session-cookie.expired", { code });
        else log[isUnreachable(err) ? "warn" : "error"]("session-cookie.not-read", { err });
      },
      warn: (code) => log.debug("next-auth.warned", { code }),
      debug: () => undefined,
    },
  };
}

/**
 * The options of next-auth's own routes: a sign-in there goes through the same door as POST /auth/login, limits and the
 * device's mark included. `onMarked` is told the cookie that marks the device after a sign-in.
 */
export function authOptions(
  logIn: Handler,
  onMarked: (cookie: string) => void = () => undefined,
  onFault?: OnFault,
): NextAuthOptions {
  const credentials = Credentials({
    credentials: { email: { type: "email" }, password: { type: "password" } },
    authorize: async (given, { headers }) => {
      const carried = new Headers({ "content-type": "application/json" });
      for (const name of ["user-agent", "cookie", ...addressHeaders()]) {
        const value = (headers as Record<string, string | undefined> | undefined)?.[name];
        if (value) carried.set(name, value);
      }
      const body = JSON.stringify({ email: given?.email, password: given?.password });
      const request = new Request(`${env().APP_BASE_URL}/api/v1/auth/login`, {
        method: "POST",
        headers: carried,
        body,
      });
      const response = await logIn(request, { params: Promise.resolve({}) });
      const mark = response.headers.getSetCookie().find((cookie) => isDeviceMark(cookie));
      if (mark !== undefined) onMarked(mark);
      const answer = (await response.json()) as { data: { token: string | null } | null };
      // No token: refused, or a second factor is missing, which only the product's own page asks for.
      const token = answer.data?.token ?? null;
      const claims = token === null ? null : readToken(token, now());
      return claims && { id: claims.sub, claims };
    },
  });
  return { ...sessionOptions(onFault), providers: [credentials] };
}

/** What is read of a sign-in, or the fault for which it could not be. */
export async function withoutFault<T>(read: (onFault: OnFault) => Promise<T>): Promise<T> {
  const faults: unknown[] = [];
  const found = await read((fault) => faults.push(fault));
  if (faults.length > 0) throw faults[0];
  return found;
}

/** Next-auth's answer with the cookie that marks the device, where a sign-in of this request made one. */
export async function withDeviceMark(
  answer: (onMarked: (cookie: string) => void) => Promise<Response>,
): Promise<Response> {
  const marks: string[] = [];
  const response = await answer((cookie) => marks.push(cookie));
  for (const mark of marks) response.headers.append("set-cookie", mark);
  return response;
}
