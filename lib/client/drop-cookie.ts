/**
 * Ends the sign-in behind the cookie of pages, by next-auth's own routes: where the token is gone and the cookie is
 * not, pages would take the visitor for signed in. Whether it worked is only logged: the token decides. The request
 * outlives the page (`keepalive`), which may be left before its answer.
 */
export async function dropCookie(): Promise<void> {
  try {
    const { csrfToken } = (await (await fetch("/api/auth/csrf")).json()) as { csrfToken: string };
    const body = new URLSearchParams({ csrfToken, json: "true" });
    await fetch("/api/auth/signout", { method: "POST", body, keepalive: true });
  } catch (error) {
    console.error("dropping the cookie", error);
  }
}
