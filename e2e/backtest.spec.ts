import { expect, type APIRequestContext, type Page } from "@playwright/test";
import { expectAccessible } from "./axe.ts";
import { amounts, hideAmounts, legible } from "./hidden-amounts.ts";
import { PASSWORD, signIn, tokenOf, verified } from "./people.ts";
import { test } from "./test.ts";

/** A run reads the whole market's history; on a busy machine that takes its time. */
const RUN_MS = 90_000;
/** A grid plays twenty-five of them on one reading. */
const GRID_MS = 240_000;

interface Person {
  email: string;
  password: string;
}

async function opened(page: Page, request: APIRequestContext): Promise<Person> {
  const person = { email: await verified(request, "backtest"), password: PASSWORD };
  await page.goto("/auth");
  await signIn(page, person);
  await expect(page).toHaveURL(/\/dashboard$/);
  await page.goto("/backtest");
  await expect(page.getByRole("button", { name: "Run backtest" })).toBeEnabled();
  return person;
}

/** Beside the announcer of the pages, which is an alert, too. */
const refusal = (page: Page) => page.getByRole("form", { name: "New backtest" }).getByRole("alert");
const list = (page: Page) => page.getByRole("region", { name: "Your backtests" });
const rowOf = (page: Page, name: string) => list(page).getByRole("row").filter({ hasText: name });

async function queue(page: Page, fields: Record<string, string>): Promise<void> {
  for (const [label, value] of Object.entries(fields)) await page.getByLabel(label, { exact: true }).fill(value);
  await page.getByRole("button", { name: "Run backtest" }).click();
}

/** The specification's defaults of the preferences, which the form begins with. */
const DEFAULTS = [
  ["Strategy", "MOMENTUM"],
  ["Cash ($)", "100000"],
  ["Risk Tolerance", "medium"],
  ["Risk Level", "MEDIUM"],
  ["Max Positions", "3"],
  ["Max Position Value ($)", "1000"],
  ["Default Order Size ($)", "1000"],
  ["Profit Target (%)", "5"],
  ["Stop Loss (%)", "3"],
] as const;

const REFUSED = [
  ["Cash ($)", "999", "Cash must be between $1,000 and $10,000,000."],
  ["Max Positions", "21", "Max Positions must be between 1 and 20."],
  ["Max Position Value ($)", "99", "Max Position Value must be between 100 and 100,000."],
  ["Profit Target (%)", "50.1", "Profit Target must be between 0.1 and 50."],
  ["Stop Loss (%)", "0", "Stop Loss must be between 0.1 and 50."],
  ["Default Order Size ($)", "0", "Default Order Size must be more than 0."],
] as const;

test("the form begins with the user's own settings, and refuses what lies outside its bounds", async ({
  page,
  request,
}) => {
  await opened(page, request);
  await expect(page.getByText("No backtests yet")).toBeVisible();
  for (const [label, value] of DEFAULTS) await expect(page.getByLabel(label, { exact: true })).toHaveValue(value);
  await expect(page.getByText("These limits invest $3,000.00 of $100,000.00 at most")).toBeVisible();
  for (const [label, value, message] of REFUSED) {
    const field = page.getByLabel(label, { exact: true });
    const before = await field.inputValue();
    await queue(page, { [label]: value });
    await expect(refusal(page)).toHaveText(message);
    await expect(field).toHaveAttribute("aria-invalid", "true");
    await field.fill(before);
  }
  await queue(page, { From: "2010-01-04" });
  await expect(refusal(page)).toContainText(/may span 1100 days at most|The first day that can be traded/);
  await expect(page.getByText("No backtests yet")).toBeVisible();
  await expectAccessible(page, "backtests");
});

/** Of the backtest whose page is open; its own cell is the backtest. */
async function varied(page: Page, totalReturn: number): Promise<void> {
  const card = page.getByRole("region", { name: /^How much depends on the settings/ });
  await card.getByRole("button", { name: "Vary two settings" }).click();
  await expect(card.getByText(/^Waiting$|^Reading history|^\d+ of 25 runs$/)).toBeVisible();
  const grid = card.getByRole("region", { name: "Return by max positions and stop loss" });
  await expect(grid).toBeVisible({ timeout: GRID_MS });
  await expect(grid.getByRole("row")).toHaveCount(7);
  const own = grid.getByRole("cell", { name: /the settings chosen/ });
  await expect(own).toContainText(`${Math.abs(100 * totalReturn).toFixed(2)}%`);
  await expect(card.getByText(/^(\d+|None) of the 24 other runs made money|^All 25 runs /)).toBeVisible();
  await expect(card.getByText(/^The other 24 runs count as tries/)).toBeVisible();
  await card.getByRole("button", { name: "Drawdown" }).click();
  await expect(card.getByRole("region", { name: "Drawdown by max positions and stop loss" })).toBeVisible();
}

