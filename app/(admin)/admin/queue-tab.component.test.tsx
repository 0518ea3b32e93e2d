import { expect, test, vi } from "vitest";
import { page } from "vitest/browser";
import type { Answer } from "@/lib/contracts/endpoint.ts";
import { queueApi } from "@/lib/contracts/queue.ts";
import { answer, unreachable } from "@/lib/proof/screen/answers.ts";
import { ADMIN, showPage } from "@/lib/proof/screen/show.tsx";
import { AdminScreen } from "./admin-screen.tsx";

type Status = Answer<typeof queueApi.status>;

const says = (text: string) => expect.element(page.getByText(text, { exact: true }));
const show = () => showPage("/admin?tab=queue", ADMIN, <AdminScreen />);

const job = (nth: number, status: "failed" | "completed"): Status["recentJobs"][number] => ({
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

const status = (more: Partial<Status> = {}): Status => ({
  active: true,
  pendingJobs: 3,
  processingJobs: 2,
  completedJobs: 84,
  failedJobs: 11,
  totalJobs: 100,
  averageProcessingTime: 12.5,
  lastCheck: "2026-11-22T10:00:00.000Z",
  recentJobs: [],
  unreachable: null,
  deadLettered: [],
  ...more,
});

test("the queue shows its health, five failed jobs, ids by eight characters, and a job in detail", async () => {
  const recentJobs = [...Array.from({ length: 7 }, (_, nth) => job(nth, "failed")), job(9, "completed")];
  answer(queueApi.status, status({ recentJobs }));
  const retried = answer(queueApi.retry, unreachable());
  show();
  await says("Health: Poor").toBeVisible();
  const retries = page.getByRole("button", { name: "Retry order-status abcdefgh" });
  await expect.element(retries).toHaveLength(5);
  await retries.first().click();
  await says("Failed to retry job").toBeVisible();
  await page.getByRole("button", { name: "Retry all (11)" }).click();
  await says("Failed to retry all failed jobs").toBeVisible();
  expect(retried).toEqual([{ jobId: "abcdefgh-0" }, { all: true }]);
  await page.getByRole("button", { name: "abcdefgh", exact: true }).last().click();
  await expect.element(page.getByRole("dialog").getByText("1,500 ms")).toBeVisible();
  await expect.element(page.getByRole("dialog").getByText("account-9")).toBeVisible();
  for (const [failedJobs, word] of [
    [10, "Health: Fair"],
    [5, "Health: Good"],
  ] as const) {
    answer(queueApi.status, status({ failedJobs }));
    show();
    await says(word).toBeVisible();
  }
});

test("the queue is read again every five seconds while auto-refresh is on", async () => {
  const asked = answer(queueApi.status, status());
  vi.useFakeTimers({ shouldAdvanceTime: true });
  show();
  await says("Active").toBeVisible();
  const before = asked.length;
  await vi.advanceTimersByTimeAsync(5_100);
  await expect.poll(() => asked.length).toBeGreaterThan(before);
  await page.getByRole("switch", { name: "Auto-refresh (5 s)" }).click();
  const off = asked.length;
  await vi.advanceTimersByTimeAsync(20_000);
  expect(asked.length - off).toBeLessThanOrEqual(1);
});

test("the queue is made inactive after a question, and active again", async () => {
  let active = true;
  answer(queueApi.status, () => status({ active }));
  answer(queueApi.toggle, (sent) => {
    active = sent.active;
    return { active };
  });
  show();
  await page.getByRole("button", { name: "Deactivate queue" }).click();
  const dialog = page.getByRole("dialog", { name: "Make the queue inactive?" });
  await dialog.getByRole("button", { name: "Deactivate queue" }).click();
  await says("Inactive").toBeVisible();
  await page.getByRole("button", { name: "Activate queue" }).click();
  await says("Active").toBeVisible();
});

test("a switch of the queue that fails without a word of the server is said in the specified ones", async () => {
  answer(queueApi.toggle, unreachable());
  answer(queueApi.status, status({ active: false }));
  show();
  await page.getByRole("button", { name: "Activate queue" }).click();
  await says("Failed to toggle queue").toBeVisible();
  answer(queueApi.status, status());
  show();
  await page.getByRole("button", { name: "Deactivate queue" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("button", { name: "Deactivate queue" }).click();
  await expect.element(dialog.getByText("Failed to toggle queue", { exact: true })).toBeVisible();
});

test("dead-lettered work that cannot be retried is said to be so in the specified words", async () => {
  const row = { key: "k", type: "cycle", accountId: null, error: null, deadLetteredAt: "2026-11-22T10:00:00.000Z" };
  answer(queueApi.status, status({ deadLettered: [row] }));
  answer(queueApi.retry, unreachable());
  show();
  await page.getByRole("button", { name: "Retry cycle" }).click();
  await says("Failed to retry job").toBeVisible();
});

test("of a queue that does not answer no job is shown, nor that there is none", async () => {
  const unknown = { pendingJobs: null, processingJobs: null, completedJobs: null, failedJobs: null, totalJobs: null };
  const unreachable = "The queue does not answer.";
  answer(queueApi.status, status({ ...unknown, averageProcessingTime: null, unreachable }));
  show();
  await says(unreachable).toBeVisible();
  await says("Active").toBeVisible();
  for (const text of ["Failed jobs", "No failed jobs", "Recent jobs", "No jobs"])
    await says(text).not.toBeInTheDocument();
  answer(queueApi.status, status());
  show();
  await says("No failed jobs").toBeVisible();
  await says("No jobs").toBeVisible();
});

test("a failed job beyond the five is retried from its own panel; one that went well offers no retry", async () => {
  const failed = Array.from({ length: 7 }, (_, nth) => job(nth, "failed"));
  answer(queueApi.status, status({ recentJobs: [...failed, job(9, "completed")] }));
  answer(queueApi.retry, unreachable());
  show();
  const ids = page.getByRole("button", { name: "abcdefgh", exact: true });
  await ids.nth(6).click();
  const panel = page.getByRole("dialog", { name: "order-status" });
  await expect.element(panel.getByText("abcdefgh-6", { exact: true })).toBeVisible();
  const retry = panel.getByRole("button", { name: "Retry order-status abcdefgh" });
  await retry.click();
  await expect.element(panel.getByText("Failed to retry job")).toBeVisible();
  const retried = answer(queueApi.retry, () => {
    answer(queueApi.status, status({ recentJobs: [{ ...job(6, "failed"), status: "pending" }] }));
    return { retried: 1 };
  });
  await retry.click();
  await expect.element(panel.getByText("pending", { exact: true })).toBeVisible();
  await expect.element(retry).not.toBeInTheDocument();
  expect(retried).toEqual([{ jobId: "abcdefgh-6" }]);
  answer(queueApi.status, status({ recentJobs: [job(9, "completed")] }));
  show();
  await ids.first().click();
  await expect.element(panel.getByText("completed", { exact: true })).toBeVisible();
  await expect.element(retry).not.toBeInTheDocument();
});

test("dead-lettered work says what lets it run again: resuming its account, or ten minutes", async () => {
  const row = { key: "k", type: "mail", accountId: null, error: null, deadLetteredAt: "2026-11-22T10:00:00.000Z" };
  const ofAccount = { ...row, key: "order-status:a", type: "order-status", accountId: "a" };
  answer(queueApi.status, status({ deadLettered: [row, ofAccount] }));
  show();
  const card = page.getByRole("region", { name: "Dead-lettered work" });
  await expect
    .element(card)
    .toHaveTextContent(
      "Work of one account runs again once that account is resumed, other work after ten minutes, or before that with Retry.",
    );
  await expect.element(card.getByRole("button", { name: "Retry mail" })).toBeVisible();
  await expect.element(card.getByRole("link", { name: "Resume its account" })).toBeVisible();
});
