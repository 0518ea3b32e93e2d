import { expect, type Page } from "@playwright/test";
import { ACCOUNT, answer, BEAT, fail, FIGURES } from "./dashboard-answers.ts";
import { load, signInAs, withoutPrefetch } from "./page-watch.ts";
import { run } from "./run.ts";
import { test } from "./test.ts";

const card = (page: Page, name: string) => page.getByRole("region", { name });
const says = (page: Page, text: string) => page.getByText(text, { exact: true });

/** From the next load on no page asks again by itself: its polls are its only intervals of 5 seconds or more. */
const withoutPolls = (page: Page) =>
  page.addInitScript(() => {
    const everyInterval = window.setInterval.bind(window);
    const shortOnly = (handler: TimerHandler, ms = 0) => (ms >= 5000 ? 0 : everyInterval(handler, ms));
    Object.assign(window, { setInterval: shortOnly });
  });

test.beforeEach(async ({ page }) => {
  await signInAs(page, run().demo.trader);
  await withoutPrefetch(page);
  await answer(page, "/portfolio/summary", FIGURES);
  await answer(page, "/portfolio/positions", []);
  await answer(page, "/accounts", [ACCOUNT]);
  await answer(page, "/automation/heartbeat", BEAT);
});

test("what cannot be read says 'Failed to load dashboard data' and why, zeroes what it was about, and comes back with Retry", async ({
  page,
}) => {
  const banner = page.getByRole("alert").filter({ hasText: "Failed to load dashboard data" });
  const nothing = (on: Page, path: string) => answer(on, path, null);
  const away = (on: Page, path: string) => fail(on, path, "The database is away.");
  // A poll would bring the data back before Retry is pressed, and take Retry away.
  await withoutPolls(page);
  for (const [path, answered, detail] of [
    ["/portfolio/summary", fail, "Failed to fetch portfolio"],
    ["/portfolio/summary", nothing, "No portfolio data received"],
    ["/portfolio/summary", away, "The database is away."],
    ["/portfolio/positions", fail, "Failed to fetch positions"],
    ["/portfolio/positions", nothing, "No positions data received"],
    ["/accounts", fail, "Failed to fetch accounts"],
    ["/trades?*", fail, "Failed to fetch trades"],
    ["/trades?*", nothing, "No trades data received"],
  ] as const) {
    await answered(page, path);
    await load(page, "/dashboard");
    await expect(banner, detail).toContainText(detail);
    if (path === "/portfolio/summary") {
      for (const name of ["Total Portfolio", "P&L", "Cash", "Buying Power"]) {
        await expect(card(page, name), name).toContainText("$0.00");
      }
    } else {
      await expect(card(page, "Cash"), detail).toContainText("$1,000.00");
    }
    if (path === "/portfolio/positions") {
      await expect(card(page, "Active Positions")).toContainText("No active positions");
    }
    if (path === "/trades?*") {
      for (const text of ["Total Trades0", "Total Volume$0.00", "Avg Trade Size$0.00", "0W / 0L"]) {
        await expect(card(page, "Trade stats")).toContainText(text);
      }
      await page.unroute(`**/api/v1${path}`);
    }
    await answer(page, "/portfolio/summary", FIGURES);
    await answer(page, "/portfolio/positions", []);
    await answer(page, "/accounts", [ACCOUNT]);
    await banner.getByRole("button", { name: "Retry" }).click();
    await expect(banner, detail).toBeHidden();
    await expect(card(page, "Cash")).toContainText("$1,000.00");
  }
});

test("while the server goes on failing, what it failed with stays said: asking again takes nothing away", async ({
  page,
}) => {
  let asked = 0;
  page.on("request", (request) => (asked += Number(request.url().endsWith("/portfolio/summary"))));
  await fail(page, "/portfolio/summary", "The database is away.");
  await load(page, "/dashboard");
  await expect(says(page, "The database is away.")).toBeVisible();
  const lapses = await page.evaluateHandle(() => {
    const seen: string[] = [];
    const look = () => {
      const text = document.body.innerText;
      if (!text.includes("The database is away.") || document.querySelector(".skeleton")) seen.push(text);
    };
    new MutationObserver(look).observe(document.body, { subtree: true, childList: true, characterData: true });
    return seen;
  });
  const before = asked;
  await expect.poll(() => asked, { timeout: 40_000 }).toBeGreaterThanOrEqual(before + 3);
  expect(await lapses.jsonValue()).toEqual([]);
});

test("a heartbeat that fails is silently ignored", async ({ page }) => {
  await fail(page, "/automation/heartbeat", "The worker is away.");
  await load(page, "/dashboard");
  await expect(card(page, "Automation").getByText("Idle", { exact: true })).toBeVisible();
  await expect(card(page, "Cash")).toContainText("$1,000.00");
  await expect(says(page, "Failed to load dashboard data")).toHaveCount(0);
  await expect(page.getByText("The worker is away.")).toHaveCount(0);
});
