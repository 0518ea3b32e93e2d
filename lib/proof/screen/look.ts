// What tests of screens look at, beside what Vitest's locators find.
import { run, type AxeResults } from "axe-core";
import { expect, vi } from "vitest";
import { page, type Locator } from "vitest/browser";
import { nameOfColour, paintedOn, type ColourProperty } from "./colour.ts";

export const says = (text: string | RegExp) => expect.element(page.getByText(text, { exact: true }));

const textOf = ({ textContent }: Element) => textContent.replaceAll(/\s+/g, " ").trim();

/** The texts of what a selector finds on the page. */
export const textsOf = (selector: string) =>
  expect.poll(() => [...document.querySelectorAll(selector)].map((element) => textOf(element)));

/** The texts of a column of the page's table, by its place. */
export const column = (nth: number) => textsOf(`main tbody tr td:nth-child(${nth})`);

/** The text of the term and its figure in a list of figures. */
export const figure = (label: string) =>
  expect.poll(() => {
    const entries = [...document.querySelectorAll("main dl > div")];
    const entry = entries.find((each) => textOf(each.querySelector("dt") ?? each) === label);
    return entry ? textOf(entry) : `no figure ${label}`;
  });

/** The query in the address. */
export const query = () => expect.poll(() => window.location.search);

/** What people call the painted colour. */
export async function colourOf(of: Locator, property: ColourProperty = "color"): Promise<string> {
  return nameOfColour(paintedOn(await of.findElement(), property));
}

export function inTheme(theme: "light" | "dark"): void {
  document.documentElement.classList.toggle("dark", theme === "dark");
}

/** Advances the page's time in small steps, so that answers come in between. Timers are fake by then. */
export const passes = (until: () => boolean, stepMs = 1_000) =>
  expect
    .poll(
      async () => {
        await vi.advanceTimersByTimeAsync(stepMs);
        return until();
      },
      { interval: 10 },
    )
    .toBe(true);

const isGrave = ({ impact }: AxeResults["violations"][number]) => impact === "serious" || impact === "critical";

/** Nothing that keeps people out. The title is a page's, and a screen has none. */
export async function expectAccessible(what: string): Promise<void> {
  const { violations } = await run(document, {
    resultTypes: ["violations"],
    rules: { "document-title": { enabled: false } },
  });
  const grave = violations.filter((each) => isGrave(each));
  expect(
    grave.map(({ id, nodes }) => `${what} ${id}: ${nodes.map((node) => node.target.join(" ")).join(", ")}`),
    "axe",
  ).toEqual([]);
}

const STALE_STEP_MS = 10_000;

/** Until no answer comes any more, and what is shown is marked for it. Timers are fake until then. */
export async function expectStaleLegible(what: string): Promise<void> {
  vi.spyOn(window, "fetch").mockRejectedValue(new TypeError("Failed to fetch"));
  await passes(() => page.getByText("stale", { exact: true }).elements().length > 0, STALE_STEP_MS);
  vi.useRealTimers();
  for (const theme of ["light", "dark"] as const) {
    inTheme(theme);
    await expectAccessible(`${what}, stale in the ${theme}`);
  }
}
