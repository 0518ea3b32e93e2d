import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { AxeResults, RunOptions } from "axe-core";
import { expect, type Page } from "@playwright/test";

/** Read when it is first needed: the minified file, of which the browser has half as much to parse. */
let source: string | undefined;
const axeSource = () =>
  (source ??= readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8"));

interface Axe {
  run: (context: Document | { include: Document[]; exclude: Element[] }, options: RunOptions) => Promise<AxeResults>;
  _audit: { rules: { id: string; impact: string | null }[] };
}

declare global {
  interface Window {
    axe?: Axe;
    /** Rows, items and cards that look like two others beside them. */
    repeatedLooks?: () => Element[];
  }
}

/** `npm run prove -- pages`: every text in every look, those that look alike included, and all of what journeys try samples of. */
export const isWhole = () => process.env.E2E_EVERY_TEXT === "1";

/**
 * Runs in the page. Contrast is nine tenths of what axe costs, and most texts of a long table stand in rows that look alike: elements
 * beside each other whose texts and backgrounds have the same colours, sizes and weights all through. Two of each look are enough.
 */
function defineRepeatedLooks(): void {
  const LOOKS_KEPT = 2;
  window.repeatedLooks = () => {
    const numbers = new Map<string, number>();
    const looks = new Map<Element, number>();
    const lookOf = (element: Element): number => {
      const style = window.getComputedStyle(element);
      const { color, backgroundColor, backgroundImage, opacity, fontSize, fontWeight, display, visibility } = style;
      const own = [element.tagName, color, backgroundColor, backgroundImage, opacity, fontSize, fontWeight, display];
      const within = element instanceof SVGElement ? [] : [...element.children].map(lookOf);
      const look = [...own, visibility, ...within].join("|");
      if (!numbers.has(look)) numbers.set(look, numbers.size);
      const number = numbers.get(look) ?? 0;
      looks.set(element, number);
      return number;
    };
    const repeatedIn = (element: Element): Element[] => {
      const counts = new Map<number | undefined, number>();
      return [...element.children].flatMap((child) => {
        const count = (counts.get(looks.get(child)) ?? 0) + 1;
        counts.set(looks.get(child), count);
        return count > LOOKS_KEPT ? [child] : repeatedIn(child);
      });
    };
    lookOf(document.body);
    return repeatedIn(document.body);
  };
}

/** What axe finds on the page that is grave; a document gets axe once, however often it is looked at. */
async function violationsOn(page: Page, kinds: readonly Kind[]): Promise<AxeResults["violations"]> {
  if (await page.evaluate(() => window.axe === undefined)) {
    await page.evaluate(axeSource());
    await page.evaluate(defineRepeatedLooks);
  }
  return page.evaluate(
    async ([asked, isEveryText]) => {
      const { run, _audit } = window.axe!;
      // Without the list of what is well, the answer is the same and comes sooner.
      const options: RunOptions = { resultTypes: ["violations"] };
      const found: AxeResults["violations"] = [];
      if (asked.includes("structure")) {
        const isLeftOut = (id: string, impact: string | null) =>
          id === "color-contrast" || impact === "minor" || impact === "moderate";
        const leftOut = _audit.rules.filter(({ id, impact }) => isLeftOut(id, impact));
        const rules = Object.fromEntries(leftOut.map(({ id }) => [id, { enabled: false }]));
        found.push(...(await run(document, { ...options, rules })).violations);
      }
      if (asked.includes("contrast")) {
        const exclude = isEveryText ? [] : window.repeatedLooks!();
        const context = exclude.length > 0 ? { include: [document], exclude } : document;
        found.push(...(await run(context, { ...options, runOnly: ["color-contrast"] })).violations);
      }
      return found;
    },
    [kinds, isWhole()] as const,
  );
}

/** What axe is asked: the contrast of the colours, and all of its other rules. */
type Kind = "structure" | "contrast";

/** Nothing that keeps people out. Colours are all that differs from theme to theme. */
export async function expectAccessible(
  page: Page,
  what: string,
  kinds: readonly Kind[] = ["structure", "contrast"],
): Promise<void> {
  const violations = await violationsOn(page, kinds);
  const grave = violations.filter(({ impact }) => impact === "serious" || impact === "critical");
  expect(
    grave.map(({ id, nodes }) => `${what} ${id}: ${nodes.map((node) => node.target.join(" ")).join(", ")}`),
    "axe",
  ).toEqual([]);
}

/** In the light and in the dark, and leaves the page in the light. */
export async function expectAccessibleInThemes(page: Page, what: string): Promise<void> {
  await inTheme(page, "dark");
  await expectAccessible(page, `${what}, in the dark`, ["contrast"]);
  await inTheme(page, "light");
  await expectAccessible(page, what);
}

/**
 * For a look that comes a second time, with the other theme: the contrast of its colours in one, all other rules where they are asked for
 * besides. In both themes by `npm run prove -- pages`.
 */
export async function expectAccessibleIn(
  page: Page,
  theme: Theme,
  what: string,
  kinds: readonly Kind[] = ["structure", "contrast"],
): Promise<void> {
  if (isWhole()) return expectAccessibleInThemes(page, what);
  await inTheme(page, theme);
  await expectAccessible(page, `${what}, in the ${theme}`, kinds);
}

type Theme = "light" | "dark";

/** Switches to a theme and waits until it is shown. */
export async function inTheme(page: Page, colorScheme: Theme): Promise<void> {
  await page.emulateMedia({ colorScheme });
  const root = expect(page.locator("html"));
  await (colorScheme === "dark" ? root : root.not).toHaveClass(/(^| )dark( |$)/);
}
