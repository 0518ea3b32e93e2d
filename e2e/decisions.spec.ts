import { expect, type Page } from "@playwright/test";
import { expectAccessibleInThemes } from "./axe.ts";
import { refusingDecisionOf } from "./books.ts";
import { load, signInAs } from "./page-watch.ts";
import { run } from "./run.ts";
import { unfold } from "./unfold.ts";
import { test } from "./test.ts";

/** The newest decision of the demo trader that ordered something. */
async function openOrdered(page: Page): Promise<void> {
  await page.goto("/decisions?orders=only");
  await page
    .getByRole("table")
    .or(page.getByRole("list", { name: "Decisions" }))
    .getByRole("link")
    .first()
    .click();
  await expect(page).toHaveURL(/\/decisions\/[0-9a-f-]{36}$/);
  await expect(page.getByRole("heading", { name: "Decision", exact: true })).toBeVisible();
}

test.beforeEach(({ page }) => signInAs(page, run().demo.trader));

test("the list tells what was decided as a funnel, and each step leads to its stocks", async ({ page }) => {
  await page.goto("/decisions");
  await expect(page.getByRole("heading", { name: "Decisions", level: 1 })).toBeVisible();
  await expect(page.getByRole("row").nth(1)).toContainText(
    /\d+ looked at.*50 in the Top-50.*\d+ would buy.*\d+ bought/s,
  );
  await page.getByRole("switch", { name: "Only with orders" }).click();
  await expect(page).toHaveURL(/orders=only/);
  await page.getByRole("button", { name: "Clear Filters" }).click();
  await expect(page).toHaveURL(/\/decisions$/);
  await page.getByRole("row").nth(1).getByRole("link", { name: "50 in the Top-50" }).click();
  await expect(page).toHaveURL(/\/decisions\/[0-9a-f-]{36}\?show=seated$/);
  await expect(page.getByRole("heading", { name: /^Candidates \(50 of 50\)$/ })).toBeVisible();

  await openOrdered(page);
  await expect(page.getByRole("heading", { name: "Ordered" })).toBeVisible();
  await expect(page.getByText("PRACTICE", { exact: true }).first()).toBeVisible();
  const seated = page.getByRole("button", { name: "50 in the Top-50" });
  await seated.click();
  await expect(page.getByRole("heading", { name: /^Candidates \(50 of 50\)$/ })).toBeVisible();
  await seated.click();
  await expect(page.getByRole("heading", { name: /^Candidates/ })).toBeHidden();
});

test("a refused candidate says which rule refused it and what would have changed it, by keyboard alone", async ({
  page,
}) => {
  await page.goto(`/decisions/${await refusingDecisionOf(run().demo.trader.email)}`);
  await page.getByRole("button", { name: /would buy$/ }).click();
  await page.getByLabel("Show").selectOption({ label: "Refused" });
  await expect(page).toHaveURL(/show=refused/);
  const row = page.getByRole("row").nth(1);
  await expect(row).toContainText("Refused");
  await row.getByRole("button").first().focus();
  await page.keyboard.press("Enter");
  const panel = page.getByRole("dialog");
  await expect(panel.getByText("Why it was not bought")).toBeVisible();
  const refused = panel.getByRole("list", { name: "Rules that did not pass" }).getByRole("listitem");
  await expect(refused.first()).toContainText("Refused");
  const count = await refused.count();
  const passed = panel.getByRole("list", { name: "Rules that passed" }).getByRole("listitem");
  await expect(passed, "what passed is one line").toHaveCount(0);
  await unfold(panel.locator("summary").filter({ hasText: `${28 - count} of 28 passed` }));
  await expect(passed).toHaveCount(28 - count);
  await page.keyboard.press("Escape");
  await expect(panel).toBeHidden();
});

test("every stock that was not bought is in one group of its reason, and opens from there", async ({ page }) => {
  await load(page, `/decisions/${await refusingDecisionOf(run().demo.trader.email)}`);
  const groups = page.getByRole("region", { name: "Why the others were not bought" });
  const counts = (await groups.locator("summary").allInnerTexts()).map((text) => parseInt(text, 10));
  const entries = await page
    .getByRole("region", { name: "Ordered" })
    .getByText(/entry$/)
    .count();
  expect(counts.reduce((sum, count) => sum + count, 0)).toBe(50 - entries);
  await unfold(groups.locator("summary").first());
  await groups.getByRole("button").first().click();
  await expect(page.getByRole("dialog")).toBeVisible();
});

test("on a phone the funnel is a line, looks without news are folded, and both pages are accessible in both themes", async ({
  page,
}) => {
  await page.setViewportSize({ width: 390, height: 844 });
  const pages = ["/decisions", `/decisions/${await refusingDecisionOf(run().demo.trader.email)}`];
  for (const path of pages) {
    await load(page, path);
    const steps = page.getByRole("list", { name: "Stocks at each step" }).first().getByRole("listitem");
    const tops = await steps.evaluateAll((items) => items.map((item) => Math.round(item.getBoundingClientRect().top)));
    expect(new Set(tops).size, `${path}: steps stand beside each other`).toBe(1);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
    await expectAccessibleInThemes(page, path);
  }
});

test("a decision that is made again is identical, byte for byte", async ({ page }) => {
  await openOrdered(page);
  await unfold(page.getByRole("region", { name: "Proof" }).locator("summary"));
  await page.getByRole("button", { name: "Recompute" }).click();
  await expect(page.getByText("Identical, byte for byte")).toBeVisible();
});

test("a filter without a match and a decision that is not there say so", async ({ page }) => {
  await page.goto("/decisions?date=1999-01-04");
  await expect(page.getByText("No decisions found")).toBeVisible();
  await page.goto("/decisions/00000000-0000-7000-8000-000000000000");
  await expect(page.getByText("Decision not found")).toBeVisible();
  await page.goto("/decisions/none");
  await expect(page.getByText("Decision not found")).toBeVisible();
});
