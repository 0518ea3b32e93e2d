import { expect, type Page } from "@playwright/test";
import { expectAccessibleIn } from "./axe.ts";
import { overflowOf, stickingOut } from "./layout.ts";

export const SIZES = { wide: { width: 1440, height: 844 }, phone: { width: 390, height: 844 } } as const;

/** Nothing wider than the screen, and no text that leaves its card. */
async function expectItFits(page: Page, what: string): Promise<void> {
  expect(await overflowOf(page), `${what} is wider than the screen`).toBeLessThanOrEqual(0);
  expect(await stickingOut(page), `${what}: sticks out of its card`).toEqual([]);
}

/**
 * Looks at what is open in both widths and both themes, and leaves it wide. The contrast of its colours, most of what a look costs, is
 * measured in one theme of each width, all other rules in one width; callers take the other way around at every second look: pages share
 * their parts. `andSo` is what has to hold in each width besides.
 */
export async function expectSound(
  page: Page,
  name: string,
  darkSize: keyof typeof SIZES,
  andSo: () => Promise<void> = async () => {},
): Promise<void> {
  for (const size of ["phone", "wide"] as const) {
    await page.setViewportSize(SIZES[size]);
    const what = `${name}, ${size}`;
    const [theme, kinds] =
      size === darkSize ? (["dark", ["structure", "contrast"]] as const) : (["light", ["contrast"]] as const);
    await expectAccessibleIn(page, theme, what, kinds);
    await expectItFits(page, what);
    await andSo();
  }
}
