/**
 * A stranger's own account on the practice market: from the registration to its first round trips, every figure held against
 * the rows of the database. It runs first (playwright.config.ts): the fixture market is one to buy in until its decline.
 */
import { expect, type Page } from "@playwright/test";
import { agree, card, dashboardAgrees, decisionAgrees, funnelTexts, tradesAgree, withoutClock } from "./agreement.ts";
import { tightenAndSell } from "./by-hand.ts";
import { latestDecision, money, periodsOf, positionsOf, rowsOf } from "./books.ts";
import { setPace } from "./exchange.ts";
import { mailedLink, newEmail, PASSWORD } from "./people.ts";
import {
  cellsOf,
  closedTripOf,
  decisionStory,
  entryTexts,
  exitTexts,
  latestOrderLines,
  logLinesOf,
  storyOf,
  type Story,
} from "./trade-books.ts";
import { unfold } from "./unfold.ts";
import { test } from "./test.ts";

/** Room for ten positions and a small gain to take: bought within minutes of the market, sold within its hours. */
const LIMITS = {
  "Max Positions": "10",
  "Max Position Value ($)": "2000",
  "Default Order Size ($)": "2000",
  "Profit Target (%)": "0.3",
  "Stop Loss (%)": "20",
  "Check Interval (minutes)": "5",
};

async function register(page: Page, email: string): Promise<void> {
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
}

async function verifyAndSignIn(page: Page, email: string): Promise<void> {
  await page.goto(await mailedLink(email, "/auth/verify-success"));
  await page.getByRole("button", { name: "Verify my email" }).click();
  await expect(page.getByRole("heading", { name: "Email Verified Successfully!" })).toBeVisible();
  await page.getByRole("link", { name: "Continue to Dashboard" }).click();
  await expect(page).toHaveURL(/\/auth\b/);
  await page.getByLabel("Email").fill(email);
  await page.getByLabel("Password", { exact: true }).fill(PASSWORD);
  await page.getByRole("button", { name: "Sign In", exact: true }).click();
  await expect(page).toHaveURL(/\/dashboard$/);
}

async function chooseStrategyAndLimits(page: Page, email: string): Promise<void> {
  await page.getByRole("link", { name: "Strategy and risk" }).click();
  await expect(page).toHaveURL(/\/settings\?tab=trading$/);
  await page.getByLabel("Strategy").selectOption("MOMENTUM");
  for (const [label, value] of Object.entries(LIMITS)) await page.getByLabel(label, { exact: true }).fill(value);
  await page.getByRole("button", { name: "Save Preferences" }).click();
  await expect(page.getByText("Trading preferences saved successfully!", { exact: true })).toBeVisible();
  const [saved] = await rowsOf(
    `select p.strategy::text, p."maxPositions"::text, p."maxPositionValue"::float::text, p."defaultOrderSize"::float::text,
       p."profitTarget"::float::text, p."stopLoss"::float::text, p."checkInterval"::text
     from "TradingPreferences" p join "User" u on u.id = p."userId" where u.email = $1`,
    [email],
  );
  expect(Object.values(saved as object)).toEqual(["MOMENTUM", ...Object.values(LIMITS)]);
}

/** Waits for the worker: bought, sold, and something held with its stop and its target at the broker. */
async function untilTraded(email: string): Promise<void> {
  const traded = "bought and sold";
  const progress = async () => {
    if ((await closedTripOf(email)) !== null && (await positionsOf(email)).some(({ isProtected }) => isProtected))
      return traded;
    // What the test says when it gives up: the market's date and why nothing was ordered.
    const decision = await latestDecision(email);
    return decision === null ? "no decision yet" : `${decision.at.toISOString()}: ${decision.line}`;
  };
  await expect.poll(progress, { message: "the automation trades", timeout: 150_000, intervals: [500] }).toBe(traded);
}

/** The P&L of each period, as the toggle shows it. */
async function periodsAgree(page: Page, email: string): Promise<void> {
  for (const period of ["Day", "Week", "Month", "Total"] as const) {
    await card(page, "P&L").getByRole("button", { name: period }).click();
    await agree(async () => {
      expect(await card(page, "P&L").innerText()).toContain((await periodsOf(email))[period]);
    });
  }
}

