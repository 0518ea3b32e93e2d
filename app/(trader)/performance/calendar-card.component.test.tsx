import { expect, test } from "vitest";
import { page } from "vitest/browser";
import { expectAccessible, inTheme } from "@/lib/proof/screen/look.ts";
import { showPage, TRADER } from "@/lib/proof/screen/show.tsx";
import { CalendarCard } from "./calendar-card.tsx";

/** Results of some sessions, USD, on an account of 100,000. */
const PNL = { "2020-03-02": 1250.5, "2020-03-03": -225.4, "2020-03-04": 204.1, "2020-03-05": -800, "2020-03-06": 0 };
const DAYS = Object.entries(PNL).map(([session, pnl]) => ({ session, pnl, value: pnl / 100_000 }));

const show = (days = DAYS) => showPage("/performance", TRADER, <CalendarCard days={days} />);
const cellOf = (text: string) => page.getByText(text, { exact: true }).first().element().closest("td")!;
/** How much of its colour a day has: the opacity of its ground. */
const strengthOf = (text: string) => {
  const [, alpha] = /\/ ([\d.]+)\)$/.exec(getComputedStyle(cellOf(text)).backgroundColor) ?? [];
  return alpha === undefined ? 0 : Number(alpha);
};

test("the further a day is from zero beside the largest day of its month, the stronger its color; zero alone has none", async () => {
  show();
  await expect.element(page.getByText("+$1,250.50")).toBeVisible();
  const strengths = ["$0.00", "+$204.10", "-$225.40", "-$800.00", "+$1,250.50"].map(strengthOf);
  expect(strengths[0]).toBe(0);
  expect(strengths[1]).toBeGreaterThan(0);
  expect(strengths[2]).toBeGreaterThanOrEqual(strengths[1]!);
  expect(strengths[3]).toBeGreaterThan(strengths[2]!);
  expect(strengths[4]).toBeGreaterThan(strengths[3]!);
});

for (const theme of ["light", "dark"] as const)
  test(`figures of every strength of color are legible in the ${theme}`, async () => {
    inTheme(theme);
    show();
    await expect.element(page.getByText("+$1,250.50")).toBeVisible();
    await expectAccessible(`the calendar in the ${theme}`);
  });

test.each([320, 360, 390, 640, 768, 1440])(
  "no amount is cut at %i px, and the whole one is read out",
  async (width) => {
    const amounts = [123.45, -1234.56, 123_456.78, -999_999.99, 45_678.9];
    await page.viewport(width, 844);
    show(amounts.map((pnl, nth) => ({ session: `2020-03-0${nth + 2}`, pnl, value: pnl / 100_000 })));
    await expect.element(page.getByText("+$123.45", { exact: true }).first()).toBeInTheDocument();
    const lines = [...document.querySelectorAll("main td span.truncate")];
    expect(lines).toHaveLength(5);
    expect(lines.filter((line) => line.scrollWidth > line.clientWidth).map(({ textContent }) => textContent)).toEqual(
      [],
    );
    const told = [...document.querySelectorAll("main td .amount:not([aria-hidden])")].map(
      ({ textContent }) => textContent,
    );
    expect(told).toEqual(["+$123.45", "-$1,234.56", "+$123,456.78", "-$999,999.99", "+$45,678.90"]);
  },
);
