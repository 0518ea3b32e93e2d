import { randomUUID } from "node:crypto";
import { expect, type APIRequestContext, type Cookie, type Page } from "@playwright/test";
import { run } from "./run.ts";

export const PASSWORD = "Windward-42-sails";

interface Mail {
  to: string[];
  subject: string;
  links: string[];
}

/** An address that nobody has. */
export const newEmail = (who: string) => `${who}-${randomUUID()}@tradewind.example`;

/** The links to a page in the mails that a person got, without the site's address, newest first, once there are `count`. */
export async function mailedLinks(email: string, page: string, count = 1): Promise<string[]> {
  const links = async () => {
    const mails = (await (await fetch(`${run().mailbox}/messages.json`)).json()) as Mail[];
    return mails
      .filter((mail) => mail.to.includes(email))
      .flatMap((mail) => mail.links.filter((link) => link.includes(page)).slice(0, 1));
  };
  // Mails leave when the worker comes to them, which trades meanwhile.
  const arrival = { message: `${count} mails with ${page} arrive`, timeout: 40_000 };
  await expect.poll(async () => (await links()).length, arrival).toBe(count);
  return (await links()).map((link) => link.slice(new URL(link).origin.length));
}

export async function mailedLink(email: string, page: string): Promise<string> {
  return (await mailedLinks(email, page))[0] ?? "";
}

/** A person of a test's own, who has not opened the mail yet. */
export async function registered(request: APIRequestContext, who: string): Promise<string> {
  const email = newEmail(who);
  const person = { email, password: PASSWORD, firstName: "Pat", lastName: "Person" };
  expect((await request.post("/api/v1/auth/register", { data: person })).status()).toBe(200);
  return email;
}

/** A person of a test's own, who has. */
export async function verified(request: APIRequestContext, who: string): Promise<string> {
  const email = await registered(request, who);
  const link = await mailedLink(email, "/auth/verify-success");
  const token = new URLSearchParams(link.split("?")[1]).get("token");
  expect((await request.post("/api/v1/auth/verify-email", { data: { token } })).status()).toBe(200);
  return email;
}

/** Fills the form that is open. */
export async function signIn(page: Page, { email, password }: { email: string; password: string }): Promise<void> {
  await page.getByLabel("Email").fill(email);
  await page.getByLabel("Password", { exact: true }).fill(password);
  await page.getByRole("button", { name: "Sign In", exact: true }).click();
}

/** A token that the server gave, without any cookie: the sign-in as the browser's storage holds it. */
export async function tokenOf(
  request: APIRequestContext,
  person: { email: string; password: string },
): Promise<string> {
  const answer = await request.post("/api/v1/auth/login", { data: person });
  expect(answer.status()).toBe(200);
  return ((await answer.json()) as { data: { token: string } }).data.token;
}

interface SignIn {
  token: string;
  cookies: Cookie[];
  madeAt: number;
}

/** What asks for a recent confirmation takes a sign-in of the last five minutes for one: a journey has two of them left. */
const CONFIRMED_MS = 3 * 60_000;

/** The sign-ins of this process, by address and password: the server hashes a password once for many tests. */
const signIns = new Map<string, SignIn>();

/** A sign-in that the server still accepts: one that was made lately, unless a test has ended it. */
export async function signInOf(page: Page, { email, password }: { email: string; password: string }): Promise<SignIn> {
  const key = JSON.stringify([email, password]);
  const known = signIns.get(key);
  if (known !== undefined && Date.now() - known.madeAt < CONFIRMED_MS) {
    const headers = { authorization: `Bearer ${known.token}` };
    if ((await page.request.get("/api/v1/auth/me", { headers })).ok()) return known;
  }
  const answer = await page.request.post("/api/v1/auth/login", { data: { email, password } });
  expect(answer.status(), `${email} signs in`).toBe(200);
  const { data } = (await answer.json()) as { data: { token: string } };
  const made = { token: data.token, cookies: await page.context().cookies(), madeAt: Date.now() };
  signIns.set(key, made);
  return made;
}

/** The token of a person who is signed in, for calls of the API beside the page. */
export const bearerOf = async (page: Page, person: { email: string; password: string }): Promise<string> =>
  (await signInOf(page, person)).token;

/** Puts entries into the storage of the browser before the next page runs; once, so that what the page removes stays removed. */
export async function store(page: Page, entries: Record<string, string>): Promise<void> {
  await page.goto("/icon.svg");
  await page.evaluate((given) => {
    for (const [key, value] of Object.entries(given)) window.localStorage.setItem(key, value);
  }, entries);
}

/** The storage of the browser, without the look. */
export const stored = (page: Page): Promise<Record<string, string>> =>
  page.evaluate(() =>
    Object.fromEntries(Object.entries({ ...window.localStorage }).filter(([key]) => key !== "theme")),
  );

/** The page's clock stands still from here on: what is timed happens when the test says so. */
export async function stopClock(page: Page): Promise<void> {
  await page.clock.install();
  await page.clock.pauseAt(Date.now() + 60_000);
}

/** Presses Tab until this has the focus, and sees that the focus shows. */
export async function tabTo(page: Page, target: ReturnType<Page["locator"]>): Promise<void> {
  await expect(target).toBeVisible();
  for (let presses = 0; presses < 20; presses += 1) {
    if (await target.evaluate((node) => node === document.activeElement)) break;
    await page.keyboard.press("Tab");
  }
  await expect(target).toBeFocused();
  expect(await target.evaluate((node) => node.matches(":focus-visible")), "the focus shows").toBe(true);
}
