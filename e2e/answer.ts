import type { Page } from "@playwright/test";

/** Answers a call with these data from now on. */
export async function answer(page: Page, path: string, data: unknown): Promise<void> {
  await page.route(`**/api/v1${path}`, (route) => route.fulfill({ json: { success: true, data, error: null } }));
}
