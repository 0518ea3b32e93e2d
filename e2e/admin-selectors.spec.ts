import { expect } from "@playwright/test";
import { colourName } from "./colour.ts";
import { load, signInAs } from "./page-watch.ts";
import { run } from "./run.ts";
import { historyPage, QA, TOP50, WATCHLIST } from "./selector-answers.ts";
import { answer, CALLS, card, choose, column, give, PAGES, says, tab } from "./selector-pages.ts";
import { test } from "./test.ts";

test.beforeEach(({ page }) => signInAs(page, run().demo.admin));

test.describe("the Top-50", () => {
  test("has title, last update, cards and a way back, and opens the symbol of a row", async ({ page }) => {
    await answer(page, CALLS.top50, TOP50);
    await load(page, PAGES.top50);
    await expect(page.getByRole("heading", { level: 1, name: "Top-50 Selector (Policy 2.9.0)" })).toBeVisible();
    await expect(page.getByText("Last updated: Tue 4 Feb 2020 09:30 ET")).toBeVisible();
    for (const [label, value] of [
      ["Total Stocks", "3"],
      ["Sticky Seats", "2"],
      ["Fresh Seats", "1"],
      ["Market Regime", "Up"],
    ] as const)
      await expect(card(page, label)).toContainText(value);
    await expect(page.getByRole("link", { name: "Back", exact: true })).toHaveAttribute("href", "/admin");
    await page.getByRole("row", { name: /BBB/ }).getByText("Basic Materials").click();
    await expect(page).toHaveURL(/\/admin\/symbols\/BBB$/);
  });

  test("shows its columns, sorts and filters, and keeps them in the address", async ({ page }) => {
    await answer(page, CALLS.top50, TOP50);
    await load(page, PAGES.top50);
    await expect(page.locator("main thead th")).toHaveText([
      "Symbol",
      "Sector",
      "Price",
      "Composite Score",
      "Liquidity",
      "Sentiment",
      "Technical",
      "Type",
      "Reasons",
    ]);
    const row = page.getByRole("row", { name: /^BBB/ });
    for (const text of ["$101.50", "70.0%", "81.3%", "—", "70.5%", "Fresh"]) await expect(row).toContainText(text);
    await expect(row).toContainText("First reason, Second reason…");
    await expect(page.getByRole("row", { name: /^AAA/ })).toContainText(/First reason, Second reason$/);

    await expect(column(page, 1)).toHaveText(["AAA", "BBB", "CCC"]);
    await choose(page, "Sort by", "Sector");
    await expect(column(page, 1)).toHaveText(["BBB", "AAA", "CCC"]);
    await choose(page, "Sort by", "Fresh/Sticky");
    await expect(column(page, 1)).toHaveText(["BBB", "AAA", "CCC"]);
    await choose(page, "Show", "Sticky Seats");
    await expect(column(page, 1)).toHaveText(["AAA", "CCC"]);
    await expect(page).toHaveURL(/\?sort=type&show=sticky$/);
    await page.reload();
    await expect(column(page, 1)).toHaveText(["AAA", "CCC"]);
    await choose(page, "Show", "Fresh Seats");
    await expect(column(page, 1)).toHaveText(["BBB"]);
  });

  for (const [regime, texts] of [
    [{ ...TOP50.regime, vix: 25.01 }, ["High Volatility (Risk-Off)", "1.25% above", "0.40% below"]],
    [{ ...TOP50.regime, vix: 14.99 }, ["Low Volatility (Risk-On)"]],
    [{ ...TOP50.regime, vix: 25 }, ["Moderate"]],
    [{ ...TOP50.regime, vix: 15 }, ["Moderate"]],
    [{ ...TOP50.regime, vix: null }, ["Not known"]],
  ] as const) {
    test(`tells of the regime at a VIX of ${regime.vix}`, async ({ page }) => {
      await answer(page, CALLS.top50, { ...TOP50, regime });
      await load(page, `${PAGES.top50}?tab=regime`);
      await expect(tab(page, "Market Regime")).toHaveAttribute("aria-selected", "true");
      for (const text of texts) await expect(says(page, text)).toBeVisible();
    });
  }

  test("shows the rules with result, severity, message, expected and actual values", async ({ page }) => {
    await answer(page, CALLS.top50, TOP50);
    await load(page, PAGES.top50);
    await tab(page, "QA Results").click();
    const row = page.getByRole("row", { name: /^allocation/ });
    for (const text of [
      "Failed",
      "Critical",
      "message of allocation",
      "expected of allocation",
      "actual of allocation",
    ])
      await expect(row).toContainText(text);
    await expect(row).toContainText("−2.0% of equity");
    await expect(page.getByRole("row", { name: /^swap_limits/ })).toContainText("Passed");
    await expect(page.getByRole("row", { name: /^promotion_quality/ })).toContainText("could not be judged");
  });
});

