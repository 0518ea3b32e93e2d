import { expect, test } from "vitest";
import { page } from "vitest/browser";
import { showPage, TRADER } from "@/lib/proof/screen/show.tsx";
import { SymbolTrading } from "./symbol-trading.tsx";

const TRIP = {
  ...{
    id: "1",
    accountId: "a",
    openedAt: "2020-03-02T15:00:00.000Z",
    closedAt: null,
    quantityBought: 10,
    quantitySold: 0,
  },
  ...{ entryValue: 1000, exitValue: 0, fees: 0, pnl: 0, outcome: null, entryReason: null, exitReason: null },
};
const CLOSED = {
  ...{ ...TRIP, id: "2", closedAt: "2020-03-03T15:00:00.000Z", exitValue: 990, pnl: -10 },
  ...{ outcome: "LOSS" as const, exitReason: "Protective stop" },
};

test("what is still held was not sold for nothing: an open round trip has no sale and no result", async () => {
  const rows = page.getByRole("row");
  showPage(
    "/symbols/KO",
    TRADER,
    <SymbolTrading of={{ trades: [], levels: [], trips: [TRIP, CLOSED] }} accounts={[]} />,
  );
  await expect.element(rows.nth(1)).toHaveTextContent("$1,000.00");
  await expect.element(rows.nth(1)).not.toHaveTextContent("$0.00");
  await expect.element(rows.nth(2)).toHaveTextContent("$990.00-$10.00");
});
