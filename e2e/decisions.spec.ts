import { expect, test, type Page } from "@playwright/test";
import { refusingDecisionOf } from "./books.ts";
import { signInAs } from "./page-watch.ts";
import { run } from "./run.ts";

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

test("the list tells what was decided, and leads to what was ordered and to every candidate", async ({ page }) => {
  await page.goto("/decisions");
  await expect(page.getByRole("heading", { name: "Why not" })).toBeVisible();
  await expect(page.getByRole("row").nth(1)).toContainText(/\d+ screened, \d+ seated, \d+ signals/);
  await page.getByRole("switch", { name: "Only with orders" }).click();
  await expect(page).toHaveURL(/orders=only/);
  await page.getByRole("button", { name: "Clear Filters" }).click();
  await expect(page).toHaveURL(/\/decisions$/);

  await openOrdered(page);
  await expect(page.getByRole("heading", { name: "Ordered" })).toBeVisible();
  await expect(page.getByText("PRACTICE", { exact: true }).first()).toBeVisible();
  await expect(page.getByRole("heading", { name: /^Candidates \(50 of 50\)$/ })).toBeVisible();
});

test("a refused candidate says which rule refused it and what would have changed it, by keyboard alone", async ({
  page,
}) => {
  await page.goto(`/decisions/${await refusingDecisionOf(run().demo.trader.email)}`);
  await page.getByLabel("Show").selectOption({ label: "Refused" });
  await expect(page).toHaveURL(/show=refused/);
  const row = page.getByRole("row").nth(1);
  await expect(row).toContainText("Refused");
  await expect(row).toContainText(/needs /);
  await row.getByRole("button").first().focus();
  await page.keyboard.press("Enter");
  const panel = page.getByRole("dialog");
  await expect(panel.getByText(/^To be bought it needs /)).toBeVisible();
  await expect(panel.getByRole("listitem")).toHaveCount(28);
  await expect(panel.getByText("Refused").first()).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(panel).toBeHidden();
});

test("a decision that is made again is identical, byte for byte", async ({ page }) => {
  await openOrdered(page);
  await page.getByRole("button", { name: "Recompute" }).click();
  await expect(page.getByText("Identical, byte for byte")).toBeVisible();
});

test("a filter without a match and a decision that is not there say so", async ({ page }) => {
  await page.goto("/decisions?date=1999-01-04");
  await expect(page.getByText("No decisions found")).toBeVisible();
  await page.goto("/decisions/00000000-0000-7000-8000-000000000000");
  await expect(page.getByText("There is no such decision")).toBeVisible();
  await page.goto("/decisions/none");
  await expect(page.getByText("There is no such decision")).toBeVisible();
});
