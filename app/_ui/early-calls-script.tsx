import type { RoleName } from "@/lib/domain/enums.ts";
import { firstCallsOf } from "./first-calls.ts";

const META = "first-calls";

/**
 * Starts the page's first reads while its code is on the way: on a slow line the person and the figures come with the code
 * instead of two round trips after it. `call` (lib/client/api.ts) takes the answers. A page whose address says more, a
 * filter or a tab, asks for other things and starts none but the person, and so does a visit in which an environment was chosen. They let the code go first: without it they show nothing.
 * The obsolete store of tokens is removed here too, on every page.
 */
const SCRIPT = `(() => {
  const known = document.querySelector('meta[name="${META}"]');
  let [token, environment] = [null, null];
  try { localStorage.removeItem("auth_tokens"); token = localStorage.getItem("auth_token"); environment = sessionStorage.getItem("environment"); } catch {}
  const calls = known && JSON.parse(known.content)[location.pathname];
  if (!calls || !token) return;
  const headers = { "Content-Type": "application/json", Authorization: "Bearer " + token };
  window.earlyCalls = {};
  for (const address of location.search || environment ? calls.slice(0, 1) : calls) {
    const response = fetch(address, { headers, priority: "low" });
    response.catch(() => {});
    window.earlyCalls[address] = { token, startedAt: performance.now(), response };
  }
})()`;

/**
 * The script is the same for every user, because a page that is refreshed for another user must not write a new one; what
 * it reads differs. The browser hides the nonce from scripts, so what it shows differs from what was sent.
 */
export function EarlyCallsScript({ role, nonce }: { role: RoleName | null; nonce: string }) {
  return (
    <>
      {role && <meta name={META} content={JSON.stringify(firstCallsOf(role))} />}
      <script nonce={nonce} suppressHydrationWarning dangerouslySetInnerHTML={{ __html: SCRIPT }} />
    </>
  );
}
