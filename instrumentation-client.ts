import { PUSH_WORKER } from "@/lib/client/push-worker.ts";
import { BEFORE_STEP } from "@/lib/client/before-step.ts";

/** What the policy of lib/server/http/headers.ts asks of libraries; runs in the browser before anything else of ours. */
interface Page {
  trustedTypes?: {
    createPolicy(name: "default", rules: { createScriptURL: (url: string) => string | null }): unknown;
  };
  __webpack_nonce__?: string;
  __zod_globalConfig?: { jitless: boolean };
}
const page = window as Page;

// Code is loaded from our own build and nowhere else, beside the worker that shows pushes; text never becomes markup or code.
page.trustedTypes?.createPolicy("default", {
  createScriptURL: (url) => {
    const { origin, pathname } = new URL(url, window.location.href);
    const isOurs = pathname.startsWith("/_next/static/") || pathname === PUSH_WORKER;
    return origin === window.location.origin && isOurs ? url : null;
  },
});

// Dialogs lock the scroll by a style element: this is where their library looks for its nonce.
const nonce = document.querySelector<HTMLScriptElement>("script[nonce]")?.nonce;
if (nonce) page.__webpack_nonce__ = nonce;

// Zod tries whether it may compile code, and would be reported for it. Set like this, pages without it need not load it.
page.__zod_globalConfig = { jitless: true };

// Window listeners are called in the order in which they came: this one is there before the router's.
window.addEventListener("popstate", (event) => {
  if (!window.dispatchEvent(new Event(BEFORE_STEP, { cancelable: true }))) event.stopImmediatePropagation();
});
