import { readFileSync } from "node:fs";
import { expect, type Page } from "@playwright/test";
import { expectAccessible, expectAccessibleIn } from "./axe.ts";
import { load, signInAs } from "./page-watch.ts";
import { run } from "./run.ts";
import { unfold } from "./unfold.ts";
import { test } from "./test.ts";

async function enter(browser: Page, who: "trader" | "admin"): Promise<void> {
  await signInAs(browser, run().demo[who]);
}

test("the demo trader's trade opens beside the list, on its own page, and as a file", async ({ page: browser }) => {
  await enter(browser, "trader");
  await browser.goto("/trade-history?status=FILLED&side=BUY");
  const first = browser.locator("tbody tr").first();
  await expect(first).toBeVisible();
  const symbol = (await first.locator("td").nth(1).locator(".font-semibold").textContent()) ?? "";
  await first.getByRole("link").first().focus();
  await browser.keyboard.press("Enter");
  const panel = browser.getByRole("dialog", { name: "Trade" });
  await expect(panel.getByRole("heading", { name: "What happened" })).toBeVisible();
  await expect(panel.getByText("Sent to the broker")).toBeVisible();
  await browser.keyboard.press("Escape");
  await expect(panel).toBeHidden();
  await expect(first.getByRole("link").first()).toBeFocused();
  await browser.keyboard.press("Enter");
  await expect(panel.getByRole("heading", { name: "What happened" })).toBeVisible();
  await browser.goBack();
  await expect(panel, "the browser's way back closes it").toBeHidden();
  await expect(browser).toHaveURL(/\/trade-history\?status=FILLED&side=BUY$/);

  const download = browser.waitForEvent("download");
  await browser.getByRole("button", { name: "Export CSV" }).click();
  const file = await download;
  expect(file.suggestedFilename()).toMatch(/^trades-practice-\d{4}-\d\d-\d\d\.csv$/);
  const [head, ...rows] = readFileSync(await file.path(), "utf8")
    .trimEnd()
    .split("\r\n");
  expect(head).toMatch(/^\uFEFFTrade ID,Symbol,Side,Quantity,Price,Total Value,Status,Date/);
  expect(rows.every((row) => row.includes(",BUY,") && row.includes(",FILLED,"))).toBe(true);

  await browser.goto((await first.getByRole("link").first().getAttribute("href")) ?? "");
  await expect(browser.getByRole("heading", { level: 1 })).toHaveText(`Buy ${symbol}`);
  await unfold(browser.getByRole("region", { name: "Rules" }).locator("summary"));
  await browser.getByRole("button", { name: "Before sending" }).click();
  await expect(browser.getByText(/^(All passed|None refused) under policy/)).toBeVisible();
  await unfold(browser.getByRole("region", { name: "Proof" }).locator("summary"));
  await browser.getByRole("button", { name: "Recompute" }).click();
  await expect(browser.getByText(/Identical, byte for byte|Not recomputed/)).toBeVisible({ timeout: 30_000 });
  await expectAccessible(browser, "a trade");
  await browser.getByRole("link", { name: "Open the decision" }).click();
  await expect(browser).toHaveURL(/\/decisions\/[0-9a-f-]{36}$/);
});

test("on a phone a filled trade is a page of 2,500 px at most, accessible in both themes, and so is the history", async ({
  page: browser,
}) => {
  await browser.setViewportSize({ width: 390, height: 844 });
  await enter(browser, "trader");
  for (const [side, theme] of [
    ["BUY", "dark"],
    ["SELL", "light"],
  ] as const) {
    await load(browser, `/trade-history?status=FILLED&side=${side}`);
    await expectAccessibleIn(browser, theme, `the history, ${side}`);
    const first = browser.getByRole("list", { name: "Trades" }).getByRole("link").first();
    if ((await first.count()) === 0) continue;
    await load(browser, (await first.getAttribute("href")) ?? "");
    await expect(browser.getByText("What happened")).toBeVisible();
    expect(await browser.evaluate(() => document.documentElement.scrollHeight), side).toBeLessThanOrEqual(2500);
    await expectAccessibleIn(browser, theme, `a trade, ${side}`);
  }
});

test("no letter of fast typing into a filter is lost while the router follows, and the caret stays", async ({
  page: browser,
}) => {
  await enter(browser, "trader");
  await load(browser, "/trade-history");
  const symbol = browser.getByLabel("Symbol");
  await symbol.focus();
  await browser.keyboard.type("GOOGL");
  await expect(symbol).toHaveValue("GOOGL");
  for (const key of ["Home", "Delete", "b", "a"]) await browser.keyboard.press(key);
  await expect(symbol, "the caret stays in the middle").toHaveValue("BAOOGL");
  await expect(browser).toHaveURL(/symbol=BAOOGL/);
});

test("a trade that is not there says so", async ({ page: browser }) => {
  await enter(browser, "trader");
  await browser.goto("/trade-history/01a00000-0000-7000-8000-000000000001");
  await expect(browser.getByText("Trade not found")).toBeVisible();
});
