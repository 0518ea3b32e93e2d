import { randomUUID } from "node:crypto";
import { expect, type Page } from "@playwright/test";
import { dashboardAgrees, decisionAgrees, tradesAgree } from "./agreement.ts";
import { haltsOf, tradesOf } from "./books.ts";
import { signIn as fillIn, tabTo } from "./people.ts";
import { run } from "./run.ts";
import { test } from "./test.ts";

async function signIn(page: Page, person: { email: string; password: string }): Promise<void> {
  await page.goto("/auth");
  await fillIn(page, person);
}

test("what the automation traded: dashboard, history, trade page and log agree with the database to the cent", async ({
  page,
}) => {
  test.setTimeout(180_000);
  const { email } = run().demo.trader;
  await signIn(page, run().demo.trader);
  await expect(page).toHaveURL(/\/dashboard$/);
  expect((await tradesOf(email)).count, "the demo trader has traded").toBeGreaterThan(0);
  await dashboardAgrees(page, email);
  await tradesAgree(page, email);
  await decisionAgrees(page, email);
  await page.goto("/trade-history");
  await expect(page.getByRole("columnheader", { name: "User" })).toHaveCount(0);
  const trades = page.getByRole("table").getByRole("row");
  await expect(trades.nth(1)).toContainText(/ET$/);
  expect(await haltsOf(email), "nothing that looked wrong for a moment stopped the account").toEqual([]);
});

test("the administrator sees whose trades they are, and no key page in the bar", async ({ page }) => {
  await signIn(page, run().demo.admin);
  await expect(page).toHaveURL(/\/dashboard$/);
  await expect(page.getByRole("link", { name: "Admin", exact: true })).toHaveAttribute("href", "/admin");
  await expect(page.getByRole("link", { name: "Alpaca Keys" })).toHaveCount(0);
  // Another journey may hold a paper account meanwhile, and the page begins with what is most real.
  await page.goto("/trade-history?env=practice");
  await expect(page.getByRole("columnheader", { name: "User" })).toBeVisible();
});

test("signing in works by keyboard alone", async ({ page }) => {
  const { email, password } = run().demo.trader;
  await page.goto("/auth");
  await expect(page.getByLabel("Email")).toBeVisible();
  await tabTo(page, page.getByLabel("Email"));
  await page.keyboard.type(email);
  await tabTo(page, page.getByLabel("Password", { exact: true }));
  await page.keyboard.type(password);
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(/\/dashboard$/);
  await tabTo(page, page.getByRole("link", { name: "Trade History" }).first());
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
  // The page leaves after three seconds, even where the server has not answered yet.
  const headers = { Authorization: `Bearer ${token}` };
  await expect.poll(async () => (await page.request.get("/api/v1/auth/me", { headers })).status()).toBe(401);
  await page.goto("/dashboard");
  await expect(page).toHaveURL(/\/auth\b/);
});
