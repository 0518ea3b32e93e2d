import { expect, type Locator, type Page, type Route } from "@playwright/test";
import { mailedLinks, newEmail, PASSWORD, registered, signIn, stopClock } from "./people.ts";
import { test } from "./test.ts";

/** What stands in for the server: a status and a body, or nothing at all. */
type Reply = { status: number; body?: unknown } | "unreachable";
type Row = [situation: string, reply: Reply, text: string, detail?: string];

const said = (status: number, error: unknown) => ({ status, body: { success: false, data: null, error } });
const html = (status: number) => ({ status, body: "<h1>Bad gateway</h1>" });
const empty = (status: number) => ({ status, body: "" });

const UNREACHABLE = "Tradewind could not be reached. Check your connection and try again.";
const UNREADABLE = "The answer could not be read.";
const AWAY = "Tradewind cannot answer right now. Try again in a moment.";
const SERVER_ERROR = "Server error. Please try again later.";
const WRONG = "Invalid email or password. Please check your credentials and try again.";
const UNVERIFIED =
  "Account found but email not verified. A new verification email has been sent to your email address. Please check your email and click the verification link to activate your account.";
const RESET_FAILED = "Failed to reset password. The token may have expired. Please request a new password reset.";

const LOGIN: Row[] = [
  ["401", said(401, "No."), WRONG],
  ["401 without a body", empty(401), WRONG],
  ["400 with the server's error", said(400, "Enter a valid email address."), "Enter a valid email address."],
  ["400 with a nested error", said(400, { message: "Nested." }), "Nested."],
  ["400 without an error", said(400, undefined), "Invalid request. Please check your input."],
  ["400 of a proxy", html(400), "Invalid request. Please check your input."],
  ["400 without a body", empty(400), "Empty response"],
  ["500", said(500, "x"), SERVER_ERROR],
  ["502 of a proxy", html(502), SERVER_ERROR],
  ["503 without a body", empty(503), SERVER_ERROR],
  ["not verified", said(403, "Email verification required"), UNVERIFIED],
  ["not verified, under another status", said(401, "Email verification required"), UNVERIFIED],
  ["429", said(429, "Too many requests."), "Login failed", "Too many requests."],
  ["200 without a body", empty(200), "Login failed", "Empty response"],
  ["200 without data", { status: 200, body: { success: true, data: null, error: null } }, "Login failed", UNREADABLE],
  ["no answer", "unreachable", "Login failed", UNREACHABLE],
];

const REGISTRATION: Row[] = [
  ["409", said(409, "An account with this email already exists."), "An account with this email already exists."],
  ["400 without an error", said(400, undefined), "Registration failed"],
  ["401, which leads nowhere", said(401, "No."), "Registration failed", "No."],
  ["429", said(429, "Too many requests."), "Registration failed", "Too many requests."],
  ["500", said(500, "Ours."), "Registration failed", "Ours."],
  ["200 without a body", empty(200), "Registration failed", "Empty response"],
  ["no answer", "unreachable", "Registration failed", UNREACHABLE],
];

const FORGOT: Row[] = [
  ["404", said(404, "x"), "No account found with this email address."],
  ["429", said(429, "x"), "Too many reset requests. Please try again later."],
  ["500", said(500, "x"), SERVER_ERROR],
  ["503 without a body", empty(503), SERVER_ERROR],
  [
    "400",
    said(400, "Enter a valid email address."),
    "Failed to send reset instructions.",
    "Enter a valid email address.",
  ],
  ["200 without a body", empty(200), "Failed to send reset instructions.", "Empty response"],
  ["no answer", "unreachable", "Failed to send reset instructions.", UNREACHABLE],
];

const RESET: Row[] = [
  ["400 with the server's error", said(400, "This link was used."), "This link was used."],
  ["400 without an error", said(400, ""), "Invalid or expired reset token."],
  ["404", said(404, "x"), "Reset token not found or has expired."],
  ["500 with the server's error", said(500, "Something went wrong on our side."), "Something went wrong on our side."],
  ["503 with a nested error", said(503, { message: "Nested." }), "Nested."],
  ["502 of a proxy", html(502), RESET_FAILED, AWAY],
  ["500 without an error", said(500, undefined), RESET_FAILED],
  ["no answer", "unreachable", RESET_FAILED, UNREACHABLE],
];

