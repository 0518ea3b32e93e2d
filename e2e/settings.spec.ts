import { expect, type Page } from "@playwright/test";
import { STRATEGY_NAMES } from "@/lib/domain/enums.ts";
import { expectAccessible } from "./axe.ts";
import { paintedColour } from "./colour.ts";
import { load, signInAs, untilGuarded } from "./page-watch.ts";
import { PASSWORD, signIn, tokenOf, verified } from "./people.ts";
import { run } from "./run.ts";
import { unfold } from "./unfold.ts";
import { test } from "./test.ts";

const NEW_PASSWORD = "Leeward-43-sails";

const tab = (page: Page, name: string) => page.getByRole("tab", { name, exact: true });
const says = (page: Page, text: string) => page.getByText(text, { exact: true });
const save = (page: Page) => page.getByRole("button", { name: "Save Preferences" });

/** A person of the test's own at their settings. */
async function openAs(page: Page, who: string, path: string): Promise<string> {
  const email = await verified(page.request, who);
  await signInAs(page, { email, password: PASSWORD });
  await load(page, path);
  return email;
}

/** Answers a call with this failure, until the test says otherwise. */
const refuse = (page: Page, path: string, error: string) =>
  page.route(`**/api/v1${path}`, (route) =>
    route.request().method() === "GET"
      ? route.fallback()
      : route.fulfill({ status: 409, json: { success: false, data: null, error, code: "conflict", requestId: "x" } }),
  );

test("Refresh loads the page again", async ({ page }) => {
  await signInAs(page, run().demo.trader);
  await load(page, "/settings?tab=notifications");
  await page.evaluate(() => Object.assign(window, { isOld: true }));
  // A page must not be asked while it is replaced by the next one: the question would be lost with it.
  await Promise.all([page.waitForEvent("load"), page.getByRole("button", { name: "Refresh" }).click()]);
  expect(await page.evaluate(() => "isOld" in window)).toBe(false);
  await expect(tab(page, "Notifications")).toHaveAttribute("aria-selected", "true");
});

test("the profile shows the address, which cannot be changed, and does not save what is not implemented", async ({
  page,
}) => {
  await signInAs(page, run().demo.trader);
  await load(page, "/settings");
  const email = page.getByLabel("Email");
  await expect(email).toHaveValue(run().demo.trader.email);
  await expect(email).toHaveAttribute("readonly", "");
  await expect(says(page, "Email cannot be changed")).toBeVisible();
  await page.getByLabel("Display name").fill("Tom");
  await page.getByLabel("Bio").fill("Sails.");
  await page.getByRole("button", { name: "Save Profile" }).click();
  const banner = says(page, "Failed to save profile settings: profile settings not yet implemented");
  await expect(banner).toBeVisible();
  const { red, green, blue } = await paintedColour(banner, "color");
  expect(red).toBeGreaterThan(Math.max(green, blue));
});

test("notification preferences are all on at first, and stay as they are saved", async ({ page }) => {
  await openAs(page, "notified", "/settings?tab=notifications");
  const labels = [
    "Email Notifications",
    "Order Notifications",
    "Trade Notifications",
    "Weekly Summary",
    "System Alerts",
  ];
  const toggle = (name: string) => page.getByRole("switch", { name, exact: true });
  // Beside them the one of quiet hours, which is off.
  await expect(page.getByRole("switch")).toHaveCount(labels.length + 1);
  await expect(toggle("Keep quiet hours")).not.toBeChecked();
  for (const label of labels) await expect(toggle(label), label).toBeChecked();
  await refuse(page, "/preferences/notifications", "");
  await toggle("Weekly Summary").click();
  await save(page).click();
  await expect(
    says(page, "Failed to save notifications settings: Failed to save notification preferences"),
  ).toBeVisible();
  await page.unrouteAll();
  await save(page).click();
  const banner = says(page, "Notification preferences saved successfully!");
  await expect(banner).toBeVisible();
  const { red, green, blue } = await paintedColour(banner, "color");
  expect(green).toBeGreaterThan(Math.max(red, blue));
  await page.reload();
  for (const label of labels) await expect(toggle(label), label).toBeChecked({ checked: label !== "Weekly Summary" });
});

