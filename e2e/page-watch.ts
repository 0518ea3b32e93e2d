import { expect, type Page } from "@playwright/test";
import { signInOf, store } from "./people.ts";
import type { Run } from "./run.ts";
import { untilReady } from "./test.ts";

type Person = "nobody" | keyof Run["demo"];

interface WatchedPage {
  path: string;
  as: Person;
  /** Where the path alone does not say what is looked at. */
  name?: string;
  /** How the page is come to from the path, where its address holds what only the run knows. */
  reach?: (page: Page) => Promise<void>;
  /** What must be done for the whole page to be there. */
  open?: (page: Page) => Promise<void>;
  /** Shows nothing that a person typed or a provider wrote. */
  hasOwnTextOnly?: boolean;
}

const press = (name: string | RegExp) => async (page: Page) => {
  await page.getByRole("button", { name }).first().click();
};

/** A chart is drawn when it comes near the view. */
export async function drawnChart(page: Page): Promise<void> {
  await page.getByText("Chart:").first().scrollIntoViewIfNeeded();
  await expect(page.locator("canvas").first(), "the chart is drawn").toBeVisible();
}

/** Every page of the product; a new one is one line here. */
export const PAGES: readonly WatchedPage[] = [
  { path: "/", as: "nobody" },
  { path: "/?verified=true", as: "nobody" },
  { path: "/learn-more", as: "nobody" },
  {
    path: "/demo",
    as: "nobody",
    open: drawnChart,
  },
  { path: "/api-reference", as: "nobody", hasOwnTextOnly: true },
  { path: "/api-reference/trades", as: "nobody", hasOwnTextOnly: true },
  { path: "/privacy-policy", as: "nobody" },
  { path: "/terms-of-service", as: "nobody" },
  { path: "/auth", as: "nobody" },
  { path: "/auth", name: "the registration", as: "nobody", open: press("Sign up") },
  { path: "/auth", name: "the request of a reset", as: "nobody", open: press("Forgot your password?") },
  { path: "/auth", name: "the request of another mail", as: "nobody", open: press("Resend verification email?") },
  { path: "/auth/verify-success", as: "nobody" },
  { path: "/auth/verify-success?verified=true", as: "nobody" },
  { path: "/auth/reset-password", as: "nobody" },
  { path: "/auth/reset-password?token=x", as: "nobody" },
  { path: "/unsubscribe", as: "nobody" },
  { path: "/does-not-exist", as: "nobody" },
  {
    path: "/dashboard",
    as: "trader",
    open: drawnChart,
  },
  { path: "/symbols/SPY", as: "trader", open: drawnChart },
  { path: "/alpaca-keys", as: "trader", open: press(/^Delete/) },
  { path: "/trade-history", as: "trader" },
  { path: "/logs", as: "trader" },
  { path: "/logs?tab=audit", as: "trader" },
  { path: "/settings", as: "trader" },
  { path: "/settings?tab=trading", as: "trader" },
  { path: "/security", as: "trader" },
  { path: "/decisions", as: "trader" },
  { path: "/notifications", as: "trader" },
  { path: "/performance", as: "trader", hasOwnTextOnly: true },
  {
    path: "/performance",
    name: "the review of the latest week",
    as: "trader",
    open: async (page) => {
      await page
        .getByRole("link", { name: /^Week of/ })
        .first()
        .click();
      await expect(page.getByRole("heading", { level: 1, name: /^Week of/ })).toBeVisible();
      await expect(page.locator(".skeleton")).toHaveCount(0);
    },
  },
  { path: "/backtest", as: "trader", hasOwnTextOnly: true },
  { path: "/dashboard", as: "admin" },
  { path: "/trade-history", as: "admin" },
  ...["/performance", "/backtest", "/logs", "/settings", "/decisions"].map(
    (path) => ({ path, as: "admin", hasOwnTextOnly: true }) as const,
  ),
  { path: "/security", as: "admin" },
  { path: "/admin", as: "admin" },
  { path: "/admin?tab=performance", as: "admin" },
  ...["flags", "limits", "selectors", "queue", "rotation"].map(
    (tab) => ({ path: `/admin?tab=${tab}`, as: "admin", hasOwnTextOnly: true }) as const,
  ),
  { path: "/admin/system", as: "admin" },
  { path: "/admin?tab=policy", as: "admin" },
  { path: "/admin/audit", as: "admin" },
  { path: "/admin/invariants", as: "admin" },
  { path: "/admin/users", as: "admin" },
  { path: "/admin/operations", as: "admin", open: press(/^Kill switch/) },
  { path: "/admin/top50-selector", as: "admin" },
  ...["regime", "qa"].map(
    (tab) => ({ path: `/admin/top50-selector?tab=${tab}`, as: "admin", hasOwnTextOnly: true }) as const,
  ),
  { path: "/admin/earnings-watchlist", as: "admin" },
  { path: "/admin/qa-results", as: "admin" },
];

declare global {
  interface Window {
    noteViolation?: (line: string) => void;
    /** Set by a payload that ran. */
    __xss?: unknown;
  }
}

/** What the page's policy stopped and what the browser complained of, from here on and over all loads. */
export async function watch(page: Page): Promise<string[]> {
  const complaints: string[] = [];
  await page.exposeBinding("noteViolation", (_, line: string) => complaints.push(line));
  await page.addInitScript(() => {
    document.addEventListener("securitypolicyviolation", (event) => {
      const { effectiveDirective, blockedURI, sourceFile, lineNumber, sample } = event;
      window.noteViolation?.(
        `${window.location.pathname}: ${effectiveDirective} stopped ${blockedURI} ${sample} (${sourceFile}:${lineNumber})`,
      );
    });
  });
  page.on("console", (message) => {
    if (message.type() === "error") complaints.push(`console: ${message.text()}`);
  });
  page.on("pageerror", ({ message }) => complaints.push(`error: ${message}`));
  page.on("dialog", (dialog) => {
    complaints.push(`dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  return complaints;
}

/** Signs in by the API: the token where the page looks for it, the cookie in the browser's jar. */
export async function signInAs(page: Page, person: { email: string; password: string }): Promise<void> {
  const { token, cookies } = await signInOf(page, person);
  await page.context().addCookies(cookies);
  await store(page, { auth_token: token });
}

/**
 * Until what was typed is guarded: a moment after it is shown. The guard keeps the browser from closing the tab, and is asked
 * here as the browser asks it.
 */
export async function untilGuarded(page: Page): Promise<void> {
  const isGuarded = () => page.evaluate(() => !window.dispatchEvent(new Event("beforeunload", { cancelable: true })));
  await expect.poll(isGuarded, "what is not saved is guarded").toBe(true);
}

/** Loads a page until its content is there. */
export async function load(page: Page, path: string): Promise<void> {
  await page.goto(path);
  await untilReady(page);
  await expect(page.getByRole("heading", { level: 1 }), path).toBeVisible();
  await expect(page.locator(".skeleton"), `the content of ${path} has come`).toHaveCount(0);
  // The note over a page whose token is being looked at fades in: a look at its colours would meet it half-way.
  await expect(
    page.getByText("Authenticating...", { exact: true }),
    `the sign-in on ${path} was looked at`,
  ).toHaveCount(0);
}
