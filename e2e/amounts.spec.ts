import { expect, test, type Page } from "@playwright/test";
import { refusingDecisionOf } from "./books.ts";
import { load, PAGES, signInAs } from "./page-watch.ts";
import { PASSWORD, tokenOf, verified } from "./people.ts";
import { run } from "./run.ts";

const WIDTHS = [1440, 390] as const;

/** Texts with an amount of money that can be read on the screen, tooltips with one included. */
const legible = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const money = /\$\s?\d|\d USD/;
    const isSeen = (element: Element) => {
      const { width, height } = element.getBoundingClientRect();
      return width > 1 && height > 1 && element.checkVisibility({ visibilityProperty: true, opacityProperty: true });
    };
    const isCovered = (element: Element) =>
      getComputedStyle(element).getPropertyValue("-webkit-text-security") === "disc";
    const found: string[] = [];
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
      const element = node.parentElement;
      if (element === null || element.closest("script, style") || isCovered(element) || !isSeen(element)) continue;
      // An amount may be cut into nodes: "$" and "5.00".
      const around = element.textContent ?? "";
      if (money.test(node.textContent ?? "") || (element.children.length === 0 && money.test(around)))
        found.push(around.slice(0, 120));
    }
    for (const element of document.querySelectorAll("[title]"))
      if (money.test(element.getAttribute("title") ?? "") && isSeen(element))
        found.push(`title: ${element.getAttribute("title")}`);
    return found;
  });

const amounts = (page: Page) => page.locator(".amount:visible");

async function hide(page: Page): Promise<void> {
  await page.evaluate(() => window.localStorage.setItem("amounts_hidden", "true"));
}

/** The rest of what the demo trader sees, with what opens on it. */
const MORE: typeof PAGES = [
  { path: "/performance", as: "trader" },
  {
    path: "/performance#rows",
    as: "trader",
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
    as: "trader",
    open: async (page) => {
      await page.getByText("Show the figures").click();
      await expect(page.getByRole("region", { name: "Equity figures" })).toBeVisible();
    },
  },
  {
    path: "/trade-history#panel",
    as: "trader",
    open: async (page) => {
      await page
        .getByRole("link", { name: /[0-9a-f]{8}$/ })
        .or(page.getByRole("listitem").getByRole("link"))
        .first()
        .click();
      await expect(page.getByRole("dialog").getByText("What happened")).toBeVisible();
    },
  },
  {
    path: "/decisions?orders=only",
    as: "trader",
    open: async (page) => {
      await load(page, `/decisions/${await refusingDecisionOf(run().demo.trader.email)}`);
      await expect(page.getByRole("heading", { name: "Decision", exact: true })).toBeVisible();
      await expect(page.getByRole("heading", { name: /^Candidates/ })).toBeVisible();
      await page.getByRole("heading", { name: /^Candidates/ }).scrollIntoViewIfNeeded();
      await page
        .locator("section[aria-labelledby=candidates] :is(tr, li)")
        // Without a signal no rule was asked.
        .filter({ hasText: /Refused|Ordered/ })
        .getByRole("button", { name: /^[A-Z.]+$/ })
        .first()
        .click();
      await expect(page.getByRole("dialog").getByRole("listitem").first()).toBeVisible();
    },
  },
  {
    path: "/settings#bell",
    as: "trader",
    open: async (page) => {
      await page.getByRole("button", { name: /^Notifications/ }).click();
      await expect(page.getByRole("dialog", { name: "Notifications" }).getByRole("listitem").first()).toBeVisible();
    },
  },
  { path: "/backtest", as: "trader" },
];

const GROUPS = [
  { name: "the trader's pages", as: "trader", pages: PAGES.filter(({ as }) => as === "trader") },
  { name: "what opens on the trader's pages", as: "trader", pages: MORE },
  {
    name: "the administrator's pages",
    as: "admin",
    // The limits of the policy are nobody's money, and nobody should change them unread.
    pages: PAGES.filter(({ as, path }) => as === "admin" && !path.includes("tab=policy")),
  },
] as const;

for (const width of WIDTHS) {
  test.describe(`${width} px`, () => {
    test.use({ viewport: { width, height: 900 } });

    for (const { name, as, pages } of GROUPS) {
      test(`hidden amounts: ${name} show none`, async ({ page }) => {
        await signInAs(page, run().demo[as]);
        await hide(page);
        let covered = 0;
        for (const { path, open } of pages) {
          await load(page, path);
          await open?.(page);
          await expect(page.locator(".skeleton")).toHaveCount(0);
          expect(await legible(page), path).toEqual([]);
          covered += await amounts(page).count();
        }
        expect(covered, "there were amounts to hide").toBeGreaterThan(5);
      });
    }
  });
}

test("hidden amounts: a trade's page shows none, and a chart's axis is covered", async ({ page }) => {
  await signInAs(page, run().demo.trader);
  const headers = { Authorization: `Bearer ${await tokenOf(page.request, run().demo.trader)}` };
  const answer = await page.request.get("/api/v1/trades?limit=1&status=FILLED", { headers });
  const { data } = (await answer.json()) as { data: { trades: { id: string }[] } };
  await hide(page);
  await load(page, `/trade-history/${data.trades[0]?.id}`);
  await expect(page.getByText("What happened")).toBeVisible();
  await expect.poll(() => amounts(page).count()).toBeGreaterThan(5);
  expect(await legible(page)).toEqual([]);

  await load(page, "/dashboard");
  const axis = page.locator(".tv-lightweight-charts td:last-child canvas").first();
  await expect(axis).toBeVisible();
  expect(await axis.evaluate((canvas) => getComputedStyle(canvas).filter)).toMatch(/blur/);
});

test("hidden amounts: a finished backtest shows none", async ({ page }) => {
  test.setTimeout(300_000);
  const person = { email: await verified(page.request, "covers"), password: PASSWORD };
  await signInAs(page, person);
  await hide(page);
  await load(page, "/backtest");
  const last = await page.getByLabel("To", { exact: true }).inputValue();
  const from = new Date(Date.parse(last) - 14 * 86_400_000).toISOString().slice(0, 10);
  await page.getByLabel("From", { exact: true }).fill(from);
  await page.getByRole("button", { name: "Run backtest" }).click();
  await page.getByRole("region", { name: "Backtests", exact: true }).getByRole("link").first().click();
  await expect(page.getByRole("heading", { name: "Total return" })).toBeVisible({ timeout: 90_000 });
  await expect.poll(() => amounts(page).count()).toBeGreaterThan(5);
  expect(await legible(page)).toEqual([]);
});
