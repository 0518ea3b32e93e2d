import { expect } from "@playwright/test";
import { paintedColour } from "./colour.ts";
import { stopClock, store, stored } from "./people.ts";
import { test } from "./test.ts";

test("the verified banner on the landing page is green and goes after 5 seconds", async ({ page }) => {
  await store(page, { auth_tokens: "obsolete" });
  await stopClock(page);
  await page.goto("/?verified=true");
  const banner = page.getByText("Email verified successfully! You can now log in.", { exact: true });
  await expect(banner).toBeVisible();
  await expect
    .poll(async () => {
      const { red, green, blue } = await paintedColour(banner, "color");
      return green > Math.max(red, blue);
    }, "green")
    .toBe(true);
  await expect.poll(() => stored(page), "the page runs, and removes what is obsolete").toEqual({});
  await page.clock.runFor(4_900);
  await expect(banner).toBeVisible();
  await page.clock.runFor(200);
  await expect(banner).toBeHidden();
  for (const query of ["", "?verified=false", "?verified=1"]) {
    await page.goto(`/${query}`);
    await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
    await expect(banner, query).toHaveCount(0);
  }
});

test("3000 ms after a reset the login comes in place of the link", async ({ page }) => {
  await stopClock(page);
  await page.route("**/api/v1/auth/reset-password", (route) =>
    route.fulfill({ json: { success: true, data: {}, error: null } }),
  );
  await page.goto("/learn-more");
  await page.goto("/auth/reset-password?token=a-token");
  await page.getByLabel("New password", { exact: true }).fill("Leeward-43-sails");
  await page.getByLabel("Confirm new password", { exact: true }).fill("Leeward-43-sails");
  await page.getByRole("button", { name: "Reset Password" }).click();
  const success = page.getByRole("heading", { name: "Password Reset Successfully!" });
  await expect(success).toBeFocused();
  const entries = await page.evaluate(() => window.history.length);
  await page.clock.runFor(2_900);
  await expect(success).toBeVisible();
  await expect(page).toHaveURL(/\/auth\/reset-password\?token=a-token$/);
  await page.clock.runFor(200);
  await page.clock.resume();
  await expect(page).toHaveURL(/\/auth$/);
  await expect(page.getByRole("heading", { name: "Sign in to Tradewind" })).toBeVisible();
  expect(await page.evaluate(() => window.history.length)).toBe(entries);
  await page.goBack();
  await expect(page, "the used link is not in the history").toHaveURL(/\/learn-more$/);
});
