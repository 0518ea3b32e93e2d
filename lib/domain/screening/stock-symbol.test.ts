import { expect, it } from "vitest";
import { isStockSymbol } from "./stock-symbol.ts";

it("stocks and their share classes are stocks; warrants, rights, units, preferred and when-issued shares are none", () => {
  expect(["A", "AAPL", "BRK.B", "BF.A", "SPY"].filter((symbol) => !isStockSymbol(symbol))).toEqual([]);
  const others = ["OXY.WS", "ABC.RT", "ABC.U", "BAC.PRL", "META.WI", "037833100", "aapl", "BRK.", "BRK/B", ""];
  expect(others.filter(isStockSymbol)).toEqual([]);
});
