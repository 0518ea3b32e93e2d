import { expect, type Page } from "@playwright/test";
import { load, signInAs } from "./page-watch.ts";
import { run } from "./run.ts";
import { test } from "./test.ts";

/** What the Feature Flags, Rate Limits and Queue tabs of the console show and do. */
test.beforeEach(async ({ page }) => {
  await signInAs(page, run().demo.admin);
});

// The queue is asked for again while a test ends: what is still on its way to the server is let go.
test.afterEach(({ page }) => page.unrouteAll({ behavior: "ignoreErrors" }));

const says = (page: Page, text: string) => page.getByText(text, { exact: true });
const answer = (data: object) => ({ json: { success: true, data, error: null } });
const failure = (error: string) => ({
  status: 409,
  json: { success: false, data: null, error, code: "conflict", requestId: "x" },
});

test("a flag is created disabled and for production, switched, and deleted after a question", async ({ page }) => {
  const name = `journey-${Date.now()}`;
  await load(page, "/admin?tab=flags");
  await page.getByRole("button", { name: "Create flag" }).click();
  const dialog = page.getByRole("dialog");
  // A blank name is no name.
  await dialog.getByLabel("Name").fill("   ");
  await expect(dialog.getByRole("button", { name: "Create", exact: true })).toHaveAttribute("aria-disabled", "true");
  await expect(dialog.getByLabel("Environment")).toHaveValue("production");
  await expect(dialog.getByRole("switch", { name: "Enabled" })).not.toBeChecked();
  await dialog.getByLabel("Name").fill(name);
  await dialog.getByRole("button", { name: "Create", exact: true }).click();
  await expect(dialog).toBeHidden();
  const toggle = page.getByRole("switch", { name, exact: true });
  await expect(toggle).not.toBeChecked();
  await toggle.click();
  await expect(toggle).toBeChecked();
  await page.reload();
  await expect(toggle).toBeChecked();
  await page.getByRole("button", { name: `Delete ${name}` }).click();
  await dialog.getByRole("button", { name: "Cancel" }).click();
  await expect(toggle).toBeVisible();
  await page.getByRole("button", { name: `Delete ${name}` }).click();
  await dialog.getByRole("button", { name: "Delete", exact: true }).click();
  await expect(toggle).toBeHidden();
});

test("a rate limit says what it lets through, how intense that is, and what was counted", async ({ page }) => {
  const limit = (name: string, windowMs: number, maxRequests: number, more: object = {}) => ({
    id: name,
    name,
    description: "",
    windowMs,
    maxRequests,
    skipSuccessfulRequests: false,
    skipFailedRequests: false,
    enabled: true,
    createdAt: "2026-11-22T10:00:00.000Z",
    boundTo: "api",
    inForce: { windowMs, maxRequests },
    ...more,
  });
  await page.route("**/api/v1/admin/rate-limits", (route) =>
    route.fulfill(
      answer({
        configs: [
          limit("very-high", 60_000, 100),
          limit("high", 60_000, 50),
          limit("medium", 60_000, 10),
          limit("low", 900_000, 100, { enabled: false, boundTo: null, inForce: null }),
        ],
        stats: {
          "very-high": {
            totalRequests: 1234,
            blockedRequests: 5,
            averageResponseTime: 12.34,
            lastReset: "2026-11-22T10:00:00.000Z",
          },
        },
      }),
    ),
  );
  await load(page, "/admin?tab=limits");
  const rows = page.getByRole("listitem").filter({ has: page.getByRole("switch") });
  await expect(rows).toHaveCount(4);
  for (const [nth, texts] of [
    ["Active", "Very High", "route group api", "100 requests in 1 minute", "1,234", "5", "12.3 ms"],
    ["Active", "High", "50 requests in 1 minute"],
    ["Active", "Medium", "10 requests in 1 minute"],
    ["Inactive", "Low", "not bound to a route group", "100 requests in 15 minutes"],
  ].entries())
    for (const text of texts) await expect(rows.nth(nth).getByText(text, { exact: true }), text).toBeVisible();
});

test("a new limit begins with 15 minutes and 100 requests, and names the field that is out of bounds", async ({
  page,
}) => {
  const name = `journey-${Date.now()}`;
  await load(page, "/admin?tab=limits");
  await page.getByRole("button", { name: "Create limit" }).click();
  const dialog = page.getByRole("dialog");
  await expect(dialog.getByLabel("Window (minutes)")).toHaveValue("15");
  await expect(dialog.getByLabel("Max requests")).toHaveValue("100");
  await dialog.getByLabel("Name").fill(name);
  await dialog.getByLabel("Window (minutes)").fill("1441");
  await dialog.getByLabel("Max requests").fill("10001");
  await dialog.getByRole("button", { name: "Create", exact: true }).click();
  await expect(dialog.getByText("The window must be 1 to 1440 minutes.")).toBeVisible();
  await expect(dialog.getByText("Max requests must be 1 to 10000.")).toBeVisible();
  await dialog.getByLabel("Window (minutes)").fill("1440");
  await dialog.getByLabel("Max requests").fill("10000");
  await dialog.getByRole("button", { name: "Create", exact: true }).click();
  await expect(dialog).toBeHidden();
  await page.getByRole("button", { name: `Delete ${name}` }).click();
  await dialog.getByRole("button", { name: "Delete", exact: true }).click();
  await expect(page.getByRole("switch", { name, exact: true })).toBeHidden();
});

