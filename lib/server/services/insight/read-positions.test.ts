import { expect, it } from "vitest";
import { money, text } from "@/lib/domain/money.ts";
import { positionFacts } from "./read-positions.ts";

it("a stop gives back what its shares lose: a fraction beside them is not sold by it", () => {
  const held = {
    positions: [
      {
        ...{ symbol: "SPY", accountId: "a", quantity: money("1.9"), marketValue: money("190") },
        ...{ currentPrice: money("100"), stopPrice: money("90"), unrealizedPnL: null, unrealizedPnLPercent: null },
      },
    ],
    resting: { covered: () => new Map([["SPY", money("1")]]) },
  };
  const [facts] = positionFacts(held as unknown as Parameters<typeof positionFacts>[0]);
  expect(facts).toMatchObject({ isCovered: true, toStop: text(money("10")) });
});
