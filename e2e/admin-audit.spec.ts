import fs from "node:fs";
import { gunzipSync } from "node:zlib";
import { expect } from "@playwright/test";
import { expectAccessible } from "./axe.ts";
import { load, signInAs } from "./page-watch.ts";
import { run } from "./run.ts";
import { test } from "./test.ts";

test.beforeEach(async ({ page }) => {
  await signInAs(page, run().demo.admin);
});

test("the trail is filtered by topic, event and person, and the filters stand in the address", async ({ page }) => {
  await load(page, "/admin/audit");
  await expect(page.getByRole("heading", { level: 1, name: "Audit" })).toBeVisible();
  const table = page.getByRole("region", { name: "The audit trail" });
  await expect(table.getByRole("row").nth(1)).toBeVisible();
  await page.getByLabel("Topic").selectOption("security");
  await page.getByLabel("Event", { exact: true }).selectOption("SIGNED_IN");
  await page.getByLabel("Person").fill(run().demo.admin.email.slice(0, 8));
  await expect(page).toHaveURL(/topic=security.*eventType=SIGNED_IN.*person=/);
  await expect(table.getByRole("row").nth(1)).toContainText("Signed in");
  await expect(table.getByRole("row").filter({ hasText: run().demo.trader.email })).toHaveCount(0);
  await page.reload();
  await expect(page.getByLabel("Event", { exact: true })).toHaveValue("SIGNED_IN");
  await page.getByLabel("Person").fill("nobody-of-that-name");
  await expect(page.getByText("No events found", { exact: true })).toBeVisible();
  await page.getByRole("button", { name: "Clear filters" }).click();
  await expect(table.getByRole("row").nth(1)).toBeVisible();
  await expectAccessible(page, "the audit trail");
});

test("verifying says that the chain is whole", async ({ page }) => {
  await load(page, "/admin/audit");
  await page.getByRole("button", { name: "Verify the chain" }).click();
  await expect(page.getByText("The chain is intact: every event is as it was written.")).toBeVisible({
    timeout: 60_000,
  });
});

test("the export is the chain line by line, in order and without a gap", async ({ page }) => {
  await load(page, "/admin/audit");
  await page.getByLabel("From number").fill("1");
  await page.getByLabel("To number").fill("5");
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("button", { name: "Export the trail" }).click(),
  ]);
  expect(download.suggestedFilename()).toBe("audit-1-5.ndjson.gz");
  const lines = gunzipSync(fs.readFileSync(await download.path()))
    .toString()
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as { kind: string; seq?: string; hash?: string; prevHash?: string });
  expect(lines.map(({ kind }) => kind)).toEqual(["head", "event", "event", "event", "event", "event", "end"]);
  expect(lines.flatMap(({ seq }) => seq ?? [])).toEqual(["1", "2", "3", "4", "5"]);
  for (let i = 2; i <= 5; i += 1) expect(lines[i]?.prevHash).toBe(lines[i - 1]?.hash);
});

test("the invariants say that everything holds, each with its last check", async ({ page }) => {
  await load(page, "/admin/invariants");
  const table = page.getByRole("region", { name: "All invariants" });
  await expect(table.getByRole("row")).toHaveCount(27);
  await expect(
    page.getByText(/Everything that was checked holds|were not checked in the last five minutes/),
  ).toBeVisible();
  await expect(table.getByText("Broken")).toHaveCount(0);
  await expectAccessible(page, "the invariants");
});