const RESEND: Row[] = [
  ["429", said(429, "Too many requests."), "Failed to send verification email.", "Too many requests."],
  ["500", said(500, "x"), "Failed to send verification email.", "x"],
  ["200 without a body", empty(200), "Failed to send verification email.", "Empty response"],
  ["no answer", "unreachable", "Failed to send verification email.", UNREACHABLE],
];

function answer(route: Route, reply: Reply): Promise<void> {
  if (reply === "unreachable") return route.abort("connectionrefused");
  const { status, body } = reply;
  return route.fulfill({ status, ...(typeof body === "string" ? { body } : { json: body }) });
}

const alertOf = (page: Page) => page.getByRole("main").getByRole("alert");

/** Sends the open form once per row, and reads what it says; what was typed is still there. */
async function expectRows(page: Page, path: string, rows: Row[], submit: Locator, typed: Locator): Promise<void> {
  const before = await typed.inputValue();
  for (const [situation, reply, text, detail] of rows) {
    await page.route(`**/api/v1${path}`, (route) => answer(route, reply), { times: 1 });
    const sent = page.waitForRequest(`**/api/v1${path}`);
    await submit.click();
    await sent;
    const lines = alertOf(page).locator("p");
    await expect(lines, situation).toHaveText(detail === undefined ? [text] : [text, detail]);
    await expect(submit, situation).not.toHaveAttribute("aria-disabled", "true");
    expect(await typed.inputValue(), situation).toBe(before);
    await expect(page, situation).toHaveURL(/\/auth(\?view=\w+|\/reset-password\?token=.*)?$/);
  }
}

const button = (page: Page, name: string) => page.getByRole("button", { name, exact: true });

test("the login says each sentence of the catalogue", async ({ page, request }) => {
  await page.goto("/auth");
  await page.getByLabel("Email").fill(newEmail("sentences"));
  await page.getByLabel("Password", { exact: true }).fill("Not-the-password-1");
  const password = page.getByLabel("Password", { exact: true });
  await expectRows(page, "/auth/login", LOGIN, button(page, "Sign In"), password);

  await button(page, "Sign In").click();
  await expect(alertOf(page), "the real server, an unknown address").toHaveText(WRONG);
  await expect(password, "where the person goes on").toBeFocused();
  const email = await registered(request, "unverified");
  await mailedLinks(email, "/auth/verify-success", 1);
  await signIn(page, { email, password: PASSWORD });
  await expect(alertOf(page), "the real server, an unverified address").toHaveText(UNVERIFIED);
  await mailedLinks(email, "/auth/verify-success", 2);
  await signIn(page, { email, password: "Not-the-password-1" });
  await expect(alertOf(page), "the real server, a wrong password").toHaveText(WRONG);
});

test("the registration says what the server says of the entries, else the specified sentence", async ({ page }) => {
  await page.goto("/auth");
  await button(page, "Sign up").click();
  for (const [label, text] of [
    ["First name", "Ada"],
    ["Last name", "Long"],
    ["Email", newEmail("sentences")],
    ["Password", PASSWORD],
    ["Confirm password", PASSWORD],
  ] as const) {
    await page.getByLabel(label, { exact: true }).fill(text);
  }
  const password = page.getByLabel("Password", { exact: true });
  await expectRows(page, "/auth/register", REGISTRATION, button(page, "Sign Up"), password);

  for (const [weak, text] of [
    ["Password123", "This password is too common. Please choose another one."],
    ["alllowercase1", "Must contain at least 8 characters with uppercase, lowercase, and number"],
    ["Ab1", "Password must be at least 8 characters long."],
  ] as const) {
    await password.fill(weak);
    await page.getByLabel("Confirm password", { exact: true }).fill(weak);
    await button(page, "Sign Up").click();
    await expect(password, "the real server says it of the field").toHaveAccessibleDescription(new RegExp(`${text}$`));
    await expect(password).toHaveAttribute("aria-invalid", "true");
    await expect(password).toBeFocused();
    await expect(page.getByText(text, { exact: true })).toHaveCount(1);
    await expect(alertOf(page)).toHaveCount(0);
  }
});