const job = (nth: number, status: string) => ({
  id: `abcdefgh-${nth}`,
  type: "order-status",
  status,
  retryCount: 0,
  maxRetries: 0,
  error: status === "failed" ? `error ${nth}` : null,
  data: { accountId: `account-${nth}` },
  createdAt: "2026-11-22T10:00:00.000Z",
  startedAt: "2026-11-22T10:00:00.000Z",
  completedAt: "2026-11-22T10:00:01.500Z",
});

test("the queue shows its health, five failed jobs, ids by eight characters, and a job in detail", async ({ page }) => {
  const failed = Array.from({ length: 7 }, (_, nth) => job(nth, "failed"));
  let health: [number, number] = [11, 100];
  await page.route("**/api/v1/admin/queue/status", (route) =>
    route.fulfill(
      answer({
        active: true,
        pendingJobs: 3,
        processingJobs: 2,
        completedJobs: 84,
        failedJobs: health[0],
        totalJobs: health[1],
        averageProcessingTime: 12.5,
        lastCheck: "2026-11-22T10:00:00.000Z",
        recentJobs: [...failed, job(9, "completed")],
        unreachable: null,
        deadLettered: [],
      }),
    ),
  );
  const retried: unknown[] = [];
  await page.route("**/api/v1/admin/queue/retry", (route) => {
    retried.push(route.request().postDataJSON());
    return route.fulfill(failure(""));
  });
  await load(page, "/admin?tab=queue");
  await expect(says(page, "Health: Poor")).toBeVisible();
  await expect(page.getByRole("button", { name: "Retry order-status abcdefgh" })).toHaveCount(5);
  await page.getByRole("button", { name: "Retry order-status abcdefgh" }).first().click();
  await expect(says(page, "Failed to retry job")).toBeVisible();
  await page.getByRole("button", { name: "Retry all (11)" }).click();
  await expect(says(page, "Failed to retry all failed jobs")).toBeVisible();
  expect(retried).toEqual([{ jobId: "abcdefgh-0" }, { all: true }]);
  await page.getByRole("button", { name: "abcdefgh", exact: true }).last().click();
  await expect(page.getByRole("dialog").getByText("1,500 ms")).toBeVisible();
  await expect(page.getByRole("dialog").getByText("account-9")).toBeVisible();
  for (const [next, word] of [
    [[10, 100], "Health: Fair"],
    [[5, 100], "Health: Good"],
  ] as const) {
    health = [...next];
    await page.reload();
    await expect(says(page, word)).toBeVisible();
  }
});

test("the queue is read again every five seconds while auto-refresh is on", async ({ page }) => {
  let asked = 0;
  await page.clock.install();
  await page.route("**/api/v1/admin/queue/status", (route) => {
    asked += 1;
    return route.fallback();
  });
  await load(page, "/admin?tab=queue");
  await expect(says(page, "Active")).toBeVisible();
  const before = asked;
  await page.clock.runFor(5_100);
  await expect.poll(() => asked).toBeGreaterThan(before);
  await page.getByRole("switch", { name: "Auto-refresh (5 s)" }).click();
  const off = asked;
  await page.clock.runFor(20_000);
  expect(asked - off).toBeLessThanOrEqual(1);
});

test("the queue is made inactive after a question, and active again", async ({ page }) => {
  // Answered here: the queue of the running stack trades for other journeys.
  let active = true;
  await page.route("**/api/v1/admin/queue/status", async (route) => {
    const response = await route.fetch();
    const body = (await response.json()) as { data: object };
    return route.fulfill({ json: { ...body, data: { ...body.data, active } } });
  });
  await page.route("**/api/v1/admin/queue/toggle", (route) => {
    active = (route.request().postDataJSON() as { active: boolean }).active;
    return route.fulfill(answer({ active }));
  });
  await load(page, "/admin?tab=queue");
  await page.getByRole("button", { name: "Deactivate queue" }).click();
  const dialog = page.getByRole("dialog", { name: "Make the queue inactive?" });
  await dialog.getByRole("button", { name: "Deactivate queue" }).click();
  await expect(says(page, "Inactive")).toBeVisible();
  await page.getByRole("button", { name: "Activate queue" }).click();
  await expect(says(page, "Active")).toBeVisible();
});

for (const [tab, path, sentence] of [
  ["flags", "/admin/feature-flags", "Failed to load feature flags"],
  ["limits", "/admin/rate-limits", "Failed to load rate limit configurations"],
  ["queue", "/admin/queue/status", "Failed to load queue status"],
] as const)
  test(`${sentence}, with Retry, where the server says nothing better`, async ({ page }) => {
    let isBroken = true;
    await page.route(`**/api/v1${path}`, (route) => (isBroken ? route.fulfill(failure("")) : route.fallback()));
    await load(page, `/admin?tab=${tab}`);
    await expect(says(page, sentence)).toBeVisible();
    isBroken = false;
    await page.getByRole("button", { name: "Retry" }).click();
    await expect(says(page, sentence)).toBeHidden();
  });
