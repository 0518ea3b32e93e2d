import { randomUUID } from "node:crypto";
import { expect, test, type APIRequestContext, type Page } from "@playwright/test";
import { run } from "./run.ts";

interface Mail {
  to: string[];
  links: string[];
}

const OLD_PASSWORD = "Windward-42-sails";
const NEW_PASSWORD = "Leeward-43-sails";

/** The link to a page in the mails that a person got. */
async function mailedLink(email: string, page: string): Promise<string> {
  const inbox = async () => (await (await fetch(`${run().mailbox}/messages.json`)).json()) as Mail[];
  const linkOf = (mails: Mail[]) =>
    mails
      .filter((mail) => mail.to.includes(email))
      .flatMap((mail) => mail.links)
      .find((link) => link.includes(page));
  await expect.poll(async () => linkOf(await inbox()), { message: `the mail with ${page} arrives` }).toBeDefined();
  return linkOf(await inbox()) ?? "";
}

/** A verified person of this test's own. */
async function registered(request: APIRequestContext): Promise<string> {
  const email = `reset-${randomUUID()}@tradewind.example`;
  const person = { email, password: OLD_PASSWORD, firstName: "Rita", lastName: "Reset" };
  expect((await request.post("/api/v1/auth/register", { data: person })).status()).toBe(200);
  const token = new URL(await mailedLink(email, "/auth/verify-success")).searchParams.get("token");
  expect((await request.post("/api/v1/auth/verify-email", { data: { token } })).status()).toBe(200);
  return email;
}

async function askForReset(page: Page, email: string): Promise<void> {
  await page.goto("/auth");
  await page.getByRole("button", { name: "Forgot your password?" }).click();
  await expect(page.getByRole("heading", { name: "Reset your password" })).toBeVisible();
  await page.getByLabel("Email").fill(email);
  await page.getByRole("button", { name: "Send reset instructions" }).click();
}

async function signIn(page: Page, email: string, password: string): Promise<void> {
  await page.getByLabel("Email").fill(email);
  await page.getByLabel("Password", { exact: true }).fill(password);
  await page.getByRole("button", { name: "Sign In", exact: true }).click();
}

test("a forgotten password is reset by the mailed link, once, and every sign-in ends", async ({ page }) => {
  const email = await registered(page.request);
  const answer = await page.request.post("/api/v1/auth/login", { data: { email, password: OLD_PASSWORD } });
  const { data } = (await answer.json()) as { data: { token: string } };

  await askForReset(page, email);
  await expect(page.getByText("Password reset instructions have been sent to your email address.")).toBeVisible();
  await expect(page.getByRole("heading", { name: "Sign in to Tradewind" })).toBeVisible();

  const link = await mailedLink(email, "/auth/reset-password");
  await page.goto(link);
  await page.getByLabel("New password", { exact: true }).fill(NEW_PASSWORD);
  await page.getByLabel("Confirm new password", { exact: true }).fill("Leeward");
  await page.getByRole("button", { name: "Reset Password" }).click();
  await expect(page.getByText("Passwords do not match.", { exact: true })).toBeVisible();
  await page.getByLabel("New password", { exact: true }).fill("Lee-1");
  await page.getByLabel("Confirm new password", { exact: true }).fill("Lee-1");
  await page.getByRole("button", { name: "Reset Password" }).click();
  await expect(page.getByText("Password must be at least 8 characters long.", { exact: true })).toBeVisible();
  await page.getByLabel("New password", { exact: true }).fill(NEW_PASSWORD);
  await page.getByLabel("Confirm new password", { exact: true }).fill(NEW_PASSWORD);
  await page.getByRole("button", { name: "Reset Password" }).click();
  await expect(page.getByRole("heading", { name: "Password Reset Successfully!" })).toBeVisible();
  await expect(page).toHaveURL(/\/auth$/);

  const ended = await page.request.get("/api/v1/auth/me", { headers: { Authorization: `Bearer ${data.token}` } });
  expect(ended.status()).toBe(401);
  await signIn(page, email, OLD_PASSWORD);
  await expect(
    page.getByText("Invalid email or password. Please check your credentials and try again.", { exact: true }),
  ).toBeVisible();
  await signIn(page, email, NEW_PASSWORD);
  await expect(page).toHaveURL(/\/dashboard$/);

  await page.goto(link);
  await page.getByLabel("New password", { exact: true }).fill(OLD_PASSWORD);
  await page.getByLabel("Confirm new password", { exact: true }).fill(OLD_PASSWORD);
  await page.getByRole("button", { name: "Reset Password" }).click();
  await expect(page.getByText("Invalid or expired reset token.", { exact: true })).toBeVisible();
});

test("a reset link without its token leads to the login", async ({ page }) => {
  await page.goto("/auth/reset-password");
  await expect(page.getByRole("heading", { name: "Invalid Reset Link" })).toBeVisible();
  await page.getByRole("link", { name: "Go to Login" }).click();
  await expect(page).toHaveURL(/\/auth$/);
});
