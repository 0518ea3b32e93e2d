import { expect, type Page } from "@playwright/test";
import { mailedLinks, newEmail, PASSWORD, registered, signIn, stopClock } from "./people.ts";
import { test } from "./test.ts";

/** What the forms say of the answers that the real server gives; every other answer: app/(public)/auth/auth-sentences.component.test.tsx. */
const WRONG = "Invalid email or password. Please check your credentials and try again.";
const UNVERIFIED =
  "Account found but email not verified. A new verification email has been sent to your email address. Please check your email and click the verification link to activate your account.";

const alertOf = (page: Page) => page.getByRole("main").getByRole("alert");
const button = (page: Page, name: string) => page.getByRole("button", { name, exact: true });

test("the login says what is wrong with an unknown address, an unverified one and a wrong password", async ({
  page,
  request,
}) => {
  await page.goto("/auth");
  await page.getByLabel("Email").fill(newEmail("sentences"));
  const password = page.getByLabel("Password", { exact: true });
  await password.fill("Not-the-password-1");
  await button(page, "Sign In").click();
  await expect(alertOf(page), "an unknown address").toHaveText(WRONG);
  await expect(password, "where the person goes on").toBeFocused();
  const email = await registered(request, "unverified");
  await mailedLinks(email, "/auth/verify-success", 1);
  await signIn(page, { email, password: PASSWORD });
  await expect(alertOf(page), "an unverified address").toHaveText(UNVERIFIED);
  await mailedLinks(email, "/auth/verify-success", 2);
  await signIn(page, { email, password: "Not-the-password-1" });
  await expect(alertOf(page), "a wrong password").toHaveText(WRONG);
});

test("the registration says of the password what the server says of it", async ({ page }) => {
  await page.goto("/auth");
  await button(page, "Sign up").click();
  for (const [label, text] of [
    ["First name", "Ada"],
    ["Last name", "Long"],
    ["Email", newEmail("sentences")],
  ] as const) {
    await page.getByLabel(label, { exact: true }).fill(text);
  }
  const password = page.getByLabel("Password", { exact: true });
  for (const [weak, text] of [
    ["Password123", "This password is too common. Please choose another one."],
    ["alllowercase1", "Must contain at least 8 characters with uppercase, lowercase, and number"],
    ["Ab1", "Password must be at least 8 characters long."],
  ] as const) {
    await password.fill(weak);
    await page.getByLabel("Confirm password", { exact: true }).fill(weak);
    await button(page, "Sign Up").click();
    await expect(password).toHaveAccessibleDescription(new RegExp(`${text}$`));
    await expect(password).toHaveAttribute("aria-invalid", "true");
    await expect(password).toBeFocused();
    await expect(page.getByText(text, { exact: true })).toHaveCount(1);
    await expect(alertOf(page)).toHaveCount(0);
  }
});

test("the reset says that the server knows no such token, and the server misses one", async ({ page, request }) => {
  await page.goto("/auth/reset-password?token=not-a-token");
  await page.getByLabel("New password", { exact: true }).fill(PASSWORD);
  await page.getByLabel("Confirm new password", { exact: true }).fill(PASSWORD);
  await button(page, "Reset Password").click();
  await expect(alertOf(page)).toHaveText("Invalid or expired reset token.");

  for (const data of [{ newPassword: PASSWORD }, { token: " ", newPassword: PASSWORD }]) {
    const missing = await request.post("/api/v1/auth/reset-password", { data });
    expect(missing.status()).toBe(400);
    expect(await missing.json()).toMatchObject({
      success: false,
      data: null,
      error: "Invalid or missing reset token. Please request a new password reset.",
    });
  }
});

test("another verification mail is asked for at the full path, and the server says that it is on its way", async ({
  page,
}) => {
  // After success the form closes by itself.
  await stopClock(page);
  await page.goto("/auth");
  await button(page, "Resend verification email?").click();
  await expect(page.getByRole("heading", { name: "Resend verification email" })).toBeVisible();
  await page.getByLabel("Email").fill(newEmail("sentences"));
  const sent = page.waitForRequest((request) => request.url().includes("resend-verification"));
  await button(page, "Send verification email").click();
  expect(new URL((await sent).url()).pathname, "the full path").toBe("/api/v1/email/resend-verification");
  await expect(page.getByRole("main").getByRole("status")).toHaveText(
    "A new verification email has been sent to your email address.",
  );
});
