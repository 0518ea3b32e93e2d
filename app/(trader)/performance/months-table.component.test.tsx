import { expect, test } from "vitest";
import { page } from "vitest/browser";
import { showPage, TRADER } from "@/lib/proof/screen/show.tsx";
import { MonthGrid } from "../backtest/month-grid.tsx";
import { MonthsTable } from "./months-table.tsx";

const VALUES = [0.00004, -0.00004, 0.05, -0.05];
const READS = [
  ["0.00%", ""],
  ["0.00%", ""],
  ["+5.00%", "text-gain"],
  ["-5.00%", "text-loss"],
];
/** The first four months as they read, with what colours them. */
const months = (selector: string) =>
  expect.poll(() =>
    [...document.querySelectorAll(`main tbody tr:first-child ${selector}`)]
      .slice(0, 4)
      .map((cell) => [cell.textContent, /text-(gain|loss)/.exec(cell.className)?.[0] ?? ""]),
  );

test("a month that reads zero has no colour, in Performance and in a backtest", async () => {
  const cells = VALUES.map((value, i) => ({ month: i + 1, value, spy: null }));
  showPage("/performance", TRADER, <MonthsTable years={[{ year: 2026, value: 0, spy: null, months: cells }]} />);
  await expect.element(page.getByRole("region", { name: "Returns by month" })).toBeVisible();
  await months("td > span:first-child").toEqual(READS);
  const rows = VALUES.map((value, i) => ({ year: 2026, month: i + 1, value, index: null }));
  showPage("/backtest/x", TRADER, <MonthGrid months={rows} />);
  await expect.element(page.getByRole("region", { name: "Returns by month and year" })).toBeVisible();
  await months("td").toEqual(READS);
});
