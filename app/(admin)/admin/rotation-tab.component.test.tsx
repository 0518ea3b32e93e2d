import { beforeEach, expect, test, vi } from "vitest";
import { page } from "vitest/browser";
import type { Answer } from "@/lib/contracts/endpoint.ts";
import { insightApi } from "@/lib/contracts/insight.ts";
import { rotationApi } from "@/lib/contracts/rotation.ts";
import { answer, refusal } from "@/lib/proof/screen/answers.ts";
import { passes } from "@/lib/proof/screen/look.ts";
import { ADMIN, showPage } from "@/lib/proof/screen/show.tsx";
import { PlanActs } from "./rotation/plan-acts.tsx";
import { AdminScreen } from "./admin-screen.tsx";

const CONFIG: Answer<typeof rotationApi.readConfig> = {
  enabled: true,
  advisory_only: true,
  cadence_days: 14,
  turnover_cap_pct_per_period: 25,
  cost_aware_threshold_bps: 50,
  policyVersion: "2.9.0",
  overrides: [],
  updatedAt: "2026-11-22T10:00:00.000Z",
};
const BOOK = { totalValue: 100_000, cashBufferPct: 100, grossExposurePct: 0, positionCount: 0 };
const PLAN: Answer<typeof rotationApi.approvePlan> = {
  planId: "01890000-0000-7000-8000-0000000000aa",
  market: "PRACTICE",
  environment: "PRACTICE",
  approvalStatus: "APPROVED",
  closedAs: null,
  version: 1,
  isAdvisoryOnly: false,
  sessionDate: "2026-11-20",
  policyVersion: "2.9.0",
  plannedAt: "2026-11-20T15:00:00.000Z",
  expiresAt: "2026-11-23T21:00:00.000Z",
  createdAt: "2026-11-22T10:00:00.000Z",
  decidedAt: "2026-11-22T10:00:00.000Z",
  rejectReason: null,
  executedAt: null,
  secondNeededUntil: null,
  needsSecond: false,
  tradedUsd: 7_000,
  actions: [{ type: "SELL", symbol: "AAA", changeShares: -70, reason: "Held long enough" }],
  metrics: {
    turnover: { turnoverPct: 3.5 },
    costs: { estimatedCostsBps: null },
    guardrails: { allChecksPassed: true, violations: [], details: [] },
    currentPortfolio: BOOK,
    projectedPortfolio: BOOK,
  },
  kpiSnapshot: { avgWinToLoss: null, hitRate: null, timeStopRate: null, slippagePct: null },
  accountCount: 3,
  tradedAccountCount: 1,
  outcomes: { waiting: 1, submitted: 0, filled: 0, refused: 0, expired: 0, parked: 0 },
};
const REFUSED = "The database is unavailable.";

const show = () => showPage("/admin?tab=rotation", ADMIN, <AdminScreen />);
const toggle = (name: string) => page.getByRole("switch", { name });
const banner = (text: string) => page.getByRole("alert").filter({ hasText: text });

beforeEach(() => {
  answer(rotationApi.readConfig, CONFIG);
  answer(rotationApi.listPlans, { plans: [], pagination: { nextCursor: null, limit: 10 } });
});

test("a switch of the rotation that is refused stays in the tab in the specified words, and Retry asks again", async () => {
  answer(rotationApi.changeConfig, refusal(503, REFUSED));
  show();
  await toggle("Rotation enabled").click();
  const failed = banner("Failed to update rotation settings");
  await expect.element(failed).toHaveTextContent(REFUSED);
  const sent = answer(rotationApi.changeConfig, { ...CONFIG, enabled: false });
  answer(rotationApi.readConfig, { ...CONFIG, enabled: false });
  await failed.getByRole("button", { name: "Retry" }).click();
  await expect.element(toggle("Rotation enabled")).not.toBeChecked();
  await expect.element(failed).not.toBeInTheDocument();
  expect(sent).toEqual([{ enabled: false }]);
});

test("live trading that is refused is said in the dialog that asked for it, the way back in the tab", async () => {
  answer(rotationApi.changeConfig, refusal(503, REFUSED));
  show();
  await toggle("Live Trading").click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabelText("Type LIVE TRADING to confirm").fill("LIVE TRADING");
  await dialog.getByRole("button", { name: "Switch to Live Trading" }).click();
  await expect.element(dialog.getByRole("alert")).toHaveTextContent(`Failed to update advisory mode${REFUSED}`);
  await dialog.getByRole("button", { name: "Cancel" }).click();
  await expect.element(banner("Failed to update advisory mode")).not.toBeInTheDocument();

  answer(rotationApi.readConfig, { ...CONFIG, advisory_only: false });
  show();
  await toggle("Live Trading").click();
  await expect.element(banner("Failed to update advisory mode")).toHaveTextContent(REFUSED);
});

test("a configuration that cannot be read again is said above the one that stays", async () => {
  answer(rotationApi.changeConfig, { ...CONFIG, enabled: false });
  show();
  await expect.element(toggle("Rotation enabled")).toBeChecked();
  answer(rotationApi.readConfig, refusal(409, REFUSED));
  await toggle("Rotation enabled").click();
  const failed = banner("Failed to load rotation data");
  await expect.element(failed).toHaveTextContent(REFUSED);
  await expect.element(toggle("Rotation enabled")).toBeVisible();
  answer(rotationApi.readConfig, { ...CONFIG, enabled: false });
  await failed.getByRole("button", { name: "Retry" }).click();
  await expect.element(toggle("Rotation enabled")).not.toBeChecked();
  await expect.element(failed).not.toBeInTheDocument();
});

