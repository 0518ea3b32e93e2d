import { randomUUID } from "node:crypto";
import { expect, type APIRequestContext, type Page } from "@playwright/test";
import { isWhole } from "./axe.ts";
import { rowsOf } from "./books.ts";
import { load, PAGES, signInAs, watch } from "./page-watch.ts";
import { PAYLOADS } from "./payloads.ts";
import { run } from "./run.ts";
import { test } from "./test.ts";

const PASSWORD = "Windward-42-sails";

interface Mail {
  to: string[];
  subject: string;
  html: string;
  links: string[];
}

/** Nothing ran, nothing was stopped on its way, and no text became an element. */
async function expectTextOnly(page: Page, complaints: string[], where: string): Promise<void> {
  const become =
    "[onload],[onerror],[onfocus],[ontoggle],iframe,object,embed,base,math,video,form[action],[href^='javascript'],[src*='evil'],[href^='//'],[href*='evil']:not([href^='/'])";
  expect(await page.locator(become).evaluateAll((found) => found.map((one) => one.outerHTML)), where).toEqual([]);
  expect(await page.evaluate(() => window.__xss), where).toBeUndefined();
  expect(new URL(page.url()).host, where).toBe(new URL(test.info().project.use.baseURL ?? "").host);
  expect(complaints, where).toEqual([]);
}

/** The newest mail to a person, once there are so many. */
async function mailTo(email: string, count: number): Promise<Mail> {
  const inbox = async () =>
    ((await (await fetch(`${run().mailbox}/messages.json`)).json()) as Mail[]).filter(({ to }) => to.includes(email));
  // A mail goes by the queue and a worker that trades meanwhile.
  const arrival = { message: `${count} mails to ${email}`, timeout: 30_000 };
  await expect.poll(async () => (await inbox()).length, arrival).toBe(count);
  const [mail] = await inbox();
  if (mail === undefined) throw new Error(`The mail to ${email} is gone.`);
  return mail;
}

/** A person whose names hold all payloads, with an address as odd as an address may be; and the mail that greets by such a name. */
async function register(request: APIRequestContext, firstName: string, lastName: string) {
  const email = `x+'_-${randomUUID()}@tradewind.example`;
  const data = { email, password: PASSWORD, firstName: "Pat", lastName: "Person" };
  expect((await request.post("/api/v1/auth/register", { data })).status()).toBe(200);
  const { links } = await mailTo(email, 1);
  const token = new URL(links.find((link) => link.includes("token=")) ?? "").searchParams.get("token");
  expect((await request.post("/api/v1/auth/verify-email", { data: { token } })).status()).toBe(200);
  // Past the check of names, as a row from before it: most of these are refused at the door, and none is as long.
  await rowsOf(`update "User" set "firstName" = $2, "lastName" = $3 where email = $1`, [email, firstName, lastName]);
  expect((await request.post("/api/v1/auth/forgot-password", { data: { email } })).status()).toBe(200);
  return { email, mail: await mailTo(email, 2) };
}

test("names that would run are text in the mail that greets by them and on the pages", async ({ page, request }) => {
  const complaints = await watch(page);
  const half = PAYLOADS.length / 2;
  const [firstName, lastName] = [PAYLOADS.slice(0, half).join(" "), PAYLOADS.slice(half).join(" ")];
  const { email, mail } = await register(request, firstName, lastName);
  // Whatever a reader of mails allows: the names are escaped in what it gets.
  const { elements, text } = await page.evaluate((html) => {
    const found = new DOMParser().parseFromString(html, "text/html");
    const running = "script,svg,iframe,object,embed,base,form,video,input,[onload],[onerror]";
    return { elements: found.querySelectorAll(running).length, text: found.body.textContent };
  }, mail.html);
  expect(text, "it greets by the name").toContain(firstName);
  expect(elements, mail.html).toBe(0);

  await signInAs(page, { email, password: PASSWORD });
  // In the frame of every page, and in a form; the pages are gone through below, with payloads for all texts.
  for (const path of ["/dashboard", "/settings"]) {
    await load(page, path);
    await expect(page.getByText(`${firstName} ${lastName}`).first(), "it is there, as text").toBeVisible();
    await expectTextOnly(page, complaints, `${path} for ${firstName} ${lastName}`);
  }
});

/** Fields of answers that hold, or may once hold, what somebody typed. */
const TEXT_FIELDS = new Set(
  "name firstName lastName email symbol reason haltReason accountName companyName label message title text displayName bio note".split(
    " ",
  ),
);

/** An answer in which every text is one of these, and every list long enough for all of them; lists within its rows stay as they are. */
function poisoned(value: unknown, payloads: readonly string[], nth = { count: 0 }, isRow = false): unknown {
  const next = () => payloads[nth.count++ % payloads.length];
  if (Array.isArray(value)) {
    const length = value.length === 0 || isRow ? value.length : payloads.length;
    const rows = Array.from({ length }, (_, index) => value[index % value.length] as unknown);
    return rows.map((row, index) => withOwnId(poisoned(row, payloads, nth, true), index));
  }
  if (value === null || typeof value !== "object") return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]: [string, unknown]) => [
      name,
      TEXT_FIELDS.has(name) && (typeof inner === "string" || inner === null)
        ? next()
        : poisoned(inner, payloads, nth, isRow),
    ]),
  );
}

