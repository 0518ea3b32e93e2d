import { expect, test } from "vitest";
import { page, userEvent } from "vitest/browser";
import { authCalls } from "@/lib/contracts/auth-calls.ts";
import type { Call, Endpoint } from "@/lib/contracts/endpoint.ts";
import { answer, bare, refusal, unreachable } from "@/lib/proof/screen/answers.ts";
import { paintedOn } from "@/lib/proof/screen/colour.ts";
import { showPublicPage } from "@/lib/proof/screen/show.tsx";
import { AuthScreen } from "./auth-screen.tsx";
import { ResetScreen } from "./reset-password/reset-screen.tsx";

const button = (name: string) => page.getByRole("button", { name, exact: true });
const field = (label: string) => page.getByLabelText(label, { exact: true });
const show = () => showPublicPage("/auth", <AuthScreen from={null} />);

type FieldRow = [label: string, name: string, type: string, autocomplete: string];

/** Every field of a form: what a password manager and the browser's own check go by. */
async function expectFields(rows: FieldRow[]): Promise<void> {
  await expect.poll(() => document.querySelectorAll("main input").length).toBe(rows.length);
  for (const [label, name, type, autocomplete] of rows) {
    const input = (await field(label).findElement()) as HTMLInputElement;
    const { required } = input;
    expect({ label, name: input.name, type: input.type, autocomplete: input.autocomplete, required }).toEqual({
      label,
      name,
      type,
      autocomplete,
      required: true,
    });
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

/** Every call that a form of these makes, none of which is expected. */
const expectNothing = () => {
  const calls = [authCalls.login, authCalls.register, authCalls.forgotPassword, authCalls.resendVerification];
  const sent = [...calls, authCalls.resetPassword].map((call: Call<Endpoint>) => answer<Endpoint>(call, refusal(500)));
  return () => expect(sent.flat(), "nothing was sent").toEqual([]);
};

test("the login comes first; the views change at any time, and nothing typed is lost", async () => {
  const hasSentNothing = expectNothing();
  show();
  await expect.element(page.getByRole("heading", { name: "Sign in to Tradewind" })).toBeVisible();
  await expectFields(LOGIN);
  for (const name of ["Sign In", "Forgot your password?", "Resend verification email?", "Sign up"]) {
    await expect.element(button(name)).toBeEnabled();
    await expect.element(button(name)).not.toHaveAttribute("aria-disabled", "true");
  }
  const typed = {
    Email: "a.long.address.that.goes.on.and.on@a-company-with-a-long-name.example",
    "First name": "Wolfeschlegelsteinhausenbergerdorff",
    "Last name": "Featherstonehaugh-Cholmondeley",
    Password: "Windward-42-sails",
    "Confirm password": "Windward",
  };
  await field("Email").fill(typed.Email);
  await field("Password").fill("login-password");
  await button("Sign up").click();
  await expectFields(REGISTRATION);
  await expect
    .element(field("Password"))
    .toHaveAccessibleDescription("Must contain at least 8 characters with uppercase, lowercase, and number");
  const mismatch = page.getByText("Passwords do not match", { exact: true });
  await expect.element(mismatch).not.toBeInTheDocument();
  await expect.element(button("Sign Up")).not.toHaveAttribute("aria-disabled", "true");
  for (const [label, text] of Object.entries(typed)) await field(label).fill(text);
  await expect.element(mismatch).toBeVisible();
  const confirmation = await field("Confirm password").findElement();
  const { red, green, blue } = paintedOn(confirmation, "border-top-color");
  expect(red, "a red border").toBeGreaterThan(2 * Math.max(green, blue));
  await expect.element(button("Sign Up")).toBeDisabled();
  (confirmation as HTMLElement).focus();
  await userEvent.keyboard("{Enter}");

  for (const [link, title] of [
    ["Forgot your password?", "Reset your password"],
    ["Resend verification email?", "Resend verification email"],
  ] as const) {
    await button("Sign in").click();
    await expect.element(field("Password")).toHaveValue("login-password");
    await button(link).click();
    await expect.element(page.getByRole("heading", { name: title })).toBeVisible();
    await expectFields(EMAIL);
    await expect.element(field("Email")).toHaveValue(typed.Email);
    await button("Back to login").click();
    await button("Sign up").click();
    for (const [label, text] of Object.entries(typed)) await expect.element(field(label)).toHaveValue(text);
  }
  hasSentNothing();
});

test("required fields and the form of an address are checked before anything is sent", async () => {
  const hasSentNothing = expectNothing();
  show();
  await button("Sign In").click();
  await expect.element(field("Email")).toHaveFocus();
  await field("Email").fill("no-address");
  await field("Password").fill("x");
  await button("Sign In").click();
  await expect.element(field("Email")).toHaveFocus();
  for (const [link, submit] of [
    ["Forgot your password?", "Send reset instructions"],
    ["Resend verification email?", "Send verification email"],
  ] as const) {
    await button(link).click();
    for (const text of ["", "no-address"]) {
      await expect.element(button(submit)).toBeVisible();
      await field("Email").fill(text);
      await button(submit).click();
      await expect.element(field("Email")).toHaveFocus();
    }
    await button("Back to login").click();
  }
  await button("Sign up").click();
  for (const [label, text] of [
    ["First name", "Some"],
    ["Last name", "One"],
    ["Email", "someone@tradewind.example"],
    ["Password", "Windward-42-sails"],
    ["Confirm password", "Windward-42-sails"],
  ] as const) {
    await field(label).fill("");
    if (label !== "Confirm password") await field("Confirm password").fill("");
    await button("Sign Up").click();
    await expect.element(field(label)).toHaveFocus();
    await field(label).fill(text);
  }
  answer(authCalls.checkResetLink, { isOpen: true });
  showPublicPage("/auth/reset-password?token=a-token", <ResetScreen token="a-token" />);
  await button("Reset Password").click();
  await expect.element(field("New password")).toHaveFocus();
  hasSentNothing();
});

for (const [open, label, busy, endpoint, fields] of [
  [null, "Sign In", "Signing in...", authCalls.login, LOGIN],
  ["Sign up", "Sign Up", "Creating your account...", authCalls.register, REGISTRATION],
  ["Forgot your password?", "Send reset instructions", "Sending...", authCalls.forgotPassword, EMAIL],
] as const)
  test(`while '${label}' is under way the button says so, keeps its width, and sends once`, async () => {
    const widthOf = async (name: string) => (await button(name).findElement()).getBoundingClientRect().width;
    const { promise: held, resolve: resume } = Promise.withResolvers<void>();
    const sent = answer<Endpoint>(endpoint, () => held.then(() => bare(500, "")));
    show();
    if (open !== null) await button(open).click();
    await expect.element(button(label)).toBeVisible();
    for (const [name, , type] of fields)
      await field(name).fill(type === "email" ? "someone@tradewind.example" : "Windward-42-sails");
    const before = await widthOf(label);
    await button(label).click();
    await expect.element(button(busy)).toHaveAttribute("aria-disabled", "true");
    expect(await widthOf(busy)).toBe(before);
    ((await field("Email").findElement()) as HTMLElement).focus();
    await userEvent.keyboard("{Enter}");
    await button(busy).click({ force: true });
    resume();
    await expect.element(page.getByRole("main").getByRole("alert")).toBeVisible();
    await expect.element(button(label)).toHaveAttribute("aria-disabled", "false");
    expect(sent).toHaveLength(1);
  });

const anotherLink = () => page.getByRole("link", { name: "Request a new link" });

test("a dead reset link offers another one, before a password is sent and after", async () => {
  answer(authCalls.checkResetLink, { isOpen: false });
  answer(authCalls.resetPassword, refusal(400, "Invalid or expired reset token.", "invalid_input"));
  showPublicPage("/auth/reset-password?token=a-token", <ResetScreen token="a-token" />);
  await expect.element(anotherLink()).toBeVisible();
  for (const label of ["New password", "Confirm new password"]) await field(label).fill("Windward-42-sails");
  await button("Reset Password").click();
  await expect.element(page.getByRole("main").getByRole("alert")).toBeVisible();
  await expect.element(anotherLink()).toHaveAttribute("href", "/auth?view=forgot");
});

test("a reset link that is refused when it is sent offers another one; a weak password and an outage do not", async () => {
  answer(authCalls.checkResetLink, { isOpen: true });
  showPublicPage("/auth/reset-password?token=a-token", <ResetScreen token="a-token" />);
  for (const label of ["New password", "Confirm new password"]) await field(label).fill("Windward-42-sails");
  const weak = { path: "newPassword", message: "This password is too common." };
  for (const reply of [
    refusal(400, "Too common.", "invalid_input", [weak]),
    refusal(503),
    refusal(429),
    unreachable(),
  ]) {
    const sent = answer(authCalls.resetPassword, reply);
    await button("Reset Password").click();
    await expect.poll(() => sent.length).toBe(1);
    await expect.element(button("Reset Password")).toHaveAttribute("aria-disabled", "false");
    await expect.element(anotherLink()).not.toBeInTheDocument();
  }
  for (const reply of [refusal(400, "Invalid or expired reset token.", "invalid_input"), refusal(404)]) {
    showPublicPage("/auth/reset-password?token=a-token", <ResetScreen token="a-token" />);
    for (const label of ["New password", "Confirm new password"]) await field(label).fill("Windward-42-sails");
    answer(authCalls.resetPassword, reply);
    await button("Reset Password").click();
    await expect.element(anotherLink()).toBeVisible();
  }
});