test("where neither the configuration nor the plans can be read, it is said once, and Retry asks for both", async () => {
  answer(rotationApi.readConfig, refusal(409, REFUSED));
  answer(rotationApi.listPlans, refusal(409, REFUSED));
  show();
  const failed = banner("Failed to load rotation data");
  await expect.element(failed.first()).toHaveTextContent(REFUSED);
  await expect.element(page.getByRole("main").getByText("Failed to load rotation data")).toHaveLength(1);
  const plans = answer(rotationApi.listPlans, { plans: [], pagination: { nextCursor: null, limit: 10 } });
  answer(rotationApi.readConfig, CONFIG);
  await failed.getByRole("button", { name: "Retry" }).click();
  await expect.element(toggle("Rotation enabled")).toBeVisible();
  await expect.poll(() => plans.length).toBeGreaterThan(0);
  await expect.element(failed).not.toBeInTheDocument();
});

test("a plan says that its cost is not known, and in how many accounts it sends orders", async () => {
  answer(rotationApi.listPlans, { plans: [PLAN], pagination: { nextCursor: null, limit: 10 } });
  show();
  await expect.element(page.getByText("Not known")).toBeVisible();
  await page.getByRole("button", { name: "Execute" }).click();
  await expect.element(page.getByRole("dialog")).toHaveTextContent("Orders of $7,000.00 are sent in 1 account:");
});

test("a plan on a later page is shown as it proceeds too", async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true });
  const later = { ...PLAN, planId: "01890000-0000-7000-8000-0000000000bb" };
  const pageOf = (plan: typeof PLAN) => ({ plans: [plan], pagination: { nextCursor: null, limit: 10 } });
  const first = { plans: [PLAN], pagination: { nextCursor: "later", limit: 10 } };
  answer(rotationApi.listPlans, ({ cursor }) => (cursor === undefined ? first : pageOf(later)));
  show();
  await page.getByRole("button", { name: "Older" }).click();
  await expect.element(page.getByText("Page 2")).toBeVisible();
  await expect.element(page.getByText("Approved", { exact: true })).toBeVisible();
  answer(rotationApi.listPlans, ({ cursor }) =>
    cursor === undefined ? first : pageOf({ ...later, approvalStatus: "REJECTED", rejectReason: "Too dear" }),
  );
  await passes(() => page.getByText("Rejected", { exact: true }).elements().length > 0);
});

test("a switch of the rotation that another administrator turns is shown as it is, and what is no longer read is marked", async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true });
  show();
  await expect.element(toggle("Rotation enabled")).toBeChecked();
  answer(rotationApi.readConfig, { ...CONFIG, enabled: false });
  await passes(() => toggle("Rotation enabled").elements()[0]?.getAttribute("aria-checked") === "false");
  expect(page.getByText("stale", { exact: true }).elements()).toEqual([]);
  answer(rotationApi.readConfig, refusal(503, REFUSED));
  await passes(() => page.getByText("stale", { exact: true }).elements().length > 0);
});

test("a plan above the policy's line says before it is executed that nothing is sent until both administrators have", async () => {
  showPage("/admin/rotation", ADMIN, <PlanActs plan={{ ...PLAN, needsSecond: true }} />);
  await page.getByRole("button", { name: "Execute" }).click();
  await expect.element(page.getByText(/nothing is sent until both have executed the plan/)).toBeVisible();
});

const showPlan = (change: Partial<typeof PLAN>, qaResults: Answer<typeof rotationApi.readPlan>["qaResults"] = []) => {
  answer(rotationApi.readPlan, { plan: { ...PLAN, ...change }, accounts: [], leftOut: [], qaResults });
  answer(insightApi.rotation, { isOn: false, explanation: null });
  showPage(`/admin?tab=rotation&plan=${PLAN.planId}`, ADMIN, <AdminScreen />);
};

test("the margins of a plan's rules are told in the units of the QA page", async () => {
  const rule = {
    status: "PASS" as const,
    severity: "high" as const,
    message: "holds",
    expected: "few",
    actual: "none",
  };
  showPlan({}, [
    { ...rule, ruleId: "swap_limits", margin: 5 },
    { ...rule, ruleId: "allocation", margin: 0.0251 },
  ]);
  const card = page.getByRole("region", { name: "QA rules" });
  await expect.element(card).toHaveTextContent("Actual: none, margin +5 swaps");
  await expect.element(card).toHaveTextContent("Actual: none, margin +2.5% of equity");
});

test("the percentages of a plan are written one way", async () => {
  showPlan({ kpiSnapshot: { ...PLAN.kpiSnapshot, hitRate: 0.417, slippagePct: 0.017 } });
  const before = page.getByRole("region", { name: "Before", exact: true });
  await expect.element(before).toHaveTextContent("Cash buffer100.0%");
  await expect.element(page.getByText("41.7%", { exact: true })).toBeVisible();
  await expect.element(page.getByText("0.017%", { exact: true })).toBeVisible();
});

test("a plan without orders offers nothing to decide", async () => {
  const approve = page.getByRole("button", { name: "Approve" });
  answer(rotationApi.listPlans, {
    plans: [{ ...PLAN, approvalStatus: "PENDING", actions: [], tradedUsd: 0, tradedAccountCount: 0 }],
    pagination: { nextCursor: null, limit: 10 },
  });
  show();
  await expect.element(page.getByText("Nothing to trade.")).toBeVisible();
  await expect.element(approve).not.toBeInTheDocument();
  answer(rotationApi.listPlans, {
    plans: [{ ...PLAN, approvalStatus: "PENDING" }],
    pagination: { nextCursor: null, limit: 10 },
  });
  show();
  await expect.element(approve).toBeVisible();
});
