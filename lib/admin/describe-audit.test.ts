import { expect, it } from "vitest";
import type { SignedHead } from "@/lib/server/audit/signed-head.ts";
import { describeAudit } from "./describe-audit.ts";

const none = { heads: [], unreadable: 0 };
const anchor: SignedHead = { seq: 44n, hash: "a", at: new Date("2026-01-05T14:30:00Z"), key: "", signature: "" };

it("a whole chain is called whole, with its length, and what it was compared with", () => {
  const unproven = "No signed head was there to compare it with: that it was not rolled back is not proven.";
  expect(describeAudit({ ok: true, rows: 1 }, none)).toEqual(["The audit chain is whole: 1 row.", unproven]);
  expect(describeAudit({ ok: true, rows: 0 }, none)).toEqual(["The audit chain is whole: 0 rows.", unproven]);
  expect(describeAudit({ ok: true, rows: 50 }, { heads: [anchor, anchor], unreadable: 3 })).toEqual([
    "The audit chain is whole: 50 rows.",
    "It agrees with all 2 signed heads of the anchor file.",
    "Lines of the anchor file that are not a head signed here: 3.",
  ]);
});

it.each(["edited", "missing", "cut", "extra"] as const)(
  "of a broken chain the first row that is %s is named",
  (problem) => {
    const lines = describeAudit({ ok: false, rows: 41, firstBad: { seq: 42n, problem } }, none);
    expect(lines[0]).toMatch(/^The audit chain is BROKEN\. Row 42 /);
    expect(lines[1]).toBe("Rows found right before it: 41.");
  },
);

it("of a chain that was rolled back the head that it contradicts is named", () => {
  const lines = describeAudit({ ok: false, rows: 41, firstBad: { seq: 42n, problem: "rolled_back", anchor } }, none);
  expect(lines[0]).toContain("Row 42 contradicts the head of row 44 that was anchored at 2026-01-05T14:30:00.000Z");
});
