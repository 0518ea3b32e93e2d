import { expect, type Page } from "@playwright/test";
import { test } from "./test.ts";

const button = (page: Page, name: string) => page.getByRole("button", { name, exact: true });
const field = (page: Page, label: string) => page.getByLabel(label, { exact: true });

type FieldRow = [label: string, name: string, type: string, autocomplete: string];

/** Every field of a form: what a password manager and the browser's own check go by. */
async function expectFields(page: Page, rows: FieldRow[]): Promise<void> {
  await expect(page.getByRole("main").locator("input")).toHaveCount(rows.length);
  for (const [label, name, type, autocomplete] of rows) {
    await expect(field(page, label), label).toHaveAttribute("name", name);
    await expect(field(page, label), label).toHaveJSProperty("type", type);
    await expect(field(page, label), label).toHaveAttribute("autocomplete", autocomplete);
    await expect(field(page, label), label).toHaveAttribute("required", "");
  }
}

const RESET: FieldRow[] = [
  ["New password", "newPassword", "password", "new-password"],
  ["Confirm new password", "confirmPassword", "password", "new-password"],
];

test("the pages of mailed links say what became of them", async ({ page }) => {
  for (const [query, heading, text, way, href] of [
    ["?verified=true", "Email Verified Successfully!", "", "Continue to Dashboard", "/dashboard"],
    [
      "?verified=false",
      "Verification Failed",
      "The verification link is invalid or has expired. Please request a new verification email.",
      "Go to Login",
      "/auth",
    ],
    [
      "",
      "Verification Failed",
      "The verification link is invalid or has expired. Please request a new verification email.",
      "Go to Login",
      "/auth",
    ],
  ] as const) {
    await page.goto(`/auth/verify-success${query}`);
    await expect(page.getByRole("heading", { level: 1 })).toHaveText(heading);
    if (text !== "") await expect(page.getByText(text, { exact: true })).toBeVisible();
    await expect(page.getByRole("main").getByRole("link", { name: way, exact: true })).toHaveAttribute("href", href);
  }
  for (const query of ["", "?token="]) {
    await page.goto(`/auth/reset-password${query}`);
    await expect(page.getByRole("heading", { level: 1 })).toHaveText("Invalid Reset Link");
    await expect(page.getByRole("link", { name: "Go to Login", exact: true })).toHaveAttribute("href", "/auth");
    await expect(page.getByRole("main").locator("input")).toHaveCount(0);
  }
  await page.goto("/auth/reset-password?token=a-token");
  await expectFields(page, RESET);
  await expect(page.getByRole("link", { name: "Back to Login", exact: true })).toHaveAttribute("href", "/auth");
});

test("opening a mailed link uses nothing up: only its button does", async ({ page }) => {
  const calls: string[] = [];
  page.on("request", (request) => {
    if (request.url().includes("/api/v1/")) calls.push(`${request.method()} ${new URL(request.url()).pathname}`);
  });
  const token = "a".repeat(43);
  await page.goto(`/auth/reset-password?token=${token}`);
  await expect(button(page, "Reset Password")).toBeEnabled();
  await page.goto(`/auth/verify-success?token=${token}`);
  await expect(button(page, "Verify my email")).toBeVisible();
  expect(calls, "a look uses nothing up").toEqual(["POST /api/v1/auth/reset-password/check"]);
  calls.length = 0;
  await page.route("**/api/v1/auth/verify-email", (route) => route.fulfill({ status: 503 }), { times: 1 });
  await button(page, "Verify my email").click();
  await expect(page.getByRole("main").getByRole("alert"), "a server that is away uses up no link").toBeVisible();
  await expect(page).toHaveURL(new RegExp(`token=${token}$`));
  await button(page, "Verify my email").click();
  await expect(page.getByRole("heading", { name: "Verification Failed" })).toBeVisible();
  expect(calls).toEqual(["POST /api/v1/auth/verify-email", "POST /api/v1/auth/verify-email"]);
});
