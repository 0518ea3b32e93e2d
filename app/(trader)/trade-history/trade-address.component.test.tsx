import { expect, test } from "vitest";
import { page } from "vitest/browser";
import { tradesApi } from "@/lib/contracts/trades.ts";
import { answer } from "@/lib/proof/screen/answers.ts";
import { showPage, TRADER } from "@/lib/proof/screen/show.tsx";
import { NO_TRADES } from "@/lib/proof/screen/trade-answers.ts";
import { TradeHistoryScreen } from "./trade-history-screen.tsx";

test.each(["?status=filled", "?side=hold", "?status=DONE&side=buy"])(
  "a filter that the page does not offer (%s) filters nothing, as its fields say",
  async (query) => {
    const asked = answer(tradesApi.list, NO_TRADES);
    showPage(`/trade-history${query}`, TRADER, <TradeHistoryScreen />);
    await expect.element(page.getByText("Start trading to see your trade history here.")).toBeVisible();
    for (const label of ["Side", "Status"]) await expect.element(page.getByLabelText(label)).toHaveDisplayValue("All");
    expect(asked.flatMap(({ side, status }) => [side, status]).filter(Boolean)).toEqual([]);
    await expect.element(page.getByRole("button", { name: "Clear Filters" })).toHaveAttribute("aria-disabled", "true");
    await page.getByLabelText("Status").selectOptions("FILLED");
    await expect.poll(() => asked.at(-1)?.status).toBe("FILLED");
  },
);