async function says(page: Page, expected: Record<string, string[]>): Promise<void> {
  for (const [part, texts] of Object.entries(expected)) {
    const where =
      part === "head" ? page.getByRole("main") : page.getByRole("region", { name: part, exact: true }).first();
    for (const text of texts) await expect(where, part).toContainText(text);
  }
}

async function tablesSay(page: Page, story: Story, lots: string): Promise<void> {
  const cells = cellsOf(story);
  for (const [name, texts] of [
    [`Fills (${story.fills.length})`, cells.fills],
    [lots, cells.lots],
  ] as const) {
    await unfold(card(page, name).locator("summary").first());
    await expect(card(page, name).getByRole("cell")).toHaveText(texts);
  }
}

/** A round trip that is closed: the pages of its entry and of its sale, the rules that let it pass, and the proof. */
async function tripAgrees(page: Page, email: string): Promise<void> {
  const trip = await closedTripOf(email);
  if (trip === null) throw new Error("no round trip is closed");
  const [entry, exit] = [await storyOf(trip.entryId), await storyOf(trip.exitId)];

  await page.goto(`/trade-history/${trip.entryId}`);
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(`Buy ${trip.symbol}`);
  await says(page, entryTexts(trip, entry));
  await tablesSay(page, entry, "How its lots were sold");
  expect(entry.verdicts.map(({ phase, passed }) => [phase, passed])).toEqual([
    ["T1", true],
    ["T2", true],
  ]);
  const rules = card(page, "Rules");
  await unfold(rules.locator("summary"));
  for (const [index, moment] of ["When decided", "Before sending"].entries()) {
    await rules.getByRole("button", { name: moment }).click();
    const { at, results } = entry.verdicts[index] ?? { at: "", results: [] };
    const verdict = results.every(({ passed }) => passed) ? "All passed" : "None refused";
    await expect(rules).toContainText(`${verdict} under policy ${entry.policy}, ${at}`);
    await expect(rules.getByRole("listitem")).toHaveCount(results.length);
    const inOrder = [...results.filter(({ passed }) => !passed), ...results.filter(({ passed }) => passed)];
    await expect(rules.getByRole("listitem")).toContainText(inOrder.map(({ detail }) => detail));
  }
  await unfold(card(page, "Proof").locator("summary"));
  await page.getByRole("button", { name: "Recompute" }).click();
  await expect(page.getByText("Identical, byte for byte")).toBeVisible({ timeout: 30_000 });

  await page.getByRole("link", { name: "Open the decision" }).click();
  await expect(page).toHaveURL(new RegExp(`/decisions/${entry.decisionId}$`));
  await decisionPageAgrees(page, entry.decisionId);

  await page.goto(`/trade-history/${trip.exitId}`);
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(`Sell ${trip.symbol}`);
  await says(page, exitTexts(trip, exit));
  await tablesSay(page, exit, "Lots that it closed");

  const sent = `Sent: order to buy ${Number(entry.qty)} ${entry.symbol} (Momentum entry)`;
  const usd = (price: string) =>
    Number(price).toLocaleString("en-US", { style: "currency", currency: "USD", maximumFractionDigits: 9 });
  const fills = [...(await logLinesOf(email, entry)), ...(await logLinesOf(email, exit))];
  expect(fills).toEqual([
    ...entry.fills.map(({ qty, price }) => `Filled: bought ${Number(qty)} ${trip.symbol} at ${usd(price)}`),
    ...exit.fills.map(({ qty, price }) => `Filled: sold ${Number(qty)} ${trip.symbol} at ${usd(price)}`),
  ]);
  const logged = `select l.id from "LogEvent" l join "User" u on u.id = l."userId" where u.email = $1 and l.message = $2`;
  expect(await rowsOf(logged, [email, sent]), sent).not.toEqual([]);
  // The page of the log holds the last lines: those of this trip may be gone from it, those of the newest order are not.
  await agree(async () => {
    const { symbol, lines } = await latestOrderLines(email);
    expect(lines).not.toEqual([]);
    await page.goto(`/logs?q=${symbol}`);
    for (const line of lines) await expect(page.getByRole("log")).toContainText(line, { timeout: 5000 });
  });
}

