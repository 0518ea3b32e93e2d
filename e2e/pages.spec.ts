import AxeBuilder from "@axe-core/playwright";
import { expect, test, type Page } from "@playwright/test";
import { stickingOut } from "./layout.ts";
import { signInAs } from "./page-watch.ts";
import { run } from "./run.ts";

const PUBLIC = [
  "/",
  "/learn-more",
  "/privacy-policy",
  "/terms-of-service",
  "/auth",
  "/auth/verify-success",
  "/auth/verify-success?verified=true",
  "/auth/reset-password",
  "/auth/reset-password?token=x",
] as const;
const SHARED = [
  "/dashboard",
  "/trade-history",
  "/performance",
  "/backtest",
  "/logs",
  "/settings",
  "/security",
  "/decisions",
];
const SIGNED_IN = {
  trader: [...SHARED, "/alpaca-keys"],
  admin: SHARED,
  console: [
    ...["overview", "performance", "flags", "limits", "policy", "selectors", "queue", "rotation"].map(
      (tab) => `/admin?tab=${tab}`,
    ),
    "/admin/top50-selector",
    "/admin/top50-selector?tab=regime",
    "/admin/top50-selector?tab=qa",
    "/admin/earnings-watchlist",
    "/admin/qa-results",
    "/admin/users",
    "/admin/operations",
    "/admin/invariants",
    "/admin/audit",
    "/admin/system",
  ],
};

const WIDTHS = [1440, 390] as const;

/** Nothing that keeps people out. Colours are all that differs in the dark: what they are needed for is asked there. */
async function expectAccessible(page: Page, path: string, rules?: string[]): Promise<void> {
  // In one frame and without the list of what is well, the answer is the same and comes in half the time.
  const axe = new AxeBuilder({ page }).options({ resultTypes: ["violations"] }).setLegacyMode();
  const { violations } = await (rules ? axe.withRules(rules) : axe).analyze();
  const grave = violations.filter(({ impact }) => impact === "serious" || impact === "critical");
  expect(
    grave.map(({ id, nodes }) => `${path} ${id}: ${nodes.map((node) => node.target.join(" ")).join(", ")}`),
    "axe",
  ).toEqual([]);
}

/** Nothing that keeps people out in the light or the dark, nothing wider than the screen, nothing the browser complains of. */
async function expectSound(page: Page, path: string, complaints: string[]): Promise<void> {
  await page.emulateMedia({ colorScheme: "light", reducedMotion: "reduce" });
  await page.goto(path);
  await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
  await expect(page.locator(".skeleton"), "the content has come").toHaveCount(0);
  await expect(page.getByText("Loading trade history...")).toBeHidden();
  await expectAccessible(page, path);
  const overflow = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
  expect(overflow, `${path} is wider than the screen`).toBeLessThanOrEqual(0);
  expect(await stickingOut(page), `${path}: sticks out of its card`).toEqual([]);
  await page.emulateMedia({ colorScheme: "dark" });
  await expect(page.locator("html")).toHaveClass(/(^| )dark( |$)/);
  await expectAccessible(page, `${path} in the dark`, ["color-contrast"]);
  expect(complaints, `${path}: console`).toEqual([]);
}

function listen(page: Page): string[] {
  const complaints: string[] = [];
  page.on("console", (message) => message.type() === "error" && complaints.push(message.text()));
  page.on("pageerror", (error) => complaints.push(error.message));
  return complaints;
}

for (const who of ["trader", "admin"] as const) {
  test(`stale figures on the dashboard of the ${who} keep their contrast`, async ({ page }) => {
    await signInAs(page, run().demo[who]);
    await page.emulateMedia({ colorScheme: "light", reducedMotion: "reduce" });
    await page.clock.install();
    await page.goto("/dashboard");
    await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
    await expect(page.locator(".skeleton"), "the content has come").toHaveCount(0);
    await page.route("**/api/v1/**", (route) => route.abort());
    await page.clock.fastForward(10 * 60_000);
    await expect(page.getByText("stale", { exact: true }).first()).toBeVisible();
    await expectAccessible(page, "/dashboard, stale", ["color-contrast"]);
    await page.emulateMedia({ colorScheme: "dark" });
    await expect(page.locator("html")).toHaveClass(/(^| )dark( |$)/);
    await expectAccessible(page, "/dashboard, stale in the dark", ["color-contrast"]);
  });
}

test("on a phone the console's row of pages shows the one that is open", async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await signInAs(page, run().demo.admin);
  await page.goto("/admin/system");
  const link = page.getByRole("navigation", { name: "Administration" }).getByRole("link", { name: "System" });
  await expect(link).toBeInViewport({ ratio: 0.95 });
});

for (const width of WIDTHS) {
  test.describe(`${width} px`, () => {
    test.use({ viewport: { width, height: 844 } });
    test.setTimeout(360_000); // up to eighteen pages, each looked at in both themes

    test("public pages are sound", async ({ page }) => {
      const complaints = listen(page);
      for (const path of PUBLIC) await expectSound(page, path, complaints);
    });

    for (const [pages, who] of [
      ["trader", "trader"],
      ["admin", "admin"],
      ["console", "admin"],
    ] as const) {
      test(`the pages of the ${pages} are sound`, async ({ page }) => {
        const complaints = listen(page);
        await signInAs(page, run().demo[who]);
        for (const path of SIGNED_IN[pages]) await expectSound(page, path, complaints);
      });
    }
  });
}
