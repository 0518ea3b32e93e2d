import { expect, type Page } from "@playwright/test";
import { expectAccessible } from "./axe.ts";
import { rowsOf } from "./books.ts";
import { load, signInAs } from "./page-watch.ts";
import { run } from "./run.ts";
import { test } from "./test.ts";

const PAGES = {
  top50: "/admin/top50-selector",
  watchlist: "/admin/earnings-watchlist",
  qa: "/admin/qa-results",
};

const says = (page: Page, text: string) => page.getByText(text, { exact: true });
const card = (page: Page, label: string) =>
  page.locator("main dl > div").filter({ has: page.locator("dt", { hasText: new RegExp(`^${label}$`) }) });

test.beforeEach(({ page }) => signInAs(page, run().demo.admin));

test("a seat leads to its symbol's page, which tells its scores, seats, news and reports", async ({ page }) => {
  await load(page, PAGES.top50);
  const link = page.getByRole("row").nth(1).getByRole("link");
  const symbol = (await link.textContent()) ?? "";
  const [seat] = await rowsOf<{ sector: string }>(
    `select e.sector from "Seat" e join "Selection" s on s.id = e."selectionId"
     where s.market = 'PRACTICE' and e.symbol = $1 order by s."sessionDate" desc limit 1`,
    [symbol],
  );
  await link.click();
  await expect(page).toHaveURL(new RegExp(`/admin/symbols/${symbol}$`));
  await expect(page.getByRole("heading", { level: 1, name: symbol, exact: true })).toBeVisible();
  await expect(page.getByText(seat?.sector ?? "no sector")).toBeVisible();
  await expect(page.getByText(/^Seated in \d+ of the last \d+ selections\./)).toBeVisible();
  for (const title of ["Scores over time", "Seat history", "Earnings", "News"])
    await expect(page.getByRole("heading", { name: title, exact: true })).toBeVisible();
  await page.getByRole("button", { name: "Show figures" }).click();
  await expect(page.getByRole("region", { name: "Scores by session" }).getByRole("row").nth(1)).toContainText("1");
  await expectAccessible(page, "a symbol");
});

test("a symbol that is unknown says so", async ({ page }) => {
  await page.goto("/admin/symbols/ZZZZZ");
  await expect(says(page, "Symbol not found")).toBeVisible();
});

test("QA results are those of the last selection, six rules", async ({ page }) => {
  await load(page, PAGES.qa);
  await expect(card(page, "Total Rules")).toContainText("6");
  await expect(page.locator("main tbody tr td:nth-child(1)")).toHaveCount(6);
});
