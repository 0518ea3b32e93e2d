import { expect, it } from "vitest";
import { auditInWords } from "./audit-in-words.ts";

it("a whole chain is called whole, with its length", () => {
  expect(auditInWords({ ok: true, rows: 1 })).toEqual(["The audit chain is whole: 1 row."]);
  expect(auditInWords({ ok: true, rows: 0 })).toEqual(["The audit chain is whole: 0 rows."]);
});

it.each(["edited", "missing", "cut", "extra"] as const)(
  "of a broken chain the first row that is %s is named",
  (problem) => {
    const lines = auditInWords({ ok: false, rows: 41, firstBad: { seq: 42n, problem } });
    expect(lines[0]).toMatch(/^The audit chain is BROKEN\. Row 42 /);
    expect(lines[1]).toBe("Rows found right before it: 41.");
  },
);
