"use client";
import { createContext, useContext, useSyncExternalStore } from "react";
import { call, CallError } from "@/lib/client/api.ts";
import { clearToken, dropEndedToken, dropNotice, onForeignToken, readToken, storeToken } from "@/lib/client/storage.ts";
import { authCalls } from "@/lib/contracts/auth-calls.ts";
import type { Answer, Sent } from "@/lib/contracts/endpoint.ts";

export type SessionUser = Answer<typeof authCalls.me>;

type Session =
  | { status: "loading"; user: null; isUnreachable: boolean }
  | { status: "signed-in"; user: SessionUser }
  | { status: "signed-out"; user: null };

/**
 * The sign-in of this tab: one store outside React, so that public pages need no provider. It starts
 * when the first part of a page asks.
 */
const LOADING: Session = { status: "loading", user: null, isUnreachable: false };
/** The token was forgotten, and the page waits to be left: it shows no person, not even that of its document. */
const HELD: Session = { ...LOADING };
let session: Session = LOADING;
let hasStarted = false;
const listeners = new Set<() => void>();
const RETRY_MS = 2000;

function publish(next: Session): void {
  // A look at the token that was under way comes too late.
  if (session === HELD) return;
  session = next;
  // What was to be said on the sign-in page is over.
  if (next.status === "signed-in") dropNotice();
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  if (!hasStarted) {
    hasStarted = true;
    // It may be another person: nothing that this page holds is theirs.
    onForeignToken(() => window.location.reload());
    void restore();
  }
  return () => listeners.delete(listener);
}

const isAccepted = (user: SessionUser) => user.emailVerified || user.role === "ADMIN";

/** An unreachable server has not refused the token. */
const isUnreachable = (error: unknown) =>
  !(error instanceof CallError) || error.status === 0 || error.status === 429 || error.status >= 500;

async function restore(): Promise<void> {
  const token = readToken();
  if (token === null) return publish({ status: "signed-out", user: null });
  // Another tab may have signed in while this one asked.
  const isCurrent = () => readToken() === token;
  try {
    const user = (await call(authCalls.me, {})) as SessionUser | null;
    if (user && isAccepted(user)) return publish({ status: "signed-in", user });
    if (isCurrent()) clearToken();
  } catch (error) {
    if (isUnreachable(error)) {
      publish({ status: "loading", user: null, isUnreachable: true });
      setTimeout(() => void restore(), RETRY_MS);
      return;
    }
    const hasEnded = error instanceof CallError && error.status === 401;
    if (isCurrent()) (hasEnded ? dropEndedToken : clearToken)();
  }
  publish({ status: "signed-out", user: null });
}

const unreadable = () => new CallError(200, "unreadable", "The answer could not be read.");

type LoginAnswer = Answer<typeof authCalls.login>;

/** What a sign-in waits for where a second factor is set up. */
export type AwaitedFactor = Extract<LoginAnswer, { token: null }>["secondFactor"];

/** Signs in and keeps token and user. Where a second factor is missing, answers what is awaited and keeps nothing. Throws CallError. */
export async function login(input: Sent<typeof authCalls.login>): Promise<AwaitedFactor | null> {
  const answer = (await call(authCalls.login, input)) as LoginAnswer | null;
  if (answer && "secondFactor" in answer) return answer.secondFactor;
  keepSignIn(answer);
  return null;
}

/** Keeps token and user of a sign-in that is complete. Throws CallError where the answer holds none. */
export function keepSignIn(answer: Partial<Answer<typeof authCalls.secondFactor>> | null): void {
  if (!answer?.user || !answer.token) throw unreadable();
  const { user, token } = answer;
  storeToken(token);
  publish({ status: "signed-in", user });
}

/** Registers. "signed-in" when the address counts as verified already, else "check-email". Throws CallError. */
export async function register(input: Sent<typeof authCalls.register>): Promise<"signed-in" | "check-email"> {
  const answer = (await call(authCalls.register, input)) as Partial<Answer<typeof authCalls.register>> | null;
  if (!answer?.user) throw unreadable();
  const { user, token } = answer;
  if (user.emailVerified && token) {
    storeToken(token);
    publish({ status: "signed-in", user });
    return "signed-in";
  }
  clearToken();
  return "check-email";
}

/** The look at the token that gives the cookie of pages back; whether it did shows when the page is asked for. */
export async function renewCookie(): Promise<void> {
  await call(authCalls.me, {}).catch((error: unknown) => console.error("renewing the cookie", error));
}

/** Forgets a sign-in that the server does not know. */
export function endSession(): void {
  clearToken();
  publish({ status: "signed-out", user: null });
}

/** Looks at the token again: what the server does not know of this tab may have ended, or the server may not know it right now. */
export function lookAgain(): void {
  publish({ status: "loading", user: null, isUnreachable: false });
  void restore();
}

/** Forgets the sign-in of this tab, and holds its page until another one is loaded. */
export function holdSession(): void {
  clearToken();
  dropNotice();
  publish(HELD);
}

/** The person for whom the server made the page's document, by the cookie of pages. Null where there is none. */
export const DocumentSession = createContext<Extract<Session, { status: "signed-in" }> | null>(null);

/** The sign-in as the token gives it; loading until it has been looked at. */
export function useTokenSession(): Session {
  return useSyncExternalStore(
    subscribe,
    () => session,
    () => LOADING,
  );
}

/** The sign-in: until the token has been looked at, that of the document. */
export function useSession(): Session {
  const ofDocument = useContext(DocumentSession);
  const ofToken = useTokenSession();
  return ofToken.status === "loading" && ofToken !== HELD && ofDocument !== null ? ofDocument : ofToken;
}
