import { headers } from "next/headers";
import { redirect } from "next/navigation";
import { connection } from "next/server";
import { getServerSession } from "next-auth";
import { cache } from "react";
import { canConnectAtAlpaca } from "../broker/alpaca-oauth.ts";
import { env } from "../env.ts";
import { sessionOptions, withoutFault } from "./next-auth.ts";
import { mayEnter, type SignedInUser } from "./session.ts";

/** The person behind the session cookie, or null; fails where that cannot be looked up. Looked up once for a request. */
const personOfCookie = cache(async (): Promise<SignedInUser | null> => {
  await connection(); // a build has neither environment nor person: these pages are made per request
  const session = await withoutFault((onFault) => getServerSession(sessionOptions(onFault)));
  const user = session?.user;
  return user && mayEnter(user) ? user : null;
});

/**
 * The person behind the session cookie, or null. For pages only: calls of the API carry a bearer token. Where the person cannot
 * be looked up, a whole document is made without one, because the browser then asks by its token until it is answered; anything
 * less fails, because it would be taken for a sign-in that has ended.
 */
export async function currentUser(): Promise<SignedInUser | null> {
  const isDocument = (await headers()).get("sec-fetch-dest") === "document";
  return personOfCookie().catch((error: unknown) => {
    if (isDocument) return null;
    throw error;
  });
}

/** For pages that need a sign-in. The path is where the person wanted to go; what it asked for beside comes from proxy.ts. */
export async function requireUser(path: string): Promise<SignedInUser> {
  const user = await personOfCookie();
  if (user !== null) return user;
  const search = (await headers()).get("x-search") ?? "";
  redirect(`/auth?from=${encodeURIComponent(`${path}${search}`)}`);
}

/** For pages of traders alone: administrators have no brokerage accounts and are sent to their dashboard. */
export async function requireTrader(path: string): Promise<SignedInUser> {
  const user = await requireUser(path);
  return user.role === "ADMIN" ? redirect("/dashboard") : user;
}

/** For the landing page. */
export async function redirectIfSignedIn(): Promise<void> {
  if (await currentUser()) redirect("/dashboard");
}

/** The support address. It guards nothing; it is here because pages may import nothing else from the server. */
export async function supportEmail(): Promise<string> {
  await connection(); // a build has no environment
  return env().SUPPORT_EMAIL;
}

/** Whether people can connect accounts at Alpaca, without keys. Here for the same reason. */
export async function mayConnectAtAlpaca(): Promise<boolean> {
  await connection();
  return canConnectAtAlpaca();
}

/** Whether visitors may look at a demo trader's practice account. Here for the same reason. */
export async function hasDemo(): Promise<boolean> {
  await connection();
  const { DEMO, EXCHANGE_URL } = env();
  return DEMO && EXCHANGE_URL !== undefined;
}

/** Where the site is reached, for links that other sites show. Here for the same reason. */
export async function siteAddress(): Promise<string> {
  await connection();
  return env().APP_BASE_URL;
}
