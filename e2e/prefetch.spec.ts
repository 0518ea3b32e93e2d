import { expect, type Page, type Request } from "@playwright/test";
import { signInAs } from "./page-watch.ts";
import { run } from "./run.ts";
import { test } from "./test.ts";

/** Pages whose documents hold the answers that their first view shows. */
const PAGES = {
  trader: [
    "/dashboard",
    "/alpaca-keys",
    "/trade-history",
    "/decisions",
    "/logs",
    "/performance",
    "/backtest",
    "/settings",
    "/notifications",
    "/security",
    "/symbols/SPY",
  ],
  admin: ["/dashboard", "/admin", "/admin/system", "/trade-history", "/logs", "/security"],
} as const;

/** The reads whose answers a document holds, as the addresses that the browser would ask for. */
async function prefetchedOf(page: Page, path: string): Promise<string[]> {
  const document = await page.request.get(path, { headers: { "sec-fetch-dest": "document" } });
  expect(document.headers()["cache-control"], "no proxy and no browser keeps it").toContain("no-store");
  const payload = (await document.text()).replaceAll('\\"', '"');
  return [...payload.matchAll(/\{"path":"([^"]+)","input":(\{[^{}]*\}),"data":/g)].map(
    ([, path = "", input = "{}"]) => {
      const query = new URLSearchParams();
      let address = path;
      for (const [name, value] of Object.entries(JSON.parse(input) as Record<string, string>)) {
        if (address.includes(`{${name}}`)) address = address.replace(`{${name}}`, encodeURIComponent(value));
        else query.set(name, value);
      }
      return `/api/v1${address}${query.size === 0 ? "" : `?${query}`}`;
    },
  );
}

for (const who of ["trader", "admin"] as const) {
  test(`each page's document shows the ${who} its first view before any code runs, and holds no answer that the screen does not ask for`, async ({
    page,
  }) => {
    await signInAs(page, run().demo[who]);
    // While reads wait for each other a document comes without answers: the next one has them.
    for (const path of PAGES[who]) await expect(() => bringsItsFirstView(page, path), path).toPass();
  });
}

/** Loads a page whose code is held back until its document has shown what it holds. */
async function bringsItsFirstView(page: Page, path: string): Promise<void> {
  const asked: string[] = [];
  const note = (request: Request) => asked.push(`${request.url()} ${request.postData() ?? ""}`.trim());
  page.on("request", note);
  let letCodeGo = () => {};
  const mayGo = new Promise<void>((resolve) => (letCodeGo = resolve));
  try {
    await page.route("**/_next/static/**/*.js", async (route) => {
      await mayGo;
      await route.continue();
    });
    await page.goto(path, { waitUntil: "commit" });
    await expect(page.locator("#content h1")).toBeVisible({ timeout: 5_000 });
    await expect(page.getByText("Authenticating...")).toBeVisible();
    await expect(page.locator("[data-signed-in]"), "nothing can be pressed yet").toHaveAttribute("inert");
    const { origin } = new URL(page.url());
    const calls = () =>
      asked.filter((url) => url.startsWith(`${origin}/api/v1/`)).map((url) => url.slice(origin.length));
    expect(calls()).toEqual([]);
    letCodeGo();
    await expect(page.getByText("Authenticating...")).toHaveCount(0);
    const prefetched = await prefetchedOf(page, path);
    expect(prefetched).toContain("/api/v1/auth/me");
    expect(prefetched.length).toBeGreaterThan(3);
    await expect.poll(() => prefetched.filter((address) => !calls().includes(address)), { timeout: 5_000 }).toEqual([]);
  } finally {
    letCodeGo();
    await page.unrouteAll({ behavior: "wait" });
    page.off("request", note);
  }
}

test("a document whose address holds a filter brings the frame's answers and leaves the list to its screen", async ({
  page,
}) => {
  await signInAs(page, run().demo.trader);
  let prefetched: string[] = [];
  await expect(async () => {
    prefetched = await prefetchedOf(page, "/trade-history?symbol=AAPL");
    expect(prefetched).toContain("/api/v1/auth/me");
  }).toPass();
  expect(prefetched.filter((address) => address.startsWith("/api/v1/trades"))).toEqual([]);
});

test("a browser that lost its token sees nothing of the document that its cookie opens, and comes to the sign-in", async ({
  page,
}) => {
  await signInAs(page, run().demo.trader);
  await page.goto("/privacy-policy");
  await page.evaluate(() => localStorage.removeItem("auth_token"));
  let letCodeGo = () => {};
  const mayGo = new Promise<void>((resolve) => (letCodeGo = resolve));
  await page.route("**/_next/static/**/*.js", async (route) => {
    await mayGo;
    await route.continue();
  });
  await expect(async () => {
    await page.goto("/dashboard", { waitUntil: "commit" });
    await expect(page.locator("#content h1")).toBeAttached({ timeout: 5_000 });
  }).toPass();
  await expect(page.getByText("Authenticating...")).toBeVisible();
  await expect(page.locator("#content h1")).toBeHidden();
  letCodeGo();
  await expect(page).toHaveURL(/\/auth$/);
});

test("amounts that this browser hides are hidden before any code runs", async ({ page }) => {
  await signInAs(page, run().demo.trader);
  await page.goto("/privacy-policy");
  await page.evaluate(() => localStorage.setItem("amounts_hidden", "true"));
  await page.route("**/_next/static/**/*.js", (route) => route.abort());
  await expect(async () => {
    await page.goto("/dashboard", { waitUntil: "commit" });
    await expect(page.locator(".amount").first()).toBeVisible({ timeout: 5_000 });
  }).toPass();
  const covered = await page
    .locator(".amount")
    .evaluateAll((all) => all.map((each) => getComputedStyle(each).getPropertyValue("-webkit-text-security")));
  expect(new Set(covered)).toEqual(new Set(["disc"]));
});
