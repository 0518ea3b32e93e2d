import { expect, type Page, type Request } from "@playwright/test";
import { isWhole } from "./axe.ts";
import { newEmail, signIn, store, stored, tokenOf } from "./people.ts";
import { run } from "./run.ts";
import { test } from "./test.ts";

const LOGIN_REQUIRED = ["/dashboard", "/alpaca-keys", "/trade-history?symbol=AAPL", "/settings", "/logs"] as const;
const ADMIN_ONLY = [
  "/admin",
  "/admin?tab=performance",
  "/admin/system",
  "/admin/symbols/AAPL",
  "/admin/top50-selector",
  "/admin/earnings-watchlist",
  "/admin/qa-results",
  "/admin/users",
] as const;
/** Of pages that one frame guards, these are gone to; of the others their document is read. All of them by `npm run prove -- pages`. */
const GONE_TO = new Set<string>([
  "/dashboard",
  "/trade-history?symbol=AAPL",
  "/admin?tab=performance",
  "/admin/symbols/AAPL",
]);
const NOWHERE = [
  "/nowhere",
  "/auth/nowhere",
  "/learn-more/further/down",
  "/api-reference/nowhere",
  "/dashboard.html",
] as const;

const loginHeading = (page: Page) => page.getByRole("heading", { name: "Sign in to Tradewind" });
const at = (path: string) => new RegExp(`^${run().url}${path.replace(/[?/.]/g, "\\$&")}$`);

/** Signs the browser in as the server does it: token and cookie. */
async function enter(page: Page, who: "trader" | "admin"): Promise<void> {
  const token = await tokenOf(page.request, run().demo[who]);
  await store(page, { auth_token: token });
}

/** Pages that are led to are looked at elsewhere: here their address counts. */
const leaveBlank = (page: Page, path: string) =>
  page.route(at(path), (route) => route.fulfill({ contentType: "text/html", body: "<title>Blank</title>" }));

/** The document holds nothing of the page but the frame that looks at the sign-in. */
async function expectFrameAlone(page: Page, path: string): Promise<void> {
  const answer = await page.request.get(path, { maxRedirects: 0 });
  const text = await answer.text();
  expect(answer.status(), path).toBe(200);
  expect(text, path).toContain("Authenticating...");
  expect(text, path).not.toContain("<h1");
}

const isGoneTo = (path: string) => isWhole() || GONE_TO.has(path);

/** Where a route sends the browser: the server by itself, or the page once it has looked at the token. */
async function landing(page: Page, path: string): Promise<string> {
  const answer = await page.request.get(path, { maxRedirects: 0 });
  if (answer.status() === 307) return answer.headers().location ?? "";
  await page.goto(path, { waitUntil: "commit" });
  await expect(page, path).not.toHaveURL(at(path));
  return new URL(page.url()).pathname;
}

const me = (change: object) => ({
  success: true,
  error: null,
  data: {
    id: "01a1fd0a-f7c2-7212-92aa-3936658e75b1",
    email: "someone@tradewind.example",
    firstName: "Some",
    lastName: "One",
    createdAt: "2026-01-01T00:00:00.000Z",
    emailVerified: true,
    role: "USER",
    ...change,
  },
});

test("a stranger is led to where each route says, and the wanted page is remembered", async ({ page }) => {
  for (const route of [...LOGIN_REQUIRED, ...ADMIN_ONLY].filter((path) => !isGoneTo(path)))
    await expectFrameAlone(page, route);
  for (const route of LOGIN_REQUIRED.filter(isGoneTo)) {
    await page.goto(route);
    await expect(loginHeading(page), route).toBeVisible();
    await expect(page, route).toHaveURL(at("/auth"));
    expect(await stored(page), route).toEqual({ intended_route: route });
  }
  await page.evaluate(() => window.localStorage.clear());
  await leaveBlank(page, "/");
  for (const route of [...ADMIN_ONLY.filter(isGoneTo), ...NOWHERE]) expect(await landing(page, route), route).toBe("/");
  await page.unroute(at("/"));
  await page.goto(NOWHERE[0]);
  await expect(page).toHaveURL(at("/"));
  await expect(page.getByRole("link", { name: "Learn more" }).first()).toBeVisible();
  expect(await stored(page)).toEqual({});
});

test("a trader is led from public, administrators' and unknown addresses to the dashboard", async ({ page }) => {
  await enter(page, "trader");
  await leaveBlank(page, "/dashboard");
  for (const route of ["/", "/auth", "/auth/verify-success?verified=true", ...ADMIN_ONLY, ...NOWHERE])
    expect(await landing(page, route), route).toBe("/dashboard");
  await store(page, { intended_route: "/alpaca-keys" });
  await page.goto("/auth");
  await expect(page, "what an earlier visitor wanted is not followed").toHaveURL(at("/dashboard"));
  expect(Object.keys(await stored(page))).toEqual(["auth_token"]);
  await page.goto("/auth/verify-success?verified=false");
  await expect(page.getByRole("heading", { name: "Verification Failed" })).toBeVisible();
});

