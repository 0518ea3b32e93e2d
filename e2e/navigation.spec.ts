import { expect, type Page } from "@playwright/test";
import { inTheme } from "./axe.ts";
import { colourName } from "./colour.ts";
import { PRACTICE_ACCOUNT as ACCOUNT } from "../lib/proof/screen/account-answers.ts";
import { POSITION } from "../lib/proof/screen/dashboard-answers.ts";
import { answer } from "./answer.ts";
import { overflowOf } from "./layout.ts";
import { load, signInAs } from "./page-watch.ts";
import { run } from "./run.ts";
import { test } from "./test.ts";

/** Keys in one go: how long a busy page takes over each must not count as time between them. */
const strike = (page: Page, keys: string) => Promise.all([...keys].map((key) => page.keyboard.press(key)));

/** Who is signed in, as the server knows them. */
async function meOf(page: Page): Promise<Record<"firstName" | "lastName" | "email", string>> {
  const token = await page.evaluate(() => window.localStorage.getItem("auth_token"));
  const asked = await page.request.get("/api/v1/auth/me", { headers: { authorization: `Bearer ${token}` } });
  return ((await asked.json()) as { data: Record<"firstName" | "lastName" | "email", string> }).data;
}

for (const [who, badge, links] of [
  [
    "trader",
    "User",
    [
      ["Dashboard", "/dashboard"],
      ["Performance", "/performance"],
      ["Trade History", "/trade-history"],
      ["Decisions", "/decisions"],
      ["Activity & Logs", "/logs"],
      ["Backtest", "/backtest"],
      ["Alpaca Keys", "/alpaca-keys"],
      ["Settings", "/settings"],
    ],
  ],
  [
    "admin",
    "Admin",
    [
      ["Dashboard", "/dashboard"],
      ["Trade History", "/trade-history"],
      ["Activity & Logs", "/logs"],
      ["Admin", "/admin"],
      ["Settings", "/settings"],
    ],
  ],
] as const) {
  test(`the ${who}'s pages, name and role at every width`, async ({ page }) => {
    await signInAs(page, run().demo[who]);
    await load(page, "/dashboard");
    const main = page.getByRole("navigation", { name: "Main" }).filter({ visible: true });
    const found = async (from: typeof main) =>
      Promise.all(
        (await from.getByRole("link").all()).map(async (link) => [
          await link.innerText(),
          await link.getAttribute("href"),
        ]),
      );
    const { firstName, lastName, email } = await meOf(page);
    for (const width of [1440, 1024, 390]) {
      await page.setViewportSize({ width, height: 800 });
      await expect(main.getByRole("link", { name: "Dashboard" })).toHaveAttribute("aria-current", "page");
      const shown = await found(main);
      if (width === 390) {
        expect(shown).toHaveLength(4);
        await page.getByRole("button", { name: "More", exact: true }).click();
        const sheet = page.getByRole("dialog", { name: "More" });
        await expect(sheet).toBeVisible();
        shown.push(...(await found(sheet.getByRole("navigation"))));
      } else {
        const tops = await main
          .getByRole("link")
          .evaluateAll((all) => all.map((each) => each.getBoundingClientRect().top));
        expect(new Set(tops).size, "one row").toBe(1);
      }
      // A wide page's header holds this link beside the person's name.
      const own = width === 390 ? [["Sign-in and security", "/security"]] : [];
      expect(shown.toSorted(), `${width} px`).toEqual([...links.map((link) => [...link]), ...own].toSorted());

      for (const text of [`${firstName} ${lastName}`, email]) {
        await expect(page.getByText(text, { exact: true }).filter({ visible: true }), text).toBeVisible();
      }
      await expect(page.getByRole("button", { name: "Logout" })).toBeVisible();
      // The bar has a link of this name, too.
      const role = page
        .locator("span")
        .filter({ hasText: new RegExp(`^${badge}$`) })
        .filter({ visible: true });
      for (const colorScheme of ["light", "dark"] as const) {
        await inTheme(page, colorScheme);
        expect(await colourName(role), `${width} px, ${colorScheme}`).toBe(who === "admin" ? "red" : "blue");
      }
      expect(await overflowOf(page), `${width} px`).toBeLessThanOrEqual(0);
    }
  });
}

