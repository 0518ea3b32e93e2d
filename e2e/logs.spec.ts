import fs from "node:fs";
import { expect, type Page } from "@playwright/test";
import { strFromU8, unzipSync } from "fflate";
import { agree } from "./agreement.ts";
import { expectAccessible } from "./axe.ts";
import { overflowOf } from "./layout.ts";
import { signInAs, withoutPrefetch } from "./page-watch.ts";
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

interface Line {
  id: string;
  level: "info" | "warn" | "error";
  message: string;
}

const lineOf = (id: number): Line => ({
  id: String(id),
  level: id % 10 === 0 ? "error" : id % 5 === 0 ? "warn" : "info",
  message: id % 7 === 0 ? `line ${id} about AAPL ${"and so on ".repeat(60)}` : `line ${id}`,
});

/** The server's tail, written by the test: 200 lines up to the last one. */
async function writeTail(page: Page) {
  let [last, isAway, asked] = [200, false, 0];
  await page.route("**/api/v1/logs/tail?limit=200", (route) => {
    asked += 1;
    if (isAway)
      return route.fulfill({ status: 503, json: { success: false, data: null, error: "away", code: "unavailable" } });
    const logs = Array.from({ length: 200 }, (_, n) => ({
      ...lineOf(last - 199 + n),
      timestamp: new Date(Date.UTC(2026, 10, 20, 15) + (last - 199 + n) * 1_000).toISOString(),
      marketAt: null,
      accountId: null,
      cycleId: null,
      account: null,
      decisionId: null,
      user: null,
    }));
    return route.fulfill({ json: { success: true, data: { logs }, error: null } });
  });
  return {
    upTo: (next: number) => void (last = next),
    fail: (next: boolean) => void (isAway = next),
    asked: () => asked,
  };
}

const log = (page: Page) => page.getByRole("log", { name: "System log, newest last" });
/** The log stands at its end, and this is its last line. */
const expectEnd = (page: Page, text: string) =>
  expect
    .poll(() =>
      log(page).evaluate((node) => ({
        last: [...node.querySelectorAll("li")].at(-1)?.querySelector("div p")?.textContent,
        isAtEnd: node.scrollHeight - node.scrollTop - node.clientHeight < 24 && node.scrollTop > 0,
      })),
    )
    .toEqual({ last: text, isAtEnd: true });

const refresh = (page: Page) => page.getByRole("button", { name: "Refresh Now" }).click();

/** Where a line stands on the screen. */
const topOf = async (page: Page, text: string) => (await log(page).getByText(text, { exact: true }).boundingBox())?.y;

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

test("the log follows what comes in at its end, and moves nothing that is being read", async ({ page }) => {
  const tail = await writeTail(page);
  await enter(page, run().demo.trader);
  await expect(page.locator("dl .skeleton"), "nothing above the log is still to come").toHaveCount(0);
  await expectEnd(page, "line 200");
  tail.upTo(202);
  await refresh(page);
  await expectEnd(page, "line 202");

  // Far enough from the end that nothing scrolls by itself.
  const read = "line 150";
  await log(page).getByText(read, { exact: true }).scrollIntoViewIfNeeded();
  const before = await topOf(page, read);
  tail.upTo(214);
  await refresh(page);
  await expect(page.getByRole("button", { name: "12 new" })).toBeVisible();
  expect(await topOf(page, read), "what is read stays where it is").toBe(before);
  await page.getByRole("button", { name: "12 new" }).click();
  await expectEnd(page, "line 214");
  await expect(page.getByRole("button", { name: /new$/ })).toBeHidden();

  await log(page).getByText("line 213", { exact: true }).selectText();
  tail.upTo(219);
  await refresh(page);
  await expect(page.getByRole("button", { name: "5 new" }), "selected text holds the log").toBeVisible();
  await expect(log(page).getByText("line 219", { exact: true })).toHaveCount(0);
  await page.getByRole("button", { name: "5 new" }).click();
  await expectEnd(page, "line 219");
});

