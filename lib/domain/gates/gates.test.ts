import { describe, expect, it } from "vitest";
import { proposeEntry } from "../engine/propose-entry.ts";
import { decide } from "../engine/decide.ts";
import {
  exampleAccount,
  exampleMarket,
  examplePolicy,
  exampleSeat,
  exampleSymbol,
} from "@/lib/proof/example-market.ts";
import { exampleVerdict, type ExampleChange } from "@/lib/proof/example-plan.ts";
import { GATE_CASES } from "@/lib/proof/gate-cases.ts";
import { openBook } from "../risk/book.ts";
import { byCondition, type Gate } from "./gate.ts";
import { ENTRY_GATES, GATE_CODES, type GateCode, runEntryGates } from "./gates.ts";

/** The verdict of one gate on the example candidate after a change. */
function gateOf(code: GateCode, change: ExampleChange) {
  const verdict = exampleVerdict(change);
  const gate = verdict.gates.find((result) => result.code === code);
  if (gate === undefined) throw new Error(`${code} was not asked: ${verdict.noSignal ?? ""}`);
  return { ...gate, verdict };
}

describe("the list of gates", () => {
  it("is the closed set of codes, in its order, and each gate answers with its own code", () => {
    expect(ENTRY_GATES.map(({ code }) => code)).toEqual([...GATE_CODES]);
    expect(exampleVerdict({}).gates.map(({ code }) => code)).toEqual([...GATE_CODES]);
  });

  it("a gate cannot read more than its scope: its verdict is asked for once within it", () => {
    const about = { code: "curious", label: "curious", explanation: "Reads too much." };
    const gates = [
      // @ts-expect-error a session has no account
      { ...about, scope: "session", check: ({ state }) => byCondition(state.hasKeys, "") } as const satisfies Gate,
      // @ts-expect-error of an account, the seat's gates know the risk level alone
      { ...about, scope: "seat", check: ({ state }) => byCondition(state.hasKeys, "") } as const satisfies Gate,
      // @ts-expect-error an account has many seats
      { ...about, scope: "account", check: ({ symbol }) => byCondition(symbol === "", "") } as const satisfies Gate,
    ];
    expect(new Set(gates.map(({ scope }) => scope))).toEqual(new Set(["session", "seat", "account"]));
  });

  it("verdicts that are known within their scopes are those that each entry would get by itself", () => {
    const market = exampleMarket(
      [exampleSymbol("AAA"), exampleSymbol("BBB", { sector: "Energy" })],
      [exampleSeat("AAA"), exampleSeat("BBB", { rank: 2 })],
    );
    for (const change of [{}, { dayTrades: 4 }, { automationOff: "paused" }, { lastEquity: "200000" }]) {
      const state = exampleAccount({ buyingPower: "1000", ...change });
      const { candidates } = decide(state, market, examplePolicy);
      expect(candidates).toHaveLength(2);
      for (const { symbol, gates, confidence } of candidates) {
        const seat = market.seats.find((each) => each.symbol === symbol)!;
        const candidate = { symbol, seat, view: market.symbols[symbol]!, strategy: "MOMENTUM" as const, confidence };
        const situation = { state, market, policy: examplePolicy, book: openBook(state, market, examplePolicy) };
        expect(gates).toEqual(runEntryGates(proposeEntry(candidate, situation)));
      }
    }
  });

  it("the example passes them all", () => {
    const verdict = exampleVerdict({});
    expect(verdict.failing).toEqual([]);
    expect(verdict).toMatchObject({ hasSignal: true, nearestFlip: null, leg: 0 });
  });
});

describe.each(Object.entries(GATE_CASES) as [GateCode, (typeof GATE_CASES)[GateCode]][])(
  "%s",
  (code, { passes, fails, missing }) => {
    const cases = (changes: ExampleChange[]) => changes.map((change, i) => [i, change] as const);

    it.each(cases(passes))("passes %i", (_, change) => {
      const gate = gateOf(code, change);
      expect(gate.passed, gate.detail).toBe(true);
      expect(gate.margin ?? 0).toBeGreaterThanOrEqual(0);
    });

    if (fails.length > 0) {
      it.each(cases(fails))("refuses %i", (_, change) => {
        const gate = gateOf(code, change);
        expect(gate.passed, gate.detail).toBe(false);
        expect(gate.verdict.failing).toContain(code);
        expect(gate.verdict.leg).toBeNull();
        expect(gate.verdict.nearestFlip).toMatch(/^needs /);
      });
    }

    if (missing.length > 0) {
      it.each(cases(missing))("without its evidence it refuses %i", (_, change) => {
        expect(gateOf(code, change).passed).toBe(false);
      });
    }
  },
);

describe("warnings", () => {
  it("day trades and a possible wash sale warn, but stop nothing", () => {
    const verdict = exampleVerdict({
      account: { dayTrades: 3, lossSales: [{ symbol: "AAA", session: "2020-01-04" }] },
    });
    const unpassed = verdict.gates.filter(({ passed }) => !passed);
    expect(unpassed.map(({ code, isWarning }) => [code, isWarning])).toEqual([
      ["day_trades", true],
      ["wash_sale", true],
    ]);
    expect(verdict.leg).toBe(0);
    const detail = unpassed.find(({ code }) => code === "wash_sale")?.detail;
    expect(detail).toBe("AAA was sold at a loss on 2020-01-04, within 30 days");
  });

  it("a sale at a loss 31 days ago, or of another symbol, is no wash sale", () => {
    const lossSales = [
      { symbol: "AAA", session: "2020-01-03" },
      { symbol: "BBB", session: "2020-01-31" },
    ];
    const gate = exampleVerdict({ account: { lossSales } }).gates.find(({ code }) => code === "wash_sale");
    expect(gate).toMatchObject({ passed: true, detail: expect.stringContaining("no sale of AAA at a loss") as string });
  });

  it("where two sources have to agree and one is configured, evidence is missing; where nothing was compared, it is not asked for", () => {
    const rules = { ...examplePolicy.providers_consensus, min_agreeing_providers: 2 };
    const verdictWith = (symbol: ExampleChange["symbol"]) => {
      const market = exampleMarket([exampleSymbol("AAA", symbol)], [exampleSeat("AAA")]);
      const [candidate] = decide(exampleAccount(), market, { ...examplePolicy, providers_consensus: rules }).candidates;
      return candidate!.gates.find(({ code }) => code === "provider_disagreement");
    };
    expect(verdictWith({ sources: null })).toMatchObject({ passed: false, margin: null });
    expect(verdictWith({})).toMatchObject({ passed: true });
  });

  it("the policy can make day trades a limit", () => {
    const policy = { ...examplePolicy, pretrade_filters: { ...examplePolicy.pretrade_filters, day_trade_blocks: 1 } };
    const market = exampleMarket([exampleSymbol("AAA")], [exampleSeat("AAA")]);
    expect(decide(exampleAccount({ dayTrades: 3 }), market, policy).candidates[0]!.failing).toEqual(["day_trades"]);
  });
});
