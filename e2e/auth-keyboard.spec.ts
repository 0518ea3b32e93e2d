import { expect, type Page } from "@playwright/test";
import { mailedLinks, newEmail, PASSWORD, stopClock, stored, tabTo } from "./people.ts";
import { test } from "./test.ts";

const NEW_PASSWORD = "Leeward-43-sails";

/** A person without a mouse: Tab, Enter, Space and letters. */
function keyboard(page: Page) {
  /** A view that is a form begins in its first empty field, and one without is read out by its heading. */
  const opens = async (name: string, label?: string) => {
    if (label === undefined) return expect(page.getByRole("heading", { name })).toBeFocused();
    await expect(page.getByRole("heading", { name })).toBeVisible();
    return expect(page.getByLabel(label, { exact: true })).toBeFocused();
  };
  const field = (label: string) => page.getByLabel(label, { exact: true });
  const button = (name: string) => page.getByRole("button", { name, exact: true });
  return {
    opens,
    field,
    async type(label: string, text: string) {
      await tabTo(page, field(label));
      await page.keyboard.press("Control+A");
      await page.keyboard.insertText(text);
      await expect(field(label)).toHaveValue(text);
    },
    async press(name: string, role: "button" | "link" = "button") {
      const target = role === "button" ? button(name) : page.getByRole("link", { name, exact: true });
      // One that the server made works once the browser runs the page.
      await expect(target).toBeEnabled();
      await tabTo(page, target);
      await page.keyboard.press("Enter");
    },
    /** Shows and hides what was typed, by the toggle behind the field. */
    async look(label: string) {
      const name = label.toLowerCase();
      await expect(field(label)).toHaveAttribute("type", "password");
      await tabTo(page, button(`Show ${name}`));
      await page.keyboard.press("Space");
      await expect(field(label)).toHaveAttribute("type", "text");
      await tabTo(page, button(`Hide ${name}`));
      await page.keyboard.press("Enter");
      await expect(field(label)).toHaveAttribute("type", "password");
    },
  };
}

test("by keyboard alone: register, another mail, verify, sign in wrongly and rightly, forget and reset", async ({
  page,
}) => {
  const email = newEmail("keyboard");
  const { opens, field, type, press, look } = keyboard(page);

  await page.goto("/auth");
  await press("Sign up");
  await opens("Create your account", "First name");
  await type("First name", "Kay");
  await type("Last name", "Board");
  await type("Email", email);
  await type("Password", PASSWORD);
  await look("Password");
  await type("Confirm password", "Windward");
  await look("Confirm password");
  await expect(page.getByText("Passwords do not match", { exact: true })).toBeVisible();
  await page.keyboard.press("Enter");
  await type("Confirm password", PASSWORD);
  await page.keyboard.press("Enter");
  await opens("Check your email");
  expect(await stored(page)).toEqual({});
  const [first = ""] = await mailedLinks(email, "/auth/verify-success");

  await press("Resend verification email?");
  await opens("Resend verification email", "Email");
  await expect(field("Email"), "the address is at hand").toHaveValue(email);
  // Before it is sent: afterwards the form closes by itself, perhaps before the button is reached.
  await press("Back to login");
  await opens("Sign in to Tradewind", "Password");
  await press("Resend verification email?");
  await opens("Resend verification email", "Email");
  await press("Send verification email");
  await expect(page.getByText("A new verification email has been sent to your email address.")).toBeVisible();
  await opens("Sign in to Tradewind", "Password");
  const [newest = ""] = await mailedLinks(email, "/auth/verify-success", 2);

  await page.goto(newest);
  await press("Verify my email");
  await opens("Email Verified Successfully!");
  await expect(page).toHaveURL(/\/auth\/verify-success\?verified=true$/);
  await page.goto(first);
  await press("Verify my email");
  await opens("Email Verified Successfully!");
  await press("Continue to Dashboard", "link");
  await expect(page.getByText("Your email address is verified. Sign in to open your dashboard.")).toBeVisible();

  await type("Email", email);
  await type("Password", "Not-the-password-1");
  await look("Password");
  await press("Sign In");
  await expect(
    page.getByText("Invalid email or password. Please check your credentials and try again.", { exact: true }),
  ).toBeVisible();
  await expect(field("Password"), "the focus is where the person goes on").toBeFocused();
  await page.keyboard.insertText(PASSWORD);
  await expect(field("Password"), "typing replaces what was wrong").toHaveValue(PASSWORD);
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(/\/dashboard$/);
  await press("Logout");

  await press("Forgot your password?");
  await opens("Reset your password", "Email");
  await type("Email", email);
  await page.keyboard.press("Enter");
  await expect(page.getByText("Password reset instructions have been sent to your email address.")).toBeVisible();
  await opens("Sign in to Tradewind", "Password");
  const [reset = ""] = await mailedLinks(email, "/auth/reset-password");
  // After the reset the page leaves by itself: not before its link was pressed.
  await stopClock(page);
  await page.goto(reset);
  await expect(page.getByRole("button", { name: "Reset Password", exact: true }), "the page runs").toBeEnabled();
  await type("New password", NEW_PASSWORD);
  await look("New password");
  await type("Confirm new password", "Leeward");
  await look("Confirm new password");
  await press("Reset Password");
  await expect(page.getByText("Passwords do not match.", { exact: true })).toBeVisible();
  await expect(field("Confirm new password"), "the focus is at what is wrong").toBeFocused();
  await page.keyboard.insertText(NEW_PASSWORD);
  await page.keyboard.press("Enter");
  await opens("Password Reset Successfully!");
  await press("Go to Login", "link");
  await page.clock.resume();
  await type("Email", email);
  await type("Password", NEW_PASSWORD);
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(/\/dashboard$/);
});