async function decisionPageAgrees(page: Page, id: string): Promise<void> {
  const { equity, cash, power, held, input, output, orders, ...counts } = await decisionStory(id);
  const { line, seated } = counts;
  await page.getByRole("button", { name: `${seated} in the Top-50` }).click();
  await says(page, {
    head: [...funnelTexts(counts), withoutClock(line), `Candidates (${seated} of ${seated})`],
    "The account at that moment": [money(equity), money(cash), money(power), `Positions${held}`],
    Proof: [input, output],
  });
  const rows = card(page, "Ordered").getByRole("listitem");
  await expect(rows).toHaveCount(orders.length);
  for (const [index, { side, symbol, qty, price, tradeId }] of orders.entries()) {
    const row = rows.nth(index);
    for (const part of [side === "BUY" ? "Buy" : "Sell", symbol, `${Number(qty)} at ${money(price)}`])
      await expect(row).toContainText(part);
    if (tradeId === null) await expect(row).toContainText("not sent");
    else
      await expect(row.getByRole("link", { name: "Open the trade" })).toHaveAttribute(
        "href",
        `/trade-history/${tradeId}`,
      );
  }
}

/** The counters of the day lie between what the rows say before and after the look. */
async function countersAgree(page: Page, email: string): Promise<void> {
  const counted = async () => {
    const [row] = await rowsOf<{ reviewed: number; executed: number }>(
      `with day as (select (max(d."decidedAt") at time zone 'America/New_York')::date as is from "DecisionRecord" d)
       select (select sum(c.seated)::int from "DecisionRecord" d join "Cycle" c on c.id = d."cycleId"
           where d."accountId" = a.id and (d."decidedAt" at time zone 'America/New_York')::date = day.is) reviewed,
         (select count(distinct f."orderId")::int from "Fill" f
           where f."accountId" = a.id and (f.at at time zone 'America/New_York')::date = day.is) executed
       from day, "Account" a join "User" u on u.id = a."userId" where u.email = $1`,
      [email],
    );
    return row ?? { reviewed: 0, executed: 0 };
  };
  const today = card(page, "Today");
  await agree(async () => {
    const before = await counted();
    await Promise.all([
      page.waitForResponse(/\/logs\/daily-review/, { timeout: 5000 }),
      page.getByRole("button", { name: "Refresh Now" }).click({ timeout: 5000 }),
    ]);
    const [reviewed = 0, , executed = 0] = (await today.locator("dd").allInnerTexts()).map((text) =>
      Number(text.replaceAll(",", "")),
    );
    const after = await counted();
    expect(reviewed).toBeGreaterThanOrEqual(before.reviewed);
    expect(reviewed).toBeLessThanOrEqual(after.reviewed);
    expect(executed).toBeGreaterThanOrEqual(before.executed);
    expect(executed).toBeLessThanOrEqual(after.executed);
  });
}

test("a stranger registers, verifies, starts on the practice market, the automation trades, and every page tells it to the cent", async ({
  page,
}) => {
  test.setTimeout(300_000);
  const email = newEmail("journey");
  await register(page, email);
  await verifyAndSignIn(page, email);
  const banner = page.getByRole("heading", { name: "Ready to Start Trading?" });
  await expect(banner).toBeVisible();
  await chooseStrategyAndLimits(page, email);

  await page.getByRole("link", { name: "Dashboard" }).first().click();
  await page.getByRole("button", { name: "Start on the practice market" }).click();
  await expect(banner).toBeHidden();
  await expect(page.getByRole("main").getByText("PRACTICE", { exact: true })).toHaveCount(1);
  await expect(card(page, "Total Portfolio")).not.toContainText("$0.00");
  await untilTraded(email);
  await setPace("usual");

  await dashboardAgrees(page, email);
  await periodsAgree(page, email);
  await tradesAgree(page, email);
  await tripAgrees(page, email);
  await countersAgree(page, email);
  await decisionAgrees(page, email);
  await tightenAndSell(page, email);

  await page.getByRole("link", { name: "Alpaca Keys" }).first().click();
  await expect(card(page, "Alpaca Trading Accounts").getByRole("listitem")).toHaveCount(1);
  // The other journeys need the worker more than this account does.
  await page.getByRole("button", { name: "Pause automation" }).click();
  await expect(page.getByRole("button", { name: "Automation is paused. Resume automation" })).toBeVisible();
});
