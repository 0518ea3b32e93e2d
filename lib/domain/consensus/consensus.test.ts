import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type Consensus, type ConsensusRules, consensusOf, type SourceValue } from "./consensus.ts";

const rules = (more: Partial<ConsensusRules> = {}): ConsensusRules => ({
  own: "A",
  quorum: 1,
  limitBps: 50,
  weightOf: () => 1,
  isCurrent: ({ at }) => at === "now",
  ...more,
});
const said = (source: string, value: string, at = "now"): SourceValue => ({ source, value, at });
const kindOf = (values: SourceValue[], more?: Partial<ConsensusRules>) => consensusOf(values, rules(more)).kind;
const agreeing = (verdict: Consensus) => (verdict.kind === "agreed" ? verdict.agreeing : []);

describe("what the sources of a figure say together", () => {
  it("one source stands alone where one is enough, as without any comparison", () => {
    expect(consensusOf([said("A", "101.2")], rules())).toEqual({
      kind: "agreed",
      value: "101.2",
      agreeing: ["A"],
      counted: [said("A", "101.2")],
    });
    expect(kindOf([said("A", "101.2")], { quorum: 2 })).toBe("too_few");
    expect(kindOf([])).toBe("too_few");
  });

  it("two agree up to the limit, in bps of the lower value, and not beyond", () => {
    expect(kindOf([said("A", "100"), said("B", "100.5")])).toBe("agreed");
    expect(kindOf([said("A", "100.5"), said("B", "100")])).toBe("agreed");
    const verdict = consensusOf([said("B", "103.25"), said("A", "101.20")], rules());
    expect(verdict).toMatchObject({ kind: "disagreement", counted: [said("A", "101.20"), said("B", "103.25")] });
    expect(verdict.kind === "disagreement" && verdict.deviationBps).toBeCloseTo(202.569, 3);
    expect(kindOf([said("A", "100"), said("B", "100.500000001")])).toBe("disagreement");
  });

  it("two against one: a majority with the own source in it agrees, one without it does not", () => {
    expect(agreeing(consensusOf([said("A", "100"), said("B", "100.1"), said("C", "105")], rules()))).toEqual([
      "A",
      "B",
    ]);
    expect(kindOf([said("A", "105"), said("B", "100.1"), said("C", "100")])).toBe("disagreement");
    expect(kindOf([said("A", "100"), said("B", "100.1"), said("C", "105")], { quorum: 3 })).toBe("disagreement");
    // Without the own one, the others speak for themselves.
    expect(agreeing(consensusOf([said("B", "100.1"), said("C", "100")], rules({ quorum: 2 })))).toEqual(["B", "C"]);
  });

  it("weights decide what a majority is, half of them is none, and at 0 a source does not count", () => {
    const weighed = (a: number, b: number, c: number) =>
      kindOf([said("A", "100"), said("B", "100.1"), said("C", "105")], {
        weightOf: (source) => ({ A: a, B: b, C: c })[source] ?? 0,
      });
    expect(weighed(1, 1, 1)).toBe("agreed");
    expect(weighed(1, 1, 2)).toBe("disagreement");
    expect(weighed(1, 1, 1.9)).toBe("agreed");
    expect(weighed(1, 0, 1)).toBe("disagreement");
    expect(weighed(1, 0, 0)).toBe("agreed");
    expect(weighed(0, 0, 0)).toBe("too_few");
  });

  it("the agreed value is the weighted median of those that agree, the lower one at a tie", () => {
    const valueOf = (weightOf: ConsensusRules["weightOf"]) => {
      const verdict = consensusOf([said("A", "100.2"), said("B", "100"), said("C", "100.4")], rules({ weightOf }));
      return verdict.kind === "agreed" ? verdict.value : null;
    };
    expect(valueOf(() => 1)).toBe("100.2");
    expect(valueOf((source) => (source === "C" ? 3 : 1))).toBe("100.4");
    expect(valueOf((source) => (source === "C" ? 2 : 1))).toBe("100.2");
  });

  it("what is old, no price, or of a source that was heard already does not count", () => {
    expect(kindOf([said("A", "100"), said("B", "100", "before")], { quorum: 2 })).toBe("too_few");
    for (const bad of ["0", "-1", "", "NaN", "1e9", "Infinity", " 100", "0x10"])
      expect(kindOf([said("A", "100"), said("B", bad)], { quorum: 2 }), bad).toBe("too_few");
    expect(kindOf([said("A", "100"), said("A", "100")], { quorum: 2 })).toBe("too_few");
  });
});

