import { expect, type Page } from "@playwright/test";
import { card } from "./agreement.ts";
import { inTheme } from "./axe.ts";
import { colourName } from "./colour.ts";
import { load, signInAs, withoutPrefetch } from "./page-watch.ts";
import { bearerOf } from "./people.ts";
import { run } from "./run.ts";
import { test } from "./test.ts";

const says = (page: Page, text: string) => page.getByText(text, { exact: true });

/** Answers a call as the server does, with this change. */
async function change(page: Page, path: string, edit: (data: Record<string, unknown>) => object): Promise<void> {
  await page.route(
    (url) => url.pathname === `/api/v1${path}`,
    async (route) => {
      const response = await route.fetch();
      const body = (await response.json()) as { data: Record<string, unknown> };
      await route.fulfill({ status: 200, json: { ...body, data: { ...body.data, ...edit(body.data) } } });
    },
  );
}

/** Lets a call fail, until the test says otherwise. */
const fail = (page: Page, path: string, error: string) =>
  page.route(
    (url) => url.pathname === `/api/v1${path}`,
    (route) =>
      route.fulfill({ status: 503, json: { success: false, data: null, error, code: "unavailable", requestId: "x" } }),
  );

/** What the server itself answers to the administrator. */
async function answerOf<T>(page: Page, path: string): Promise<T> {
  const token = await bearerOf(page, run().demo.admin);
  const answer = await page.request.get(`/api/v1${path}`, { headers: { authorization: `Bearer ${token}` } });
  expect(answer.status(), path).toBe(200);
  return ((await answer.json()) as { data: T }).data;
}

// Pages ask again while a test ends: what is still on its way to the server is let go.
test.afterEach(({ page }) => page.unrouteAll({ behavior: "ignoreErrors" }));

