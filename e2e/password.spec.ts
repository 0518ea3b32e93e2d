import { expect, type Page } from "@playwright/test";
import { mailedLink, PASSWORD, signIn, tokenOf, verified } from "./people.ts";
import { test } from "./test.ts";

const NEW_PASSWORD = "Leeward-43-sails";

async function askForReset(page: Page, email: string): Promise<void> {
  await page.goto("/auth");
  await page.getByRole("button", { name: "Forgot your password?" }).click();
  await expect(page.getByRole("heading", { name: "Reset your password" })).toBeVisible();
  await page.getByLabel("Email").fill(email);
  await page.getByRole("button", { name: "Send reset instructions" }).click();
}

async function enterPasswords(page: Page, password: string, confirmation: string): Promise<void> {
  await page.getByLabel("New password", { exact: true }).fill(password);
  await page.getByLabel("Confirm new password", { exact: true }).fill(confirmation);
  await page.getByRole("button", { name: "Reset Password" }).click();
}

test("a forgotten password is reset by the mailed link, once, and every sign-in ends", async ({ page, request }) => {
  const email = await verified(request, "reset");
  const token = await tokenOf(request, { email, password: PASSWORD });

  await askForReset(page, email);
  await expect(page.getByText("Password reset instructions have been sent to your email address.")).toBeVisible();
  await expect(page.getByRole("heading", { name: "Sign in to Tradewind" })).toBeVisible();

  const link = await mailedLink(email, "/auth/reset-password");
  await page.goto(link);
  await enterPasswords(page, NEW_PASSWORD, "Leeward");
  await expect(page.getByText("Passwords do not match.", { exact: true })).toBeVisible();
  await enterPasswords(page, "Lee-1", "Lee-1");
  await expect(page.getByText("Password must be at least 8 characters long.", { exact: true })).toBeVisible();
  await enterPasswords(page, NEW_PASSWORD, NEW_PASSWORD);
  await expect(page.getByRole("heading", { name: "Password Reset Successfully!" })).toBeVisible();
  await expect(page).toHaveURL(/\/auth$/);

  const ended = await request.get("/api/v1/auth/me", { headers: { Authorization: `Bearer ${token}` } });
  expect(ended.status()).toBe(401);
  await signIn(page, { email, password: PASSWORD });
  await expect(
    page.getByText("Invalid email or password. Please check your credentials and try again.", { exact: true }),
  ).toBeVisible();
  await signIn(page, { email, password: NEW_PASSWORD });
  await expect(page).toHaveURL(/\/dashboard$/);

  await page.goto(link);
  await enterPasswords(page, PASSWORD, PASSWORD);
  await expect(page.getByText("Invalid or expired reset token.", { exact: true })).toBeVisible();
});

test("a reset link without its token leads to the login", async ({ page }) => {
  await page.goto("/auth/reset-password");
  await expect(page.getByRole("heading", { name: "Invalid Reset Link" })).toBeVisible();
  await page.getByRole("link", { name: "Go to Login" }).click();
  await expect(page).toHaveURL(/\/auth$/);
});