test("two runs come to their end in the worker, agree with the interface, are compared, and one is deleted", async ({
  page,
  request,
}) => {
  test.setTimeout(600_000);
  const person = await opened(page, request);
  const wide = { "Max Positions": "20", "Max Position Value ($)": "8000", "Default Order Size ($)": "5000" };
  await queue(page, { ...wide, "Name (optional)": "Wide" });
  await expect(page.getByText("Queued: Wide.")).toBeVisible();
  await queue(page, { "Max Positions": "5", "Name (optional)": "Narrow" });
  for (const name of ["Wide", "Narrow"])
    await expect(rowOf(page, name).getByText("Done", { exact: true })).toBeVisible({ timeout: RUN_MS });
  await expect(page.getByText(/^2 tries|^The best of 2 tries/)).toBeVisible();

  for (const name of ["Wide", "Narrow"]) await page.getByRole("checkbox", { name: `Compare ${name}` }).check();
  const compared = page.getByRole("region", { name: "Compared figures" });
  await expect(compared.getByRole("columnheader")).toHaveText(["Figure", "A Wide", "B Narrow"]);
  await page.reload();
  await expect(compared.getByRole("row", { name: /^Final equity/ })).toBeVisible();
  await expectAccessible(page, "backtests");

  await rowOf(page, "Wide").getByRole("link", { name: "Wide" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "Wide" })).toBeVisible();
  const id = new URL(page.url()).pathname.split("/").at(-1) ?? "";
  const answer = await request.get(`/api/v1/backtests/${id}`, {
    headers: { Authorization: `Bearer ${await tokenOf(request, person)}` },
  });
  const { data } = (await answer.json()) as {
    data: {
      outcome: { finalEquity: number; totalReturn: number; trips: number };
      result: { answer: Record<"verdict" | "luck" | "bandText", string> };
    };
  };
  const top = page.getByRole("region", { name: /^The answer/ });
  const { verdict, luck, bandText } = data.result.answer;
  for (const sentence of [verdict, luck, bandText])
    await expect(top.getByText(sentence, { exact: true })).toBeVisible();
  await expect(top.getByRole("row", { name: /^SPY at the same exposure/ })).toBeVisible();
  await expect(top.getByRole("row", { name: /^×4/ })).toBeVisible();
  const dollars = new Intl.NumberFormat("en-US", { style: "currency", currency: "USD" });
  const figures = page.getByRole("region", { name: "Figures", exact: true });
  await expect(figures.getByText(dollars.format(data.outcome.finalEquity), { exact: true })).toBeVisible();
  await expect(page.getByRole("heading", { name: `Round trips (${data.outcome.trips})` })).toBeVisible();
  await figures.getByRole("button", { name: /^What is Deflated Sharpe/ }).click();
  await expect(page.getByText(/Source: Bailey/)).toBeVisible();
  await page.keyboard.press("Escape");
  await varied(page, data.outcome.totalReturn);
  await expectAccessible(page, "backtests");
  await test.step("hidden amounts: a finished backtest shows none", async () => {
    await hideAmounts(page);
    expect(await amounts(page).count(), "there are amounts to hide").toBeGreaterThan(5);
    expect(await legible(page)).toEqual([]);
  });

  await page.getByRole("link", { name: "Run again with changes" }).click();
  await expect(page.getByLabel("Max Positions", { exact: true })).toHaveValue("20");
  await page.getByRole("button", { name: "Delete Narrow" }).click();
  await expect(page.getByText("still counts as a try in the overfit meter")).toBeVisible();
  await page.getByRole("dialog").getByRole("button", { name: "Delete" }).click();
  await expect(rowOf(page, "Narrow")).toHaveCount(0);
  // The runs with varied settings are tries, too.
  await expect(page.getByText(/^26 tries|^The best (kept )?of 26 tries/)).toBeVisible();
});

test("a run that waits or runs is cancelled by a click", async ({ page, request }) => {
  await opened(page, request);
  await queue(page, { "Name (optional)": "Not wanted" });
  await page.getByRole("button", { name: "Cancel Not wanted" }).click();
  await expect(rowOf(page, "Not wanted").getByText("Cancelled")).toBeVisible();
});

test("a guest is asked to sign in first", async ({ page }) => {
  for (const path of ["/backtest", "/backtest/0195e7a0-0000-7000-8000-000000000000"]) {
    await page.goto(path);
    await expect(page).toHaveURL(/\/auth\b/);
  }
});

test("somebody else's backtest is not there", async ({ page, request }) => {
  await opened(page, request);
  await page.goto("/backtest/0195e7a0-0000-7000-8000-000000000000");
  await expect(page.getByText("Backtest not found")).toBeVisible();
});
