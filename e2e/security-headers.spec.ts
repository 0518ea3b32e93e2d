import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, type APIResponse } from "@playwright/test";
import { load, signInAs, watch } from "./page-watch.ts";
import { run } from "./run.ts";
import { test } from "./test.ts";

const policyOf = (answer: APIResponse) => answer.headers()["content-security-policy"] ?? "";
const nonceOf = (answer: APIResponse) => /'nonce-([^']+)'/.exec(policyOf(answer))?.[1] ?? "";

test("a dialog may lock the page behind it: its style carries the nonce", async ({ page }) => {
  const complaints = await watch(page);
  await signInAs(page, run().demo.trader);
  await load(page, "/alpaca-keys");
  await page
    .getByRole("button", { name: /^Delete/ })
    .first()
    .click();
  await expect(page.getByRole("dialog")).toBeVisible();
  await expect(page.locator("body")).toHaveCSS("overflow", "hidden");
  expect(complaints).toEqual([]);
});

test("a script, a style, a frame and markup that came in from outside are stopped and reported", async ({ page }) => {
  const complaints = await watch(page);
  const reports: string[] = [];
  page.on("request", (request) => {
    if (request.url().endsWith("/api/v1/csp-report")) reports.push(request.postData() ?? "");
  });
  await page.route("**/learn-more", async (route) => {
    const response = await route.fetch();
    const injected = "<script>window.__xss = 1</script><img src=x onerror='window.__xss = 1'><p style='color: red'>";
    await route.fulfill({ response, body: (await response.text()).replace(/<body[^>]*>/, `$&${injected}`) });
  });
  await load(page, "/learn-more");
  const outcome = await page.evaluate(async () => {
    // Later, because the browser lets a debugger do what a page may not.
    await new Promise((resolve) => setTimeout(resolve, 0));
    const inline = document.createElement("script");
    inline.append("window.__xss = 1");
    const style = document.createElement("style");
    style.append("h1 { color: rgb(1, 2, 3) !important }");
    const frame = document.createElement("iframe");
    frame.src = "https://evil.example/";
    document.body.append(inline, style, frame);
    const failed: string[] = [];
    const attempt = (name: string, act: () => unknown) => {
      try {
        act();
      } catch {
        failed.push(name);
      }
    };
    attempt("markup", () => (document.body.innerHTML += "<img src=x onerror=window.__xss=1>"));
    attempt("foreign script", () => {
      document.createElement("script").src = "https://evil.example/x.js";
    });
    attempt("handler", () => document.body.setAttribute("onclick", "window.__xss = 1"));
    // oxlint-disable-next-line typescript/no-implied-eval -- what the policy of the page has to refuse
    attempt("code from text", () => new Function("window.__xss = 1")());
    document.body.click();
    return { failed, colour: getComputedStyle(document.querySelector("h1") ?? document.body).color };
  });
  expect(outcome.failed).toEqual(["markup", "foreign script", "handler", "code from text"]);
  expect(outcome.colour).not.toBe("rgb(1, 2, 3)");
  expect(await page.evaluate(() => window.__xss)).toBeUndefined();
  await expect.poll(() => reports.length, { message: "the browser reports" }).toBeGreaterThanOrEqual(4);
  const rules = [
    "script-src-elem",
    "script-src-attr",
    "style-src-elem",
    "style-src-attr",
    "frame-src",
    "require-trusted-types-for",
  ];
  // Each is told of by an event of its own, some after the browser has asked elsewhere: a frame's last of all.
  const unheard = () => rules.filter((rule) => !complaints.some((line) => line.includes(`${rule} stopped`)));
  await expect.poll(unheard, "what was stopped is told to the page").toEqual([]);
  expect(JSON.parse(reports[0] ?? "{}")).toHaveProperty(["csp-report", "effective-directive"]);
});