test("the form for a reset link says each sentence of the catalogue", async ({ page }) => {
  await page.goto("/auth");
  await button(page, "Forgot your password?").click();
  // The sign-in form has a field of the same name until it goes.
  await expect(page.getByRole("heading", { name: "Reset your password" })).toBeVisible();
  await page.getByLabel("Email").fill(newEmail("sentences"));
  const submit = button(page, "Send reset instructions");
  await expectRows(page, "/auth/forgot-password", FORGOT, submit, page.getByLabel("Email"));
  const reply = { status: 200, body: { success: true, data: null, error: null } };
  await page.route("**/api/v1/auth/forgot-password", (route) => answer(route, reply));
  await submit.click();
  await expect(page.getByText("Password reset instructions have been sent to your email address.")).toBeVisible();
});

test("the reset says each sentence of the catalogue", async ({ page, request }) => {
  const fill = async (password: string, confirmation: string) => {
    await page.getByLabel("New password", { exact: true }).fill(password);
    await page.getByLabel("Confirm new password", { exact: true }).fill(confirmation);
  };
  const submit = button(page, "Reset Password");
  await page.goto("/auth/reset-password?token=not-a-token");
  await fill(PASSWORD, PASSWORD);
  await expectRows(page, "/auth/reset-password", RESET, submit, page.getByLabel("New password", { exact: true }));
  await submit.click();
  await expect(alertOf(page), "the real server, an unknown token").toHaveText("Invalid or expired reset token.");

  const sent: string[] = [];
  page.on("request", (request) => sent.push(request.url()));
  await page.goto("/auth/reset-password?token=%20%20");
  await fill(PASSWORD, PASSWORD);
  await submit.click();
  await expect(alertOf(page)).toHaveText("Invalid reset token. Please request a new password reset.");
  for (const [password, confirmation, label, text] of [
    [PASSWORD, "Windward", "Confirm new password", "Passwords do not match."],
    ["Ab1", "Ab1", "New password", "Password must be at least 8 characters long."],
  ] as const) {
    await page.goto("/auth/reset-password?token=not-a-token");
    await fill(password, confirmation);
    await submit.click();
    await expect(page.getByText(text, { exact: true })).toHaveCount(1);
    await expect(page.getByLabel(label, { exact: true })).toBeFocused();
  }
  expect(
    sent.filter((url) => url.includes("/api/v1/") && !url.endsWith("/reset-password/check")),
    "nothing is sent before it is sound",
  ).toEqual([]);

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

test("the form for another verification mail says each sentence of the catalogue", async ({ page }) => {
  // After success the form closes by itself, and would take its button away: here the test closes it.
  await stopClock(page);
  await page.goto("/auth");
  await button(page, "Resend verification email?").click();
  await expect(page.getByRole("heading", { name: "Resend verification email" })).toBeVisible();
  await page.getByLabel("Email").fill(newEmail("sentences"));
  const submit = button(page, "Send verification email");
  const path = "/email/resend-verification";
  await expectRows(page, path, RESEND, submit, page.getByLabel("Email"));
  for (const [data, text] of [
    [{ message: "On its way." }, "On its way."],
    [{}, "A new verification email has been sent to your email address."],
    [null, "A new verification email has been sent to your email address."],
  ] as const) {
    const reply = { status: 200, body: { success: true, data, error: null } };
    await page.route(`**/api/v1${path}`, (route) => answer(route, reply), { times: 1 });
    await submit.click();
    await expect(page.getByRole("main").getByRole("status")).toHaveText(text);
    await button(page, "Back to login").click();
    await button(page, "Resend verification email?").click();
  }
  const sent = page.waitForRequest((request) => request.url().includes("resend-verification"));
  await submit.click();
  expect(new URL((await sent).url()).pathname, "the full path").toBe("/api/v1/email/resend-verification");
  await expect(page.getByRole("main").getByRole("status"), "the real server").toHaveText(
    "A new verification email has been sent to your email address.",
  );
});
