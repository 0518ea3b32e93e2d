import { expect, test, vi } from "vitest";
import { page, type Locator } from "vitest/browser";
import { AUTH_PATHS, authCalls } from "@/lib/contracts/auth-calls.ts";
import type { Call, Endpoint } from "@/lib/contracts/endpoint.ts";
import { answer, bare, unreachable } from "@/lib/proof/screen/answers.ts";
import { textsOf } from "@/lib/proof/screen/look.ts";
import { showPublicPage } from "@/lib/proof/screen/show.tsx";
import { AuthScreen } from "./auth-screen.tsx";
import { ResetScreen } from "./reset-password/reset-screen.tsx";

/** What stands in for the server, what the form says then, and the detail below it. */
type Row = [situation: string, reply: ReturnType<typeof bare>, text: string, detail?: string];

const said = (status: number, error: unknown) => bare(status, { success: false, data: null, error });
const html = (status: number) => bare(status, "<h1>Bad gateway</h1>");
const empty = (status: number) => bare(status, "");
const done = (data: unknown) => bare(200, { success: true, data, error: null });

const UNREACHABLE = "Tradewind could not be reached. Check your connection and try again.";
const UNREADABLE = "The answer could not be read.";
const UNAVAILABLE = "Tradewind cannot answer right now. Try again in a moment.";
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
  ["200 without data", done(null), "Login failed", UNREADABLE],
  ["no answer", unreachable(), "Login failed", UNREACHABLE],
];

const REGISTRATION: Row[] = [
  ["409", said(409, "An account with this email already exists."), "An account with this email already exists."],
  ["400 without an error", said(400, undefined), "Registration failed"],
  ["401, which leads nowhere", said(401, "No."), "Registration failed", "No."],
  ["429", said(429, "Too many requests."), "Registration failed", "Too many requests."],
  ["500", said(500, "Ours."), "Registration failed", "Ours."],
  ["200 without a body", empty(200), "Registration failed", "Empty response"],
  ["no answer", unreachable(), "Registration failed", UNREACHABLE],
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
  ["no answer", unreachable(), "Failed to send reset instructions.", UNREACHABLE],
];

const RESET: Row[] = [
  ["400 with the server's error", said(400, "This link was used."), "This link was used."],
  ["400 without an error", said(400, ""), "Invalid or expired reset token."],
  ["404", said(404, "x"), "Reset token not found or has expired."],
  ["500 with the server's error", said(500, "Something went wrong on our side."), "Something went wrong on our side."],
  ["503 with a nested error", said(503, { message: "Nested." }), "Nested."],
  ["502 of a proxy", html(502), RESET_FAILED, UNAVAILABLE],
  ["500 without an error", said(500, undefined), RESET_FAILED],
  ["no answer", unreachable(), RESET_FAILED, UNREACHABLE],
];

const RESEND: Row[] = [
  ["429", said(429, "Too many requests."), "Failed to send verification email.", "Too many requests."],
  ["500", said(500, "x"), "Failed to send verification email.", "x"],
  ["200 without a body", empty(200), "Failed to send verification email.", "Empty response"],
  ["no answer", unreachable(), "Failed to send verification email.", UNREACHABLE],
];

const EMAIL = "sentences@tradewind.test";
const PASSWORD = "Windward-42-sails";

const button = (name: string) => page.getByRole("button", { name, exact: true });
const field = (label: string) => page.getByLabelText(label, { exact: true });
const show = () => showPublicPage("/auth", <AuthScreen from={null} />);
const showReset = (token: string) =>
  showPublicPage(`/auth/reset-password?token=${token}`, <ResetScreen token={token} />);

/** Sends the open form once per row, and reads what it says; what was typed is still there, and so is the page. */
async function expectRows<E extends Endpoint>(endpoint: Call<E>, rows: Row[], submit: Locator, typed: Locator) {
  const { href } = window.location;
  const input = (await typed.findElement()) as HTMLInputElement;
  const before = input.value;
  for (const [situation, reply, text, detail] of rows) {
    const sent = answer(endpoint, reply);
    await submit.click();
    await expect.poll(() => sent.length, { message: situation }).toBe(1);
    await textsOf("main [role=alert] p").toEqual(detail === undefined ? [text] : [text, detail]);
    await expect.element(submit).not.toHaveAttribute("aria-disabled", "true");
    expect(input.value, situation).toBe(before);
    expect(window.location.href, situation).toBe(href);
  }
}

test("the login says each sentence of the catalogue", async () => {
  show();
  await field("Email").fill(EMAIL);
  await field("Password").fill("Not-the-password-1");
  await expectRows(authCalls.login, LOGIN, button("Sign In"), field("Password"));
  // Where the person continues.
  answer(authCalls.login, said(401, "No."));
  await button("Sign In").click();
  await expect.element(field("Password")).toHaveFocus();
});

async function fillRegistration() {
  show();
  await button("Sign up").click();
  for (const [label, text] of [
    ["First name", "Ada"],
    ["Last name", "Long"],
    ["Email", EMAIL],
    ["Password", PASSWORD],
    ["Confirm password", PASSWORD],
  ] as const)
    await field(label).fill(text);
}

