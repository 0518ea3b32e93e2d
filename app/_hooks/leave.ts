/** How a person leaves. Apart from use-session.ts: pages for those who are signed out need none of it. */
import { call } from "@/lib/client/api.ts";
import { dropCookie } from "@/lib/client/drop-cookie.ts";
import { authCalls } from "@/lib/contracts/auth-calls.ts";
import { holdSession } from "./use-session.ts";

const LOGOUT_PATIENCE_MS = 3000;
const COOKIE_PATIENCE_MS = 5000;

const after = (ms: number) => new Promise<false>((resolve) => setTimeout(() => resolve(false), ms));

/**
 * Ends the sign-in. The page stops reading at once: a read without a token would leave before the server
 * has been notified. The full load at the end also drops every figure that memory holds; the logout does not wait
 * for a server that does not answer. Where it failed, next-auth's sign-out removes the cookie of pages, which no script can:
 * pages would go on to name the person.
 */
export async function logout(): Promise<void> {
  const ended = call(authCalls.logout, {}).then(
    () => true,
    (error: unknown) => {
      console.error("logout", error);
      return false;
    },
  );
  const isDone = Promise.all([
    ended,
    // The next user of this browser is not shown this person's notifications.
    import("@/lib/client/push.ts")
      .then((push) => push.unsubscribeHere())
      .catch((error: unknown) => console.error("unsubscribing", error)),
  ]);
  holdSession();
  const patience = after(LOGOUT_PATIENCE_MS);
  await Promise.race([isDone, patience]);
  if (!(await Promise.race([ended, patience]))) await Promise.race([dropCookie(), after(COOKIE_PATIENCE_MS)]);
  // A full load, see above.
  window.location.assign("/auth");
}

/** Leaves for the landing page, which says so, once the person has been erased: the sign-in ended with them. */
export async function leaveErased(): Promise<void> {
  holdSession();
  await dropCookie();
  // A full load, as after a logout.
  window.location.assign("/?erased=true");
}
