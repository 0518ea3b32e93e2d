import { expect, type Page } from "@playwright/test";
import { card } from "./agreement.ts";
import { load, signInAs } from "./page-watch.ts";
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

  test("sees what the metrics say", async ({ page }) => {
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
    await expect(actions.getByText(/^\d+ of \d+ configured providers? works?\.$/)).toBeVisible({ timeout: 20_000 });
    await expect(card(page, "Recent Activity")).toContainText("Tested the providers");
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
});
