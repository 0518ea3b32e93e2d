import { expect, type Page } from "@playwright/test";
import { paintedColour } from "./colour.ts";
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

const LOGIN: FieldRow[] = [
  ["Email", "email", "email", "username"],
  ["Password", "password", "password", "current-password"],
];
const REGISTRATION: FieldRow[] = [
  ["First name", "firstName", "text", "given-name"],
  ["Last name", "lastName", "text", "family-name"],
  ["Email", "email", "email", "username"],
  ["Password", "password", "password", "new-password"],
  ["Confirm password", "confirmPassword", "password", "new-password"],
];
const EMAIL: FieldRow[] = [["Email", "email", "email", "email"]];
const RESET: FieldRow[] = [
  ["New password", "newPassword", "password", "new-password"],
  ["Confirm new password", "confirmPassword", "password", "new-password"],
];

test("the login comes first; the views change at any time, and nothing typed is lost", async ({ page }) => {
  const sent: string[] = [];
  page.on("request", (request) => {
    if (request.url().includes("/api/v1/")) sent.push(request.url());
  });
  await page.goto("/auth");
  await expect(page.getByRole("heading", { name: "Sign in to Tradewind" })).toBeVisible();
  await expectFields(page, LOGIN);
  for (const name of ["Sign In", "Forgot your password?", "Resend verification email?", "Sign up"])
    await expect(button(page, name)).toBeEnabled();
  const typed = {
    Email: "a.long.address.that.goes.on.and.on@a-company-with-a-long-name.example",
    "First name": "Wolfeschlegelsteinhausenbergerdorff",
    "Last name": "Featherstonehaugh-Cholmondeley",
    Password: "Windward-42-sails",
    "Confirm password": "Windward",
  };
  await field(page, "Email").fill(typed.Email);
  await field(page, "Password").fill("login-password");
  await button(page, "Sign up").click();
  await expectFields(page, REGISTRATION);
  await expect(field(page, "Password")).toHaveAccessibleDescription(
    "Must contain at least 8 characters with uppercase, lowercase, and number",
  );
  await expect(page.getByText("Passwords do not match")).toBeHidden();
  await expect(button(page, "Sign Up")).toBeEnabled();
  for (const [label, text] of Object.entries(typed)) await field(page, label).fill(text);
  await expect(page.getByText("Passwords do not match", { exact: true })).toBeVisible();
  const { red, green, blue } = await paintedColour(field(page, "Confirm password"), "border-top-color");
  expect(red, "a red border").toBeGreaterThan(2 * Math.max(green, blue));
  await expect(button(page, "Sign Up")).toBeDisabled();
  await field(page, "Confirm password").press("Enter");

  for (const [link, title] of [
    ["Forgot your password?", "Reset your password"],
    ["Resend verification email?", "Resend verification email"],
  ] as const) {
    await button(page, "Sign in").click();
    await expect(field(page, "Password")).toHaveValue("login-password");
    await button(page, link).click();
    await expect(page.getByRole("heading", { name: title })).toBeVisible();
    await expectFields(page, EMAIL);
    await expect(field(page, "Email")).toHaveValue(typed.Email);
    await button(page, "Back to login").click();
    await button(page, "Sign up").click();
    for (const [label, text] of Object.entries(typed)) await expect(field(page, label)).toHaveValue(text);
  }
  expect(sent, "nothing was sent").toEqual([]);
});

test("required fields and the form of an address are checked before anything is sent", async ({ page }) => {
  const sent: string[] = [];
  page.on("request", (request) => {
    if (request.url().includes("/api/v1/")) sent.push(request.url());
  });
  await page.goto("/auth");
  await button(page, "Sign In").click();
  await expect(field(page, "Email")).toBeFocused();
  await field(page, "Email").fill("no-address");
  await field(page, "Password").fill("x");
  await button(page, "Sign In").click();
  await expect(field(page, "Email")).toBeFocused();
  for (const [link, submit] of [
    ["Forgot your password?", "Send reset instructions"],
    ["Resend verification email?", "Send verification email"],
  ] as const) {
    await button(page, link).click();
    for (const text of ["", "no-address"]) {
      await field(page, "Email").fill(text);
      await button(page, submit).click();
      await expect(field(page, "Email")).toBeFocused();
    }
    await button(page, "Back to login").click();
  }
  await button(page, "Sign up").click();
  for (const [label, text] of [
    ["First name", "Some"],
    ["Last name", "One"],
    ["Email", "someone@tradewind.example"],
    ["Password", "Windward-42-sails"],
    ["Confirm password", "Windward-42-sails"],
  ] as const) {
    await field(page, label).fill("");
    if (label !== "Confirm password") await field(page, "Confirm password").fill("");
    await button(page, "Sign Up").click();
    await expect(field(page, label), label).toBeFocused();
    await field(page, label).fill(text);
  }
  await page.goto("/auth/reset-password?token=a-token");
  await button(page, "Reset Password").click();
  await expect(field(page, "New password")).toBeFocused();
  expect(
    sent.filter((url) => !url.endsWith("/reset-password/check")),
    "nothing was sent",
  ).toEqual([]);
});

test("while a form is under way its button says so, keeps its width, and sends once", async ({ page }) => {
  for (const [open, label, busy, path, fields] of [
    [null, "Sign In", "Signing in...", "/auth/login", LOGIN],
    ["Sign up", "Sign Up", "Creating your account...", "/auth/register", REGISTRATION],
    ["Forgot your password?", "Send reset instructions", "Sending...", "/auth/forgot-password", EMAIL],
  ] as const) {
    await page.goto("/auth");
    if (open !== null) await button(page, open).click();
    for (const [name, , type] of fields)
      await field(page, name).fill(type === "email" ? "someone@tradewind.example" : "Windward-42-sails");
    let calls = 0;
    let resume = () => {};
    const held = new Promise<void>((resolve) => (resume = resolve));
    await page.route(`**/api/v1${path}`, async (route) => {
      calls += 1;
      await held;
      await route.fulfill({ status: 500 });
    });
    const before = await button(page, label).boundingBox();
    await button(page, label).click();
    await expect(button(page, busy)).toHaveAttribute("aria-disabled", "true");
    expect((await button(page, busy).boundingBox())?.width).toBe(before?.width);
    await field(page, "Email").press("Enter");
    await button(page, busy).click({ force: true });
    resume();
    await expect(page.getByRole("main").getByRole("alert")).toBeVisible();
    await expect(button(page, label)).toHaveAttribute("aria-disabled", "false");
    expect(calls, label).toBe(1);
  }
});

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