test("real money tints the frame and the tab's title, on every page; practice does not", async ({ page }) => {
  await signInAs(page, run().demo.trader);
  await load(page, "/settings");
  await expect(page).toHaveTitle("Settings · Tradewind");
  const bar = page.getByRole("banner");
  await expect(bar.getByText("LIVE", { exact: true })).toHaveCount(0);
  await answer(page, "/accounts", [{ ...ACCOUNT, environment: "LIVE", broker: "ALPACA" }]);
  await page.reload();
  await expect(bar.getByText("LIVE", { exact: true })).toBeVisible();
  await expect(page).toHaveTitle("LIVE · Settings · Tradewind");
  await bar.getByRole("link", { name: "Trade History" }).click();
  await expect(page).toHaveTitle(/^LIVE · Trade History/);
  await answer(page, "/accounts", [{ ...ACCOUNT, environment: "LIVE", broker: "ALPACA", status: "INACTIVE" }]);
  await page.reload();
  await expect(page).toHaveTitle(/^Trade History/);
  await expect(bar.getByText("LIVE", { exact: true })).toHaveCount(0);
});

test("the keys lead to pages, the search, the palette and their own list, and rest while somebody types", async ({
  page,
}) => {
  await signInAs(page, run().demo.trader);
  await load(page, "/settings?tab=security");
  const field = page.getByLabel("Current password", { exact: true });
  await field.focus();
  await page.keyboard.type("gd?/");
  await expect(field).toHaveValue("gd?/");
  await expect(page).toHaveURL(/\/settings/);
  await field.fill("");
  await field.blur();
  await page.keyboard.press("?");
  const list = page.getByRole("dialog", { name: "Keyboard shortcuts" });
  await expect(list).toBeVisible();
  await expect(list.getByText("g d", { exact: true })).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(list).toBeHidden();
  for (const [keys, address] of [
    ["gt", /\/trade-history$/],
    ["gs", /\/settings$/],
    ["gd", /\/dashboard$/],
  ] as const) {
    await strike(page, keys);
    await expect(page, keys).toHaveURL(address);
    await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
  }
  await strike(page, "gt");
  await expect(page.getByLabel("Symbol")).toBeVisible();
  await page.keyboard.press("/");
  await expect(page.getByLabel("Symbol")).toBeFocused();

  // The palette opens from anywhere, a field too, and focus goes back.
  await page.keyboard.press("Control+k");
  const search = page.getByRole("combobox", { name: "Command menu" });
  await expect(search).toBeFocused();
  await page.keyboard.type("sett");
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(/\/settings$/);
});

test("the palette finds held symbols and their trades, and acts", async ({ page }) => {
  await signInAs(page, run().demo.trader);
  await answer(page, "/portfolio/positions", [POSITION]);
  await load(page, "/dashboard");
  const open = async () => {
    await page.getByRole("button", { name: "Command menu" }).click();
    await expect(page.getByRole("dialog")).toBeVisible();
    await expect(page.getByRole("combobox", { name: "Command menu" }), "what is typed goes there").toBeFocused();
  };
  await open();
  await page.keyboard.type("aapl");
  await page.getByRole("option", { name: /AAPL 12\.5 shares/ }).click();
  await expect(page).toHaveURL(/\/symbols\/AAPL$/);

  await open();
  const trade = page.getByRole("option", { name: /(Buy|Sell) / }).first();
  await expect(trade).toContainText(/ ET$/);
  await page.keyboard.press("Escape");
  const isDark = () => page.evaluate(() => document.documentElement.classList.contains("dark"));
  expect(await isDark()).toBe(false);
  await open();
  await page.keyboard.type("nv");
  await expect(page.getByRole("option", { name: "Export my data" }), "begins with no such letters").toHaveCount(0);
  await page.keyboard.press("Escape");
  await open();
  await page.getByRole("option", { name: "Switch between light and dark" }).click();
  await expect.poll(isDark).toBe(true);
  await open();
  for (const name of ["Pause automation", "New backtest", "Export my data"]) {
    await expect(page.getByRole("option", { name })).toBeVisible();
  }
});
