/** Missing evidence taken for good news, in one place each; the test over all sets of sources must fail. */
import type { SourceMutant } from "./source-mutants.ts";

type Change = [find: string, replace: string];

const evidence = (name: string, file: string, [find, replace]: Change): SourceMutant => ({
  name,
  file: `lib/domain/${file}`,
  find,
  replace,
  project: "unit",
  testFile: "lib/proof/evidence/missing-sources.test.ts",
  test: "missing evidence never buys more, over all sets of sources",
});

export const EVIDENCE_MUTANTS: readonly SourceMutant[] = [
  evidence("missing-vix-counts-as-known", "screening/regime.ts", ["isVixKnown: vix !== null,", "isVixKnown: true,"]),
  {
    ...evidence("precaution-ends-with-its-reading", "screening/regime.ts", [
      "return Math.max(0, left - 1);",
      "return Math.min(0, left - 1);",
    ]),
    testFile: "lib/domain/screening/regime.test.ts",
    test: "without VIX no session has a higher label",
  },
  evidence("missing-news-counts-as-neutral", "screening/rank-columns.ts", [
    "(sentiment === null ? 0 : sentiment[place]!)",
    "(sentiment === null ? 50 : sentiment[place]!)",
  ]),
  evidence("missing-calendar-is-no-report", "screening/symbol-rows.ts", [
    "?? { isKnown: false, next: null, last: null }",
    "?? { isKnown: true, next: null, last: null }",
  ]),
  evidence("no-sector-is-no-quota", "screening/seat-places.ts", [
    "if (knownSector(sector) !== null) return own;",
    "if (knownSector(sector) === null) return 0;",
  ]),
  evidence("missing-spread-costs-nothing", "sizing.ts", [
    'if (spreadBps === null) return "cost cannot be told: the quote has no bid or no ask";',
    "if (spreadBps === null) return null;",
  ]),
  {
    ...evidence("silent-source-agrees", "consensus/source-text.ts", [
      "return quorum <= 1 ? null : {",
      "return quorum > 0 ? null : {",
    ]),
    test: "a second source of prices, over all sets of the others",
  },
  {
    ...evidence("contradicting-source-agrees", "consensus/judge-symbol.ts", [
      "if (view.sources === undefined) return null;",
      "if (view.sources !== null) return null;",
    ]),
    test: "a second source of prices, over all sets of the others",
  },
];
