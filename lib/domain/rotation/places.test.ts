import { describe, expect, it } from "vitest";
import {
  exampleAccount,
  exampleFeatures,
  exampleMarket,
  exampleOrder,
  examplePolicy as policy,
  examplePosition,
  examplePullback,
  exampleSeat,
  exampleSymbol,
} from "@/lib/proof/example-market.ts";
import { plan, rich } from "@/lib/proof/example-rotation.ts";
import type { AccountState, MarketView } from "../engine/plan.ts";
import type { StrategyName } from "../enums.ts";
import { orderOfLeg } from "./order-of-leg.ts";

/** Mean reversion holds five at most, and two in a sector. */
const reverting = (symbol: string, sector: string) =>
  exampleSymbol(symbol, { sector, features: examplePullback(), momentumPercentile: 70 });
const weak = (symbol: string, sector = `S ${symbol}`) => exampleSymbol(symbol, { sector, momentumPercentile: 61 });
const ofMomentum = (symbol: string) => examplePosition(symbol, { qty: "20", strategy: "MOMENTUM" });
const ofReversion = (symbol: string) =>
  examplePosition(symbol, { qty: "20", strategy: "MEAN_REVERSION", openedSession: "2020-01-31" });

const reverter = (change: Partial<AccountState>, maxPositions = 10) =>
  exampleAccount({ preferences: { ...rich, strategy: "MEAN_REVERSION", maxPositions }, ...change });

/** The legs, and what the rules say of each purchase once the plan's sales are done. */
function rotated(state: AccountState, market: MarketView) {
  const { legs: all } = plan([state], market, { turnoverCapPctPerPeriod: 100, costAwareThresholdBps: 0 });
  const legs = all.filter(({ kind }) => kind !== "resize");
  const sold = new Set(legs.filter(({ side }) => side === "SELL").map(({ symbol }) => symbol));
  const after = { ...state, positions: state.positions.filter(({ symbol }) => !sold.has(symbol)) };
  const refusals = legs
    .filter(({ side }) => side === "BUY")
    .flatMap((leg) => orderOfLeg(leg, after, market, policy).refusal ?? []);
  return { legs: legs.map(({ kind, side, symbol }) => `${kind} ${side} ${symbol}`), refusals };
}

/** A holding that no challenger beats. */
const kept = (symbol: string) => exampleSeat(symbol, { rank: 9, composite: 100 });
const best = (symbol: string, rank = 1) => exampleSeat(symbol, { rank, composite: 95 });

