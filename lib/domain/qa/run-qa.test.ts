import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  exampleAccount,
  exampleMarket,
  examplePolicy as policy,
  examplePosition,
  exampleSeat,
  exampleSymbol,
} from "@/lib/proof/example-market.ts";
import type { AccountState, MarketView } from "../engine/plan.ts";
import type { QaStatusName, RegimeLabel } from "../enums.ts";
import { planRotation } from "../rotation.ts";
import { kpiSnapshot } from "../rotation/kpis.ts";
import type { RotationAccount, RotationProposal } from "../rotation/proposal.ts";
import { NO_SECTOR } from "../sectors.ts";
import type { SeatResult } from "../screening/screen-market.ts";
import type { QaInput, QaRuleId, QaVerdict } from "./rule.ts";
import { QA_RULE_IDS } from "./rule.ts";
import { qaOfRotation, runQa } from "./run-qa.ts";

function seat(symbol: string, change: Partial<SeatResult> = {}): SeatResult {
  return {
    ...exampleSeat(symbol),
    sector: "Energy",
    lastPrice: 100,
    coverage: 0.7,
    barCount: 253,
    tenureSessions: 1,
    seatedSince: "2020-02-03",
    reasons: [],
    ...change,
  };
}

const event = { symbol: "AAA", eventId: "e1", source: "vendor", ageHours: 3 };
const swap = { challenger: "AAA", incumbent: "OLD", margin: 6, isFastTracked: true };
const good: QaInput = {
  policy,
  selection: {
    seats: [seat("AAA"), seat("BBB")],
    swaps: [swap],
    promoted: ["AAA"],
    fastTracked: [event],
    sectorSeats: { Energy: 2 },
  },
  portfolios: [
    {
      accountId: "a",
      isRaise: false,
      regime: "risk_on",
      gross: 0.5,
      weights: { AAA: 0.08 },
      sectors: { Energy: 0.25 },
    },
  ],
  entries: [{ symbol: "AAA", confidence: 0.7, line: 0.7, strongFamilies: 2 }],
  rotationSwaps: [5],
};
const selected = (change: Partial<NonNullable<QaInput["selection"]>>): Partial<QaInput> => ({
  selection: { ...good.selection!, ...change },
});
const book = (change: Partial<NonNullable<QaInput["portfolios"]>[number]>): Partial<QaInput> => ({
  portfolios: [{ ...good.portfolios![0]!, ...change }],
});

const verdictOf = (ruleId: QaRuleId, change: Partial<QaInput>) =>
  runQa({ ...good, ...change }).find((verdict) => verdict.ruleId === ruleId)!;

const status = (ruleId: QaRuleId, change: Partial<QaInput>): QaStatusName => verdictOf(ruleId, change).status;

