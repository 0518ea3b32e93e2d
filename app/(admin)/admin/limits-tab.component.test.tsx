import { expect, test, vi } from "vitest";
import { page } from "vitest/browser";
import type { Answer } from "@/lib/contracts/endpoint.ts";
import { rateLimitsApi } from "@/lib/contracts/rate-limits.ts";
import { answer, refusal, unreachable } from "@/lib/proof/screen/answers.ts";
import { passes } from "@/lib/proof/screen/look.ts";
import { ADMIN, showPage } from "@/lib/proof/screen/show.tsx";
import { AdminScreen } from "./admin-screen.tsx";

type Limit = Answer<typeof rateLimitsApi.list>["configs"][number];

const limit = (name: string, windowMs: number, maxRequests: number, more: Partial<Limit> = {}): Limit => ({
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

test("a rate limit says what it lets through, how intense that is, and what was counted", async () => {
  answer(rateLimitsApi.list, {
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
  });
  showPage("/admin?tab=limits", ADMIN, <AdminScreen />);
  const rows = page.getByRole("listitem").filter({ has: page.getByRole("switch") });
  await expect.element(rows).toHaveLength(4);
  for (const [nth, texts] of [
    ["Active", "Very High", "route group api", "100 requests in 1 minute", "1,234", "5", "12.3 ms"],
    ["Active", "High", "50 requests in 1 minute"],
    ["Active", "Medium", "10 requests in 1 minute"],
    ["Inactive", "Low", "not bound to a route group", "100 requests in 15 minutes"],
  ].entries())
    for (const text of texts) await expect.element(rows.nth(nth).getByText(text, { exact: true })).toBeVisible();
});

test("a limit that does not hold as it is configured says what holds instead, and why", async () => {
  answer(rateLimitsApi.list, {
    configs: [
      limit("admin", 86_400_000, 1, { inForce: { windowMs: 60_000, maxRequests: 60 } }),
      limit("auth", 60_000, 100, { enabled: false, inForce: { windowMs: 900_000, maxRequests: 3_000 } }),
    ],
    stats: {},
  });
  showPage("/admin?tab=limits", ADMIN, <AdminScreen />);
  for (const text of [
    "In force: 60 requests in 1 minute. A stricter limit would lock people out.",
    "In force: 3,000 requests in 15 minutes. This limit cannot be switched off completely.",
  ])
    await expect.element(page.getByText(text)).toBeVisible();
});

test("a name that a limit has already is refused at the field, and nothing of the form is lost", async () => {
  answer(rateLimitsApi.list, { configs: [limit("api", 60_000, 600)], stats: {} });
  const message = "A limit named api exists already.";
  const sent = answer(rateLimitsApi.save, refusal(409, message, "conflict", [{ path: "name", message }]));
  showPage("/admin?tab=limits", ADMIN, <AdminScreen />);
  await page.getByRole("button", { name: "Create limit" }).click();
  const form = page.getByRole("dialog");
  await form.getByLabelText("Name").fill("api");
  await form.getByRole("button", { name: "Create", exact: true }).click();
  await expect.element(form.getByLabelText("Name")).toHaveAccessibleDescription(message);
  await expect.element(form.getByLabelText("Name")).toHaveValue("api");
  const settings = { windowMs: 900_000, maxRequests: 100, skipSuccessfulRequests: false, skipFailedRequests: false };
  expect(sent).toEqual([{ name: "api", description: "", ...settings }]);
});

test("an edit names the limit by its id and sends what was changed alone: the rest may be another administrator's by now", async () => {
  const api = limit("api", 60_000, 600, { id: "0198c0de-0000-7000-8000-000000000001", enabled: false });
  answer(rateLimitsApi.list, { configs: [api], stats: {} });
  const sent = answer(rateLimitsApi.save, api);
  showPage("/admin?tab=limits", ADMIN, <AdminScreen />);
  await page.getByRole("button", { name: "Edit api" }).click();
  await page.getByRole("dialog").getByLabelText("Max requests").fill("700");
  await page.getByRole("dialog").getByRole("button", { name: "Save" }).click();
  await expect.element(page.getByRole("dialog")).not.toBeInTheDocument();
  expect(sent).toEqual([{ id: api.id, maxRequests: 700 }]);
  await page.getByRole("button", { name: "Edit api" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Save" }).click();
  await expect.element(page.getByRole("dialog")).not.toBeInTheDocument();
  expect(sent).toHaveLength(1);
});

test("Retry asks for the state that was asked for, also where the limit has that state by now", async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true });
  const api = limit("api", 60_000, 600, { enabled: false });
  answer(rateLimitsApi.list, { configs: [api], stats: {} });
  answer(rateLimitsApi.save, unreachable());
  showPage("/admin?tab=limits", ADMIN, <AdminScreen />);
  const toggle = page.getByRole("switch", { name: "api" });
  await toggle.click();
  await expect.element(page.getByText("Failed to update rate limit configuration")).toBeVisible();
  // The answer alone was lost, or another administrator switched it.
  answer(rateLimitsApi.list, { configs: [{ ...api, enabled: true }], stats: {} });
  await passes(() => page.getByText("Active", { exact: true }).elements().length > 0);
  const sent = answer(rateLimitsApi.save, { ...api, enabled: true });
  await page.getByRole("button", { name: "Retry" }).click();
  await expect.poll(() => sent).toEqual([{ id: api.id, enabled: true }]);
  await expect.element(toggle).toBeChecked();
});

test("limits and their counters that are no longer read are marked as stale", async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true });
  answer(rateLimitsApi.list, { configs: [limit("api", 60_000, 600)], stats: {} });
  showPage("/admin?tab=limits", ADMIN, <AdminScreen />);
  await expect.element(page.getByRole("switch", { name: "api" })).toBeVisible();
  answer(rateLimitsApi.list, unreachable());
  await passes(() => page.getByText("stale", { exact: true }).elements().length > 0);
});

test("a window that is no whole number of minutes is told as it is in force, and stays it in an edit of something else", async () => {
  const api = limit("api", 3_906_000, 600, { id: "0198c0de-0000-7000-8000-000000000002" });
  answer(rateLimitsApi.list, { configs: [api], stats: {} });
  const sent = answer(rateLimitsApi.save, api);
  showPage("/admin?tab=limits", ADMIN, <AdminScreen />);
  await expect.element(page.getByText("600 requests in 65.1 minutes")).toBeVisible();
  await page.getByRole("button", { name: "Edit api" }).click();
  await page.getByRole("dialog").getByLabelText("Max requests").fill("500");
  await page.getByRole("dialog").getByRole("button", { name: "Save" }).click();
  await expect.element(page.getByRole("dialog")).not.toBeInTheDocument();
  expect(sent).toEqual([{ id: api.id, maxRequests: 500 }]);
});
