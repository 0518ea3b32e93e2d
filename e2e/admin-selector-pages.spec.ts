import { expect } from "@playwright/test";
import { expectAccessible, inTheme } from "./axe.ts";
import { rowsOf } from "./books.ts";
import { stickingOut } from "./layout.ts";
import { load, signInAs } from "./page-watch.ts";
import { run } from "./run.ts";
import { QA, TOP50, WATCHLIST } from "./selector-answers.ts";
import { answer, CALLS, card, column, PAGES, says } from "./selector-pages.ts";
import { test } from "./test.ts";

test.beforeEach(({ page }) => signInAs(page, run().demo.admin));

for (const [name, path, call, data, intervalMs, sentence] of [
  ["Top-50", PAGES.top50, CALLS.top50, TOP50, 30_000, "Failed to load Top-50 selector data"],
  ["watchlist", PAGES.watchlist, CALLS.watchlist, WATCHLIST, 60_000, "Failed to load earnings watchlist data"],
  ["QA", PAGES.qa, CALLS.qa, QA, 30_000, "Failed to load QA results data"],
] as const) {
  test(`the ${name} page asks every ${intervalMs / 1000} seconds; a failure takes the place of its body`, async ({
    page,
  }) => {
    const calls = await answer(page, call, data);
    await load(page, path);
    await page.clock.install();
    await page.reload();
    await expect(page.getByRole("tablist")).toBeVisible();
    await page.clock.pauseAt(Date.now() + 120_000);
    /** Lets the page's time go on in small steps, so that answers come in between. */
    const passes = (until: () => Promise<boolean> | boolean) =>
      expect
        .poll(
          async () => {
            await page.clock.runFor(1_000);
            return until();
          },
          { intervals: [50], timeout: 60_000 },
        )
        .toBe(true);
    const first = calls.asked.length;
    await passes(() => calls.asked.length > first);
    const second = calls.asked.length;
    await page.clock.runFor(intervalMs - 2_500);
    expect(calls.asked.length, "nothing is asked before the time").toBe(second);
    await passes(() => calls.asked.length > second);

    calls.fail(true);
    await passes(() => says(page, sentence).isVisible());
    await expect(page.getByRole("tablist"), "the sentence replaces the body").toHaveCount(0);
    await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
    calls.fail(false);
    await page.getByRole("button", { name: "Retry" }).click();
    await passes(() => page.getByRole("tablist").isVisible());
    await expect(says(page, sentence)).toBeHidden();
  });

  test(`before the first screening the ${name} page says when it is due, or why nobody knows`, async ({ page }) => {
    const none = { sessionDate: null, universe: [], watchlist: [], calendar: [], results: [], regime: null };
    await answer(page, call, { ...data, ...none });
    await load(page, path);
    await expect(says(page, "The practice market has not been screened yet")).toBeVisible();
    await expect(page.getByText("The next screening is due at Wed 5 Feb 2020 09:30 ET, market time.")).toBeVisible();
    await page.unrouteAll();
    const nextScreening = { at: null, reason: "No worker is running." };
    await answer(page, call, { ...data, ...none, nextScreening });
    await page.reload();
    await expect(says(page, "No worker is running.")).toBeVisible();
  });

  test(`the ${name} page switches between markets where there are two, in the address`, async ({ page }) => {
    const calls = await answer(page, call, { ...data, markets: ["US", "PRACTICE"] });
    await load(page, path);
    const markets = page.getByRole("group", { name: "Market" });
    await expect(markets.getByRole("button", { name: "Practice market" })).toHaveAttribute("aria-pressed", "true");
    await markets.getByRole("button", { name: "US market" }).click();
    await expect(page).toHaveURL(/\?market=us$/);
    await expect.poll(() => calls.asked.at(-1)).toBe("?market=US");
  });

  test(`the ${name} page fits, and is free of grave axe violations, wide in the light and on a phone in the dark`, async ({
    page,
  }) => {
    await answer(page, call, data);
    await load(page, path);
    for (const [width, colorScheme] of [
      [1440, "light"],
      [390, "dark"],
    ] as const) {
      await page.setViewportSize({ width, height: 900 });
      await inTheme(page, colorScheme);
      if (width === 390) await expect(page.locator("main li").first(), "rows are cards").toBeVisible();
      await expectAccessible(page, `${path} at ${width} px`);
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
      expect(await stickingOut(page)).toEqual([]);
    }
  });
}

test.describe("on the running stack", () => {
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

  test("a symbol that nobody has heard of says so", async ({ page }) => {
    await page.goto("/admin/symbols/ZZZZZ");
    await expect(says(page, "There is no such symbol")).toBeVisible();
  });

  test("QA results are those of the last selection, six rules", async ({ page }) => {
    await load(page, PAGES.qa);
    await expect(card(page, "Total Rules")).toContainText("6");
    await expect(column(page, 1)).toHaveCount(6);
  });

  test("traders are sent to their dashboard", async ({ page }) => {
    await signInAs(page, run().demo.trader);
    for (const path of [...Object.values(PAGES), "/admin/symbols/AAPL"]) {
      await page.goto(path);
      await expect(page, path).toHaveURL(/\/dashboard$/);
    }
  });
});