test("an administrator has the console in the bar and no page of brokerage keys", async ({ page }) => {
  await enter(page, "admin");
  await page.goto("/dashboard");
  const bar = page.getByRole("navigation", { name: "Main" }).first();
  await expect(bar.getByRole("link", { name: "Admin", exact: true })).toHaveAttribute("href", "/admin");
  await expect(bar.getByRole("link", { name: "Alpaca Keys" })).toHaveCount(0);
  expect(await landing(page, "/alpaca-keys")).toBe("/dashboard");
});

test("after signing in comes the remembered page, once, else the dashboard", async ({ page }) => {
  await store(page, { auth_tokens: "obsolete" });
  await page.goto("/trade-history?symbol=AAPL");
  await expect(loginHeading(page)).toBeVisible();
  expect(await stored(page)).toEqual({ intended_route: "/trade-history?symbol=AAPL" });
  await signIn(page, run().demo.trader);
  await expect(page).toHaveURL(at("/trade-history?symbol=AAPL"));
  const kept = await stored(page);
  expect(Object.keys(kept)).toEqual(["auth_token"]);
  expect(kept.auth_token).toMatch(/^[\w-]+\.[\w-]+\.[\w-]+$/);

  await page.getByRole("button", { name: "Logout" }).click();
  await expect(page).toHaveURL(at("/auth"));
  expect(await stored(page)).toEqual({});
  await signIn(page, run().demo.trader);
  await expect(page).toHaveURL(at("/dashboard"));
});

