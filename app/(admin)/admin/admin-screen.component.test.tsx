import { expect, test } from "vitest";
import { page } from "vitest/browser";
import type { Answer } from "@/lib/contracts/endpoint.ts";
import { consoleApi } from "@/lib/contracts/console.ts";
import { flagsApi } from "@/lib/contracts/flags.ts";
import { policyApi } from "@/lib/contracts/policy.ts";
import { queueApi } from "@/lib/contracts/queue.ts";
import { rateLimitsApi } from "@/lib/contracts/rate-limits.ts";
import { answer, refusal, SILENT, unreachable } from "@/lib/proof/screen/answers.ts";
import { overflowOfPage } from "@/lib/proof/screen/layout.ts";
import { colourOf } from "@/lib/proof/screen/look.ts";
import { POLICY } from "@/lib/proof/screen/selector-answers.ts";
import { ADMIN, showPage } from "@/lib/proof/screen/show.tsx";
import { AdminScreen } from "./admin-screen.tsx";

type Silence = (typeof SILENT)[keyof typeof SILENT];

const QUIET_QUEUE: Answer<typeof queueApi.status> = {
  active: true,
  pendingJobs: 0,
  processingJobs: 0,
  completedJobs: 0,
  failedJobs: 0,
  totalJobs: 0,
  averageProcessingTime: null,
  lastCheck: "2026-11-22T10:00:00.000Z",
  recentJobs: [],
  unreachable: null,
  deadLettered: [],
};

for (const { tab, sentence, refuse, serve } of [
  {
    tab: "flags",
    sentence: "Failed to load feature flags",
    refuse: (by: Silence) => answer(flagsApi.list, by),
    serve: () => answer(flagsApi.list, []),
  },
  {
    tab: "limits",
    sentence: "Failed to load rate limit configurations",
    refuse: (by: Silence) => answer(rateLimitsApi.list, by),
    serve: () => answer(rateLimitsApi.list, { configs: [], stats: {} }),
  },
  {
    tab: "policy",
    sentence: "Failed to load policy configuration",
    refuse: (by: Silence) => {
      const pagination = { nextCursor: null, limit: 20 };
      answer(policyApi.versions, { versions: [], nextVersion: "2.9.1", pagination });
      answer(policyApi.read, by);
    },
    serve: () => answer(policyApi.read, POLICY),
  },
  {
    tab: "queue",
    sentence: "Failed to load queue status",
    refuse: (by: Silence) => answer(queueApi.status, by),
    serve: () => answer(queueApi.status, QUIET_QUEUE),
  },
])
  for (const [what, reply] of Object.entries(SILENT))
    test(`${sentence}, with Retry, where the server gives ${what}`, async () => {
      refuse(reply);
      showPage(`/admin?tab=${tab}`, ADMIN, <AdminScreen />);
      const said = page.getByText(sentence, { exact: true });
      await expect.element(said).toBeVisible();
      serve();
      await page.getByRole("button", { name: "Retry" }).click();
      await expect.element(said).not.toBeInTheDocument();
    });

test("a server that says why is quoted in place of the specified sentence", async () => {
  answer(flagsApi.list, refusal(409, "The database is unavailable."));
  showPage("/admin?tab=flags", ADMIN, <AdminScreen />);
  await expect.element(page.getByRole("alert")).toHaveTextContent(/^The database is unavailable\.Retry$/);
});

test("what the client itself knows of a failure stands below the specified sentence", async () => {
  answer(flagsApi.list, unreachable());
  showPage("/admin?tab=flags", ADMIN, <AdminScreen />);
  await expect
    .element(page.getByRole("alert"))
    .toHaveTextContent("Failed to load feature flagsTradewind could not be reached.");
});

const LIMIT: Answer<typeof rateLimitsApi.list>["configs"][number] = {
  id: "limit",
  name: "a_limit",
  description: "",
  windowMs: 60_000,
  maxRequests: 100,
  skipSuccessfulRequests: false,
  skipFailedRequests: false,
  enabled: true,
  createdAt: "2026-11-22T10:00:00.000Z",
  boundTo: null,
  inForce: null,
};

const FLAG: Answer<typeof flagsApi.list>[number] = {
  id: "flag",
  name: "a_flag",
  description: "",
  enabled: false,
  environment: "production",
  createdAt: "2026-11-22T10:00:00.000Z",
  isBuiltIn: false,
  isInForce: true,
};