test("the Selectors tab leads to the three pages, and shows the regime in its colour", async ({ page }) => {
  const labels = [
    ["risk_on", "green"],
    ["risk_off", "red"],
    ["neutral", "yellow"],
  ] as const;
  for (const [label, colour] of labels) {
    await page.unrouteAll();
    await answer(page, CALLS.top50, { ...TOP50, regime: { ...TOP50.regime, regime_label: label } });
    await load(page, "/admin?tab=selectors");
    expect(await colourName(says(page, label)), label).toBe(colour);
  }
  for (const [name, path] of [
    ["Open Top-50 Selector", PAGES.top50],
    ["Open Earnings Watchlist", PAGES.watchlist],
    ["Open QA Results", PAGES.qa],
  ] as const)
    await expect(page.getByRole("link", { name })).toHaveAttribute("href", path);
});

test.describe("the earnings watchlist", () => {
  test("shows cards and columns; days and volumes in their colours", async ({ page }) => {
    await answer(page, CALLS.watchlist, WATCHLIST);
    await load(page, PAGES.watchlist);
    for (const [label, value] of [
      ["Total Stocks", "4"],
      ["Low Risk", "2"],
      ["Medium Risk", "1"],
      ["High Risk", "1"],
    ] as const)
      await expect(card(page, label)).toContainText(value);
    await expect(page.locator("main thead th")).toHaveText([
      "Symbol",
      "Company",
      "Sector",
      "Price",
      "Earnings Date",
      "Time",
      "Days Until",
      "Risk Level",
      "Upside",
      "Volume Ratio",
      "Reason",
    ]);
    for (const [symbol, time, days, colour] of [
      ["AAA", "PM", "8 days", "green"],
      ["BBB", "AM", "Today", "red"],
      ["CCC", "PM", "Tomorrow", "red"],
      ["DDD", "PM", "3 days", "yellow"],
    ] as const) {
      const row = page.getByRole("row", { name: new RegExp(`^${symbol}`) });
      await expect(row.getByText(time, { exact: true })).toBeVisible();
      expect(await colourName(row.getByText(days, { exact: true })), symbol).toBe(colour);
    }
    for (const [symbol, text, colour] of [
      ["AAA", "1.20×", "green"],
      ["BBB", "2.40×", "red"],
      ["CCC", "1.75×", "yellow"],
    ] as const) {
      const cell = page.getByRole("row", { name: new RegExp(`^${symbol}`) }).locator("td:nth-child(10)");
      await expect(cell).toContainText(text);
      expect(await colourName(cell.locator("[style]"), "background-color"), symbol).toBe(colour);
    }
    await expect(page.getByRole("row", { name: /^BBB/ })).toContainText("-5.00%");
    await expect(page.getByRole("row", { name: /^DDD/ }).locator("td:nth-child(9)")).toHaveText("—");
  });

  test("sorts and filters, and keeps them in the address", async ({ page }) => {
    await answer(page, CALLS.watchlist, WATCHLIST);
    await load(page, PAGES.watchlist);
    await expect(column(page, 1)).toHaveText(["BBB", "CCC", "DDD", "AAA"]);
    await choose(page, "Sort by", "Risk Level");
    await expect(column(page, 1)).toHaveText(["BBB", "DDD", "CCC", "AAA"]);
    await choose(page, "Sort by", "Upside");
    await expect(column(page, 1)).toHaveText(["AAA", "CCC", "BBB", "DDD"]);
    await choose(page, "Risk", "Low Risk");
    await expect(column(page, 1)).toHaveText(["BBB", "DDD"]);
    await expect(page).toHaveURL(/\?sort=upside&risk=LOW$/);
  });

  test("has a calendar of dates with their stocks", async ({ page }) => {
    await answer(page, CALLS.watchlist, WATCHLIST);
    await load(page, PAGES.watchlist);
    await tab(page, "Calendar View").click();
    await expect(page).toHaveURL(/\?tab=calendar$/);
    await expect(page.getByRole("tabpanel").getByRole("heading")).toHaveText([
      "4 Feb 2020",
      "5 Feb 2020",
      "7 Feb 2020",
      "12 Feb 2020",
    ]);
    const stock = page.getByRole("listitem").filter({ hasText: "BBB" });
    for (const text of ["Low", "$20.50", "AM", "-5.00%", "2.40× avg volume"]) await expect(stock).toContainText(text);
  });

  test("says when its list is an earlier session's", async ({ page }) => {
    await answer(page, CALLS.watchlist, { ...WATCHLIST, isCurrent: false, sessionDate: "2020-02-03" });
    await load(page, PAGES.watchlist);
    await expect(page.getByText(/unavailable at the last screening: this is the list of 3 Feb 2020\.$/)).toBeVisible();
  });
});

