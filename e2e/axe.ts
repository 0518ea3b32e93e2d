import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { AxeResults, RunOptions } from "axe-core";
import { expect, type Page } from "@playwright/test";

/** Read when it is first needed: the minified file, of which the browser has half as much to parse. */
let source: string | undefined;
const axeSource = () =>
  (source ??= readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8"));

declare global {
  interface Window {
    axe?: { run: (context: Document, options: RunOptions) => Promise<AxeResults> };
  }
}

/** What axe finds on the page; a document gets axe once, however often it is looked at. */
async function violationsOn(page: Page, rules?: string[]): Promise<AxeResults["violations"]> {
  if (await page.evaluate(() => window.axe === undefined)) await page.evaluate(axeSource());
  // Without the list of what is well, the answer is the same and comes sooner.
  const options: RunOptions = { resultTypes: ["violations"], ...(rules ? { runOnly: rules } : {}) };
  return page.evaluate(async (given) => (await window.axe!.run(document, given)).violations, options);
}

/** Nothing that keeps people out. Colours are all that differs in the dark: what they are needed for is asked there. */
export async function expectAccessible(page: Page, what: string, rules?: string[]): Promise<void> {
  const violations = await violationsOn(page, rules);
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