test("levels and a search narrow the lines, mark what is found and stay in the address", async ({ page }) => {
  await writeTail(page);
  await enter(page, run().demo.trader);
  for (const [level, count, word] of [
    ["Errors", 20, "Error"],
    ["Warnings", 20, "Warning"],
    ["Info", 160, "Info"],
    ["All", 200, "Error"],
  ] as const) {
    await page.getByRole("button", { name: level, exact: true }).click();
    await expect(log(page).getByRole("listitem"), level).toHaveCount(count);
    await expect(log(page).getByText(word, { exact: true }).first()).toBeVisible();
  }
  await page.getByLabel("Search").fill("aapl");
  await expect(log(page).getByRole("listitem")).toHaveCount(28);
  await expect(log(page).locator("mark")).toHaveCount(28);
  await expect(log(page).locator("mark").first()).toHaveText("AAPL");
  await expect(page).toHaveURL(/[?&]q=aapl/);
  await page.reload();
  await expect(log(page).getByRole("listitem")).toHaveCount(28);
  const widths = await log(page).evaluate((node) => [node.scrollWidth, node.clientWidth]);
  expect(widths[0], "long lines wrap").toBe(widths[1]);
  await page.getByLabel("Search").fill("nothing like it");
  await expect(page.getByText("No lines found")).toBeVisible();
  await page.getByRole("button", { name: "Show all lines" }).click();
  await expect(log(page).getByRole("listitem")).toHaveCount(200);
});

test("it asks every 5 seconds; a failure leaves the lines, marks them stale and offers another try", async ({
  page,
}) => {
  const tail = await writeTail(page);
  await enter(page, run().demo.trader);
  await expect(log(page).getByText("line 200", { exact: true })).toBeVisible();
  await page.clock.install();
  await page.reload();
  await expect(log(page).getByText("line 200", { exact: true })).toBeVisible();
  await page.clock.pauseAt(Date.now() + 60_000);
  /** Lets the page's time go on in small steps, so that answers come in between. */
  const passes = (until: () => Promise<boolean> | boolean, stepMs = 100) =>
    expect
      .poll(
        async () => {
          await page.clock.runFor(stepMs);
          return until();
        },
        { intervals: [50] },
      )
      .toBe(true);
  const first = tail.asked();
  await passes(() => tail.asked() > first);
  const second = tail.asked();
  await page.clock.runFor(4_700);
  expect(tail.asked(), "nothing is asked before the time").toBe(second);
  await passes(() => tail.asked() > second);

  tail.fail(true);
  const complaints: string[] = [];
  page.on("console", (message) => complaints.push(message.text()));
  const panel = page.getByRole("tabpanel");
  await passes(() => panel.getByText("stale", { exact: true }).isVisible(), 1_000);
  await passes(() => panel.getByRole("button", { name: "Retry" }).isVisible(), 1_000);
  await expect(log(page).getByText("line 200", { exact: true }), "what was shown stays").toBeVisible();
  await expect.poll(() => complaints.join("\n"), "a failure is logged").toContain("loading the log");
  await expect(page.getByRole("alert").filter({ hasText: /\S/ }), "and only logged").toHaveCount(0);
  tail.fail(false);
  await panel.getByRole("button", { name: "Retry" }).click();
  await passes(() => panel.getByText("stale", { exact: true }).isHidden());
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

test("counters that could not be read say nothing of what they count", async ({ page }) => {
  await withoutPrefetch(page);
  await page.route("**/api/v1/logs/daily-review", (route) =>
    route.fulfill({ status: 503, json: { success: false, data: null, error: "away", code: "unavailable" } }),
  );
  await enter(page, run().demo.trader);
  const counters = page.getByRole("region", { name: "Today" });
  await expect(counters.getByText("not loaded", { exact: true })).toBeVisible();
  await expect(counters.getByText("—", { exact: true })).toHaveCount(2);
  await expect(counters.getByText("No account yet")).toHaveCount(0);
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
  await expect(page.getByRole("button", { name: "Preparing reports.zip…" })).toBeDisabled();
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

test("marked lines and open details are free of grave axe violations and no wider than the screen", async ({
  page,
}) => {
  await writeTail(page);
  await enter(page, run().demo.trader);
  for (const [path, width, colorScheme] of [
    ["/logs?q=aapl", 1440, "light"],
    ["/logs?tab=audit&topic=security", 390, "dark"],
  ] as const) {
    await page.setViewportSize({ width, height: 844 });
    await page.emulateMedia({ colorScheme });
    await page.goto(path);
    const panel = page.getByRole("tabpanel");
    await expect(panel.getByRole("listitem").first()).toBeVisible();
    if (width === 390) await unfold(panel.getByText("Details", { exact: true }).first());
    await expectAccessible(page, path);
    expect(await overflowOf(page), `${path} is wider than the screen`).toBeLessThanOrEqual(0);
  }
});
