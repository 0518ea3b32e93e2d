import { expect, type Locator } from "@playwright/test";

/**
 * Opens what a summary folds. A card that arrives above it moves it away from under a click, which is then lost: it is clicked
 * until the fold is open, and an open fold is left as it is.
 */
export async function unfold(summary: Locator): Promise<void> {
  const isOpen = () => summary.evaluate((element) => element.closest("details")?.open);
  await expect(summary).toBeVisible();
  await expect(async () => {
    if (!(await isOpen())) await summary.click({ timeout: 5000 });
    expect(await isOpen(), "the fold is open").toBe(true);
  }).toPass({ timeout: 15_000 });
}
