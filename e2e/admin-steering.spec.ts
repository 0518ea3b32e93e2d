import { expect } from "@playwright/test";
import { load, signInAs } from "./page-watch.ts";
import { run } from "./run.ts";
import { test } from "./test.ts";

/** What the Feature Flags and Rate Limits tabs of the console do. */
test.beforeEach(async ({ page }) => {
  await signInAs(page, run().demo.admin);
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
  await expect(dialog.getByText("The window must be 1 to 1,440 minutes.")).toBeVisible();
  await expect(dialog.getByText("Max requests must be 1 to 10,000.")).toBeVisible();
  await dialog.getByLabel("Window (minutes)").fill("1440");
  await dialog.getByLabel("Max requests").fill("10000");
  await dialog.getByRole("button", { name: "Create", exact: true }).click();
  await expect(dialog).toBeHidden();
  await page.getByRole("button", { name: `Delete ${name}` }).click();
  await dialog.getByRole("button", { name: "Delete", exact: true }).click();
  await expect(page.getByRole("switch", { name, exact: true })).toBeHidden();
});