test.describe("QA results", () => {
  test("show the specified banner while the gate is off, and what it does while it is on", async ({ page }) => {
    await answer(page, CALLS.qa, QA);
    await load(page, PAGES.qa);
    await expect(says(page, "Feature In Development")).toBeVisible();
    await expect(
      says(
        page,
        "The QA check system is not yet connected to live trading sessions. Six validation rules exist: allocation, swap limits, promotion quality, conviction gates, fast-track events, sector quotas.",
      ),
    ).toBeVisible();
    await page.unrouteAll();
    await answer(page, CALLS.qa, { ...QA, flags: { qaLiveGate: true, qaHistory: false } });
    await page.reload();
    await expect(says(page, "QA gates live cycles")).toBeVisible();
    await expect(says(page, "Feature In Development")).toBeHidden();
  });

  for (const [passed, total, text, colour] of [
    [9, 10, "90.0%", "green"],
    [7, 10, "70.0%", "yellow"],
    [4, 6, "66.7%", "red"],
  ] as const) {
    test(`show a pass rate of ${text} in ${colour}, and the cards`, async ({ page }) => {
      const metadata = { ...QA.metadata, totalRules: total, passedRules: passed, failedRules: total - passed };
      await answer(page, CALLS.qa, { ...QA, metadata });
      await load(page, PAGES.qa);
      expect(await colourName(says(page, text))).toBe(colour);
      const bar = page.getByRole("progressbar", { name: "Overall pass rate" });
      expect(await colourName(bar.locator("div"), "background-color")).toBe(colour);
      for (const [label, value] of [
        ["Total Rules", total],
        ["Passed", passed],
        ["Failed", total - passed],
        ["Critical Issues", 1],
      ] as const)
        await expect(card(page, label)).toContainText(String(value));
    });
  }

  test("filter and sort, and keep both in the address", async ({ page }) => {
    await answer(page, CALLS.qa, QA);
    await load(page, PAGES.qa);
    const rules = column(page, 1);
    await expect(rules).toHaveText([
      "allocation",
      "conviction_gates",
      "promotion_quality",
      "sector_quotas",
      "fast_track_events",
      "swap_limits",
    ]);
    await choose(page, "Sort by", "Newest first");
    await expect(rules.nth(0)).toHaveText("promotion_quality");
    await expect(rules.nth(1)).toHaveText("conviction_gates");
    await choose(page, "Sort by", "Rule");
    await expect(rules.nth(2)).toHaveText("fast_track_events");
    await choose(page, "Show", "Passed");
    await expect(rules).toHaveCount(4);
    await choose(page, "Show", "Failed");
    await expect(rules).toHaveText(["allocation", "promotion_quality"]);
    await choose(page, "Show", "Critical and failed");
    await expect(rules).toHaveText(["allocation"]);
    await expect(page).toHaveURL(/\?sort=rule&show=critical$/);
  });

  test("have metrics, and a history that is a placeholder until its flag is on", async ({ page }) => {
    await answer(page, CALLS.qa, QA);
    await load(page, PAGES.qa);
    await tab(page, "Metrics").click();
    await expect(page.getByRole("row", { name: /^allocation/ })).toContainText("95.0%");
    await expect(page.getByRole("row", { name: /^allocation/ })).toContainText("3 (1 not judged)");
    await tab(page, "History").click();
    await expect(says(page, "QA history is not yet implemented.")).toBeVisible();

    await page.unrouteAll();
    await answer(page, CALLS.qa, { ...QA, flags: { qaLiveGate: false, qaHistory: true } });
    await page.route(/\/api\/v1\/selectors\/qa-results\/history(\?.*)?$/, (route) =>
      give(
        route,
        route.request().url().includes("cursor=next")
          ? historyPage("2020-02-03", null)
          : historyPage("2020-02-04", "next"),
      ),
    );
    await page.reload();
    const newest = page.getByRole("heading", { name: /^4 Feb 2020/ });
    for (const text of ["4 of 6 passed", "Policy 2.9.0"]) await expect(newest).toContainText(text);
    await expect(page.getByRole("row", { name: /^allocation/ })).toContainText("−2.0% of equity");
    await page.getByRole("button", { name: "Older" }).click();
    await expect(page.getByRole("heading", { name: /^3 Feb 2020/ })).toBeVisible();
    await expect(page.getByRole("button", { name: "Older" })).toBeDisabled();
  });
});
