import { expect, type Page } from "@playwright/test";
import { METRICS } from "../lib/domain/metrics-registry.ts";
import { agree } from "./agreement.ts";
import { run } from "./run.ts";
import { signInAs } from "./page-watch.ts";
import { bearerOf, PASSWORD, verified } from "./people.ts";
import { unfold } from "./unfold.ts";
import { test } from "./test.ts";

const demo = () => run().demo.trader;

/** The demo trader, who has traded on the practice market since before the stack came up. Only read. */
async function open(page: Page, path: string): Promise<void> {
  await signInAs(page, demo());
  await page.goto(path);
}

interface Envelope<T> {
  data: T;
}

async function asked<T>(page: Page, path: string): Promise<T> {
  const token = await bearerOf(page, demo());
  const answer = await page.request.get(`/api/v1${path}`, { headers: { authorization: `Bearer ${token}` } });
  expect(answer.status()).toBe(200);
  return ((await answer.json()) as Envelope<T>).data;
}

const card = (page: Page, title: string) =>
  page
    .getByRole("region", { name: title, exact: true })
    .or(page.locator("section", { has: page.getByRole("heading", { name: title, exact: true }) }))
    .first();
const money = (text: string | null) => Math.round(100 * Number((text ?? "").replace(/[$,+]/g, "")));

test("the answer comes first, its environment stands once in the head, and the definition comes on demand", async ({
  page,
}) => {
  await open(page, "/performance");
  await expect(page.getByRole("heading", { level: 1, name: "Performance" })).toBeVisible();
  const titles = ["Equity", "Return and risk", "Round trips", "Exposure and costs", "Returns by month", "Statement"];
  for (const title of titles) await expect(card(page, title)).toBeVisible();
  await expect(page.getByRole("main").getByText("PRACTICE", { exact: true })).toHaveCount(1);
  await page.getByRole("button", { name: "What is Time-weighted return?" }).first().click();
  const metric = METRICS.find(({ id }) => id === "timeWeightedReturn");
  await expect(page.getByText(`${metric?.definition}.`)).toBeVisible();
  await expect(page.getByText(`${metric?.source} · version ${metric?.version} · timeWeightedReturn`)).toBeVisible();
});

test("the statement adds up to the broker's equity, to the cent", async ({ page }) => {
  await open(page, "/performance");
  const statement = card(page, "Statement");
  await expect(statement.getByText("Equity at the broker")).toBeVisible();
  // In one look: the figures are read again while the page is open.
  const [amounts, total] = await statement.evaluate((node): [string[], string | null] => [
    [...node.querySelectorAll("tbody td")].map((cell) => cell.textContent ?? ""),
    node.querySelector("tfoot td")?.textContent ?? null,
  ]);
  expect(amounts.length).toBeGreaterThanOrEqual(5);
  expect(amounts.reduce((sum, text) => sum + money(text), 0)).toBe(money(total));
});

test("a figure opens the rows that it is made of, and a row its trade", async ({ page }) => {
  const panel = page.getByRole("dialog", { name: "Round trips that won" });
  // The trader goes on closing round trips: asked, opened and counted again until none was closed in between.
  await agree(async () => {
    const { figures, trips } = await asked<{
      figures: { id: string; value: number | null }[];
      trips: { wins: number; total: number };
    }>(page, "/performance");
    expect(trips.total, "the demo trader has closed round trips").toBeGreaterThan(0);
    await open(page, "/performance");
    const rate = figures.find(({ id }) => id === "winRate")?.value ?? 0;
    const shown = card(page, "Round trips").getByText(`${(100 * rate).toFixed(1)}%`);
    await expect(shown).toBeVisible({ timeout: 5000 });
    await page.getByRole("button", { name: "Show the rows of Average win" }).click({ timeout: 5000 });
    await expect(panel.getByRole("row")).toHaveCount(1 + Math.min(trips.wins, 25), { timeout: 5000 });
  });
  await page.keyboard.press("Escape");
  await expect(page.getByRole("button", { name: "Show the rows of Average win" })).toBeFocused();
  await page.getByRole("button", { name: "Show the rows of Average win" }).click();
  const exit = panel.getByRole("link", { name: /^Exit of / }).first();
  await expect(exit).toHaveAttribute("href", /^\/trade-history\/[0-9a-f-]{36}$/);
});

test("the period lives in the address, and every figure follows it", async ({ page }) => {
  const { lastSession } = await asked<{ lastSession: string }>(page, "/performance");
  await open(page, "/performance");
  await page.getByLabel("From").fill(lastSession);
  await expect(page).toHaveURL(new RegExp(`from=${lastSession}`));
  await expect(page.getByText(/^[12] closed sessions?, /)).toBeVisible();
  await page.getByRole("group", { name: "Period", exact: true }).getByRole("button", { name: "All" }).click();
  await expect(page).toHaveURL(/\/performance$/);
});

test("the chart says in words and as a table what it shows; a chosen period and the theme redraw it", async ({
  page,
}) => {
  await open(page, "/performance");
  await expect(page.getByText(/^Equity from .* Deepest drawdown /)).toBeAttached();
  await expect(page.locator("canvas").first()).toBeVisible();
  await unfold(page.getByText("Show the figures"));
  await expect(page.getByRole("region", { name: "Equity figures" }).getByRole("columnheader")).toContainText([
    "Time",
    "Equity",
    "Drawdown",
  ]);
  await page.getByRole("group", { name: "Period of the equity line" }).getByRole("button", { name: "Week" }).click();
  await expect(page.getByRole("button", { name: "Week" })).toHaveAttribute("aria-pressed", "true");
  await expect(page.getByRole("link", { name: /TradingView Lightweight Charts/ })).toBeVisible();
});

test("a failure keeps the page and offers to ask again", async ({ page }) => {
  await page.route("**/api/v1/performance?*", (route) => route.abort());
  await page.route("**/api/v1/performance", (route) => route.abort());
  await open(page, "/performance");
  await expect(page.getByText("Failed to load the performance")).toBeVisible();
  await page.unrouteAll();
  await page.getByRole("button", { name: "Retry" }).first().click();
  await expect(page.getByRole("heading", { name: "Statement" })).toBeVisible();
});

test("who has no account is told where the figures come from", async ({ page }) => {
  const email = await verified(page.request, "performance");
  await signInAs(page, { email, password: PASSWORD });
  await page.goto("/performance");
  await expect(page.getByText("No figures yet")).toBeVisible();
  await expect(page.getByRole("link", { name: "Connect an account" })).toHaveAttribute("href", "/alpaca-keys");
});

test("paper shows the statement and none of the buttons", async ({ page }) => {
  await open(page, "/performance");
  await expect(page.getByRole("heading", { name: "Statement" })).toBeVisible();
  await page.emulateMedia({ media: "print" });
  await expect(page.getByRole("heading", { name: "Statement" })).toBeVisible();
  for (const name of ["Print", "Rows", "Connect"]) await expect(page.getByRole("button", { name })).toHaveCount(0);
  await expect(page.getByRole("navigation").first()).toBeHidden();
});
