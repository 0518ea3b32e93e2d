import { expect, test, type Page } from "@playwright/test";
import { colourName } from "./colour.ts";
import { load, signInAs } from "./page-watch.ts";
import { run } from "./run.ts";

const card = (page: Page, name: string) => page.getByRole("region", { name });
const says = (page: Page, text: string) => page.getByText(text, { exact: true });
const calls = (page: Page, path: string) => page.route(`**/api/v1${path}`, (route) => route.fulfill(answers[path]));

/** Answers a call with these data from now on. */
async function answer(page: Page, path: string, data: unknown): Promise<void> {
  answers[path] = { json: { success: true, data, error: null } };
  await calls(page, path);
}

async function fail(page: Page, path: string, error = ""): Promise<void> {
  answers[path] = { status: 500, json: { success: false, data: null, error, code: "internal", requestId: "x" } };
  await calls(page, path);
}

const answers: Record<string, { status?: number; json: unknown }> = {};

/** From the next load on no page asks again by itself: its polls are its only intervals of 5 seconds or more. */
const withoutPolls = (page: Page) =>
  page.addInitScript(() => {
    const everyInterval = window.setInterval.bind(window);
    const shortOnly = (handler: TimerHandler, ms = 0) => (ms >= 5000 ? 0 : everyInterval(handler, ms));
    Object.assign(window, { setInterval: shortOnly });
  });

/** Keys in one go: how long a busy page takes over each must not count as time between them. */
const strike = (page: Page, keys: string) => Promise.all([...keys].map((key) => page.keyboard.press(key)));

/** Who is signed in, as the server knows them. */
async function meOf(page: Page): Promise<Record<"firstName" | "lastName" | "email", string>> {
  const token = await page.evaluate(() => window.localStorage.getItem("auth_token"));
  const asked = await page.request.get("/api/v1/auth/me", { headers: { authorization: `Bearer ${token}` } });
  return ((await asked.json()) as { data: Record<"firstName" | "lastName" | "email", string> }).data;
}

const PRACTICE = { environment: "PRACTICE", environments: ["PRACTICE"] };
const FIGURES = {
  totalValue: 12_345.67,
  totalPnL: 345.67,
  totalPnLPercent: 2.88,
  pnlDay: -12.3,
  pnlWeek: 45.06,
  pnlMonth: 0,
  pnlTotal: 345.67,
  cash: 1000,
  buyingPower: 2000.5,
  dayTradeCount: 0,
  positions: [],
  ...PRACTICE,
  accounts: [{ id: "01a1fd31-0000-7000-8000-000000000001", name: "Main", isInSums: true }],
  asOf: "2020-03-03T15:42:05.000Z",
};
const NOTHING = { ...FIGURES, totalValue: 0, environment: null, environments: [], accounts: [], asOf: null };
const ACCOUNT = {
  id: "01a1fd31-0000-7000-8000-000000000001",
  name: "Main",
  accountType: "INDIVIDUAL",
  environment: "PAPER",
  broker: "PRACTICE",
  status: "ACTIVE",
  alpacaKey: "TPAAAAAA",
  hasKeys: true,
  haltReason: null,
  createdAt: "2026-11-21T07:38:37.004Z",
};
const BEAT = {
  ...PRACTICE,
  orderStatusUpdate: { status: "RUNNING", lastRunAt: null },
  marketScreening: {
    status: "RUNNING",
    lastRunAt: "2020-03-03T15:40:00.000Z",
    nextRunAt: "2020-03-03T15:45:00.000Z",
  },
  isInitialized: true,
  pausedReason: null,
  lastCycle: "10:40: 502 screened, 50 seated, 7 signals, 0 orders: 7 regime",
  lastDecisionId: "01a1fd51-6118-7138-bd04-4e7212d6a037",
  hasDecided: true,
  hasChosenStrategy: true,
  coalesced: 0,
};
const POSITION = {
  symbol: "AAPL",
  quantity: 12.5,
  averagePrice: 133.42,
  currentPrice: 140,
  marketValue: 1750,
  unrealizedPnL: 82.25,
  unrealizedPnLPercent: 4.93,
  stopPrice: 126,
  targetPrice: 147,
  stopDistancePercent: -10,
  targetDistancePercent: 5,
  strategy: "MOMENTUM",
  openedAt: "2020-02-20T15:00:00.000Z",
  accountId: ACCOUNT.id,
  environmentLabel: "PRACTICE",
};

