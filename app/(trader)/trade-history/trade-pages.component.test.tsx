import { expect, test } from "vitest";
import { page } from "vitest/browser";
import { tradesApi } from "@/lib/contracts/trades.ts";
import { answer } from "@/lib/proof/screen/answers.ts";
import { textsOf } from "@/lib/proof/screen/look.ts";
import { showPage, TRADER } from "@/lib/proof/screen/show.tsx";
import { NO_TRADES } from "@/lib/proof/screen/trade-answers.ts";
import { TripTable } from "../backtest/trip-table.tsx";
import { TradeHistoryScreen } from "./trade-history-screen.tsx";

const buttons = () => textsOf("nav[aria-label=Pages] button");

test.each([
  ["", ["Newer", "Older"]],
  ["?order=asc", ["Previous", "Next"]],
  ["?sort=price", ["Previous", "Next"]],
  ["?sort=symbol&order=asc", ["Previous", "Next"]],
])("pages of trades sorted by %j are named by what is on them", async (query, names) => {
  answer(tradesApi.list, { ...NO_TRADES, pagination: { nextCursor: "2", limit: 50, total: 60 } });
  showPage(`/trade-history${query}`, TRADER, <TradeHistoryScreen />);
  await buttons().toEqual(names);
});

const tripOf = (nth: number) => ({
  symbol: `S${nth}`,
  name: "",
  opened: "2020-02-03",
  closed: "2020-02-07",
  sessionsHeld: 4,
  quantity: 10,
  entryPrice: 100,
  exitPrice: 101,
  exit: "Target",
  fees: 0,
  pnl: nth,
  pnlFraction: 0.01,
});

test("round trips of a backtest sorted by what they earned have a previous and a next page", async () => {
  const trips = Array.from({ length: 250 }, (_, nth) => tripOf(nth));
  showPage("/backtest/x", TRADER, <TripTable trips={trips as unknown as Parameters<typeof TripTable>[0]["trips"]} />);
  await buttons().toEqual(["Newer", "Older"]);
  await page.getByRole("button", { name: "P&L" }).click();
  await buttons().toEqual(["Previous", "Next"]);
  await expect.element(page.getByText("S249", { exact: true })).toBeVisible();
});