test("what was wrong with an entry of the registration is said until the entry changes", async () => {
  await fillRegistration();
  const issues = ["firstName", "email"].map((path) => ({ path, message: `Enter your ${path}.` }));
  answer(authCalls.register, bare(400, { success: false, data: null, error: "No.", issues }));
  await button("Sign Up").click();
  await expect.element(page.getByText("Enter your email.")).toBeVisible();
  await field("First name").fill("Ann");
  await expect.element(page.getByText("Enter your firstName.")).not.toBeInTheDocument();
  await expect.element(field("First name")).not.toHaveAttribute("aria-invalid", "true");
  await expect.element(page.getByText("Enter your email.")).toBeVisible();
});

test("the registration says what the server says of the entries, else the specified sentence", async () => {
  await fillRegistration();
  await expectRows(authCalls.register, REGISTRATION, button("Sign Up"), field("Password"));
});

test("the form for a reset link says each sentence of the catalogue", async () => {
  show();
  await button("Forgot your password?").click();
  // The sign-in form has a field of the same name until it goes.
  await expect.element(page.getByRole("heading", { name: "Reset your password" })).toBeVisible();
  await field("Email").fill(EMAIL);
  const submit = button("Send reset instructions");
  await expectRows(authCalls.forgotPassword, FORGOT, submit, field("Email"));
  answer(authCalls.forgotPassword, done(null));
  await submit.click();
  const sentence = page.getByText("Password reset instructions have been sent to your email address.");
  await expect.element(sentence).toBeVisible();
});

test("the reset says each sentence of the catalogue, and sends nothing before it is sound", async () => {
  const fill = async (password: string, confirmation: string) => {
    await field("New password").fill(password);
    await field("Confirm new password").fill(confirmation);
  };
  const submit = button("Reset Password");
  answer(authCalls.checkResetLink, { isOpen: true });
  showReset("a-token");
  await fill(PASSWORD, PASSWORD);
  await expectRows(authCalls.resetPassword, RESET, submit, field("New password"));

  const sent = answer(authCalls.resetPassword, done(null));
  showReset("  ");
  await fill(PASSWORD, PASSWORD);
  await submit.click();
  await textsOf("main [role=alert] p").toEqual(["Invalid reset token. Please request a new password reset."]);
  for (const [password, confirmation, label, text] of [
    [PASSWORD, "Windward", "Confirm new password", "Passwords do not match."],
    ["Ab1", "Ab1", "New password", "Password must be at least 8 characters long."],
  ] as const) {
    showReset("a-token");
    await fill(password, confirmation);
    await submit.click();
    await expect.element(page.getByText(text, { exact: true })).toHaveLength(1);
    await expect.element(field(label)).toHaveFocus();
  }
  expect(sent).toEqual([]);
});

test("the form for another verification mail says each sentence of the catalogue", async () => {
  // After success the form closes by itself, and would remove its button: here the test closes it.
  vi.useFakeTimers();
  show();
  await button("Resend verification email?").click();
  await expect.element(page.getByRole("heading", { name: "Resend verification email" })).toBeVisible();
  await field("Email").fill(EMAIL);
  const submit = button("Send verification email");
  await expectRows(authCalls.resendVerification, RESEND, submit, field("Email"));
  for (const [data, text] of [
    [{ message: "On its way." }, "On its way."],
    [{}, "A new verification email has been sent to your email address."],
    [null, "A new verification email has been sent to your email address."],
  ] as const) {
    answer(authCalls.resendVerification, done(data));
    await submit.click();
    await textsOf("main [role=status]").toEqual([text]);
    await button("Back to login").click();
    await button("Resend verification email?").click();
  }
});

for (const [link, submit, endpoint] of [
  ["Forgot your password?", "Send reset instructions", "forgotPassword"],
  ["Resend verification email?", "Send verification email", "resendVerification"],
] as const)
  test(`the form behind '${link}' closes 3 seconds after success, and only if it is still open`, async () => {
    vi.useFakeTimers();
    answer<Endpoint>(AUTH_PATHS[endpoint], done({}));
    show();
    const login = page.getByRole("heading", { name: "Sign in to Tradewind" });
    const success = page.getByRole("main").getByRole("status");
    const send = async () => {
      await button(link).click();
      // Until then the field of this name is the login's.
      await expect.element(button(submit)).toBeVisible();
      await field("Email").fill("someone@tradewind.example");
      await button(submit).click();
      await expect.element(success).toBeVisible();
    };
    await send();
    await vi.advanceTimersByTimeAsync(2_900);
    await expect.element(success).toBeVisible();
    await vi.advanceTimersByTimeAsync(200);
    await expect.element(login).toBeVisible();
    // The first empty field; the address is filled in.
    await expect.element(field("Password")).toHaveFocus();
    await expect.element(field("Email")).toHaveValue("someone@tradewind.example");

    await send();
    await button("Back to login").click();
    await button("Sign up").click();
    await vi.advanceTimersByTimeAsync(10_000);
    await expect.element(page.getByRole("heading", { name: "Create your account" })).toBeVisible();
  });