/** The fields of the Trading tab: default, bounds, and what is said beyond them. */
const NUMBERS = [
  ["Max Positions", "3", "1", "20", "1"],
  ["Max Position Value ($)", "1000", "100", "100000", "1"],
  ["Profit Target (%)", "5", "0.1", "50", "0.1"],
  ["Stop Loss (%)", "3", "0.1", "50", "0.1"],
  ["Check Interval (minutes)", "5", "1", "60", "1"],
] as const;
const CHOICES = [
  ["Strategy", "MOMENTUM", [...STRATEGY_NAMES]],
  ["Risk Tolerance", "medium", ["low", "medium", "high"]],
  ["Risk Level", "MEDIUM", ["LOW", "MEDIUM", "HIGH"]],
] as const;

test("trading preferences begin at the defaults, hold their bounds, and are read again half a second after a save", async ({
  page,
}) => {
  await page.clock.install();
  const email = await verified(page.request, "trades");
  await signInAs(page, { email, password: PASSWORD });
  const reads: Record<string, string>[] = [];
  page.on("request", (request) => {
    if (request.method() === "GET" && request.url().endsWith("/preferences/trading")) reads.push(request.headers());
  });
  let release = () => {};
  const held = new Promise<void>((resolve) => (release = resolve));
  await page.route("**/api/v1/preferences/trading", async (route) => {
    await held;
    await route.fallback();
  });
  await page.goto("/settings?tab=trading");
  await expect(says(page, "Loading preferences...")).toBeVisible();
  release();
  await expect(says(page, "Loading preferences...")).toBeHidden();
  await page.unrouteAll();
  expect(reads[0]).toMatchObject({ "cache-control": "no-cache", pragma: "no-cache" });

  const notice = says(page, "Need Alpaca Keys");
  await expect(notice).toBeVisible();
  await expect(page.getByRole("main").getByRole("link", { name: "Add keys" })).toHaveAttribute("href", "/alpaca-keys");
  const { red, green, blue } = await paintedColour(notice, "color");
  expect(Math.min(red, green), "yellow").toBeGreaterThan(blue);

  for (const [label, value, options] of CHOICES) {
    const field = page.getByLabel(label, { exact: true });
    await expect(field, label).toHaveValue(value);
    expect(await field.locator("option").evaluateAll((all) => all.map((each) => each.getAttribute("value")))).toEqual([
      ...options,
    ]);
  }
  for (const [label, value, min, max, step] of NUMBERS) {
    const field = page.getByLabel(label, { exact: true });
    await expect(field, label).toHaveValue(value);
    for (const [name, bound] of Object.entries({ type: "number", min, max, step })) {
      await expect(field, label).toHaveAttribute(name, bound);
    }
  }
  const size = page.getByLabel("Default Order Size ($)", { exact: true });
  await expect(size).toHaveValue("1000");
  for (const bound of ["min", "max"]) expect(await size.getAttribute(bound), `no ${bound}`).toBeNull();
  await expect(page.getByRole("switch", { name: "Paper Trading Only" })).toBeChecked();

  // Beyond a bound the field says so, and nothing is kept.
  for (const [label, value, min, max] of NUMBERS) {
    const field = page.getByLabel(label, { exact: true });
    const name = label.replace(/ \(.*/, "");
    await field.fill(String(Number(max) + 1));
    await save(page).click();
    const most = Number(max).toLocaleString("en-US");
    await expect(says(page, `${name} must be between ${min} and ${most}.`), label).toBeVisible();
    await expect(page.getByRole("alert").getByText(/^Failed to save trading settings: /)).toBeVisible();
    await field.fill(value);
  }

  await page.getByLabel("Max Positions", { exact: true }).fill("7");
  let answer = () => {};
  const waits = new Promise<void>((resolve) => (answer = resolve));
  await page.route("**/api/v1/preferences/trading", async (route) => {
    if (route.request().method() === "PUT") await waits;
    await route.fallback();
  });
  await page.clock.pauseAt(Date.now() + 3_600_000);
  await save(page).click();
  const saving = page.getByRole("button", { name: "Saving..." });
  await expect(saving).toBeDisabled();
  answer();
  await expect(says(page, "Trading preferences saved successfully!")).toBeVisible();
  const before = reads.length;
  await page.clock.runFor(400);
  expect(reads.length, "not before half a second").toBe(before);
  await page.clock.runFor(200);
  await expect.poll(() => reads.length, "for verification").toBe(before + 1);
  expect(reads.at(-1)).toMatchObject({ "cache-control": "no-cache" });
  await expect(page.getByLabel("Max Positions", { exact: true })).toHaveValue("7");

  const token = await tokenOf(page.request, { email, password: PASSWORD });
  const kept = await page.request.get("/api/v1/preferences/trading", { headers: { Authorization: `Bearer ${token}` } });
  expect(((await kept.json()) as { data: unknown }).data).toMatchObject({ maxPositions: 7, stopLoss: 3 });
});

test("switching Paper Trading Only off is asked about, and changes that are not saved are guarded", async ({
  page,
}) => {
  await signInAs(page, run().demo.trader);
  await load(page, "/settings?tab=trading");
  const paper = page.getByRole("switch", { name: "Paper Trading Only" });
  await expect(paper).toBeChecked();
  await paper.click();
  await expect(page.getByRole("dialog", { name: "Allow trading with real money?" })).toBeVisible();
  await page.getByRole("button", { name: "Keep paper only" }).click();
  await expect(paper).toBeChecked();
  await paper.click();
  await page.getByRole("button", { name: "Allow LIVE trading" }).click();
  await expect(paper).not.toBeChecked();

  const guard = page.getByRole("dialog", { name: "Leave without saving?" });
  await tab(page, "Profile").click();
  await expect(guard).toBeVisible();
  await page.getByRole("button", { name: "Stay" }).click();
  await expect(tab(page, "Trading")).toHaveAttribute("aria-selected", "true");
  await expect(paper).not.toBeChecked();
  await tab(page, "Profile").click();
  await page.getByRole("button", { name: "Leave without saving" }).click();
  await expect(tab(page, "Profile")).toHaveAttribute("aria-selected", "true");
  await tab(page, "Trading").click();
  await expect(paper, "nothing was kept").toBeChecked();

  await paper.click();
  await page.getByRole("button", { name: "Allow LIVE trading" }).click();
  await untilGuarded(page);
  const asked = page.waitForEvent("dialog");
  const leaving = page.close({ runBeforeUnload: true });
  expect((await asked).type()).toBe("beforeunload");
  await (await asked).accept();
  await leaving;
});

test("a strategy says what it does, and settings are tried on the last sessions before they are saved", async ({
  page,
}) => {
  test.setTimeout(180_000);
  await openAs(page, "tries", "/settings?tab=trading");
  await expect(page.getByText(/is ahead of that of 80% of the market/)).toBeVisible();
  await unfold(page.locator("summary", { hasText: "Compare with Mean reversion and Breakout" }));
  await page.getByRole("button", { name: "Choose Breakout" }).click();
  await expect(page.getByLabel("Strategy")).toHaveValue("BREAKOUT");
  await page.getByLabel("Strategy").selectOption("MOMENTUM");
  const wide = { "Max Positions": "20", "Max Position Value ($)": "8000", "Default Order Size ($)": "5000" };
  for (const [label, value] of Object.entries(wide)) await page.getByLabel(label, { exact: true }).fill(value);
  await page.getByRole("button", { name: "Try on the last 20 sessions" }).click();

  const tried = page.getByRole("region", { name: "What was tried" });
  // A try reads the whole market's history; on a busy machine that takes its time.
  await expect(tried.getByText(/^With these settings the last 20 sessions .* it promises nothing\.$/)).toBeVisible({
    timeout: 90_000,
  });
  await expect(tried.getByText("It starts with $100,000.00 as an example")).toBeVisible();
  await expect(tried.getByRole("columnheader")).toHaveText(["Figure", "These settings", "Saved settings"]);
  await expect(tried.getByText("For other settings")).toHaveCount(0);
  await expectAccessible(page, "tried settings");
  await page.getByLabel("Max Positions", { exact: true }).fill("19");
  await expect(tried.getByText("For other settings")).toBeVisible();
  await save(page).click();
  await expect(says(page, "Trading preferences saved successfully!")).toBeVisible();
});

test("the password changes, with the specified sentences, and the fields are cleared", async ({ page }) => {
  const email = await openAs(page, "changes", "/settings?tab=security");
  const fields = ["Current password", "New password", "Confirm new password"].map((label) =>
    page.getByLabel(label, { exact: true }),
  );
  const update = page.getByRole("button", { name: "Update Password" });
  const sent: string[] = [];
  page.on("request", (request) => {
    if (request.method() === "PUT") sent.push(request.postData() ?? "");
  });
  for (const [current, next, confirmation, sentence] of [
    ["", "", "", "All password fields are required"],
    [PASSWORD, NEW_PASSWORD, "", "All password fields are required"],
    [PASSWORD, NEW_PASSWORD, "Leeward-44-sails", "New passwords do not match"],
    [PASSWORD, "Lee-4sa", "Lee-4sa", "New password must be at least 8 characters long"],
  ] as const) {
    for (const [index, value] of [current, next, confirmation].entries()) await fields[index]?.fill(value);
    await update.click();
    await expect(says(page, sentence), sentence).toBeVisible();
  }
  expect(sent, "nothing was sent").toEqual([]);

  for (const [index, value] of ["Not-my-1-word", NEW_PASSWORD, NEW_PASSWORD].entries())
    await fields[index]?.fill(value);
  await update.click();
  await expect(says(page, "Failed to save security settings: Your current password is not correct.")).toBeVisible();
  await fields[0]?.fill(PASSWORD);
  await update.click();
  await expect(says(page, "Password changed successfully!")).toBeVisible();
  for (const field of fields) await expect(field).toHaveValue("");
  expect(JSON.parse(sent.at(-1) ?? "{}")).toEqual({ email, currentPassword: PASSWORD, newPassword: NEW_PASSWORD });
  await tokenOf(page.request, { email, password: NEW_PASSWORD });
});

test("a person takes their data along and deletes their account, and the landing page says so", async ({ page }) => {
  const email = await openAs(page, "leaves", "/settings?tab=security");
  const file = page.waitForEvent("download");
  await page.getByRole("button", { name: "Download my data" }).click();
  expect((await file).suggestedFilename()).toMatch(/\.zip$/);

  await page.getByRole("button", { name: "Delete my account" }).click();
  const dialog = page.getByRole("dialog", { name: "Delete your account?" });
  await expect(dialog.getByRole("listitem")).toHaveCount(4);
  const submit = dialog.getByRole("button", { name: "Delete my account" });
  await expect(submit).toBeDisabled();
  await dialog.getByLabel("Type DELETE to confirm").fill("delete");
  await dialog.getByLabel("Your password", { exact: true }).fill("Not-my-1-word");
  await expect(submit, "typed to the letter").toBeDisabled();
  await dialog.getByLabel("Type DELETE to confirm").fill("DELETE");
  await submit.click();
  await expect(dialog.getByText("Your password is not correct.")).toBeVisible();
  await dialog.getByLabel("Your password", { exact: true }).fill(PASSWORD);
  await submit.click();
  await expect(page).toHaveURL(/\/\?erased=true$/);
  await expect(says(page, "Your account has been deleted.")).toBeVisible();
  expect(await page.evaluate(() => window.localStorage.getItem("auth_token"))).toBeNull();
  await page.goto("/auth");
  await signIn(page, { email, password: PASSWORD });
  await expect(says(page, "Invalid email or password. Please check your credentials and try again.")).toBeVisible();
});
