import AxeBuilder from "@axe-core/playwright";
import { expect, test, type Page } from "@playwright/test";
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
const SIGNED_IN = [
  "/dashboard",
  "/alpaca-keys",
  "/trade-history",
  "/performance",
  "/backtest",
  "/logs",
  "/settings",
  "/decisions",
] as const;

const LOOKS = [
  { width: 1440, colorScheme: "light" },
  { width: 1440, colorScheme: "dark" },
  { width: 390, colorScheme: "light" },
  { width: 390, colorScheme: "dark" },
] as const;

/** Nothing that keeps people out, nothing wider than the screen, nothing the browser complains of. */
async function expectSound(page: Page, path: string, complaints: string[]): Promise<void> {
  await page.goto(path);
  await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
  await expect(page.locator(".skeleton"), "the content has come").toHaveCount(0);
  await expect(page.getByText("Loading trade history...")).toBeHidden();
  const { violations } = await new AxeBuilder({ page }).analyze();
  const grave = violations.filter(({ impact }) => impact === "serious" || impact === "critical");
  expect(
    grave.map(({ id, nodes }) => `${path} ${id}: ${nodes.map((node) => node.target.join(" ")).join(", ")}`),
    "axe",
  ).toEqual([]);
  const overflow = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
  expect(overflow, `${path} is wider than the screen`).toBeLessThanOrEqual(0);
  expect(complaints, `${path}: console`).toEqual([]);
}

function listen(page: Page): string[] {
  const complaints: string[] = [];
  page.on("console", (message) => message.type() === "error" && complaints.push(message.text()));
  page.on("pageerror", (error) => complaints.push(error.message));
  return complaints;
}

for (const { width, colorScheme } of LOOKS) {
  test.describe(`${width} px, ${colorScheme}`, () => {
    test.use({ viewport: { width, height: 844 }, colorScheme });

    test("public pages are sound", async ({ page }) => {
      const complaints = listen(page);
      for (const path of PUBLIC) await expectSound(page, path, complaints);
    });

    for (const who of ["trader", "admin"] as const) {
      test(`the pages of the ${who} are sound`, async ({ page }) => {
        const complaints = listen(page);
        const { email, password } = run().demo[who];
        await page.goto("/auth");
        await page.getByLabel("Email").fill(email);
        await page.getByLabel("Password", { exact: true }).fill(password);
        await page.getByRole("button", { name: "Sign In", exact: true }).click();
        await expect(page).toHaveURL(/\/dashboard$/);
        for (const path of SIGNED_IN) await expectSound(page, path, complaints);
      });
    }
  });
}
