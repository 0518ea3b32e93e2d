import { expect, type Page } from "@playwright/test";
import { colourName } from "./colour.ts";
import { ACCOUNT, answer, BEAT, FIGURES, NOTHING, POSITION, PRACTICE, TODAY } from "./dashboard-answers.ts";
import { load, signInAs } from "./page-watch.ts";
import { run } from "./run.ts";
import { test } from "./test.ts";

const card = (page: Page, name: string) => page.getByRole("region", { name });

test.describe("dashboard", () => {
  test.beforeEach(async ({ page }) => {
    await signInAs(page, run().demo.trader);
    await answer(page, "/portfolio/summary", FIGURES);
    await answer(page, "/portfolio/positions", []);
    await answer(page, "/accounts", [ACCOUNT]);
    await answer(page, "/automation/heartbeat", BEAT);
    await answer(page, "/insight/today", TODAY);
  });

  test("the figures, their environment once, and P&L by period with Total first", async ({ page }) => {
    const asked: string[] = [];
    page.on("request", (request) => {
      const { pathname, search } = new URL(request.url());
      if (pathname.startsWith("/api/v1/")) asked.push(`${request.method()} ${pathname.slice(7)}${search}`);
    });
    await load(page, "/dashboard");
    for (const call of [
      "GET /portfolio/summary",
      "GET /portfolio/positions",
      "GET /accounts",
      "GET /trades?limit=1",
      "GET /automation/heartbeat",
    ]) {
      await expect.poll(() => asked, call).toContain(call);
    }
    for (const [name, value] of [
      ["Total Portfolio", "$12,345.67"],
      ["Cash", "$1,000.00"],
      ["Buying Power", "$2,000.50"],
      ["P&L", "+$345.67"],
    ] as const) {
      await expect(card(page, name), name).toContainText(value);
    }
    await expect(page.getByText("PRACTICE", { exact: true })).toHaveCount(1);
    const pnl = card(page, "P&L");
    const period = (name: string) => pnl.getByRole("button", { name, exact: true });
    await expect(pnl.getByRole("button")).toHaveText(["Day", "Week", "Month", "Total"]);
    await expect(period("Total")).toHaveAttribute("aria-pressed", "true");
    await expect(pnl).toContainText("+2.88%");
    for (const [name, value, tone] of [
      ["Day", "-$12.30", "red"],
      ["Week", "+$45.06", "green"],
      ["Month", "$0.00", null],
      ["Total", "+$345.67", "green"],
    ] as const) {
      await period(name).click();
      const figure = pnl.getByText(value, { exact: true });
      await expect(figure, name).toBeVisible();
      if (tone === null) continue;
      for (const colorScheme of ["dark", "light"] as const) {
        await page.emulateMedia({ colorScheme });
        expect(await colourName(figure), `${name}, ${colorScheme}`).toBe(tone);
      }
    }
    await expect(page.getByText("as of 10:42:05 ET")).toBeVisible();
  });

  test("amounts can be hidden, and stay so in this browser", async ({ page }) => {
    await load(page, "/dashboard");
    const amount = card(page, "Cash").getByText("$1,000.00");
    const covered = () => amount.evaluate((node) => getComputedStyle(node).getPropertyValue("-webkit-text-security"));
    expect(await covered()).toBe("none");
    await page.getByRole("button", { name: "Hide amounts" }).click();
    await expect.poll(covered).toBe("disc");
    await page.reload();
    await expect.poll(covered).toBe("disc");
    await page.getByRole("button", { name: "Hide amounts" }).click();
    await expect.poll(covered).toBe("none");
  });

  test("automation is Running where its orders or its screening are, else Idle; its dot is green once initialized, else yellow", async ({
    page,
  }) => {
    const automation = card(page, "Automation");
    for (const [orders, screening, isInitialized, word, dot] of [
      ["RUNNING", "RUNNING", true, "Running", "green"],
      ["RUNNING", "IDLE", true, "Running", "green"],
      ["IDLE", "RUNNING", false, "Running", "yellow"],
      ["IDLE", "IDLE", true, "Idle", "green"],
      ["STOPPED", "STOPPED", false, "Idle", "yellow"],
    ] as const) {
      await answer(page, "/automation/heartbeat", {
        ...BEAT,
        orderStatusUpdate: { status: orders, lastRunAt: null },
        marketScreening: { ...BEAT.marketScreening, status: screening },
        isInitialized,
      });
      await load(page, "/dashboard");
      const row = `${orders} orders, ${screening} screening`;
      await expect(automation.getByText(word, { exact: true }), row).toBeVisible();
      const name = isInitialized ? "Initialized" : "Not initialized yet";
      for (const colorScheme of ["dark", "light"] as const) {
        await page.emulateMedia({ colorScheme });
        const mark = automation.getByRole("img", { name, exact: true });
        expect(await colourName(mark, "background-color"), `${row}, ${colorScheme}`).toBe(dot);
      }
    }
  });

  test("what the market's sources do not give is one sentence in the automation card, and none where all is there", async ({
    page,
  }) => {
    const limitation = "Report dates are estimated from filings, so entries wait longer around them.";
    await answer(page, "/automation/heartbeat", { ...BEAT, limitation });
    await load(page, "/dashboard");
    const automation = card(page, "Automation");
    await expect(automation.getByText(limitation)).toBeVisible();
    await answer(page, "/automation/heartbeat", BEAT);
    await load(page, "/dashboard");
    await expect(automation).toContainText("Last run");
    await expect(automation.getByText(limitation)).toHaveCount(0);
  });

  test("automation says when it ran and runs next in New York, counts down each second, and leads to its reasons", async ({
    page,
  }) => {
    await page.clock.install();
    await answer(page, "/automation/market", {
      market: "US",
      now: "2020-03-03T15:42:00.000Z",
      readAt: "2026-11-21T08:00:00.000Z",
      isOpen: true,
      nextOpen: "2020-03-04T14:30:00.000Z",
      nextClose: "2020-03-03T21:00:00.000Z",
      speed: 1,
    });
    await page.goto("/dashboard");
    const automation = card(page, "Automation");
    await expect(automation).toContainText("Last runTue 3 Mar 2020 10:40 ET");
    await expect(automation).toContainText("Next runTue 3 Mar 2020 10:45 ET");
    const countdown = automation.getByText(/^\d\d:\d\d$/);
    await expect(countdown).toHaveText(/^0[23]:\d\d$/);
    // A reading that came in between would set it right once more.
    await page.route("**/api/v1/automation/market", () => undefined);
    await page.clock.pauseAt(Date.now() + 20_000);
    const seconds = async () => {
      const [minutes = 0, rest = 0] = (await countdown.innerText()).split(":").map(Number);
      return 60 * minutes + rest;
    };
    const before = await seconds();
    await page.clock.runFor(3000);
    await expect.poll(seconds).toBe(before - 3);
    const decision = `/decisions/${BEAT.lastDecision.id}`;
    await expect(automation.getByRole("link", { name: "Tue 3 Mar 2020 10:40 ET" })).toHaveAttribute("href", decision);
    await expect(automation).toContainText("502 looked at→50 in the Top-50→7 would buy→0 bought");
    await expect(automation.getByRole("link", { name: "7 would buy" })).toHaveAttribute(
      "href",
      `${decision}?show=signals`,
    );
    await expect(automation).toContainText("7 stocks wait for a calmer market");
  });

  test("trade stats: totals, and the win rate of a period asked for by its New York start date", async ({ page }) => {
    const asked: (string | null)[] = [];
    await page.route("**/api/v1/trades?*", (route) => {
      const startDate = new URL(route.request().url()).searchParams.get("startDate");
      asked.push(startDate);
      const [winningTrades, losingTrades] = startDate === null ? [5, 3] : [1, 0];
      return route.fulfill({
        json: {
          success: true,
          data: {
            ...PRACTICE,
            trades: [],
            summary: {
              totalTrades: 1234,
              filledTrades: 1200,
              winningTrades,
              losingTrades,
              totalVolume: 98_765.4,
              averageTradeSize: 80.04,
            },
            pagination: { nextCursor: null, limit: 1, total: 1234 },
          },
          error: null,
        },
      });
    });
    await answer(page, "/automation/market", {
      market: "US",
      now: "2020-03-31T15:42:00.000Z",
      readAt: "2026-11-21T08:00:00.000Z",
      isOpen: true,
      nextOpen: "2020-04-01T13:30:00.000Z",
      nextClose: "2020-03-31T20:00:00.000Z",
      speed: 1,
    });
    await load(page, "/dashboard");
    const stats = card(page, "Trade stats");
    for (const text of [
      "Total Trades1,234",
      "Total Volume$98,765.40",
      "Avg Trade Size$80.04",
      "Win Rate62.5%5W / 3L",
    ]) {
      await expect(stats).toContainText(text);
    }
    await expect(stats.getByRole("button", { name: "Total" })).toHaveAttribute("aria-pressed", "true");
    for (const [period, startDate] of [
      ["Day", "2020-03-31"],
      ["Week", "2020-03-24"],
      ["Month", "2020-02-29"],
    ] as const) {
      await stats.getByRole("button", { name: period }).click();
      await expect(stats, period).toContainText("Win Rate100.0%1W / 0L");
      // All trades are asked for again every few seconds, whatever the period.
      expect(asked.filter((date) => date !== null).at(-1), period).toBe(startDate);
    }
    await expect(stats, "the other figures stay those of all trades").toContainText("Total Trades1,234");
  });

  test("positions: shares at their average price, value, gain, and the way to stop and target; first what has no stop, then what is nearest to it", async ({
    page,
  }) => {
    await load(page, "/dashboard");
    await expect(card(page, "Active Positions")).toContainText("No active positions");
    await answer(page, "/portfolio/positions", [
      POSITION,
      {
        ...POSITION,
        symbol: "MSFT",
        unrealizedPnL: -5,
        unrealizedPnLPercent: -0.4,
        stopPrice: null,
        stopDistancePercent: null,
      },
      {
        ...POSITION,
        symbol: "TSLA",
        currentPrice: null,
        marketValue: null,
        unrealizedPnL: null,
        unrealizedPnLPercent: null,
      },
    ]);
    await page.reload();
    const rows = card(page, "Active Positions").getByRole("listitem");
    await expect(rows).toHaveCount(3);
    for (const text of [
      "AAPL",
      "12.5 shares at $133.42",
      "$1,750.00",
      "+$82.25",
      "+4.93%",
      "Stop$126.00-10.00%",
      "Price$140.00",
      "Target$147.00+5.00%",
    ]) {
      await expect(rows.nth(1)).toContainText(text);
    }
    await expect(rows.first()).toContainText("-$5.00");
    await expect(rows.first()).toContainText("StopNone");
    await expect(rows.nth(2)).toContainText("No price yet");
  });

  test("the pattern-day-trader warning shows at three day trades, not at two", async ({ page }) => {
    await answer(page, "/portfolio/summary", { ...FIGURES, dayTradeCount: 2 });
    await load(page, "/dashboard");
    await expect(card(page, "Cash")).toContainText("$1,000.00");
    await expect(page.getByText(/PDT warning/)).toHaveCount(0);
    await answer(page, "/portfolio/summary", { ...FIGURES, dayTradeCount: 3 });
    await page.reload();
    await expect(page.getByText("PDT warning: 3 day trades in the last 5 sessions")).toBeVisible();
  });

  for (const [what, figures, accounts, isShown] of [
    ["nothing at all", NOTHING, [], true],
    ["an account without keys", NOTHING, [{ ...ACCOUNT, hasKeys: false, alpacaKey: null }], true],
    ["a paused account", NOTHING, [{ ...ACCOUNT, status: "PAUSED" }], true],
    ["an active account with keys", NOTHING, [ACCOUNT], false],
    ["a portfolio", FIGURES, [], false],
  ] as const) {
    test(`'Ready to Start Trading?' is ${isShown ? "shown" : "not shown"} with ${what}`, async ({ page }) => {
      await answer(page, "/portfolio/summary", figures);
      await answer(page, "/accounts", accounts);
      await load(page, "/dashboard");
      await expect(card(page, "Total Portfolio").getByText(/^\$/)).toBeVisible();
      const banner = card(page, "Ready to Start Trading?");
      await expect(banner).toHaveCount(isShown ? 1 : 0);
      if (!isShown) return;
      await expect(banner.getByRole("link", { name: "Add Alpaca keys" })).toHaveAttribute("href", "/alpaca-keys");
      await expect(banner.getByRole("link", { name: /Sign up at Alpaca/ })).toHaveAttribute(
        "href",
        "https://app.alpaca.markets/signup",
      );
    });
  }

  test("the first steps tick themselves, come first for who has not begun, and can be put away", async ({ page }) => {
    const beginning = { ...BEAT, lastDecision: null, hasDecided: false, hasChosenStrategy: false };
    await answer(page, "/automation/heartbeat", beginning);
    await answer(page, "/accounts", []);
    await load(page, "/dashboard");
    const steps = page.getByRole("region", { name: /^First steps/ });
    await expect(steps).toContainText("1 of 6 done");
    await expect(steps.getByRole("listitem").nth(1)).toContainText("Practice market or keysNext");
    await expect(steps.getByRole("link", { name: "Strategy and risk" })).toHaveAttribute(
      "href",
      "/settings?tab=trading",
    );
    await answer(page, "/automation/heartbeat", BEAT);
    await answer(page, "/accounts", [ACCOUNT]);
    await page.reload();
    await expect(steps).toContainText("4 of 6 done");
    await answer(page, "/accounts", [ACCOUNT, { ...ACCOUNT, broker: "ALPACA" }]);
    await page.reload();
    await expect(card(page, "Cash")).toContainText("$1,000.00");
    await expect(steps, "the last one is optional").toHaveCount(0);
    await answer(page, "/accounts", [ACCOUNT]);
    await page.reload();
    await steps.getByRole("button", { name: "Hide the first steps" }).click();
    await page.reload();
    await expect(card(page, "Cash")).toContainText("$1,000.00");
    await expect(steps).toHaveCount(0);
  });
});

test("the administrator's dashboard asks for no portfolio and shows no positions", async ({ page }) => {
  await signInAs(page, run().demo.admin);
  const asked: string[] = [];
  page.on("request", (request) => asked.push(new URL(request.url()).pathname));
  await load(page, "/dashboard");
  await expect(card(page, "Trade stats")).toContainText("Total Trades");
  for (const name of ["Total Portfolio", "P&L", "Cash", "Buying Power"])
    await expect(card(page, name), name).toContainText("$");
  await expect(card(page, "Active Positions")).toHaveCount(0);
  await expect(card(page, "Ready to Start Trading?")).toHaveCount(0);
  expect(asked.filter((path) => /\/api\/v1\/(portfolio|accounts|trades)/.test(path))).toEqual([]);
  expect(asked).toContain("/api/v1/admin/metrics");
  expect(asked).toContain("/api/v1/admin/all-trades");
});
