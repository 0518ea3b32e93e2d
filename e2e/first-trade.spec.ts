import { randomUUID } from "node:crypto";
import { expect, test, type Page } from "@playwright/test";
import { run } from "./run.ts";

interface Mail {
  to: string[];
  links: string[];
}

const PASSWORD = "Windward-42-sails";

async function signIn(page: Page, { email, password }: { email: string; password: string }): Promise<void> {
  await page.goto("/auth");
  await page.getByLabel("Email").fill(email);
  await page.getByLabel("Password", { exact: true }).fill(password);
  await page.getByRole("button", { name: "Sign In", exact: true }).click();
}

async function verificationLink(email: string): Promise<string> {
  const inbox = async () => (await (await fetch(`${run().mailbox}/messages.json`)).json()) as Mail[];
  const linkOf = (mails: Mail[]) =>
    mails
      .filter((mail) => mail.to.includes(email))
      .flatMap((mail) => mail.links)
      .find((link) => link.includes("/auth/verify-success"));
  await expect.poll(async () => linkOf(await inbox()), { message: "the verification mail arrives" }).toBeDefined();
  return linkOf(await inbox()) ?? "";
}

test("a stranger registers, verifies the address, signs in and starts on the practice market", async ({ page }) => {
  const email = `journey-${randomUUID()}@tradewind.example`;
  await page.goto("/");
  await page.getByRole("link", { name: "Get started" }).first().click();
  await page.getByRole("button", { name: "Sign up" }).click();
  await page.getByLabel("First name").fill("Joan");
  await page.getByLabel("Last name").fill("Journey");
  await page.getByLabel("Email").fill(email);
  await page.getByLabel("Password", { exact: true }).fill(PASSWORD);
  await page.getByLabel("Confirm password", { exact: true }).fill("Windward");
  await expect(page.getByText("Passwords do not match")).toBeVisible();
  await expect(page.getByRole("button", { name: "Sign Up", exact: true })).toBeDisabled();
  await page.getByLabel("Confirm password", { exact: true }).fill(PASSWORD);
  await page.getByRole("button", { name: "Sign Up", exact: true }).click();
  await expect(
    page.getByText("Please check your email and click the verification link to activate your account."),
  ).toBeVisible();

  await page.goto(await verificationLink(email));
  await page.getByRole("button", { name: "Verify my email" }).click();
  await expect(page.getByRole("heading", { name: "Email Verified Successfully!" })).toBeVisible();
  await page.getByRole("link", { name: "Continue to Dashboard" }).click();

  await expect(page).toHaveURL(/\/auth\b/);
  await page.getByLabel("Email").fill(email);
  await page.getByLabel("Password", { exact: true }).fill(PASSWORD);
  await page.getByRole("button", { name: "Sign In", exact: true }).click();
  await expect(page).toHaveURL(/\/dashboard$/);
  await expect(page.getByRole("heading", { name: "Ready to Start Trading?" })).toBeVisible();
  await page.getByRole("button", { name: "Start on the practice market" }).click();
  await expect(page.getByRole("heading", { name: "Ready to Start Trading?" })).toBeHidden();
  const portfolio = page.getByRole("region", { name: "Total Portfolio" });
  await expect(portfolio).toContainText("PRACTICE");
  await expect(portfolio).not.toContainText("$0.00");

  await page.getByRole("link", { name: "Alpaca Keys" }).first().click();
  await expect(page.getByRole("region", { name: "Alpaca Trading Accounts" }).getByRole("listitem")).toHaveCount(1);
});

test("the demo trader sees positions and the trades behind them", async ({ page }) => {
  await signIn(page, run().demo.trader);
  await expect(page).toHaveURL(/\/dashboard$/);
  const positions = page.getByRole("region", { name: "Active Positions" });
  await expect(positions.getByText(/shares at \$/).first()).toBeVisible();
  await page.getByRole("link", { name: "Trade History" }).first().click();
  await expect(page.getByRole("heading", { name: /^Trade History \([1-9][\d,]* trades\)$/ })).toBeVisible();
  await expect(page.getByRole("columnheader", { name: "User" })).toHaveCount(0);
  const trades = page.getByRole("table").getByRole("row");
  await expect(trades.nth(1)).toContainText(/ET$/);
});

test("the administrator sees whose trades they are, and no key page in the bar", async ({ page }) => {
  await signIn(page, run().demo.admin);
  await expect(page).toHaveURL(/\/dashboard$/);
  await expect(page.getByText("Admin", { exact: true })).toBeVisible();
  await expect(page.getByRole("link", { name: "Alpaca Keys" })).toHaveCount(0);
  await page.goto("/trade-history");
  await expect(page.getByRole("columnheader", { name: "User" })).toBeVisible();
});

test("signing in works by keyboard alone", async ({ page }) => {
  const { email, password } = run().demo.trader;
  await page.goto("/auth");
  await expect(page.getByLabel("Email")).toBeVisible();
  const tabTo = async (focused: ReturnType<Page["locator"]>) => {
    for (
      let presses = 0;
      presses < 12 && !(await focused.evaluate((node) => node === document.activeElement));
      presses += 1
    ) {
      await page.keyboard.press("Tab");
    }
    await expect(focused).toBeFocused();
  };
  await tabTo(page.getByLabel("Email"));
  await page.keyboard.type(email);
  await tabTo(page.getByLabel("Password", { exact: true }));
  await page.keyboard.type(password);
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(/\/dashboard$/);
  await tabTo(page.getByRole("link", { name: "Trade History" }).first());
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(/\/trade-history$/);
});

test("a wrong password is answered with the specified sentence", async ({ page }) => {
  await signIn(page, { email: `nobody-${randomUUID()}@tradewind.example`, password: "Not-the-password-1" });
  await expect(
    page.getByText("Invalid email or password. Please check your credentials and try again.", { exact: true }),
  ).toBeVisible();
  await expect(page).toHaveURL(/\/auth$/);
});

test("a signed-out visitor is led back to the page that was asked for", async ({ page }) => {
  await page.goto("/trade-history?symbol=AAPL");
  await expect(page).toHaveURL(/\/auth\b/);
  const { email, password } = run().demo.trader;
  await page.getByLabel("Email").fill(email);
  await page.getByLabel("Password", { exact: true }).fill(password);
  await page.getByRole("button", { name: "Sign In", exact: true }).click();
  await expect(page).toHaveURL(/\/trade-history\?symbol=AAPL$/);
  await expect(page.getByLabel("Symbol")).toHaveValue("AAPL");
});

test("logging out ends the sign-in, on the page and on the server", async ({ page }) => {
  await signIn(page, run().demo.trader);
  await expect(page).toHaveURL(/\/dashboard$/);
  const token = await page.evaluate(() => window.localStorage.getItem("auth_token"));
  await page.getByRole("button", { name: "Logout" }).click();
  await expect(page).toHaveURL(/\/auth$/);
  expect(await page.evaluate(() => window.localStorage.getItem("auth_token"))).toBeNull();
  const refused = await page.request.get("/api/v1/auth/me", { headers: { Authorization: `Bearer ${token}` } });
  expect(refused.status()).toBe(401);
  await page.goto("/dashboard");
  await expect(page).toHaveURL(/\/auth\b/);
});