test.describe("the administrator", () => {
  test.beforeEach(async ({ page }) => {
    await signInAs(page, run().demo.admin);
  });

  test("finds eight tabs, each with an address of its own, and the way back", async ({ page }) => {
    await load(page, "/admin");
    await expect(page.getByRole("tab")).toHaveText([
      "Overview",
      "Performance",
      "Feature Flags",
      "Rate Limits",
      "Policy Config",
      "Selectors",
      "Queue",
      "Biweekly Rotation",
    ]);
    await expect(page.getByRole("link", { name: "Back", exact: true })).toHaveAttribute("href", "/dashboard");
    await page.getByRole("tab", { name: "Performance" }).click();
    await expect(page).toHaveURL(/\/admin\?tab=performance$/);
    await load(page, "/admin?tab=performance");
    await expect(page.getByRole("tab", { name: "Performance" })).toHaveAttribute("aria-selected", "true");
  });

  test("sees what the metrics say, and four events", async ({ page }) => {
    await load(page, "/admin");
    const metrics = await answerOf<{ totalUsers: number; auditLogsCount: number; environment: string }>(
      page,
      "/admin/metrics",
    );
    expect(metrics.totalUsers).toBeGreaterThan(1);
    await expect(page.getByRole("region", { name: "Users", exact: true })).toContainText(
      `Total Users${metrics.totalUsers.toLocaleString("en-US")}`,
    );
    await expect(card(page, "Portfolio Value")).toContainText("$");
    await expect(card(page, "Providers")).toContainText("Practice market");
    await expect(card(page, "Providers")).toContainText("Alpha Vantage");
    await expect(card(page, "Trading Success Rate")).toContainText(/closed round trips|No round trip/);
    await expect(card(page, "API Metrics")).toContainText("Total");
    await change(page, "/admin/recent-activity", ({ activities }) => {
      const [first] = activities as [object];
      return {
        activities: Array.from({ length: 9 }, (_, n) => ({ ...first, id: `e${n}`, description: `Event ${n}` })),
      };
    });
    await load(page, "/admin");
    await expect(card(page, "Recent Activity").getByRole("listitem")).toHaveCount(4);
  });

  for (const [systemStatus, colour] of [
    ["RUNNING", "green"],
    ["STOPPED", "red"],
    ["PAUSED", "yellow"],
    ["DEGRADED", "yellow"],
  ] as const)
    test(`sees a system that is ${systemStatus} in ${colour}`, async ({ page }) => {
      await change(page, "/admin/metrics", () => ({ systemStatus, systemStatusReason: null }));
      await load(page, "/admin");
      for (const colorScheme of ["light", "dark"] as const) {
        await inTheme(page, colorScheme);
        expect(
          await colourName(card(page, "System Status").getByText(systemStatus, { exact: true })),
          colorScheme,
        ).toBe(colour);
      }
    });

  for (const [label, colour] of [
    ["risk_on", "green"],
    ["risk_off", "red"],
    ["neutral", "yellow"],
  ] as const)
    test(`sees the regime ${label} in ${colour}`, async ({ page }) => {
      await change(page, "/admin/metrics", () => ({
        regimeSignals: { regime_label: label, market: "PRACTICE", sessionDate: "2020-02-03", vix: 20, votes: 1 },
      }));
      await load(page, "/admin");
      expect(await colourName(card(page, "Market Regime").getByText(label, { exact: true }))).toBe(colour);
    });

  test("reads what could not be loaded, and asks again", async ({ page }) => {
    await fail(page, "/admin/metrics", "The database is away.");
    await page.goto("/admin");
    await expect(says(page, "Failed to load metrics")).toBeVisible();
    await expect(says(page, "The database is away.")).toBeVisible();
    await page.unrouteAll({ behavior: "wait" });
    await page.getByRole("button", { name: "Retry" }).click();
    await expect(card(page, "System Status")).toBeVisible();
    await expect(says(page, "Failed to load metrics")).toHaveCount(0);
  });

  test("has quick actions that lead where they say, a file of reports, and a test of the providers", async ({
    page,
  }) => {
    await load(page, "/admin");
    const actions = card(page, "Quick Actions");
    for (const [name, href] of [
      ["View Logs", "/logs"],
      ["Manage Users", "/admin/users"],
      ["Settings", "/settings"],
    ] as const)
      await expect(actions.getByRole("link", { name })).toHaveAttribute("href", href);
    const download = page.waitForEvent("download");
    await actions.getByRole("button", { name: "Export Reports" }).click();
    expect((await download).suggestedFilename()).toBe("reports.zip");
    await actions.getByRole("button", { name: "Test Global APIs" }).click();
    await expect(actions.getByText(/^\d+ of \d+ configured providers works?\.$/)).toBeVisible({ timeout: 20_000 });
    await expect(card(page, "Recent Activity")).toContainText("Tested the providers");
  });

  test("chooses the range of the providers' performance in the address, and reads how good each of them is", async ({
    page,
  }) => {
    await change(page, "/admin/provider-performance", ({ providers }) => ({
      providers: (providers as object[]).map((provider, n) => ({
        ...provider,
        faults: [],
        successRate: [0.95, 0.9499, 0.8, 0.7999][n] ?? null,
        totalRequests: 10,
        averageResponseTime: 120,
      })),
    }));
    await load(page, "/admin?tab=performance");
    const ranges = page.getByRole("group", { name: "Time range" });
    await expect(ranges.getByRole("button")).toHaveText(["1h", "24h", "7d", "30d"]);
    await expect(ranges.getByRole("button", { name: "24h" })).toHaveAttribute("aria-pressed", "true");
    for (const range of ["1h", "7d", "30d"]) {
      const asked = page.waitForRequest((request) =>
        request.url().endsWith(`/admin/provider-performance?range=${range}`),
      );
      await ranges.getByRole("button", { name: range }).click();
      await asked;
      await expect(page).toHaveURL(new RegExp(`tab=performance&range=${range}$`));
    }
    const rows = page.getByRole("table").locator("tbody tr");
    for (const [n, label, colour] of [
      [0, "Excellent", "green"],
      [1, "Good", "yellow"],
      [2, "Good", "yellow"],
      [3, "Poor", "red"],
    ] as const)
      expect(await colourName(rows.nth(n).getByText(label, { exact: true })), label).toBe(colour);
  });

  test("reads why the performance is missing", async ({ page }) => {
    await fail(page, "/admin/provider-performance", "The database is away.");
    await page.goto("/admin?tab=performance");
    await expect(says(page, "Failed to load provider performance data")).toBeVisible();
    await expect(page.getByRole("button", { name: "Retry" })).toBeVisible();
  });

  test("sees what runs and what is scheduled without a terminal", async ({ page }) => {
    await load(page, "/admin/system");
    const programs = page.getByRole("region", { name: "Programs that run" });
    for (const name of ["Web", "Worker", "Watchdog"])
      await expect(programs.getByRole("cell", { name, exact: true }).first(), name).toBeVisible();
    await expect(card(page, "Schedules").first()).toContainText("provider-check");
    await expect(card(page, "Schedules").first()).toContainText("screening");
    await expect(card(page, "Database")).toContainText("Postgres");
    await expect(card(page, "Streams of accounts").first()).toContainText(/\d+ of \d+ connected/);
    await expect(page.getByText("No worker runs")).toHaveCount(0);
    await change(page, "/admin/system", () => ({ processes: [] }));
    await load(page, "/admin/system");
    await expect(says(page, "No worker runs")).toBeVisible();
    await expect(says(page, "No watchdog runs")).toBeVisible();
  });

  test("has a dashboard that is made of the metrics", async ({ page }) => {
    await change(page, "/admin/metrics", ({ portfolioSummary }) => ({
      systemStatus: "PAUSED",
      portfolioSummary: { ...(portfolioSummary as object), totalValue: 110_000, pnlTotal: 10_000, cash: 5.5 },
    }));
    await load(page, "/dashboard");
    await expect(card(page, "Total Portfolio")).toContainText("$110,000.00");
    await expect(card(page, "P&L")).toContainText("+$10,000.00");
    await expect(card(page, "P&L")).toContainText("+10.00%");
    await expect(card(page, "Cash")).toContainText("$5.50");
    await expect(card(page, "System")).toContainText("PAUSED");
    await expect(card(page, "Active Positions")).toHaveCount(0);
    await page.unrouteAll({ behavior: "wait" });
    await withoutPrefetch(page);
    await fail(page, "/admin/metrics", "The database is away.");
    await load(page, "/dashboard");
    await expect(says(page, "Failed to load dashboard data")).toBeVisible();
    await expect(card(page, "Total Portfolio")).toContainText("$0.00");
    await expect(card(page, "System")).toContainText("The state of the system could not be read.");
  });
});

test("a trader is sent to the dashboard, a visitor to the start page", async ({ page }) => {
  for (const path of ["/admin", "/admin?tab=performance", "/admin/system"]) {
    await page.goto(path);
    await expect(page, path).toHaveURL(`${run().url}/`);
  }
  await signInAs(page, run().demo.trader);
  for (const path of ["/admin", "/admin?tab=performance", "/admin/system"]) {
    await page.goto(path);
    await expect(page, path).toHaveURL(`${run().url}/dashboard`);
  }
});
