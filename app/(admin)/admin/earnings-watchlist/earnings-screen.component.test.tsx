import { beforeEach, expect, test } from "vitest";
import { page } from "vitest/browser";
import { selectorsApi } from "@/lib/contracts/selectors.ts";
import { answer } from "@/lib/proof/screen/answers.ts";
import { colourOf, column, figure, query, textsOf } from "@/lib/proof/screen/look.ts";
import { WATCHLIST } from "@/lib/proof/screen/selector-answers.ts";
import { ADMIN, showPage } from "@/lib/proof/screen/show.tsx";
import { EarningsScreen } from "./earnings-screen.tsx";

const row = (symbol: string) => page.getByRole("row", { name: new RegExp(`^${symbol}`) });
const show = () => showPage("/admin/earnings-watchlist", ADMIN, <EarningsScreen />);

beforeEach(() => {
  answer(selectorsApi.earningsWatchlist, WATCHLIST);
});

test("the watchlist shows cards and columns; days and volumes in their colours", async () => {
  show();
  for (const [label, value] of [
    ["Total Stocks", "4"],
    ["Low Risk", "2"],
    ["Medium Risk", "1"],
    ["High Risk", "1"],
  ] as const)
    await figure(label).toBe(`${label}${value}`);
  await textsOf("main thead th").toEqual([
    "Symbol",
    "Company",
    "Sector",
    "Price",
    "Earnings Date",
    "Time",
    "Days Until",
    "Risk Level",
    "Upside",
    "Volume Ratio",
    "Reason",
  ]);
  for (const [symbol, time, days, colour] of [
    ["AAA", "PM", "8 days", "green"],
    ["BBB", "AM", "Today", "red"],
    ["CCC", "PM", "Tomorrow", "red"],
    ["DDD", "PM", "3 days", "yellow"],
  ] as const) {
    await expect.element(row(symbol).getByText(time, { exact: true })).toBeVisible();
    expect(await colourOf(row(symbol).getByText(days, { exact: true })), symbol).toBe(colour);
  }
  for (const [symbol, text, colour] of [
    ["AAA", "1.20×", "green"],
    ["BBB", "2.40×", "red"],
    ["CCC", "1.75×", "yellow"],
  ] as const) {
    const cell = row(symbol).getByRole("cell").nth(9);
    await expect.element(cell).toHaveTextContent(text);
    const bar = (await cell.findElement()).querySelector("[style]");
    expect(bar && (await colourOf(page.elementLocator(bar), "background-color")), symbol).toBe(colour);
  }
  await expect.element(row("BBB")).toHaveTextContent("-5.00%");
  await expect.element(row("DDD").getByRole("cell").nth(8)).toHaveTextContent(/^—$/);
});

test("the watchlist sorts and filters, and keeps them in the address", async () => {
  show();
  await column(1).toEqual(["BBB", "CCC", "DDD", "AAA"]);
  const sort = page.getByLabelText("Sort by", { exact: true });
  await sort.selectOptions("Risk Level");
  await column(1).toEqual(["BBB", "DDD", "CCC", "AAA"]);
  await sort.selectOptions("Upside");
  await column(1).toEqual(["AAA", "CCC", "BBB", "DDD"]);
  await page.getByLabelText("Risk", { exact: true }).selectOptions("Low Risk");
  await column(1).toEqual(["BBB", "DDD"]);
  await query().toBe("?sort=upside&risk=LOW");
});

test("the watchlist has a calendar of dates with their stocks", async () => {
  show();
  await page.getByRole("tab", { name: "Calendar View", exact: true }).click();
  await query().toBe("?tab=calendar");
  const dates = () => page.getByRole("tabpanel").getByRole("heading").elements();
  await expect
    .poll(() => dates().map(({ textContent }) => textContent))
    .toEqual(["4 Feb 2020", "5 Feb 2020", "7 Feb 2020", "12 Feb 2020"]);
  const stock = expect.element(page.getByRole("listitem").filter({ hasText: "BBB" }));
  for (const text of ["Low", "$20.50", "AM", "-5.00%", "2.40× avg volume"]) await stock.toHaveTextContent(text);
});

test("the watchlist says when its list is an earlier session's", async () => {
  answer(selectorsApi.earningsWatchlist, { ...WATCHLIST, isCurrent: false, sessionDate: "2020-02-03" });
  show();
  const note = page.getByText(/unavailable at the last screening: this is the list of 3 Feb 2020\.$/);
  await expect.element(note).toBeVisible();
});