test("the stored token alone is a sign-in: the cookie of pages is renewed", async ({ page, request }) => {
  await store(page, { auth_token: await tokenOf(request, run().demo.trader) });
  await page.goto("/trade-history?symbol=AAPL");
  await expect(page.getByRole("heading", { name: /^Trade History \(/ })).toBeVisible();
  await expect(page).toHaveURL(at("/trade-history?symbol=AAPL"));
  expect((await page.context().cookies()).map(({ name }) => name)).toContain("next-auth.session-token");
});

test("a cookie alone is none: it is given up", async ({ page }) => {
  await tokenOf(page.request, run().demo.trader);
  await page.goto("/alpaca-keys");
  await expect(loginHeading(page)).toBeVisible();
  expect((await page.context().cookies()).map(({ name }) => name)).not.toContain("next-auth.session-token");
  await page.goto("/");
  await expect(page).toHaveURL(at("/"));
});

// The other answers that decide: app/(public)/auth/auth-session.component.test.tsx.
test("while the sign-in is looked at, a text says so; what /auth/me answers decides", async ({ page }) => {
  await enter(page, "trader");
  const { auth_token: token = "" } = await stored(page);
  const json = (body: object) => ({ status: 200, body: JSON.stringify(body) });
  for (const [situation, reply, isAccepted] of [
    ["a verified trader", json(me({})), true],
    ["401", { status: 401, body: "" }, false],
  ] as const) {
    await store(page, { auth_token: token });
    let take = (_: Request) => {};
    const asked = new Promise<Request>((resolve) => (take = resolve));
    let answer = () => {};
    const looked = new Promise<void>((resolve) => (answer = resolve));
    // Every look gets the same answer: where the cookie is gone, the page looks once more to renew it (use-session.ts).
    await page.route("**/api/v1/auth/me", async (route) => {
      take(route.request());
      await looked;
      await route.fulfill(reply);
    });
    await page.goto("/alpaca-keys");
    await expect(page.getByText("Authenticating...", { exact: true }), situation).toBeVisible();
    // The text stands in the document: the code that asks may come after it.
    const headers = (await asked).headers();
    expect(headers.authorization).toBe(`Bearer ${token}`);
    expect(headers["content-type"]).toBe("application/json");
    answer();
    if (isAccepted) {
      await expect(page.getByText("someone@tradewind.example").first(), situation).toBeVisible();
      expect((await stored(page)).auth_token, situation).toBe(token);
    } else {
      await expect(loginHeading(page), situation).toBeVisible();
      expect(await stored(page), situation).toEqual({ intended_route: "/alpaca-keys" });
    }
    await page.unroute("**/api/v1/auth/me");
  }
});

test("a cookie that the server is slow to end keeps nobody from the login", async ({ page }) => {
  await enter(page, "trader");
  await page.evaluate(() => window.localStorage.clear());
  await page.route("**/api/auth/csrf", () => {}); // never answered
  await page.goto("/alpaca-keys");
  await expect(loginHeading(page)).toBeVisible();
});

test("on the public pages, too, a loading indicator shows while the sign-in is looked at", async ({
  page,
  request,
}) => {
  const token = await tokenOf(request, run().demo.trader);
  for (const path of ["/", "/auth"]) {
    await page.context().clearCookies();
    await store(page, { auth_token: token });
    let resume = () => {};
    const held = new Promise<void>((resolve) => (resume = resolve));
    await page.route("**/api/v1/auth/me", (route) => held.then(() => route.continue()), { times: 1 });
    await page.goto(path);
    await expect(page.getByText("Loading...", { exact: true }), path).toBeVisible();
    resume();
    await expect(page, path).toHaveURL(at("/dashboard"));
  }
});

test("a server that is away does not end the sign-in", async ({ page }) => {
  await enter(page, "trader");
  let isAway = true;
  await page.route("**/api/v1/auth/me", (route) => (isAway ? route.fulfill({ status: 503 }) : route.continue()));
  await page.goto("/alpaca-keys");
  await expect(page.getByText("Tradewind could not be reached. Trying again.")).toBeVisible();
  // It is asked again every 2 seconds: a page that was slow to load would show the text no more.
  isAway = false;
  await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
  await expect(page).toHaveURL(at("/alpaca-keys"));
});

test("calls that answer 401 side by side lead to the login once, and back again", async ({ page }) => {
  await enter(page, "trader");
  const arrivals: string[] = [];
  page.on("request", (request) => {
    if (request.isNavigationRequest()) arrivals.push(new URL(request.url()).pathname);
  });
  let waiting = 0;
  let both = () => {};
  const together = new Promise<void>((resolve) => (both = resolve));
  await page.route("**/api/v1/**", async (route) => {
    if (route.request().url().endsWith("/auth/me")) return route.continue();
    waiting += 1;
    if (waiting === 2) both();
    await together;
    await route.fulfill({ status: 401, json: { success: false, data: null, error: "Please sign in." } });
  });
  await page.goto("/trade-history?symbol=AAPL");
  await expect(loginHeading(page)).toBeVisible();
  expect(waiting).toBeGreaterThanOrEqual(2);
  expect(arrivals).toEqual(["/trade-history", "/auth"]);
  expect(await stored(page)).toEqual({ intended_route: "/trade-history?symbol=AAPL" });
  await page.unroute("**/api/v1/**");
  await signIn(page, run().demo.trader);
  await expect(page).toHaveURL(at("/trade-history?symbol=AAPL"));
});

test("a registration whose address counts as verified signs in; another leaves no token", async ({ page, request }) => {
  const token = await tokenOf(request, run().demo.trader);
  const { data: user } = me({ emailVerified: false });
  const register = async (data: object) => {
    await page.route("**/api/v1/auth/register", (route) =>
      route.fulfill({ json: { success: true, data, error: null } }),
    );
    await page.goto("/auth");
    await page.getByRole("button", { name: "Sign up" }).click();
    for (const [label, text] of [
      ["First name", "Some"],
      ["Last name", "One"],
      ["Email", newEmail("counts")],
      ["Password", "Windward-42-sails"],
      ["Confirm password", "Windward-42-sails"],
    ] as const) {
      await page.getByLabel(label, { exact: true }).fill(text);
    }
    await page.evaluate(() => window.localStorage.setItem("auth_tokens", "obsolete"));
    await page.getByRole("button", { name: "Sign Up", exact: true }).click();
  };
  await register({ user, token });
  await expect(
    page.getByText("Please check your email and click the verification link to activate your account.", {
      exact: true,
    }),
  ).toBeVisible();
  expect(await stored(page)).toEqual({});
  await register({ user: { ...user, emailVerified: true }, token });
  await expect(page).toHaveURL(at("/dashboard"));
  await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
  expect((await stored(page)).auth_token).toBe(token);
});

for (const [situation, reply] of [
  ["fails", { status: 500, body: "" }],
  ["is not answered", null],
] as const) {
  test(`a logout that ${situation} is only logged, and leaves no page that knows the person`, async ({ page }) => {
    await enter(page, "trader");
    await page.goto("/alpaca-keys");
    await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
    const logged: string[] = [];
    page.on("console", (message) => logged.push(message.text()));
    await page.route("**/api/v1/auth/logout", (route) => (reply === null ? undefined : route.fulfill(reply)));
    await page.getByRole("button", { name: "Logout" }).click();
    await expect(loginHeading(page)).toBeVisible();
    await expect(page).toHaveURL(at("/auth"));
    expect(await stored(page)).toEqual({});
    await expect(page.getByRole("main").getByRole("alert")).toHaveCount(0);
    const cookies = async () => (await page.context().cookies()).map(({ name }) => name);
    await expect.poll(cookies).not.toContain("next-auth.session-token");
    if (reply !== null) expect(logged.filter((text) => text.startsWith("logout"))).toHaveLength(1);
  });
}

test("signing out, or in as another person, reaches every tab", async ({ page, context }) => {
  await enter(page, "trader");
  await page.goto("/alpaca-keys");
  const { email } = run().demo.trader;
  await expect(page.getByText(email).first()).toBeVisible();
  const other = await context.newPage();
  await other.goto("/dashboard");
  await expect(other.getByText(email).first()).toBeVisible();
  await other.getByRole("button", { name: "Logout" }).click();
  await expect(loginHeading(page)).toBeVisible();
  await expect(loginHeading(other)).toBeVisible();
  await signIn(other, run().demo.admin);
  await expect(other).toHaveURL(/\/(dashboard|alpaca-keys)$/);
  await expect(page.getByText(run().demo.admin.email).first()).toBeVisible();
});
