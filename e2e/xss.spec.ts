import { randomUUID } from "node:crypto";
import { expect, test, type APIRequestContext, type Page } from "@playwright/test";
import { rowsOf } from "./books.ts";
import { load, PAGES, signInAs, watch } from "./page-watch.ts";
import { PAYLOADS } from "./payloads.ts";
import { run } from "./run.ts";

/** As many payloads as a name holds. */
const NAME_MAX = 80;
const PASSWORD = "Windward-42-sails";

interface Mail {
  to: string[];
  subject: string;
  html: string;
  links: string[];
}

/** The payloads as few texts, none longer than a field holds. */
function packed(max: number): string[] {
  const texts: string[] = [];
  for (const payload of PAYLOADS) {
    const last = texts.at(-1);
    if (last !== undefined && last.length + payload.length < max) texts[texts.length - 1] = `${last} ${payload}`;
    else texts.push(payload);
  }
  return texts;
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

async function mailTo(email: string): Promise<Mail> {
  const inbox = async () =>
    ((await (await fetch(`${run().mailbox}/messages.json`)).json()) as Mail[]).filter(({ to }) => to.includes(email));
  // A mail goes by the queue and a worker that trades meanwhile.
  const arrival = { message: `a mail to ${email}`, timeout: 30_000 };
  await expect.poll(async () => (await inbox()).length, arrival).toBeGreaterThan(0);
  const [mail] = await inbox();
  if (mail === undefined) throw new Error(`The mail to ${email} is gone.`);
  return mail;
}

/** A person whose names hold payloads, with an address as odd as an address may be. */
async function register(request: APIRequestContext, firstName: string, lastName: string): Promise<string> {
  const email = `x+'_-${randomUUID()}@tradewind.example`;
  const data = { email, password: PASSWORD, firstName: "Pat", lastName: "Person" };
  expect((await request.post("/api/v1/auth/register", { data })).status()).toBe(200);
  // Past the check of names, as a row from before it: most of these are refused at the door.
  await rowsOf(`update "User" set "firstName" = $2, "lastName" = $3 where email = $1`, [email, firstName, lastName]);
  return email;
}

test("names that would run are text in every mail and on every page", async ({ page, request }) => {
  const complaints = await watch(page);
  const names = packed(NAME_MAX);
  const people = await Promise.all(
    names.flatMap((name, index) =>
      index % 2 === 0 ? [register(request, name, names[index + 1] ?? name).then((email) => ({ email, name }))] : [],
    ),
  );
  for (const [index, { email, name }] of people.entries()) {
    const mail = await mailTo(email);
    // Whatever a reader of mails allows: the names are escaped in what it gets.
    await page.goto("about:blank");
    const elements = await page.evaluate((html) => {
      const found = new DOMParser().parseFromString(html, "text/html");
      return found.querySelectorAll("script,svg,iframe,object,embed,base,form,video,input,[onload],[onerror]").length;
    }, mail.html);
    expect(elements, mail.html).toBe(0);
    const token = new URL(mail.links.find((link) => link.includes("token=")) ?? "").searchParams.get("token");
    expect((await request.post("/api/v1/auth/verify-email", { data: { token } })).status()).toBe(200);

    await signInAs(page, { email, password: PASSWORD });
    // Every page for the first, the page that everybody sees for the others: the name stands in the frame of each.
    const paths =
      index === 0 ? new Set(PAGES.filter(({ as }) => as === "trader").map(({ path }) => path)) : ["/alpaca-keys"];
    for (const path of paths) {
      await load(page, path);
      await expect(page.getByText(name.trim(), { exact: false }).first(), "it is there, as text").toBeVisible();
      await expectTextOnly(page, complaints, `${path} for ${name}`);
    }
    await page.context().clearCookies();
  }
});

/** Fields of answers that hold, or may once hold, what somebody typed. */
const TEXT_FIELDS = new Set(
  "name firstName lastName email symbol reason haltReason accountName companyName label message title text displayName bio note".split(
    " ",
  ),
);

/** An answer in which every text is a payload, and every list long enough for all of them; lists within its rows stay as they are. */
function poisoned(value: unknown, nth = { count: 0 }, isRow = false): unknown {
  const next = () => PAYLOADS[nth.count++ % PAYLOADS.length];
  if (Array.isArray(value)) {
    const length = value.length === 0 || isRow ? value.length : PAYLOADS.length;
    const rows = Array.from({ length }, (_, index) => value[index % value.length] as unknown);
    return rows.map((row, index) => withOwnId(poisoned(row, nth, true), index));
  }
  if (value === null || typeof value !== "object") return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]: [string, unknown]) => [
      name,
      TEXT_FIELDS.has(name) && (typeof inner === "string" || inner === null) ? next() : poisoned(inner, nth, isRow),
    ]),
  );
}

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
    await page.route("**/api/v1/**", async (route) => {
      const response = await route.fetch();
      const answer = (await response.json()) as { success: boolean; data: unknown };
      await route.fulfill({ response, json: answer.success ? { ...answer, data: poisoned(answer.data) } : answer });
    });
    for (const { path, open } of PAGES.filter(({ as, hasOwnTextOnly }) => as === person && !hasOwnTextOnly)) {
      await load(page, path);
      await open?.(page);
      await expect(page.getByText("__xss").first(), `${path} shows them`).toBeVisible();
      await expectTextOnly(page, complaints, path);
    }
    await page.unrouteAll({ behavior: "ignoreErrors" });
  });
}

test("addresses that would run are text, and lead nowhere else", async ({ page }) => {
  const complaints = await watch(page);
  await signInAs(page, run().demo.trader);
  const filters = ["symbol", "side", "status", "startDate", "endDate"];
  const refusedFilter = /status of 400/;
  for (let first = 0; first < PAYLOADS.length; first += filters.length) {
    const query = new URLSearchParams(
      filters.map((name, nth) => [name, PAYLOADS[(first + nth) % PAYLOADS.length] ?? ""]),
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
  const wanted = [
    "javascript:__xss=1",
    "JaVaScRiPt:__xss=1",
    "data:text/html,<script>__xss=1</script>",
    "/\t/evil.example/",
    "/\\evil.example/",
    "/\n/evil.example/",
    "//evil.example/",
    "https://evil.example/",
    "/auth",
    "<svg onload=__xss=1>",
  ];
  const ways = wanted.flatMap((route, index) => [
    { route, kept: route, path: "/auth" },
    // Links that others can write; every third will do, since both ways end at the same look.
    ...(index % 3 === 0 ? [{ route, kept: null, path: `/auth?from=${encodeURIComponent(route)}` }] : []),
  ]);
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
