import { describe, expect, it } from "vitest";
import { decide, regate } from "./decide.ts";
import {
  exampleAccount,
  exampleMarket,
  examplePolicy,
  exampleSeat,
  exampleSymbol,
  exampleTime,
} from "@/lib/proof/example-market.ts";
import type { AccountState } from "./plan.ts";

describe("regate", () => {
  const market = exampleMarket([exampleSymbol("AAA")], [exampleSeat("AAA")]);
  const [entry] = decide(exampleAccount(), market, examplePolicy).orders;

  it("an entry passes again on what it was decided on", () => {
    expect(regate(entry!, exampleAccount(), market, examplePolicy).filter(({ passed }) => !passed)).toEqual([]);
  });

  it("is refused by the kill switch, by less room than planned, and by a price that has run away", () => {
    const failing = (state: AccountState, view = market) =>
      regate(entry!, state, view, examplePolicy)
        .filter(({ passed }) => !passed)
        .map(({ code }) => code);
    expect(failing(exampleAccount({ killState: "NO_NEW_ENTRIES" }))).toEqual(["kill_state"]);
    expect(failing(exampleAccount({ stoppedSymbols: ["AAA"] }))).toEqual(["kill_state"]);
    expect(failing(exampleAccount({ buyingPower: "3000" }))).toEqual(["buying_power"]);
    const runAway = exampleMarket(
      [exampleSymbol("AAA", { quote: { last: "110", bid: "109.9", ask: "110.1", at: exampleTime(10, 4) } })],
      [exampleSeat("AAA")],
    );
    expect(failing(exampleAccount(), runAway)).toEqual(["price_collar"]);
  });

  it("is refused where it would be paid with borrowed money, or with the part of the equity that stays cash", () => {
    const margin = (cash: string) => {
      const state = exampleAccount({ cash, buyingPower: "402400" });
      return regate(entry!, state, market, examplePolicy).find(({ code }) => code === "buying_power");
    };
    const { equity } = exampleAccount();
    const buffer = Number(equity) * examplePolicy.portfolio_limits.cash_buffer;
    expect(margin(String(buffer + 400))).toMatchObject({
      passed: false,
      detail: expect.stringContaining("room for $400.00") as string,
    });
    expect(margin(equity)).toMatchObject({ passed: true });
  });

  it("is refused where the bid has come down to its stop, at which it would sell at once", () => {
    const { preferences } = exampleAccount();
    const tight = exampleAccount({ preferences: { ...preferences, stopLoss: "1" } });
    const [close] = decide(tight, market, examplePolicy).orders;
    const detailAt = (last: string, bid: string, ask: string) => {
      const view = exampleMarket(
        [exampleSymbol("AAA", { quote: { last, bid, ask, at: exampleTime(10, 4) } })],
        [exampleSeat("AAA")],
      );
      return regate(close!, tight, view, examplePolicy).find(({ passed }) => !passed)?.detail ?? null;
    };
    expect(close).toMatchObject({ stopLossPrice: "99.01" });
    expect(detailAt("99.1", "99.02", "99.06")).toBeNull();
    expect(detailAt("99.1", "99.01", "99.05")).toBe("the stop is not below the bid, so that it would sell at once");
  });

  it("an exit is asked for the account, its keys and an open market only", () => {
    const exit = { ...entry!, purpose: "EXIT" as const, side: "SELL" as const };
    const blocked = exampleAccount({
      killState: "REDUCE_ONLY",
      automationOff: "paused",
      lastEquity: "200000",
      buyingPower: "0",
    });
    expect(regate(exit, blocked, market, examplePolicy).every(({ passed }) => passed)).toBe(true);
    expect(regate(exit, exampleAccount({ hasKeys: false }), market, examplePolicy).some(({ passed }) => !passed)).toBe(
      true,
    );
  });
});
