import AxeBuilder from "@axe-core/playwright";
import { expect, type Page } from "@playwright/test";

/** Nothing that keeps people out. Colours are all that differs in the dark: what they are needed for is asked there. */
export async function expectAccessible(page: Page, what: string, rules?: string[]): Promise<void> {
  // In one frame and without the list of what is well, the answer is the same and comes in half the time.
  const axe = new AxeBuilder({ page }).options({ resultTypes: ["violations"] }).setLegacyMode();
  const { violations } = await (rules ? axe.withRules(rules) : axe).analyze();
  const grave = violations.filter(({ impact }) => impact === "serious" || impact === "critical");
  expect(
    grave.map(({ id, nodes }) => `${what} ${id}: ${nodes.map((node) => node.target.join(" ")).join(", ")}`),
    "axe",
  ).toEqual([]);
}

/** Switches to a theme and waits until it is shown. */
export async function inTheme(page: Page, colorScheme: "light" | "dark"): Promise<void> {
  await page.emulateMedia({ colorScheme });
  const root = expect(page.locator("html"));
  await (colorScheme === "dark" ? root : root.not).toHaveClass(/(^| )dark( |$)/);
}