const SOURCES = ["A", "B", "C", "D", "E", "F"];
const value = fc.integer({ min: 9_900, max: 10_150 }).map((cents) => (cents / 100).toFixed(2));
const at = fc.constantFrom("now", "now", "now", "before");
const values = fc.uniqueArray(fc.record({ source: fc.constantFrom(...SOURCES), value, at }), {
  selector: ({ source }) => source,
  maxLength: 6,
});
const weights = fc.array(fc.integer({ min: 0, max: 3 }), { minLength: 6, maxLength: 6 });
const asked = fc.record({
  values,
  weights,
  quorum: fc.integer({ min: 1, max: 4 }),
  limitBps: fc.integer({ min: 5, max: 120 }),
});
type Asked = typeof asked extends fc.Arbitrary<infer T> ? T : never;
const rulesOf = ({ weights: given, quorum, limitBps }: Asked) =>
  rules({ quorum, limitBps, weightOf: (source) => given[SOURCES.indexOf(source)] ?? 1 });

describe("for all sources, weights, limits and quorums", () => {
  it("a source that agrees with those who agree never makes a disagreement", () => {
    fc.assert(
      fc.property(asked, fc.nat(), fc.integer({ min: 1, max: 5 }), (question, nth, weight) => {
        const before = consensusOf(question.values, rulesOf(question));
        fc.pre(before.kind === "agreed");
        const group = before.counted.filter(({ source }) => before.agreeing.includes(source));
        const more = {
          ...rulesOf(question),
          weightOf: (s: string) => (s === "G" ? weight : rulesOf(question).weightOf(s)),
        };
        // As one of them, or as all of them together.
        for (const same of [group[nth % group.length]!.value, before.value]) {
          const after = consensusOf([...question.values, said("G", same)], more);
          expect(after.kind).toBe("agreed");
          expect(agreeing(after)).toContain("G");
        }
      }),
      { numRuns: 500 },
    );
  });

  it("removing a source never turns too few into enough", () => {
    fc.assert(
      fc.property(asked, fc.nat(), (question, nth) => {
        fc.pre(question.values.length > 0 && consensusOf(question.values, rulesOf(question)).kind === "too_few");
        const fewer = question.values.filter((_, i) => i !== nth % question.values.length);
        expect(consensusOf(fewer, rulesOf(question)).kind).toBe("too_few");
      }),
      { numRuns: 500 },
    );
  });

  it("the order of the values changes nothing", () => {
    fc.assert(
      fc.property(
        asked,
        fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { minLength: 6, maxLength: 6 }),
        (question, keys) => {
          const shuffled = question.values
            .map((each, i) => [keys[i] ?? 0, each] as const)
            .sort(([a], [b]) => a - b)
            .map(([, each]) => each);
          expect(consensusOf(shuffled, rulesOf(question))).toEqual(consensusOf(question.values, rulesOf(question)));
        },
      ),
      { numRuns: 300 },
    );
  });

  it("a wider limit makes no disagreement, and a larger quorum no agreement", () => {
    fc.assert(
      fc.property(
        asked,
        fc.integer({ min: 0, max: 200 }),
        fc.integer({ min: 0, max: 3 }),
        (question, wider, larger) => {
          const { kind } = consensusOf(question.values, rulesOf(question));
          const eased = consensusOf(question.values, rulesOf({ ...question, limitBps: question.limitBps + wider }));
          const strict = consensusOf(question.values, rulesOf({ ...question, quorum: question.quorum + larger }));
          if (kind === "agreed") expect(eased.kind).toBe("agreed");
          else expect(strict.kind).not.toBe("agreed");
        },
      ),
      { numRuns: 500 },
    );
  });

  it("who agrees lies within the limit of each other, is enough, and has the own source with it where that was heard", () => {
    fc.assert(
      fc.property(asked, (question) => {
        const verdict = consensusOf(question.values, rulesOf(question));
        fc.pre(verdict.kind === "agreed");
        const group = verdict.counted.filter(({ source }) => verdict.agreeing.includes(source));
        const prices = group.map((each) => Number(each.value));
        expect(Math.max(...prices) / Math.min(...prices) - 1).toBeLessThanOrEqual(question.limitBps / 10_000 + 1e-12);
        expect(group.length).toBeGreaterThanOrEqual(question.quorum);
        if (verdict.counted.some(({ source }) => source === "A")) expect(verdict.agreeing).toContain("A");
        expect(prices.map(Number)).toContain(Number(verdict.value));
      }),
      { numRuns: 500 },
    );
  });
});
