"use client";
import { useSyncExternalStore } from "react";
import { call, CallError } from "@/lib/client/api.ts";
import { clearToken, dropObsoleteTokens, readToken, storeToken } from "@/lib/client/storage.ts";
import { authApi } from "@/lib/contracts/auth.ts";
import type { Answer, Sent } from "@/lib/contracts/endpoint.ts";

export type SessionUser = Answer<typeof authApi.me>;

type Session =
  | { status: "loading"; user: null; isUnreachable: boolean }
  | { status: "signed-in"; user: SessionUser }
  | { status: "signed-out"; user: null };

/**
 * The sign-in of this tab: one store outside React, so that public pages need no provider. It starts
 * when the first part of a page asks.
 */
const LOADING: Session = { status: "loading", user: null, isUnreachable: false };
let session: Session = LOADING;
let hasStarted = false;
const listeners = new Set<() => void>();
const RETRY_MS = 2000;

function publish(next: Session): void {
  session = next;
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  if (!hasStarted) {
    hasStarted = true;
    void restore();
  }
  return () => listeners.delete(listener);
}

const isAccepted = (user: SessionUser) => user.emailVerified || user.role === "ADMIN";

async function restore(): Promise<void> {
  dropObsoleteTokens();
  if (readToken() === null) return publish({ status: "signed-out", user: null });
  try {
    const user = await call(authApi.me, {});
    if (isAccepted(user)) return publish({ status: "signed-in", user });
  } catch (error) {
    // A server that is away has not refused the token: keep it and ask again.
    if (!(error instanceof CallError) || error.status === 0 || error.status === 429 || error.status >= 500) {
      publish({ status: "loading", user: null, isUnreachable: true });
      setTimeout(() => void restore(), RETRY_MS);
      return;
    }
  }
  clearToken();
  publish({ status: "signed-out", user: null });
}

/** Signs in and keeps token and user. Throws CallError. */
export async function login(input: Sent<typeof authApi.login>): Promise<void> {
  const { user, token } = await call(authApi.login, input);
  storeToken(token);
  publish({ status: "signed-in", user });
}

/** Registers. "signed-in" when the address counts as verified already, else "check-email". Throws CallError. */
export async function register(input: Sent<typeof authApi.register>): Promise<"signed-in" | "check-email"> {
  const { user, token } = await call(authApi.register, input);
  if (user.emailVerified && token !== null) {
    storeToken(token);
    publish({ status: "signed-in", user });
    return "signed-in";
  }
  clearToken();
  return "check-email";
}

/** Forgets a sign-in that the server does not know. */
export function endSession(): void {
  clearToken();
  publish({ status: "signed-out", user: null });
}

/**
 * Ends the sign-in. The page stops reading at once: a read without a token would leave before the server
 * has heard of it. The full load at the end also drops every figure that memory holds.
 */
export async function logout(): Promise<void> {
  const ended = call(authApi.logout, {});
  clearToken();
  publish(LOADING);
  await ended.catch((error: unknown) => console.error("logout", error));
  // eslint-disable-next-line @next/next/no-location-assign-relative-destination -- a full load, see above
  window.location.assign("/auth");
}

export function useSession(): Session {
  return useSyncExternalStore(
    subscribe,
    () => session,
    () => LOADING,
  );
}