describe("the six rules", () => {
  it("answer in their order and severity, with expected, actual and margin", () => {
    const verdicts = runQa(good);
    expect(verdicts.map(({ ruleId }) => ruleId)).toEqual([...QA_RULE_IDS]);
    expect(verdicts.map(({ severity }) => severity)).toEqual([
      "critical",
      "high",
      "high",
      "critical",
      "medium",
      "high",
    ]);
    expect(verdicts.map(({ status: of }) => of)).toEqual(new Array(6).fill("PASS"));
    for (const { expected, actual, margin, message } of verdicts) {
      expect(expected && actual && message).toBeTruthy();
      expect(Number.isFinite(margin)).toBe(true);
    }
  });

  it.each<[QaRuleId, Partial<QaInput>[]]>([
    [
      "allocation",
      [book({ gross: 0.981 }), book({ weights: { AAA: 0.081 } }), book({ regime: "neutral", gross: 0.61 })],
    ],
    ["swap_limits", [{ rotationSwaps: [6] }, selected({ swaps: [{ ...swap, margin: 4.9 }] })]],
    [
      "promotion_quality",
      [{ composite: 59.9 }, { coverage: 0.69 }, { barCount: 252 }].map((change) =>
        selected({ seats: [seat("AAA", change)] }),
      ),
    ],
    [
      "conviction_gates",
      [
        { entries: [{ ...good.entries![0]!, confidence: 0.69 }] },
        { entries: [{ ...good.entries![0]!, strongFamilies: 1 }] },
      ],
    ],
    [
      "fast_track_events",
      [
        selected({ fastTracked: [{ ...event, ageHours: 24.1 }] }),
        selected({ fastTracked: [{ ...event, eventId: "" }] }),
        selected({ fastTracked: [] }),
        selected({ fastTracked: [event, event, event] }),
      ],
    ],
    [
      "sector_quotas",
      [
        selected({ sectorSeats: { Energy: 13 } }),
        selected({
          seats: Array.from({ length: 50 }, (_, i) => seat(`S${i}`)),
          sectorSeats: { A: 12, B: 12, C: 12, D: 12 },
        }),
        selected({
          seats: Array.from({ length: 50 }, (_, i) => seat(`S${i}`)),
          sectorSeats: { A: 12, B: 12, C: 12, D: 12, [NO_SECTOR]: 2 },
        }),
        book({ sectors: { Energy: 0.26 } }),
      ],
    ],
  ])("%s fails where its line is passed, and then has no distance that passes", (ruleId, changes) => {
    for (const change of changes) {
      const { status: found, margin } = verdictOf(ruleId, change);
      expect(found).toBe("FAIL");
      expect(margin ?? -1).toBeLessThan(0);
    }
  });

  it.each<[QaRuleId, Partial<QaInput>, string]>([
    ["allocation", book({ gross: 0.98004 }), "positions of 98.004 % leave less than 2.0 % cash"],
    ["allocation", book({ weights: { AAA: 0.08002 } }), "AAA is 8.002 %"],
    ["allocation", book({ regime: "neutral", gross: 0.6003 }), "gross 60.03 % is above the 60.0 % of a neutral market"],
    [
      "swap_limits",
      selected({ swaps: [{ ...swap, margin: 4.97 }] }),
      `${swap.challenger} for ${swap.incumbent} by 4.97 points only`,
    ],
    ["promotion_quality", selected({ seats: [seat("AAA", { composite: 59.98 })] }), "AAA has a composite of 59.98"],
    ["promotion_quality", selected({ seats: [seat("AAA", { coverage: 0.6999 })] }), "AAA has a coverage of 0.6999"],
    [
      "conviction_gates",
      { entries: [{ ...good.entries![0]!, symbol: "AAA", confidence: 0.69998 }] },
      "AAA has a confidence of 0.69998 against 0.70",
    ],
    [
      "fast_track_events",
      selected({ fastTracked: [{ ...event, ageHours: 24.04 }] }),
      `${event.symbol}: event "${event.eventId}" of 24.04 h`,
    ],
    ["sector_quotas", book({ sectors: { Energy: 0.2501 } }), "Energy is 25.01 % of account"],
  ])("%s tells what only just breaks its limit as beyond it", (ruleId, change, text) => {
    expect(verdictOf(ruleId, change).message).toContain(text);
  });

  it("a distance of 0 or more passes, and a distance below fails, whatever is judged", () => {
    const near = (line: number) => fc.constantFrom(line - 0.01, line, line + 0.01);
    const one = fc.record({
      seat: fc.record({ composite: near(60), coverage: near(0.7), barCount: fc.constantFrom(252, 253) }),
      swapMargin: near(5),
      ageHours: near(24),
      eventId: fc.constantFrom("e1", ""),
      seats: fc.constantFrom(12, 13),
      swaps: fc.constantFrom(5, 6),
      gross: near(0.6),
      weight: near(0.08),
      ofSector: near(0.25),
      entry: fc.record({ confidence: near(0.7), strongFamilies: fc.constantFrom(1, 2) }),
    });
    fc.assert(
      fc.property(one, ({ seat: of, swapMargin, ageHours, eventId, seats, swaps, gross, weight, ofSector, entry }) => {
        const input: QaInput = {
          policy,
          selection: {
            seats: [seat("AAA", of)],
            swaps: [{ ...swap, margin: swapMargin }],
            promoted: ["AAA"],
            fastTracked: [{ ...event, eventId, ageHours }],
            sectorSeats: { Energy: seats },
          },
          portfolios: [
            {
              accountId: "a",
              isRaise: false,
              regime: "neutral",
              gross,
              weights: { AAA: weight },
              sectors: { Energy: ofSector },
            },
          ],
          entries: [{ symbol: "AAA", line: 0.7, ...entry }],
          rotationSwaps: [swaps],
        };
        for (const { ruleId, status: found, margin } of runQa(input))
          if (margin !== null) expect([ruleId, found]).toEqual([ruleId, margin >= -1e-9 ? "PASS" : "FAIL"]);
      }),
    );
  });

  it.each<[QaRuleId, Partial<QaInput>]>([
    ["allocation", { portfolios: null }],
    ["swap_limits", { selection: null }],
    ["promotion_quality", { selection: null }],
    ["conviction_gates", { entries: [{ ...good.entries![0]!, confidence: null }] }],
    ["fast_track_events", { selection: null }],
    ["sector_quotas", { selection: null }],
  ])("%s is unknown without its evidence", (ruleId, change) => {
    expect(status(ruleId, change)).toBe("UNKNOWN");
  });

  it("nothing at all to judge holds: no promotions, no entries, no portfolios", () => {
    const none = {
      ...selected({ promoted: [], swaps: [], fastTracked: [] }),
      entries: [],
      portfolios: [],
      rotationSwaps: [],
    };
    const verdicts = runQa({ ...good, ...none });
    expect(verdicts.every(({ status: of }) => of === "PASS")).toBe(true);
    // There is no distance to a line where nothing stands before it.
    for (const rule of ["allocation", "promotion_quality", "conviction_gates"])
      expect(verdicts.find(({ ruleId }) => ruleId === rule)?.margin).toBeNull();
  });
});

