import { expect, test } from "vitest";
import { page } from "vitest/browser";
import { overflowOfPage, textsStickingOut } from "@/lib/proof/screen/layout.ts";
import { expectAccessible, inTheme } from "@/lib/proof/screen/look.ts";
import { showPublicPage } from "@/lib/proof/screen/show.tsx";
import { Steps } from "./landing-sections.tsx";
import { DECISION, ProductPicture } from "./product-picture.tsx";

for (const width of [320, 390, 1440])
  test(`the four counts of the picture stand in one line at ${width} px`, async () => {
    await page.viewport(width, 844);
    showPublicPage("/", <ProductPicture />);
    const counts = ["502", "50", "25", "6"].map((count) => page.getByText(count, { exact: true }));
    await expect.element(counts[0]!).toBeVisible();
    const tops = counts.map((count) => count.element().getBoundingClientRect().top);
    expect(new Set(tops)).toHaveLength(1);
  });

test("the recorded decision opens into its reasons", async () => {
  showPublicPage("/", <ProductPicture />);
  const reason = page.getByText("Score 86.9, it takes 70", { exact: true });
  await expect.element(reason).not.toBeVisible();
  await page.getByText("See its reasons").click();
  await expect.element(reason).toBeVisible();
});

for (const theme of ["light", "dark"] as const)
  test(`each of the three steps has its picture, legible in the ${theme} and no wider than its column`, async () => {
    inTheme(theme);
    for (const width of [320, 390, 768, 1440]) {
      await page.viewport(width, 844);
      showPublicPage("/", <Steps />);
      const steps = page.getByRole("region", { name: "How it works" }).getByRole("listitem");
      await expect.element(steps.first()).toBeVisible();
      const pictures = page.getByRole("img", { name: /accounts|settings|automation/ }).elements();
      expect(pictures).toHaveLength(3);
      expect(pictures.filter((picture) => picture.scrollWidth > picture.clientWidth)).toEqual([]);
      expect(pictures.flatMap((picture) => [...picture.querySelectorAll("a, button, input, select")])).toEqual([]);
      expect(overflowOfPage()).toBeLessThanOrEqual(0);
      expect(textsStickingOut()).toEqual([]);
    }
    await expectAccessible(`the steps in the ${theme}`);
  });

test("the price paid stands in the picture where it stands between stop and target", () => {
  const { averagePrice, stopPrice, targetPrice } = DECISION;
  expect(Math.round((100 * (averagePrice - stopPrice)) / (targetPrice - stopPrice))).toBe(29);
});