/** Every page shows a half of them, the next page the other; every page all of them by `npm run prove -- pages`. */
const payloadsOn = (page: number) => PAYLOADS.filter((_, index) => isWhole() || index % 2 === page % 2);

/** Rows that were made of one need ids of their own; one that is a number stays one. */
function withOwnId(row: unknown, index: number): unknown {
  if (row === null || typeof row !== "object" || !("id" in row)) return row;
  const id = String(row.id);
  return { ...row, id: /^\d+$/.test(id) ? `${id}${String(index).padStart(3, "0")}` : `${id}-${index}` };
}

for (const person of ["trader", "admin"] as const) {
  test(`whatever text the server may hold, the pages of the ${person} show it as text`, async ({ page }) => {
    const complaints = await watch(page);
    await signInAs(page, run().demo[person]);
    let payloads = PAYLOADS;
    await page.route("**/api/v1/**", async (route) => {
      const response = await route.fetch();
      const answer = (await response.json()) as { success: boolean; data: unknown };
      const data = answer.success ? poisoned(answer.data, payloads) : answer.data;
      await route.fulfill({ response, json: { ...answer, data } });
    });
    const pages = PAGES.filter(({ as, hasOwnTextOnly }) => as === person && !hasOwnTextOnly);
    for (const [nth, { path, open }] of pages.entries()) {
      payloads = payloadsOn(nth);
      await load(page, path);
      await open?.(page);
      await expect(page.getByText("__xss").first(), `${path} shows them`).toBeVisible();
      await expectTextOnly(page, complaints, path);
    }
    await page.unrouteAll({ behavior: "ignoreErrors" });
  });
}

/** An address that runs, which is none in the middle of a text. */
const startsAddress = (payload: string) => /^(javascript|data):/.test(payload);

test("addresses that would run are text, and lead nowhere else", async ({ page }) => {
  const complaints = await watch(page);
  await signInAs(page, run().demo.trader);
  const filters = ["symbol", "side", "status", "startDate", "endDate"];
  const refusedFilter = /status of 400/;
  // Each filter takes every fifth of them in one text, and a text begins with what runs only at the start of one.
  const inOrder = [...PAYLOADS].sort((a, b) => Number(startsAddress(b)) - Number(startsAddress(a)));
  for (const turn of [0, 1]) {
    const query = new URLSearchParams(
      filters.map((name, nth) => [
        name,
        inOrder.filter((_, index) => index % filters.length === (nth + turn) % filters.length).join(" "),
      ]),
    );
    await page.goto(`/trade-history?${query}`);
    await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
    await expectTextOnly(
      page,
      complaints.filter((line) => !refusedFilter.test(line)),
      `/trade-history?${query}`,
    );
  }
  // From a page that asks for nothing: one that goes on asking would be refused without its token.
  await page.goto("/icon.svg");
  await page.context().clearCookies();
  await page.evaluate(() => window.localStorage.clear());
  const every = encodeURIComponent(PAYLOADS.join(" "));
  for (const path of [
    "/?verified=",
    "/auth?error=",
    "/auth?from=",
    "/auth/verify-success?verified=",
    "/auth/verify-success?token=",
    "/auth/reset-password?token=",
    "/does-not-exist/",
  ]) {
    await load(page, `${path}${every}`);
    await expectTextOnly(
      page,
      complaints.filter((line) => !refusedFilter.test(line)),
      path,
    );
  }
});

test("a wanted page that is no page of ours is not gone to after signing in", async ({ page }) => {
  const complaints = await watch(page);
  const answer = await page.request.post("/api/v1/auth/login", { data: run().demo.trader });
  const { data } = (await answer.json()) as { data: { token: string } };
  // One of each kind; lib/client/storage.test.ts has more of them.
  const wanted = ["javascript:__xss=1", "/\\evil.example/", "https://evil.example/"];
  const ways = [
    ...wanted.map((route) => ({ route, kept: route, path: "/auth" })),
    // A link that others can write.
    { route: "//evil.example/", kept: null, path: `/auth?from=${encodeURIComponent("//evil.example/")}` },
  ];
  for (const { route, kept, path } of ways) {
    await page.goto("/icon.svg");
    await page.evaluate(
      ([token, intended]) => {
        window.localStorage.clear();
        window.localStorage.setItem("auth_token", token ?? "");
        if (intended) window.localStorage.setItem("intended_route", intended);
      },
      [data.token, kept],
    );
    await page.goto(path);
    await page.waitForURL(/\/dashboard$/);
    await expectTextOnly(page, complaints, `${route} by ${path}`);
  }
});

test("what is typed into the forms comes back as text", async ({ page }) => {
  const complaints = await watch(page);
  await load(page, "/auth");
  await page.getByLabel("Email").fill(`"${PAYLOADS[11]}"@tradewind.example`);
  await page.getByLabel("Password", { exact: true }).fill(PAYLOADS.join(" ").slice(0, 190));
  // The browser's own check stands aside: the server's word is asked for.
  await page.getByLabel("Email").evaluate((field: HTMLInputElement) => field.form?.setAttribute("novalidate", ""));
  await page.getByRole("button", { name: "Sign In", exact: true }).click();
  await expect(page.getByRole("alert").filter({ hasText: /\w/ }).first()).toBeVisible();
  await expectTextOnly(
    page,
    complaints.filter((line) => !/status of 40[01]/.test(line)),
    "the sign-in form",
  );
});
