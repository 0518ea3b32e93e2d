import { expect, type Page } from "@playwright/test";
import { expectAccessible } from "./axe.ts";
import { load, signInAs } from "./page-watch.ts";
import { bearerOf } from "./people.ts";
import { run } from "./run.ts";
import { test } from "./test.ts";

// One after the other: all of them see the one policy that is in force.
test.describe.configure({ mode: "default" });

const FIELD = "Trend closes";

const call = async (page: Page, method: "get" | "post" | "patch", path: string, data?: object) => {
  const headers = { authorization: `Bearer ${await bearerOf(page, run().demo.admin)}` };
  const answer = await page.request[method](`/api/v1/admin/policy${path}`, { headers, ...(data && { data }) });
  expect(answer.status(), await answer.text()).toBe(200);
  return ((await answer.json()) as { data: Record<string, unknown> }).data;
};

const versionOf = async (page: Page) => String((await call(page, "get", "")).version);

/** Opens the tab and begins a draft from the policy in force; answers its version. */
async function newDraft(page: Page): Promise<string> {
  await load(page, "/admin?tab=policy");
  await page.getByRole("button", { name: "New draft" }).click();
  const heading = page.getByRole("heading", { level: 2, name: /^Policy \d/ });
  await expect(heading).toBeVisible();
  return ((await heading.textContent()) ?? "").replace("Policy ", "").trim();
}

/** The journey changes what every account decides with: the policy that was in force comes back, whatever happened. */
let before = "";
test.beforeEach(async ({ page }) => {
  await signInAs(page, run().demo.admin);
  before = await versionOf(page);
});
test.afterEach(async ({ page }) => {
  const now = await versionOf(page);
  if (now === before) return;
  const { revision } = await call(page, "get", `/versions/${before}`);
  await call(page, "post", `/versions/${before}/activate`, { revision, replaces: now, confirm: before });
});

test("the policy in force is shown by its eight sections with values, units, bounds and what each field does", async ({
  page,
}) => {
  await load(page, "/admin?tab=policy");
  await expect(page.getByText(`Policy ${before}`, { exact: true })).toBeVisible();
  const sections = page.getByRole("tablist", { name: "Policy sections" }).getByRole("tab");
  await expect(sections).toHaveText([
    "Top-50 selector",
    "Portfolio limits",
    "Orders and execution",
    "Signals and confidence",
    "Cadence",
    "Pre-trade filters",
    "Exits",
    "Providers' consensus",
  ]);
  await sections.filter({ hasText: "Exits" }).click();
  await expect(page).toHaveURL(/section=exits/);
  const row = page.getByRole("row").filter({ hasText: FIELD });
  for (const [place, text] of ["2", "closes", "1 to 20"].entries())
    await expect(row.getByRole("cell").nth(place + 1)).toHaveText(text);
  await expect(row).toContainText("Momentum: closes below SMA200 that close the position");
  await expectAccessible(page, "the policy in force");
});

test("a draft is edited within its bounds, tried, put in force with its version typed, and rolled back", async ({
  page,
}) => {
  test.slow();
  const version = await newDraft(page);
  await page.getByRole("tab", { name: /^Exits/ }).click();
  const field = page.getByLabel(FIELD, { exact: true });
  await field.fill("21");
  await page.getByRole("button", { name: "Save draft" }).click();
  await expect(page.getByText("must lie between 1 and 20 closes")).toBeVisible();
  await field.fill("3");
  await expect(page.getByRole("tab", { name: "Exits (1)" })).toBeVisible();
  await expect(page.getByText("Changed, not saved", { exact: true })).toBeVisible();
  await page.getByRole("button", { name: "Save draft" }).click();
  await expect(page.getByText("All changes are saved.")).toBeVisible();
  await expect(page.getByRole("row").filter({ hasText: FIELD })).toContainText(/2 closes.*3 closes/);

  const activate = page.getByRole("button", { name: `Activate ${version}` });
  await expect(activate).toHaveAttribute("aria-disabled", "true");
  await page.getByLabel("Cycles", { exact: true }).fill("2");
  await page.getByRole("button", { name: "Run what-if" }).click();
  await expect(page.getByText("Done", { exact: true })).toBeVisible({ timeout: 120_000 });
  await expect(page.getByText(/made again\.|Nothing was compared/)).toBeVisible();
  await expect(page.getByText("What recorded cycles cannot show")).toBeVisible();

  await activate.click();
  const dialog = page.getByRole("dialog");
  const confirm = dialog.getByRole("button", { name: `Activate ${version}` });
  await dialog.getByLabel(`Type ${version} to confirm`).fill("no");
  await expect(confirm).toHaveAttribute("aria-disabled", "true");
  await dialog.getByLabel("Note").fill("A journey of a test");
  await dialog.getByLabel(`Type ${version} to confirm`).fill(version);
  await confirm.click();
  await expect(dialog).toBeHidden();
  expect(await versionOf(page)).toBe(version);

  await page.getByRole("button", { name: "All versions" }).click();
  const row = page.getByRole("row").filter({ has: page.getByRole("button", { name: version, exact: true }) });
  await expect(row).toContainText("In force");
  await expect(row).toContainText("A journey of a test");

  await page.getByRole("button", { name: before, exact: true }).click();
  await page.getByRole("button", { name: `Roll back to ${before}` }).click();
  await dialog.getByLabel(`Type ${before} to confirm`).fill(before);
  await dialog.getByRole("button", { name: `Roll back to ${before}` }).click();
  await expect(dialog).toBeHidden();
  expect(await versionOf(page)).toBe(before);
});

test("what somebody else edited meanwhile refuses the save, and what was typed stays in the form", async ({ page }) => {
  const version = await newDraft(page);
  await page.getByRole("tab", { name: /^Exits/ }).click();
  await page.getByLabel(FIELD, { exact: true }).fill("4");
  await call(page, "patch", `/versions/${version}`, { revision: 1, fields: { "exits.momentum_stop_atr": 5 } });
  await page.getByRole("button", { name: "Save draft" }).click();
  await expect(page.getByText(/Nothing was saved\./)).toBeVisible();
  await expect(page.getByLabel(FIELD, { exact: true })).toHaveValue("4");
  await expect(page.getByLabel("Momentum stop ATR", { exact: true })).toHaveValue("5");
  await page.getByRole("button", { name: "Save draft" }).click();
  await expect(page.getByText("All changes are saved.")).toBeVisible();
  const { policy } = (await call(page, "get", `/versions/${version}`)) as { policy: { exits: Record<string, number> } };
  expect([policy.exits.trend_closes, policy.exits.momentum_stop_atr]).toEqual([4, 5]);

  await page.getByRole("button", { name: "Delete draft" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Delete draft" }).click();
  await expect(page.getByText(`Policy ${before}`, { exact: true })).toBeVisible();
  await expect(page.getByRole("button", { name: version, exact: true })).toHaveCount(0);
});
