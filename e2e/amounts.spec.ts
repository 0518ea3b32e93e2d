import { expect, type Page } from "@playwright/test";
import { refusingDecisionOf } from "./books.ts";
import { amounts, hideAmounts, legible } from "./hidden-amounts.ts";
import { load, signInAs } from "./page-watch.ts";
import { bearerOf } from "./people.ts";
import { run } from "./run.ts";
import { unfold } from "./unfold.ts";
import { test } from "./test.ts";

/** Opens all that is folded. */
const unfoldAll = (page: Page) =>
  page.evaluate(() => {
    for (const fold of document.querySelectorAll("details")) fold.open = true;
  });

/** What opens on the demo trader's pages. */
const OPENED: { path: string; open: (page: Page) => Promise<void> }[] = [
  {
    path: "/performance#rows",
    open: async (page) => {
      await page
        .getByRole("button", { name: /^Show the rows of/ })
        .first()
        .click();
      await expect(page.getByRole("dialog")).toBeVisible();
    },
  },
  {
    path: "/dashboard#figures",
    open: async (page) => {
      await unfold(page.getByText("Show the figures"));
      await expect(page.getByRole("region", { name: "Equity figures" })).toBeVisible();
    },
  },
  {
    path: "/trade-history#panel",
    open: async (page) => {
      await page
        .getByRole("link", { name: /[0-9a-f]{8}$/ })
        .or(page.getByRole("listitem").getByRole("link"))
        .first()
        .click();
      await expect(page.getByRole("dialog").getByText("What happened")).toBeVisible();
      await unfoldAll(page);
    },
  },
  {
    path: "/decisions?orders=only",
    open: async (page) => {
      await load(page, `/decisions/${await refusingDecisionOf(run().demo.trader.email)}`);
      await expect(page.getByRole("heading", { name: "Decision", exact: true })).toBeVisible();
      await page.getByRole("button", { name: /in the Top-50$/ }).click();
      await expect(page.getByRole("heading", { name: /^Candidates/ })).toBeVisible();
      await unfoldAll(page);
      await page.getByRole("heading", { name: /^Candidates/ }).scrollIntoViewIfNeeded();
      await page
        .locator("section[aria-labelledby=candidates] :is(tr, li)")
        // Without a signal no rule was asked.
        .filter({ hasText: /Refused|Ordered|Bought/ })
        .getByRole("button", { name: /^[A-Z.]+$/ })
        .first()
        .click();
      await unfoldAll(page);
      await expect(page.getByRole("dialog").getByRole("listitem").first()).toBeVisible();
    },
  },
  {
    path: "/settings#bell",
    open: async (page) => {
      await page.getByRole("button", { name: /^Notifications/ }).click();
      await expect(page.getByRole("dialog", { name: "Notifications" }).getByRole("listitem").first()).toBeVisible();
    },
  },
];

for (const width of [1440, 390]) {
  test(`hidden amounts: what opens on the trader's pages shows none at ${width} px`, async ({ page }) => {
    await page.setViewportSize({ width, height: 900 });
    await signInAs(page, run().demo.trader);
    await hideAmounts(page);
    let covered = 0;
    for (const { path, open } of OPENED) {
      await load(page, path);
      await open(page);
      await expect(page.locator(".skeleton")).toHaveCount(0);
      expect(await legible(page), path).toEqual([]);
      covered += await amounts(page).count();
    }
    expect(covered, "there were amounts to hide").toBeGreaterThan(5);
  });
}

test("hidden amounts: a trade's page shows none, and a chart's axis is covered", async ({ page }) => {
  await signInAs(page, run().demo.trader);
  const headers = { Authorization: `Bearer ${await bearerOf(page, run().demo.trader)}` };
  const answer = await page.request.get("/api/v1/trades?limit=1&status=FILLED", { headers });
  const { data } = (await answer.json()) as { data: { trades: { id: string }[] } };
  await hideAmounts(page);
  await load(page, `/trade-history/${data.trades[0]?.id}`);
  await expect(page.getByText("What happened")).toBeVisible();
  await unfoldAll(page);
  await expect.poll(() => amounts(page).count()).toBeGreaterThan(5);
  expect(await legible(page)).toEqual([]);

  await load(page, "/dashboard");
  const axis = page.locator(".tv-lightweight-charts td:last-child canvas").first();
  await expect(axis).toBeVisible();
  expect(await axis.evaluate((canvas) => getComputedStyle(canvas).filter)).toMatch(/blur/);
});
