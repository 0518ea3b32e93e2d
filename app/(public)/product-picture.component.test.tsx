import { expect, test } from "vitest";
import { page } from "vitest/browser";
import { showPublicPage } from "@/lib/proof/screen/show.tsx";
import { ProductPicture } from "./product-picture.tsx";

for (const width of [320, 390, 1440])
  test(`the four counts of the picture stand in one line at ${width} px`, async () => {
    await page.viewport(width, 844);
    showPublicPage("/", <ProductPicture />);
    const counts = ["502", "50", "25", "6"].map((count) => page.getByText(count, { exact: true }));
    await expect.element(counts[0]!).toBeVisible();
    const tops = counts.map((count) => count.element().getBoundingClientRect().top);
    expect(new Set(tops)).toHaveLength(1);
  });
