import { expect, type Page } from "@playwright/test";
import { signInAs } from "./page-watch.ts";
import { PASSWORD, verified } from "./people.ts";
import { test } from "./test.ts";

const own = (page: Page) => page.getByRole("region", { name: "Alpaca Trading Accounts" });

/** One person for the tests of a worker, which run one after the other and leave no account; a failure begins with a new worker. */
let person: Promise<string> | undefined;
test.beforeEach(async ({ page, request }) => {
  person ??= verified(request, "accounts");
  await signInAs(page, { email: await person, password: PASSWORD });
});

test("a practice account is opened, paused with one click and undone, resumed, and deleted", async ({ page }) => {
  await page.goto("/alpaca-keys");
  await page.getByRole("button", { name: "Start on the practice market" }).click();
  await expect(page.getByText("Account added successfully!", { exact: true })).toBeVisible();
  const account = own(page).getByRole("listitem");
  await expect(account).toHaveCount(1);
  await expect(account.getByText("PRACTICE", { exact: true })).toBeVisible();
  await expect(page.getByRole("region", { name: "Practice market" }), "one practice account at a time").toBeHidden();

  const pause = account.getByRole("button", { name: "Pause Practice account" });
  await pause.click();
  await expect(account.getByText("PAUSED", { exact: true })).toBeVisible();
  await page.getByRole("button", { name: "Undo" }).click();
  await expect(account.getByText("ACTIVE", { exact: true })).toBeVisible();

  await account.getByRole("button", { name: "Delete Practice account" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Delete account" }).click();
  await expect(page.getByText("Account deleted successfully!", { exact: true })).toBeVisible();
  await expect(page.getByText("No accounts yet")).toBeVisible();
});

test("automation is paused with one click and undone; a pause that stays is resumed by asking", async ({ page }) => {
  await page.goto("/alpaca-keys");
  const pause = page.getByRole("button", { name: "Pause automation" });
  await expect(page.getByText("No accounts yet")).toBeVisible();
  await expect(pause, "nothing of a person without an account runs").toBeHidden();
  await page.getByRole("button", { name: "Start on the practice market" }).click();
  await expect(page.getByText("Account added successfully!", { exact: true })).toBeVisible();
  const paused = page.getByRole("button", { name: "Automation is paused. Resume automation" });
  await pause.click();
  await expect(paused).toBeVisible();
  await page.getByRole("button", { name: "Undo" }).click();
  await expect(pause).toBeVisible();
  await pause.click();
  await paused.click();
  const dialog = page.getByRole("dialog", { name: "Resume automation?" });
  await dialog.getByRole("button", { name: "Keep paused" }).click();
  await expect(paused).toBeVisible();
  await paused.click();
  await dialog.getByRole("button", { name: "Resume automation" }).click();
  await expect(pause).toBeVisible();

  await own(page).getByRole("button", { name: "Delete Practice account" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Delete account" }).click();
  await expect(page.getByText("Account deleted successfully!", { exact: true })).toBeVisible();
  await expect(pause).toBeHidden();
});
