/**
 * A rotation from its due date to the trader's history: an administrator lets it trade, a session's plan is approved and
 * executed in the console, and the trades stand in the history of a trader of the journey's own. It runs after the newcomer's
 * journey (playwright.config.ts), whose account has to be traded by cycles alone.
 */
import { expect, type APIRequestContext, type Page } from "@playwright/test";
import { setPace } from "./exchange.ts";
import { PASSWORD, signIn, tokenOf, verified } from "./people.ts";
import { run } from "./run.ts";
import { test } from "./test.ts";

const API = "/api/v1/admin/biweekly-rotation";

interface Leg {
  symbol: string;
  side: "BUY" | "SELL";
  outcome: string;
  tradeId: string | null;
}

interface Detail {
  plan: { planId: string; approvalStatus: string; isAdvisoryOnly: boolean; closedAs: string | null };
  accounts: { account: { owner: { email: string } }; legs: Leg[] }[];
}

type Called = <T>(method: "get" | "post" | "patch" | "put", path: string, data?: object) => Promise<T>;

/** Calls as one person, straight to the API. */
function as(request: APIRequestContext, token: string): Called {
  return async <T>(method: "get" | "post" | "patch" | "put", path: string, data?: object) => {
    const headers = { Authorization: `Bearer ${token}` };
    const answer = await request[method](path, { headers, ...(data === undefined ? {} : { data }) });
    expect(answer.ok(), `${method} ${path}: ${await answer.text()}`).toBe(true);
    return ((await answer.json()) as { data: T }).data;
  };
}

/** A trader whose strategy seldom signals: most of what it could hold is left to the rotation. */
async function trader(request: APIRequestContext): Promise<{ email: string; token: string }> {
  const email = await verified(request, "rotation");
  const token = await tokenOf(request, { email, password: PASSWORD });
  const call = as(request, token);
  const preferences = await call<Record<string, unknown>>("get", "/api/v1/preferences/trading");
  await call("put", "/api/v1/preferences/trading", {
    ...preferences,
    strategy: "BREAKOUT",
    maxPositions: 10,
    maxPositionValue: 8000,
    defaultOrderSize: 6000,
  });
  await call("post", "/api/v1/accounts/practice", {});
  return { email, token };
}

/** The newest plan that can be executed and has orders for this trader. */
async function planFor(call: Called, email: string): Promise<Detail | null> {
  const { plans } = await call<{ plans: Detail["plan"][] }>("get", `${API}/plans?limit=5`);
  for (const { planId, approvalStatus, closedAs, isAdvisoryOnly } of plans) {
    if (approvalStatus !== "PENDING" || closedAs !== null || isAdvisoryOnly) continue;
    const detail = await call<Detail>("get", `${API}/plans/${planId}`);
    if (legsOf(detail, email).some(({ side }) => side === "BUY")) return detail;
  }
  return null;
}

const legsOf = ({ accounts }: Detail, email: string): Leg[] =>
  accounts.find(({ account }) => account.owner.email === email)?.legs ?? [];

async function switchToLive(page: Page): Promise<void> {
  const live = page.getByRole("switch", { name: "Live Trading" });
  if ((await live.getAttribute("aria-checked")) === "true") return;
  await live.click();
  await page.getByLabel("Type LIVE TRADING to confirm").fill("LIVE TRADING");
  await page.getByRole("button", { name: "Switch to Live Trading" }).click();
  await expect(live).toHaveAttribute("aria-checked", "true");
}

test("a rotation falls due, is approved and executed in the console, and stands in the trader's history", async ({
  page,
  request,
  browser,
}) => {
  test.setTimeout(420_000);
  const own = await trader(request);
  const admin = as(request, await tokenOf(request, run().demo.admin));
  await page.goto("/auth");
  await signIn(page, run().demo.admin);
  await expect(page).toHaveURL(/\/dashboard$/);
  await page.goto("/admin?tab=rotation");
  await expect(page.getByRole("heading", { name: "Plans" })).toBeVisible();
  await switchToLive(page);
  // A session of this market takes under a minute; two weeks of them are not waited for.
  await admin("patch", `${API}/config`, { cadence_days: 1 });
  await setPace("fast");
  try {
    let due: Detail | null = null;
    await expect
      .poll(async () => (due = await planFor(admin, own.email)) !== null, { timeout: 240_000, intervals: [1_000] })
      .toBe(true);
    const { planId } = due!.plan;
    await page.goto(`/admin?tab=rotation&plan=${planId}`);
    await expect(page.getByRole("heading", { name: "QA rules" })).toBeVisible();
    await expect(page.getByRole("heading", { name: "Before and after" })).toBeVisible();
    await expect(page.getByRole("region", { name: "In words" })).toContainText("no language model was used");
    await page.getByRole("button", { name: "Approve" }).click();
    await expect(page.getByText("Approved", { exact: true })).toBeVisible();
    await page.getByRole("button", { name: "Execute" }).click();
    const confirm = page.getByRole("dialog").getByRole("button", { name: "Execute" });
    await expect(confirm).toBeDisabled();
    await page.getByLabel("Type EXECUTE to confirm").fill("EXECUTE");
    await confirm.click();
    await expect(page.getByText("Executed", { exact: true })).toBeVisible();
    // What became of each order is seen without a reload.
    await expect(page.getByText("Filled", { exact: true }).first()).toBeVisible({ timeout: 60_000 });

    const filled = async () =>
      legsOf(await admin<Detail>("get", `${API}/plans/${planId}`), own.email).find(
        ({ outcome }) => outcome === "filled",
      );
    await expect.poll(filled, { timeout: 60_000 }).toBeDefined();
    await setPace("usual");
    const { tradeId, symbol } = (await filled())!;
    const theirs = await (await browser.newContext()).newPage();
    await theirs.goto("/auth");
    await signIn(theirs, { email: own.email, password: PASSWORD });
    await expect(theirs).toHaveURL(/\/dashboard$/);
    await theirs.goto("/trade-history");
    await expect(theirs.getByRole("table").getByText(symbol).first()).toBeVisible();
    await theirs.goto(`/trade-history/${tradeId!}`);
    await expect(
      theirs.getByText("It comes from a rotation plan, not from a decision for this account alone."),
    ).toBeVisible();
    await theirs.context().close();
  } finally {
    await setPace("usual");
    await admin("patch", `${API}/config`, { cadence_days: null });
    await admin("patch", `${API}/config`, { advisory_only: true });
  }
});