test("feature flags and rate limits that cannot be changed are said to be so in the specified words, whatever the client knows", async () => {
  answer(flagsApi.list, [FLAG]);
  answer(flagsApi.save, unreachable());
  answer(flagsApi.remove, unreachable());
  showPage("/admin?tab=flags", ADMIN, <AdminScreen />);
  await page.getByRole("switch", { name: "a_flag" }).click();
  await expect.element(page.getByText("Failed to update feature flag", { exact: true })).toBeVisible();
  const dialog = page.getByRole("dialog");
  await page.getByRole("button", { name: "Delete a_flag" }).click();
  await dialog.getByRole("button", { name: "Delete" }).click();
  await expect.element(dialog.getByText("Failed to delete feature flag", { exact: true })).toBeVisible();
  await dialog.getByRole("button", { name: "Cancel" }).click();
  await page.getByRole("button", { name: "Create flag" }).click();
  await dialog.getByLabelText("Name").fill("another");
  await dialog.getByRole("button", { name: "Create", exact: true }).click();
  await expect.element(dialog.getByText("Failed to create feature flag", { exact: true })).toBeVisible();

  answer(rateLimitsApi.list, { configs: [LIMIT], stats: {} });
  answer(rateLimitsApi.save, unreachable());
  answer(rateLimitsApi.remove, unreachable());
  showPage("/admin?tab=limits", ADMIN, <AdminScreen />);
  await page.getByRole("switch", { name: "a_limit" }).click();
  await expect.element(page.getByText("Failed to update rate limit configuration", { exact: true })).toBeVisible();
  await page.getByRole("button", { name: "Delete a_limit" }).click();
  await dialog.getByRole("button", { name: "Delete" }).click();
  await expect.element(dialog.getByText("Failed to delete rate limit configuration", { exact: true })).toBeVisible();
  await dialog.getByRole("button", { name: "Cancel" }).click();
  await page.getByRole("button", { name: "Create limit" }).click();
  await dialog.getByLabelText("Name").fill("another");
  await dialog.getByRole("button", { name: "Create", exact: true }).click();
  await expect.element(dialog.getByText("Failed to create rate limit configuration", { exact: true })).toBeVisible();
});

test("the quick actions stand above every tab, on a phone in one line until they are asked for", async () => {
  answer(queueApi.status, QUIET_QUEUE);
  showPage("/admin?tab=queue", ADMIN, <AdminScreen />);
  const actions = page.getByRole("region", { name: "Quick Actions" });
  for (const [name, href] of [
    ["View Logs", "/logs"],
    ["Manage Users", "/admin/users"],
    ["Settings", "/settings"],
  ] as const)
    await expect.element(actions.getByRole("link", { name })).toHaveAttribute("href", href);
  const test = actions.getByRole("button", { name: "Test Global APIs" });
  for (const action of [test, actions.getByRole("button", { name: "Export Reports" })])
    await expect.element(action).toBeVisible();
  expect(overflowOfPage()).toBeLessThanOrEqual(0);

  await page.viewport(390, 844);
  await expect.element(actions).toBeVisible();
  await expect.element(test).not.toBeInTheDocument();
  const summary = (await actions.findElement()).querySelector("summary");
  await page.elementLocator(summary ?? document.body).click();
  await expect.element(test).toBeVisible();
  expect(overflowOfPage()).toBeLessThanOrEqual(0);
});

test.each([
  [[true, true], "2 of 2 configured providers work.", "status", "green"],
  [[true, false], "1 of 2 configured providers works.", "status", "yellow"],
  [[false, false], "0 of 2 configured providers work.", "alert", "red"],
] as const)("a test of providers that work as %j is told in its colour", async (works, text, role, colour) => {
  answer(queueApi.status, QUIET_QUEUE);
  const checkedAt = "2026-11-22T10:00:00.000Z";
  const providers = works.map((working) => ({
    ...{ provider: "Alpaca" as const, configured: true, working, message: "", lastCheck: checkedAt },
  }));
  answer(consoleApi.testGlobalApis, { checkedAt, providers });
  showPage("/admin?tab=queue", ADMIN, <AdminScreen />);
  await page.getByRole("button", { name: "Test Global APIs" }).click();
  const banner = page.getByRole(role).filter({ hasText: text });
  await expect.element(banner).toBeVisible();
  expect(await colourOf(banner)).toBe(colour);
});