describe("a rotation plan", () => {
  const roomy = { ...exampleAccount().preferences, defaultOrderSize: "8000", maxPositionValue: "8000" };
  const proposalOf = (market: MarketView, accounts: AccountState[]) =>
    planRotation({
      market,
      accounts,
      policy,
      config: { cadenceDays: 14, turnoverCapPctPerPeriod: 30, costAwareThresholdBps: 10, advisoryOnly: false },
      lastRotation: null,
      kpis: kpiSnapshot([], []),
    });
  const judged = (proposal: RotationProposal, regime: RegimeLabel = "risk_on") =>
    runQa(qaOfRotation(proposal, good.selection, regime, policy));
  const failing = (verdicts: QaVerdict[]) =>
    verdicts.filter(({ status: of }) => of !== "PASS").map(({ ruleId }) => ruleId);
  const ofSectors = (names: string[], sectors: Record<string, string> = {}) =>
    exampleMarket(
      names.map((name) => exampleSymbol(name, { sector: sectors[name] ?? `Sector ${name}` })),
      [exampleSeat("AAA")],
    );

  it("brings its own books and entries, and passes what its guardrails passed", () => {
    const proposal = proposalOf(exampleMarket([exampleSymbol("AAA")], [exampleSeat("AAA")]), [exampleAccount()]);
    expect(proposal.metrics.guardrails.allChecksPassed).toBe(true);
    const input = qaOfRotation(proposal, good.selection, "risk_on", policy);
    expect(input.entries).toMatchObject([{ symbol: "AAA" }]);
    expect(input.portfolios).toMatchObject([{ weights: { AAA: expect.any(Number) as number } }]);
    expect(judged(proposal).map(({ status: of }) => of)).toEqual(new Array(6).fill("PASS"));
  });

  it("shows as its books what it raises of them, and no figure where it raises nothing", () => {
    const raise = (change: Parameters<typeof book>[0]) =>
      verdictOf("allocation", book({ isRaise: true, ...change })).actual;
    expect(verdictOf("allocation", {}).actual).toBe("1 portfolio, largest name 8.0 %, highest gross 50.0 %");
    expect(raise({})).toBe("1 portfolio, largest raised name 8.0 %, highest raised gross 50.0 %");
    expect(raise({ gross: null })).toBe("1 portfolio, largest raised name 8.0 %, no gross is raised");
    expect(raise({ gross: null, weights: {} })).toBe("1 portfolio, no name is raised, no gross is raised");
    expect(verdictOf("allocation", { portfolios: [] }).actual).toBe("0 portfolios");
    const proposal = proposalOf(exampleMarket([exampleSymbol("AAA")], [exampleSeat("AAA")]), [exampleAccount()]);
    expect(judged(proposal).find(({ ruleId }) => ruleId === "allocation")!.actual).toContain("largest raised name");
  });

  it("is not stopped by the shares of an account for which it buys nothing", () => {
    const buys = exampleAccount({ preferences: roomy });
    const own = [examplePosition("OWN", { strategy: null, qty: "990" })];
    const idle = exampleAccount({ accountId: "idle", positions: own, cash: "1000", buyingPower: "1000" });
    const proposal = proposalOf(ofSectors(["AAA", "OWN"]), [buys, idle]);
    expect(proposal.accounts.map(({ accountId }) => accountId).sort()).toContain("idle");
    expect(proposal.legs.map(({ accountId, side }) => [accountId, side])).toEqual([[buys.accountId, "BUY"]]);
    expect(failing(judged(proposal))).toEqual([]);
  });

  it("is not stopped by the names and sectors of a buying account that it leaves as they are", () => {
    const positions = [examplePosition("OWN", { strategy: null, qty: "300" }), examplePosition("BIG", { qty: "90" })];
    const market = ofSectors(["AAA", "OWN", "BIG"]);
    market.symbols.BIG = { ...market.symbols.BIG!, quote: null };
    const proposal = proposalOf(market, [
      exampleAccount({ preferences: roomy, positions, cash: "61000", buyingPower: "61000" }),
    ]);
    expect(proposal.legs.map(({ symbol, side }) => [symbol, side])).toEqual([["AAA", "BUY"]]);
    expect(proposal.accounts[0]!.weights.BIG).toBeGreaterThan(policy.portfolio_limits.max_name_fraction);
    expect(failing(judged(proposal))).toEqual([]);
  });

  it("is stopped by what it raises beyond a limit: a name, a sector or the whole", () => {
    const [account] = proposalOf(ofSectors(["AAA"]), [exampleAccount({ preferences: roomy })]).accounts;
    const raising = (change: Partial<RotationAccount>) => {
      const proposal = proposalOf(ofSectors(["AAA"]), [exampleAccount({ preferences: roomy })]);
      return failing(judged({ ...proposal, accounts: [{ ...account!, ...change }] }, "neutral"));
    };
    const gross = (grossExposurePct: number) => ({ ...account!.projected, grossExposurePct });
    expect(raising({})).toEqual([]);
    expect(raising({ weights: { AAA: 0.09 } })).toEqual(["allocation"]);
    expect(raising({ weights: { AAA: 0.09 }, weightsBefore: { AAA: 0.09 } })).toEqual([]);
    expect(raising({ projected: gross(61) })).toEqual(["allocation"]);
    expect(raising({ projected: gross(61), current: gross(62) })).toEqual([]);
    expect(raising({ sectors: { Energy: 0.26 } })).toEqual(["sector_quotas"]);
    expect(raising({ sectors: { Energy: 0.26 }, sectorsBefore: { Energy: 0.26 } })).toEqual([]);
  });
});