test.describe("navigation", () => {
  for (const [who, badge, links] of [
    [
      "trader",
      "User",
      [
        ["Dashboard", "/dashboard"],
        ["Performance", "/performance"],
        ["Trade History", "/trade-history"],
        ["Why not", "/decisions"],
        ["Activity & Logs", "/logs"],
        ["Backtest", "/backtest"],
        ["Alpaca Keys", "/alpaca-keys"],
        ["Settings", "/settings"],
      ],
    ],
    [
      "admin",
      "Admin",
      [
        ["Dashboard", "/dashboard"],
        ["Trade History", "/trade-history"],
        ["Activity & Logs", "/logs"],
        ["Admin", "/admin"],
        ["Settings", "/settings"],
      ],
    ],
  ] as const) {
    for (const width of [1440, 1024, 390]) {
      test(`the ${who}'s pages, name and role at ${width} px`, async ({ page }) => {
        await page.setViewportSize({ width, height: 800 });
        await signInAs(page, run().demo[who]);
        await load(page, "/dashboard");
        const main = page.getByRole("navigation", { name: "Main" }).filter({ visible: true });
        await expect(main.getByRole("link", { name: "Dashboard" })).toHaveAttribute("aria-current", "page");
        const found = async (from: typeof main) =>
          Promise.all(
            (await from.getByRole("link").all()).map(async (link) => [
              await link.innerText(),
              await link.getAttribute("href"),
            ]),
          );
        const shown = await found(main);
        if (width === 390) {
          expect(shown).toHaveLength(4);
          await page.getByRole("button", { name: "More", exact: true }).click();
          const sheet = page.getByRole("dialog", { name: "More" });
          await expect(sheet).toBeVisible();
          shown.push(...(await found(sheet.getByRole("navigation"))));
        } else {
          const tops = await main
            .getByRole("link")
            .evaluateAll((all) => all.map((each) => each.getBoundingClientRect().top));
          expect(new Set(tops).size, "one row").toBe(1);
        }
        expect(shown.toSorted()).toEqual(links.map((link) => [...link]).toSorted());

        const { firstName, lastName, email } = await meOf(page);
        for (const text of [`${firstName} ${lastName}`, email]) {
          await expect(page.getByText(text, { exact: true }).filter({ visible: true }), text).toBeVisible();
        }
        await expect(page.getByRole("button", { name: "Logout" })).toBeVisible();
        // The bar has a link of this name, too.
        const role = page
          .locator("span")
          .filter({ hasText: new RegExp(`^${badge}$`) })
          .filter({ visible: true });
        for (const colorScheme of ["light", "dark"] as const) {
          await page.emulateMedia({ colorScheme });
          expect(await colourName(role), colorScheme).toBe(who === "admin" ? "red" : "blue");
        }
        const wide = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
        expect(wide).toBeLessThanOrEqual(0);
      });
    }
  }

  for (const width of [1440, 390]) {
    test(`a name of any length and script leaves room for the address and the role at ${width} px`, async ({
      page,
    }) => {
      await page.setViewportSize({ width, height: 800 });
      await signInAs(page, run().demo.trader);
      const me = { ...(await meOf(page)), firstName: "W".repeat(80), lastName: "👩‍🚀 أحمد ".repeat(10) };
      await answer(page, "/auth/me", me);
      await load(page, "/alpaca-keys");
      if (width === 390) await page.getByRole("button", { name: "More", exact: true }).click();
      const address = page.getByText(me.email, { exact: true }).filter({ visible: true });
      await expect(address).toBeInViewport({ ratio: 1 });
      const isWhole = await address.evaluate((node) => node.scrollWidth <= node.clientWidth);
      expect(isWhole, "the address is not cut").toBe(true);
      await expect(page.getByTitle(`${me.firstName} ${me.lastName}`).filter({ visible: true })).toBeVisible();
      await expect(page.getByText("User", { exact: true }).filter({ visible: true })).toBeInViewport({ ratio: 1 });
      await expect(page.getByRole("button", { name: "Logout" })).toBeInViewport({ ratio: 1 });
    });
  }

  test("real money tints the frame and the tab's title, on every page; practice does not", async ({ page }) => {
    await signInAs(page, run().demo.trader);
    await load(page, "/settings");
    await expect(page).toHaveTitle("Settings · Tradewind");
    const bar = page.getByRole("banner");
    await expect(bar.getByText("LIVE", { exact: true })).toHaveCount(0);
    await answer(page, "/accounts", [{ ...ACCOUNT, environment: "LIVE", broker: "ALPACA" }]);
    await page.reload();
    await expect(bar.getByText("LIVE", { exact: true })).toBeVisible();
    await expect(page).toHaveTitle("LIVE · Settings · Tradewind");
    await bar.getByRole("link", { name: "Trade History" }).click();
    await expect(page).toHaveTitle(/^LIVE · Trade History/);
    await answer(page, "/accounts", [{ ...ACCOUNT, environment: "LIVE", broker: "ALPACA", status: "INACTIVE" }]);
    await page.reload();
    await expect(page).toHaveTitle(/^Trade History/);
    await expect(bar.getByText("LIVE", { exact: true })).toHaveCount(0);
  });

  test("the keys lead to pages, the search, the palette and their own list, and rest while somebody types", async ({
    page,
  }) => {
    await signInAs(page, run().demo.trader);
    await load(page, "/settings?tab=security");
    const field = page.getByLabel("Current password", { exact: true });
    await field.focus();
    await page.keyboard.type("gd?/");
    await expect(field).toHaveValue("gd?/");
    await expect(page).toHaveURL(/\/settings/);
    await field.fill("");
    await field.blur();
    await page.keyboard.press("?");
    const list = page.getByRole("dialog", { name: "Keyboard shortcuts" });
    await expect(list).toBeVisible();
    await expect(list.getByText("g d", { exact: true })).toBeVisible();
    await page.keyboard.press("Escape");
    await expect(list).toBeHidden();
    for (const [keys, address] of [
      ["gt", /\/trade-history$/],
      ["gs", /\/settings$/],
      ["gd", /\/dashboard$/],
    ] as const) {
      await strike(page, keys);
      await expect(page, keys).toHaveURL(address);
      await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
    }
    await strike(page, "gt");
    await expect(page.getByLabel("Symbol")).toBeVisible();
    await page.keyboard.press("/");
    await expect(page.getByLabel("Symbol")).toBeFocused();

    // The palette opens from anywhere, a field too, and focus goes back.
    await page.keyboard.press("Control+k");
    const search = page.getByRole("combobox", { name: "Command menu" });
    await expect(search).toBeFocused();
    await page.keyboard.type("sett");
    await page.keyboard.press("Enter");
    await expect(page).toHaveURL(/\/settings$/);
  });

  test("the palette finds held symbols and their trades, and acts", async ({ page }) => {
    await signInAs(page, run().demo.trader);
    await answer(page, "/portfolio/positions", [POSITION]);
    await load(page, "/dashboard");
    const open = async () => {
      await page.getByRole("button", { name: "Command menu" }).click();
      await expect(page.getByRole("dialog")).toBeVisible();
      await expect(page.getByRole("combobox", { name: "Command menu" }), "what is typed goes there").toBeFocused();
    };
    await open();
    await page.keyboard.type("aapl");
    await page.getByRole("option", { name: /AAPL 12\.5 shares/ }).click();
    await expect(page).toHaveURL(/\/trade-history\?symbol=AAPL$/);

    await open();
    const trade = page.getByRole("option", { name: /(Buy|Sell) / }).first();
    await expect(trade).toContainText(/ ET$/);
    await page.keyboard.press("Escape");
    const isDark = () => page.evaluate(() => document.documentElement.classList.contains("dark"));
    expect(await isDark()).toBe(false);
    await open();
    await page.keyboard.type("nv");
    await expect(page.getByRole("option", { name: "Export my data" }), "begins with no such letters").toHaveCount(0);
    await page.keyboard.press("Escape");
    await open();
    await page.getByRole("option", { name: "Switch between light and dark" }).click();
    await expect.poll(isDark).toBe(true);
    await open();
    for (const name of ["Pause automation", "New backtest", "Export my data"]) {
      await expect(page.getByRole("option", { name })).toBeVisible();
    }
  });

  test("the bell counts what is unread, marks it read, and leads to it", async ({ page }) => {
    await signInAs(page, run().demo.trader);
    const note = (id: number, more: object) => ({
      id: `01a1fd31-0000-7000-8000-00000000000${id}`,
      at: "2026-11-21T08:12:49.961Z",
      marketAt: null,
      kind: "TRADE",
      title: `News ${id}`,
      text: "12 shares at $133.42.",
      link: null,
      environment: null,
      isRead: false,
      ...more,
    });
    const list = (unreadCount: number, notifications: object[]) => ({
      notifications,
      unreadCount,
      pagination: { nextCursor: null, limit: 20 },
    });
    await answer(
      page,
      "/notifications",
      list(2, [note(1, { link: "/trade-history", environment: "PRACTICE" }), note(2, {})]),
    );
    await load(page, "/dashboard");
    const bell = page.getByRole("button", { name: "Notifications, 2 unread" });
    await expect(bell).toHaveText("2");
    await bell.click();
    const news = page.getByRole("dialog", { name: "Notifications" });
    await expect(news.getByRole("listitem").first()).toContainText("PRACTICE");
    await expect(news.getByRole("listitem").first()).toContainText("Sat 21 Nov 2026 03:12 ET");
    const sent: unknown[] = [];
    await page.route("**/api/v1/notifications/read", async (route) => {
      sent.push(route.request().postDataJSON());
      await answer(page, "/notifications", list(0, [note(1, { link: "/trade-history", isRead: true })]));
      await route.fulfill({ json: { success: true, data: { unreadCount: 0 }, error: null } });
    });
    await news.getByRole("button", { name: "Mark all read" }).click();
    await expect(page.getByRole("button", { name: "Notifications", exact: true })).toBeVisible();
    expect(sent).toEqual([{ all: true }]);
    await page.keyboard.press("Escape");
    await expect(news).toBeHidden();
    await expect(page.getByRole("button", { name: "Notifications", exact: true })).toBeFocused();
    await page.keyboard.press("Enter");
    await news.getByRole("link", { name: /News 1/ }).click();
    await expect(page).toHaveURL(/\/trade-history$/);
    await expect(news).toBeHidden();
  });
});

test.describe("dashboard", () => {
  test.beforeEach(async ({ page }) => {
    await signInAs(page, run().demo.trader);
    await answer(page, "/portfolio/summary", FIGURES);
    await answer(page, "/portfolio/positions", []);
    await answer(page, "/accounts", [ACCOUNT]);
    await answer(page, "/automation/heartbeat", BEAT);
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
    const line = automation.getByRole("link", { name: BEAT.lastCycle });
    await expect(line).toHaveAttribute("href", `/decisions/${BEAT.lastDecisionId}`);
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

  test("positions: shares at their average price, value, gain, and the way to stop and target", async ({ page }) => {
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
      await expect(rows.first()).toContainText(text);
    }
    await expect(rows.nth(1)).toContainText("-$5.00");
    await expect(rows.nth(1)).toContainText("StopNone");
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
    const beginning = { ...BEAT, lastCycle: null, lastDecisionId: null, hasDecided: false, hasChosenStrategy: false };
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
