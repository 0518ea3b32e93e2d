import { expect, test } from "vitest";
import { page } from "vitest/browser";
import { textsOf } from "@/lib/proof/screen/look.ts";
import { showPage, TRADER } from "@/lib/proof/screen/show.tsx";
import { PositionFacts } from "./position-facts.tsx";
import type { PositionAnswer } from "./position-screen.tsx";

const POSITION = {
  symbol: "AAPL",
  quantity: 10,
  averagePrice: 100,
  currentPrice: null,
  marketValue: null,
  unrealizedPnL: null,
  unrealizedPnLPercent: null,
  stopPrice: 95 as number | null,
  targetPrice: null,
  stopDistancePercent: null,
  targetDistancePercent: null,
  openedAt: "2026-11-20T15:00:00.000Z",
};
const show = (position: typeof POSITION, protectedQuantity = 10) =>
  showPage(
    "/positions/a/AAPL",
    TRADER,
    <PositionFacts
      data={
        { position, protectedQuantity, atRisk: null, pnlAtStop: null, sessionsHeld: 0 } as unknown as PositionAnswer
      }
    />,
  );

test("without a price the risk says so, and does not deny the stop", async () => {
  show(POSITION);
  await expect.element(page.getByText("the current price is not known")).toBeVisible();
  await expect.element(page.getByText("there is no stop with a price")).not.toBeInTheDocument();
  await textsOf("main dl ~ div dl > div").toEqual(["Stop$95.00", "Price—", "TargetNone"]);
});

test("without a stop the risk says that", async () => {
  show({ ...POSITION, stopPrice: null });
  await expect.element(page.getByText("there is no stop with a price")).toBeVisible();
});

test.each([
  [1, 0, "1 share", "1 of 1 share is without a stop at the broker."],
  [10, 9, "10 shares", "1 of 10 shares is without a stop at the broker."],
  [10, 8, "10 shares", "2 of 10 shares are without a stop at the broker."],
])("of %d shares, %d of them covered, it speaks in the right number", async (quantity, covered, held, bare) => {
  show({ ...POSITION, quantity }, covered);
  await expect.element(page.getByText(held, { exact: true })).toBeVisible();
  await expect.element(page.getByText(bare, { exact: true })).toBeVisible();
});