describe("places of a strategy with a limit of its own", () => {
  it("are counted with purchases in flight in the sector: nothing is sold for what the rules would refuse", () => {
    const market = exampleMarket(
      [reverting("A", "Tech"), reverting("B", "Tech"), reverting("C", "Tech"), weak("OLD")],
      [best("C"), kept("A")],
    );
    const inFlight = exampleOrder("B", { strategy: "MEAN_REVERSION" });
    const state = (openOrders: AccountState["openOrders"]) =>
      reverter({ positions: [ofReversion("A"), ofMomentum("OLD")], openOrders }, 3);
    expect(rotated(state([inFlight]), market)).toEqual({ legs: [], refusals: [] });
    const two = reverter({ positions: [ofReversion("A"), ofMomentum("OLD")] }, 2);
    expect(rotated(two, market)).toEqual({ legs: ["swap SELL OLD", "swap BUY C"], refusals: [] });
  });

  it("are not taken by holdings of another strategy, in all or in the sector", () => {
    const names = ["H1", "H2", "H3", "H4", "H5"];
    const market = exampleMarket(
      [...names.map((name) => weak(name, name < "H3" ? "Tech" : `S ${name}`)), reverting("NEW", "Tech")],
      [best("NEW")],
    );
    expect(rotated(reverter({ positions: names.map(ofMomentum) }), market)).toEqual({
      legs: ["enter BUY NEW"],
      refusals: [],
    });
  });

  it("are given back by a swap within the strategy alone: the weakest one that makes room leaves", () => {
    const names = ["R1", "R2", "R3", "R4", "R5"];
    const symbols = [
      ...names.map((name) => ({ ...reverting(name, `S ${name}`), momentumPercentile: 65 })),
      weak("OLD"),
      reverting("NEW", "Tech"),
    ];
    const state = reverter({ positions: [...names.map(ofReversion), ofMomentum("OLD")] });
    expect(rotated(state, exampleMarket(symbols, [best("NEW")]))).toEqual({
      legs: ["swap SELL R1", "swap BUY NEW"],
      refusals: [],
    });
  });

  it("that a swap gives back in its sector are no other purchase's: it may be dropped", () => {
    const symbols = [
      { ...reverting("R1", "Tech"), momentumPercentile: 50 },
      ...[reverting("R2", "Tech"), reverting("NEW", "Energy"), reverting("ALSO", "Tech"), weak("OLD")],
    ];
    const seats = [best("NEW"), exampleSeat("ALSO", { rank: 2, composite: 90 }), kept("R2")];
    const state = reverter({ positions: [ofReversion("R1"), ofReversion("R2"), ofMomentum("OLD")] }, 3);
    const { legs, refusals } = rotated(state, exampleMarket(symbols, seats));
    expect([legs, refusals]).toEqual([["swap SELL R1", "swap BUY NEW"], []]);
  });

  it("are not taken again by what is added to a holding: the sector's dollars alone bound it", () => {
    const market = exampleMarket(
      [reverting("A", "Tech"), reverting("B", "Tech"), weak("X", "Tech")],
      [best("A"), best("B", 2)],
    );
    const positions = [ofReversion("A"), ofReversion("B")];
    const state = reverter({ positions });
    const { legs } = plan([state], market, { turnoverCapPctPerPeriod: 100, costAwareThresholdBps: 0 });
    expect(legs.map(({ kind, side, symbol }) => `${kind} ${side} ${symbol}`)).toEqual(["resize BUY A", "resize BUY B"]);
    const refusalsOf = (account: AccountState) => legs.map((leg) => orderOfLeg(leg, account, market, policy).refusal);
    expect(refusalsOf(state)).toEqual([null, null]);
    const full = { ...state, positions: [...positions, { ...ofMomentum("X"), qty: "205" }] };
    expect(refusalsOf(full)).toEqual(["refused by sector", "refused by sector"]);
  });

  it("of positions that are sold in any case are free", () => {
    const over = { ...reverting("A", "Tech"), features: examplePullback({ sma5: 90 }) };
    const market = exampleMarket([over, reverting("B", "Tech"), reverting("C", "Tech")], [best("C")]);
    const gone = { ...ofReversion("A"), openedSession: "2020-01-06" };
    const state = reverter({ positions: [gone, { ...ofReversion("B"), openedSession: "2020-01-31" }] });
    expect(rotated(state, market)).toEqual({ legs: ["forced_exit SELL A", "enter BUY C"], refusals: [] });
  });
});

describe("a stock that its strategy would sell on the bars as they are", () => {
  const turned = { features: examplePullback({ sma5: 90 }) };
  const broken = { features: exampleFeatures({ low10Prior: 101 }) };
  const ofStrategy = (strategy: StrategyName, change: Partial<AccountState> = {}) =>
    exampleAccount({ preferences: { ...rich, strategy }, ...change });

  it.each([
    ["MEAN_REVERSION", turned, "Mean reverted"],
    ["BREAKOUT", broken, "Channel broken"],
  ] as const)("is not bought by a rotation of %s, and what is held of it not added to", (strategy, change, reason) => {
    const symbols = [exampleSymbol("NEW", { sector: "S NEW", ...change }), reverting("ALSO", "S ALSO")];
    const market = exampleMarket(symbols, [best("NEW"), best("ALSO", 2)]);
    const skipped = [{ symbol: "NEW", why: `its exit rule already holds: ${reason}` }];
    const proposal = plan([ofStrategy(strategy)], market);
    expect(proposal.legs.map(({ symbol }) => symbol)).toEqual(["ALSO"]);
    // Bought today: no bar of its own is closed, so that it is not sold yet.
    const bought = examplePosition("NEW", { strategy, qty: "1", openedSession: market.session.date });
    const alone = { ...market, seats: [best("NEW")] };
    const held = plan([ofStrategy(strategy, { positions: [bought] })], alone);
    expect([held.legs, held.accounts[0]!.skipped]).toEqual([[], skipped]);
  });

  it("is refused at its execution, where it has turned since the plan", () => {
    const market = exampleMarket([reverting("NEW", "S NEW")], [best("NEW")]);
    const state = ofStrategy("MEAN_REVERSION");
    const [leg] = plan([state], market).legs;
    expect(orderOfLeg(leg!, state, market, policy).refusal).toBeNull();
    const since = exampleMarket([{ ...reverting("NEW", "S NEW"), ...turned }], [best("NEW")]);
    expect(orderOfLeg(leg!, state, since, policy).refusal).toBe("its exit rule already holds: Mean reverted");
  });
});
