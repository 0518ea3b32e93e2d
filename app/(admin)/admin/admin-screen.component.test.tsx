import { expect, test } from "vitest";
import { page } from "vitest/browser";
import type { Answer } from "@/lib/contracts/endpoint.ts";
import { flagsApi } from "@/lib/contracts/flags.ts";
import { policyApi } from "@/lib/contracts/policy.ts";
import { queueApi } from "@/lib/contracts/queue.ts";
import { rateLimitsApi } from "@/lib/contracts/rate-limits.ts";
import { answer, refusal } from "@/lib/proof/screen/answers.ts";
import { POLICY } from "@/lib/proof/screen/selector-answers.ts";
import { ADMIN, showPage } from "@/lib/proof/screen/show.tsx";
import { AdminScreen } from "./admin-screen.tsx";

const refused = refusal(409);

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
    refuse: () => answer(flagsApi.list, refused),
    serve: () => answer(flagsApi.list, []),
  },
  {
    tab: "limits",
    sentence: "Failed to load rate limit configurations",
    refuse: () => answer(rateLimitsApi.list, refused),
    serve: () => answer(rateLimitsApi.list, { configs: [], stats: {} }),
  },
  {
    tab: "policy",
    sentence: "Failed to load policy configuration",
    refuse: () => {
      const pagination = { nextCursor: null, limit: 20 };
      answer(policyApi.versions, { versions: [], nextVersion: "2.9.1", pagination });
      answer(policyApi.read, refused);
    },
    serve: () => answer(policyApi.read, POLICY),
  },
  {
    tab: "queue",
    sentence: "Failed to load queue status",
    refuse: () => answer(queueApi.status, refused),
    serve: () => answer(queueApi.status, QUIET_QUEUE),
  },
])
  test(`${sentence}, with Retry, where the server says nothing better`, async () => {
    refuse();
    showPage(`/admin?tab=${tab}`, ADMIN, <AdminScreen />);
    const said = page.getByText(sentence, { exact: true });
    await expect.element(said).toBeVisible();
    serve();
    await page.getByRole("button", { name: "Retry" }).click();
    await expect.element(said).not.toBeInTheDocument();
  });
