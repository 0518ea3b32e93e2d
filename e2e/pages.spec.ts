import { expect, type Page } from "@playwright/test";
import { amounts, hideAmounts, legible } from "./hidden-amounts.ts";
import { load, PAGES, signInAs, watch } from "./page-watch.ts";
import { run } from "./run.ts";
import { expectSound, SIZES } from "./sound.ts";
import { test } from "./test.ts";

test("on a phone the console's row of pages shows the one that is open", async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await signInAs(page, run().demo.admin);
  await page.goto("/admin/system");
  const link = page.getByRole("navigation", { name: "Administration" }).getByRole("link", { name: "System" });
  await expect(link).toBeInViewport({ ratio: 0.95 });
});

/** No amount can be read once amounts are hidden, on a wide screen and on a phone. */
async function expectCovered(page: Page, path: string, isOfMoney: boolean): Promise<void> {
  await hideAmounts(page);
  for (const size of ["wide", "phone"] as const) {
    await page.setViewportSize(SIZES[size]);
    await expect(page.locator(".skeleton")).toHaveCount(0);
    expect(await legible(page), `${path}, ${size}`).toEqual([]);
    if (isOfMoney) expect(await amounts(page).count(), "there are amounts to hide").toBeGreaterThan(5);
  }
}

/**
 * One load of each page for all that is asked of every page. The look that a page is loaded in alternates from page to page,
 * so that the first paint is seen in both widths and both themes.
 */
for (const [nth, { path, as, reach, open, name = path }] of PAGES.entries()) {
  test(`${name} as ${as}: accessible and no wider than the screen, nothing stopped by its policy, and no amount shown when hidden`, async ({
    page,
  }) => {
    test.setTimeout(240_000); // long tables are looked at four times
    const complaints = await watch(page);
    if (as !== "nobody") await signInAs(page, run().demo[as]);
    await page.setViewportSize(nth % 2 === 0 ? SIZES.wide : SIZES.phone);
    await page.emulateMedia({ colorScheme: nth % 2 === 0 ? "light" : "dark", reducedMotion: "reduce" });
    await load(page, path);
    await reach?.(page);
    await expect(page.getByText("Loading trade history...")).toBeHidden();
    await expectSound(page, path, nth % 2 === 0 ? "phone" : "wide");
    await open?.(page);
    expect(complaints, path).toEqual([]);
    if (as === "nobody") return;
    // The limits of the policy and the level of the index are no person's money.
    if (!/tab=(policy|regime)/.test(path)) await expectCovered(page, path, path === "/dashboard");
    await page.setViewportSize(SIZES.wide);
    await page.keyboard.press("Escape");
    await page.getByRole("button", { name: "Switch between light and dark" }).first().click();
    expect(complaints, "after switching the theme").toEqual([]);
  });
}
