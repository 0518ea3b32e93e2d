import { randomUUID } from "node:crypto";
import { expect, test, type Page } from "@playwright/test";
import { figuresOf, latestDecision, latestLogLine, tradesOf } from "./books.ts";
import { mailedLink, newEmail, PASSWORD, signIn as fillIn, tabTo } from "./people.ts";
import { run } from "./run.ts";

async function signIn(page: Page, person: { email: string; password: string }): Promise<void> {
  await page.goto("/auth");
  await fillIn(page, person);
}

const card = (page: Page, name: string) => page.getByRole("region", { name });

/** The market moves between two looks: screen and database are compared until they are of one moment. */
const FOR_A_MOMENT = { timeout: 40_000, intervals: [500] };

/** Every figure of the dashboard against the rows that it is made of. */
async function dashboardAgrees(page: Page, email: string): Promise<void> {
  await expect(async () => {
    const held = await figuresOf(email);
    for (const [name, value] of [
      ["Total Portfolio", held.equity],
      ["Cash", held.cash],
      ["Buying Power", held.power],
      ["P&L", held.pnl],
    ] as const) {
      // A gain has a sign on the screen.
      expect((await card(page, name).innerText()).replace("+", ""), name).toContain(value);
    }
    const rows = await card(page, "Active Positions").getByRole("listitem").allInnerTexts();
    expect(rows).toHaveLength(held.positions.length);
    for (const [index, { symbol, shares, value, gain }] of held.positions.entries()) {
      const row = (rows[index] ?? "").replaceAll(",", "").replaceAll("+", "");
      for (const part of [symbol, shares, value, gain]) expect(row).toContain(part.replaceAll(",", ""));
    }
  }).toPass(FOR_A_MOMENT);
}

/** Trade stats, history and the page of the newest trade that was filled, against the fills. */
async function tradesAgree(page: Page, email: string): Promise<void> {
  await expect(async () => {
    const { count, volume, averageSize, won, lost } = await tradesOf(email);
    const stats = await card(page, "Trade stats").innerText();
    for (const part of [count.toLocaleString("en-US"), volume, averageSize, `${won}W / ${lost}L`]) {
      expect(stats).toContain(part);
    }
  }).toPass(FOR_A_MOMENT);

  await page.goto("/trade-history");
  await expect(async () => {
    const { count, trades } = await tradesOf(email);
    const heading = `Trade History (${count.toLocaleString("en-US")} trades)`;
    await expect(page.getByRole("heading", { name: heading, exact: true })).toBeVisible({ timeout: 1000 });
    const rows = page.getByRole("table").getByRole("row");
    for (const [index, { symbol, side, quantity, price, value }] of trades.slice(0, 10).entries()) {
      const row = await rows.nth(index + 1).innerText({ timeout: 1000 });
      for (const part of [symbol, side, quantity, price, value])
        expect(row.toUpperCase()).toContain(part.toUpperCase());
    }
  }).toPass(FOR_A_MOMENT);

  const filled = (await tradesOf(email)).trades.find(({ quantity }) => quantity !== "0");
  if (filled === undefined) return;
  await page.goto(`/trade-history/${filled.id}`);
  await expect(page.getByRole("heading", { level: 1 })).toContainText(filled.symbol);
  for (const part of [filled.price, filled.value]) {
    await expect(page.getByRole("main").getByText(part, { exact: true }).first(), part).toBeVisible();
  }
}

/** The latest decision, as the dashboard, the page of its own and the log tell it. */
async function decisionAgrees(page: Page, email: string): Promise<void> {
  await page.goto("/dashboard");
  await expect(async () => {
    const { id, line } = (await latestDecision(email)) ?? { id: "", line: "no cycle yet" };
    const link = card(page, "Automation").getByRole("link", { name: line, exact: true });
    await expect(link).toHaveAttribute("href", `/decisions/${id}`, { timeout: 1000 });
  }).toPass(FOR_A_MOMENT);
  const link = card(page, "Automation").getByRole("link");
  const line = await link.innerText();
  await link.click();
  await expect(page.getByRole("main")).toContainText(line);
  await page.goto("/logs");
  await expect(async () => {
    // A decision that says the same as the one before has no line of its own.
    expect(await page.getByRole("main").innerText()).toContain(await latestLogLine(email));
  }).toPass(FOR_A_MOMENT);
}

test("a stranger registers, verifies the address, starts on the practice market, and is told the truth to the cent", async ({
  page,
}) => {
  test.setTimeout(180_000);
  const email = newEmail("journey");
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

  await page.goto(await mailedLink(email, "/auth/verify-success"));
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

  await expect
    .poll(async () => (await latestDecision(email)) !== null, { message: "the automation decides", timeout: 90_000 })
    .toBe(true);
  await decisionAgrees(page, email);
  await page.goto("/dashboard");
  await dashboardAgrees(page, email);
  await tradesAgree(page, email);

  await page.getByRole("link", { name: "Alpaca Keys" }).first().click();
  await expect(page.getByRole("region", { name: "Alpaca Trading Accounts" }).getByRole("listitem")).toHaveCount(1);
});

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
  const refused = await page.request.get("/api/v1/auth/me", { headers: { Authorization: `Bearer ${token}` } });
  expect(refused.status()).toBe(401);
  await page.goto("/dashboard");
  await expect(page).toHaveURL(/\/auth\b/);
});
