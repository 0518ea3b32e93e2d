import { expect, it } from "vitest";
import { decide } from "./decide.ts";
import {
  exampleAccount,
  exampleMarket,
  examplePolicy,
  exampleSeat,
  exampleSymbol,
} from "@/lib/proof/example-market.ts";
import type { AccountState } from "./plan.ts";
import { recordedState } from "./recorded-state.ts";

it("a record of engine 1.0 is decided on, with nothing made up about losses and round trips", () => {
  const { lossSales, ...older } = exampleAccount();
  expect(lossSales).toEqual([]);
  const recorded = { ...older, trips: { count: 400, wins: 100, meanWin: 0.1, meanLoss: -0.1 } };
  const state = recordedState(recorded as unknown as AccountState);
  expect(state).toEqual(exampleAccount());
  const market = exampleMarket([exampleSymbol("AAA")], [exampleSeat("AAA")]);
  expect(decide(state, market, examplePolicy)).toEqual(decide(exampleAccount(), market, examplePolicy));
});

it("a record of today is read as it stands", () => {
  const state = exampleAccount({ lossSales: [{ symbol: "AAA", session: "2020-01-31" }] });
  expect(recordedState(state)).toEqual(state);
});
