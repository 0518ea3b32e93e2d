import fs from "node:fs";
import { expect, type Page } from "@playwright/test";
import { strFromU8, unzipSync } from "fflate";
import { agree } from "./agreement.ts";
import { expectAccessible } from "./axe.ts";
import { overflowOf } from "./layout.ts";
import { signInAs } from "./page-watch.ts";
import { PASSWORD, tokenOf, verified } from "./people.ts";
import { run } from "./run.ts";
import { unfold } from "./unfold.ts";
import { test } from "./test.ts";

/** Signed in as the browser is: the token in its storage, the cookie of pages beside it. */
async function enter(page: Page, person: { email: string; password: string }, path = "/logs"): Promise<void> {
  await signInAs(page, person);
  await page.goto(path);
  await expect(page.getByRole("heading", { level: 1, name: "Activity & Logs" })).toBeVisible();
}

const log = (page: Page) => page.getByRole("log", { name: "System log, newest last" });
const refresh = (page: Page) => page.getByRole("button", { name: "Refresh Now" }).click();

test("a trader finds both tabs, the counters of the day and the lines of the own automation", async ({ page }) => {
  await enter(page, run().demo.trader);
  await expect(page.getByRole("tab")).toHaveText(["System Logs", "My Activity"]);
  for (const [label, figure] of [
    ["Reviewed Today", "reviewed"],
    ["Executed Today", "executed"],
  ] as const) {
    await expect(page.getByRole("term").filter({ hasText: label })).toBeVisible();
    await page.getByRole("button", { name: `What is ${label}?` }).click();
    await expect(page.getByRole("dialog")).toContainText("New York day");
    await page.keyboard.press("Escape");
    const counter = page.locator("dl > div").filter({ hasText: label }).locator("dd").first();
    // The automation goes on reviewing: what is shown is held against the answer that it was made of.
    await agree(async () => {
      const [answer] = await Promise.all([
        page.waitForResponse("**/api/v1/logs/daily-review", { timeout: 5000 }),
        refresh(page),
      ]);
      const { data } = (await answer.json()) as { data: Record<typeof figure, number> };
      const count = data[figure].toLocaleString("en-US");
      await expect(counter, `${label} is the server's`).toHaveText(count, { timeout: 1000 });
    });
  }
  const why = log(page).getByRole("link", { name: "Why" }).last();
  await expect(why).toHaveAttribute("href", /^\/decisions\/[0-9a-f-]{36}$/);
  await why.click();
  await expect(page).toHaveURL(/\/decisions\/[0-9a-f-]{36}$/);
});

test("a new person's activity is told in words, with its details; the log says what comes first", async ({
  page,
  request,
}) => {
  const email = await verified(request, "logs");
  await enter(page, { email, password: PASSWORD });
  await expect(page.getByText("Nothing has happened yet")).toBeVisible();
  await expect(page.getByText("No account yet").first()).toBeVisible();
  const asked = page.waitForRequest("**/api/v1/logs/audit?*");
  await page.getByRole("tab", { name: "My Activity" }).click();
  await expect(page).toHaveURL(/[?&]tab=audit/);
  expect(new URL((await asked).url()).searchParams.get("limit")).toBe("50");
  const rows = page.getByRole("table").getByRole("row");
  await expect(rows).toHaveText([/^TimeEventByIP address$/, /Signed in/, /Verified the email address/, /Registered/]);
  await expect(rows.nth(1)).toContainText(/\w{3} \d+ \w{3} \d{4} \d\d:\d\d ET/);
  await expect(rows.nth(1)).toContainText("You");
  await unfold(rows.nth(1).getByText("Details"));
  await expect(rows.nth(1)).toContainText("SIGNED_IN");
  await expect(page.getByText("Events 1 to 3 of 3")).toBeVisible();

  await tokenOf(request, { email, password: PASSWORD });
  await refresh(page);
  await expect(page.getByRole("button", { name: "1 new" }), "open details hold the list").toBeVisible();
  await expect(rows).toHaveCount(4);
  await page.getByRole("button", { name: "1 new" }).click();
  await expect(rows).toHaveCount(5);

  await page.getByLabel("Show").selectOption("Settings");
  await expect(page.getByText("No events found")).toBeVisible();
  await page.getByLabel("Show").selectOption("Sign-in and security");
  await expect(rows).toHaveCount(5);
});

test("reports.zip comes with a manifest; while it is made the button rests", async ({ page, request }) => {
  const email = await verified(request, "reports");
  await enter(page, { email, password: PASSWORD });
  let release = () => {};
  const gate = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route("**/api/v1/logs/export", async (route) => {
    await gate;
    await route.continue();
  });
  const waiting = page.waitForEvent("download");
  await page.getByRole("button", { name: "Export reports" }).click();
  await expect(page.getByRole("button", { name: "Preparing reports.zip..." })).toBeDisabled();
  release();
  const download = await waiting;
  expect(download.suggestedFilename()).toBe("reports.zip");
  const files = unzipSync(new Uint8Array(fs.readFileSync(await download.path())));
  expect(Object.keys(files).sort()).toEqual(
    ["audit.csv", "equity.csv", "logs.csv", "manifest.json", "positions.csv", "round-trips.csv", "trades.csv"].sort(),
  );
  const manifest = files["manifest.json"];
  if (!manifest) throw new Error("there is no manifest");
  const { files: listed } = JSON.parse(strFromU8(manifest)) as { files: { name: string; rows: number }[] };
  expect(listed.find(({ name }) => name === "audit.csv")?.rows).toBe(4);
  await expect(page.getByRole("button", { name: "Export reports" })).toBeEnabled();
});

test("an administrator sees the system's lines and everybody's events, page by page", async ({ page }) => {
  await enter(page, run().demo.admin);
  await expect(page.getByRole("tab")).toHaveText(["System Logs", "All Audit Logs"]);
  await expect(log(page).getByText(run().demo.trader.email).first()).toBeAttached();
  const asked = page.waitForRequest("**/api/v1/admin/all-audit-logs?*");
  await page.getByRole("tab", { name: "All Audit Logs" }).click();
  expect(new URL((await asked).url()).searchParams.get("limit")).toBe("50");
  const table = page.getByRole("table");
  await expect(table.getByRole("columnheader")).toHaveText(["Time", "Event", "By", "User", "IP address"]);
  await expect(table.getByRole("row")).toHaveCount(51);
  await page.getByRole("button", { name: "Older" }).click();
  await expect(page.getByText(/^Events 51 to 100 of /)).toBeVisible();
  await page.getByRole("button", { name: "Newer" }).click();
  await expect(page.getByText(/^Events 1 to 50 of /)).toBeVisible();
});

test("open details are free of grave axe violations and no wider than a phone in the dark", async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await page.emulateMedia({ colorScheme: "dark" });
  await enter(page, run().demo.trader, "/logs?tab=audit&topic=security");
  const panel = page.getByRole("tabpanel");
  await expect(panel.getByRole("listitem").first()).toBeVisible();
  await unfold(panel.getByText("Details", { exact: true }).first());
  await expectAccessible(page, "open details");
  expect(await overflowOf(page), "wider than the screen").toBeLessThanOrEqual(0);
});
