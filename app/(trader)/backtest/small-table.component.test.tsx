import { expect, test } from "vitest";
import { page } from "vitest/browser";
import { overflowOfPage } from "@/lib/proof/screen/layout.ts";
import { showPage, TRADER } from "@/lib/proof/screen/show.tsx";
import { SmallTable } from "./small-table.tsx";

const HEADS = ["Spread", "Final equity", "Total", "Max drawdown", "Round trips"];
const ROW = ["×1 (5 bps)", "$103,868.59", "+3.87%", "-2.58%", "128"];

const show = (columns: number) =>
  showPage(
    "/backtest/x",
    TRADER,
    <section>
      <SmallTable label="Spreads" heads={HEADS.slice(0, columns)} rows={[{ key: "1", cells: ROW.slice(0, columns) }]} />
    </section>,
  );

test("under 640 px a row of many columns is a card with each figure under its name, and nothing is cut", async () => {
  await page.viewport(390, 844);
  show(5);
  const card = page.getByRole("list", { name: "Spreads" }).getByRole("listitem");
  for (const text of ["×1 (5 bps)", "Final equity$103,868.59", "Max drawdown-2.58%", "Round trips128"])
    await expect.element(card).toHaveTextContent(text);
  await expect.element(page.getByRole("table")).not.toBeInTheDocument();
  expect(card.element().scrollWidth).toBeLessThanOrEqual(card.element().clientWidth);
  expect(overflowOfPage()).toBeLessThanOrEqual(0);
});

test("two columns stay a table on a phone, and many are one from 640 px on", async () => {
  await page.viewport(390, 844);
  show(2);
  await expect.element(page.getByRole("table")).toBeVisible();
  await page.viewport(640, 844);
  show(5);
  await expect.element(page.getByRole("table")).toBeVisible();
});
