import { expect, test, type Page } from "@playwright/test";
import { firstCallsOf } from "@/app/_ui/first-calls.ts";
import { signInAs } from "./page-watch.ts";
import { run } from "./run.ts";

/** The addresses whose answers are there to take; null where the document asked for nothing. */
const waiting = (page: Page) =>
  page.evaluate(() => (window.earlyCalls === undefined ? null : Object.keys(window.earlyCalls)));

for (const [who, role] of [
  ["trader", "USER"],
  ["admin", "ADMIN"],
] as const) {
  test(`what the document of each page asks for ahead of its code is what the ${who}'s screen takes, once`, async ({
    page,
  }) => {
    await signInAs(page, run().demo[who]);
    for (const [path, calls] of Object.entries(firstCallsOf(role))) {
      // From a page that asks for nothing: what the page before still asks for is none of this one's first calls.
      await page.goto("/icon.svg");
      const asked: string[] = [];
      const note = (request: { url: () => string }) => asked.push(request.url());
      page.on("request", note);
      // Until its code is there, the document's own script is all that asks.
      let letCodeGo = () => {};
      const mayGo = new Promise<void>((resolve) => (letCodeGo = resolve));
      await page.route("**/_next/static/**/*.js", async (route) => {
        await mayGo;
        await route.continue();
      });
      await page.goto(path, { waitUntil: "commit" });
      await expect.poll(() => waiting(page), path).toEqual(calls);
      const { origin } = new URL(page.url());
      // A request that is watched is told of after the page has made it.
      await expect
        .poll(() => asked.filter((url) => url.startsWith(`${origin}/api/v1/`)), path)
        .toEqual(calls.map((call) => origin + call));
      letCodeGo();
      await expect.poll(() => waiting(page), path).toEqual([]);
      await page.unrouteAll({ behavior: "wait" });
      page.off("request", note);
    }
  });
}

test("a page whose address holds a filter asks for nothing but the person ahead of its code", async ({ page }) => {
  await signInAs(page, run().demo.trader);
  await page.route("**/_next/static/**/*.js", (route) => route.abort());
  await page.goto("/trade-history?symbol=AAPL", { waitUntil: "commit" });
  await expect.poll(() => waiting(page)).toEqual(["/api/v1/auth/me"]);
});

test("without a token the document asks for nothing", async ({ page }) => {
  await signInAs(page, run().demo.trader);
  const asked: string[] = [];
  await page.evaluate(() => localStorage.removeItem("auth_token"));
  await page.route("**/_next/static/**/*.js", (route) => route.abort());
  page.on("request", (request) => asked.push(new URL(request.url()).pathname));
  await page.goto("/dashboard");
  expect(asked).toContain("/dashboard");
  expect(asked.filter((path) => path.startsWith("/api/"))).toEqual([]);
});