test("every kind of answer carries its headers, and none says what made it", async ({ request }) => {
  const page = await request.get("/learn-more");
  const file = await request.get(/\/_next\/static\/[^"]+\.js/.exec(await page.text())?.[0] ?? "/");
  const answers: Record<string, APIResponse> = {
    page,
    file,
    "lost path": await request.get("/does-not-exist", { maxRedirects: 0 }),
    "next-auth": await request.get("/api/auth/session"),
    "public call": await request.get("/api/v1/health/live"),
    "refused call": await request.get("/api/v1/auth/me"),
    "lost call": await request.get("/api/v1/nothing"),
  };
  for (const [kind, answer] of Object.entries(answers)) {
    const headers = answer.headers();
    expect(headers, kind).toMatchObject({
      "x-content-type-options": "nosniff",
      "referrer-policy": "no-referrer",
      "x-frame-options": "DENY",
      "cross-origin-opener-policy": "same-origin",
      "cross-origin-resource-policy": "same-origin",
    });
    expect(headers["permissions-policy"], kind).toContain("camera=()");
    for (const name of ["x-powered-by", "server", "access-control-allow-origin"])
      expect(headers, kind).not.toHaveProperty(name);
    if (kind !== "file") expect(policyOf(answer), kind).toContain("frame-ancestors 'none'");
    if (kind !== "file") expect(headers["cache-control"], kind).toContain("no-store");
    expect(answer.status(), kind).toBeLessThan(500);
  }
});

test("no two answers share a nonce, and nobody outside chooses it", async ({ request }) => {
  const chosen = { "x-nonce": "Y2hvc2Vu", "content-security-policy": "script-src 'nonce-Y2hvc2Vu'" };
  const first = await request.get("/auth", { headers: chosen });
  const second = await request.get("/auth", { headers: { ...chosen, "x-middleware-subrequest": "proxy:proxy:proxy" } });
  expect(nonceOf(first)).toMatch(/^[\w+/]{22}==$/);
  expect(nonceOf(second)).toMatch(/^[\w+/]{22}==$/);
  expect(nonceOf(first)).not.toBe(nonceOf(second));
  for (const answer of [first, second]) {
    const html = await answer.text();
    expect(html).not.toContain("Y2hvc2Vu");
    const scripts = html.match(/<script[^>]*>/g) ?? [];
    expect(scripts.length).toBeGreaterThan(3);
    expect(scripts.filter((script) => !script.includes(`nonce="${nonceOf(answer)}"`))).toEqual([]);
  }
});

test.describe("a page of another site", () => {
  let foreign: Server;
  test.beforeAll(async () => {
    foreign = createServer((_, response) => response.setHeader("content-type", "text/html").end("<h1>Elsewhere</h1>"));
    await new Promise<void>((resolve) => foreign.listen(0, "127.0.0.1", resolve));
  });
  test.afterAll(() => foreign.close());

  test("cannot call, read, frame or hold a page of ours, though the visitor is signed in", async ({
    page,
    baseURL,
  }) => {
    await signInAs(page, run().demo.trader);
    // By another name, so that it is another site as well as another origin.
    await page.goto(`http://localhost:${(foreign.address() as AddressInfo).port}/`);
    const got = await page.evaluate(async (ours) => {
      const json = { method: "POST", credentials: "include", body: "{}" } as const;
      const tried = {
        "reads data": () => fetch(`${ours}/api/v1/auth/me`, { credentials: "include" }),
        "reads the session": () => fetch(`${ours}/api/auth/session`, { credentials: "include" }),
        "reads a page": () => fetch(`${ours}/dashboard`, { credentials: "include" }),
        "sends JSON": () =>
          fetch(`${ours}/api/v1/accounts/practice`, { ...json, headers: { "content-type": "application/json" } }),
        "embeds data": () => fetch(`${ours}/api/v1/auth/me`, { credentials: "include", mode: "no-cors" }),
      };
      const got: string[] = [];
      for (const [name, attempt] of Object.entries(tried)) {
        const answer = await attempt().catch(() => null);
        if (answer !== null) got.push(name);
      }
      const frame = document.createElement("iframe");
      frame.src = `${ours}/dashboard`;
      document.body.append(frame);
      await new Promise((resolve) => frame.addEventListener("load", resolve));
      return got;
    }, baseURL);
    expect(got).toEqual([]);
    const framed = page.frames().find((frame) => frame !== page.mainFrame());
    expect(await framed?.content(), "the frame stays empty").not.toContain("Tradewind");
    const opened = await page.evaluateHandle((ours) => window.open(`${ours}/auth`), baseURL);
    await expect
      .poll(() => opened.evaluate((other) => other?.closed), { message: "the opened page is out of reach" })
      .toBe(true);

    // What a form can send is no JSON, and a cookie opens nothing.
    for (const [path, status] of [
      ["/api/v1/auth/logout", 401],
      ["/api/v1/accounts/practice", 401],
      ["/api/v1/auth/login", 415],
      ["/api/auth/signout", 302],
    ] as const) {
      await page.goto(`http://localhost:${(foreign.address() as AddressInfo).port}/`);
      const answered = page.waitForResponse((answer) => answer.url().endsWith(path));
      const left = page.waitForURL((url) => url.href.startsWith(baseURL ?? ""));
      await page.evaluate((action) => {
        const form = Object.assign(document.createElement("form"), { method: "post", enctype: "text/plain", action });
        form.append(Object.assign(document.createElement("input"), { name: '{"a":"', value: '"}' }));
        document.body.append(form);
        form.submit();
      }, `${baseURL}${path}`);
      expect({ path, status: (await answered).status() }).toEqual({ path, status });
      await left;
    }

    await load(page, `${baseURL}/dashboard`);
  });
});
