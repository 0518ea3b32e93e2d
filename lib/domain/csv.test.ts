import fc from "fast-check";
import { expect, it } from "vitest";
import { csvText } from "./csv.ts";

/** RFC 4180, read character by character: fields as they stand in the file, null for an empty one without quotes. */
function read(text: string): (string | null)[][] {
  const rows: (string | null)[][] = [];
  let row: (string | null)[] = [];
  for (let at = 0; at < text.length;) {
    let field: string | null = null;
    if (text[at] === '"') {
      field = "";
      for (at += 1; ; at += 1) {
        if (at >= text.length) throw new Error("a quote is never closed");
        if (text[at] !== '"') field += text[at];
        else if (text[at + 1] === '"') field += text[(at += 1)];
        else break;
      }
      at += 1;
    } else {
      const end = at + text.slice(at).search(/,|\r\n/);
      field = end > at ? text.slice(at, end) : null;
      at = end;
    }
    row.push(field);
    if (text[at] === ",") at += 1;
    else if (text.startsWith("\r\n", at)) {
      rows.push(row);
      row = [];
      at += 2;
    } else throw new Error(`neither a comma nor the end of a line at ${at}`);
  }
  return rows;
}

const GUARDED = /^'+(?:[\t\r\n\0]|\s*[=+\-@\uFF1D\uFF0B\uFF0D\uFF20])/;
const unguarded = (field: string | null) => (field !== null && GUARDED.test(field) ? field.slice(1) : field);

const nasty = fc.oneof(
  fc.string({ unit: "binary" }),
  fc.string({
    unit: fc.constantFrom("=", "+", "-", "@", "'", '"', ",", ";", "\r", "\n", "\t", "\0", " ", "1", "a", "＝", "＠"),
  }),
);

it("whatever text goes in comes out again, and no field begins like a formula", () => {
  fc.assert(
    fc.property(fc.array(fc.array(fc.option(nasty), { minLength: 1, maxLength: 5 }), { maxLength: 8 }), (rows) => {
      const fields = read(csvText(rows));
      expect(fields.map((row) => row.map(unguarded))).toEqual(rows);
      for (const field of fields.flat())
        if (field !== null && !/^-\d+(\.\d+)?$/.test(field))
          expect(field).not.toMatch(/^\s*[=+\-@\uFF1D\uFF0B\uFF0D\uFF20]/);
    }),
    { numRuns: 3_000 },
  );
});

it.each([
  ["=1+1", "'=1+1"],
  ['=HYPERLINK("http://x","y")', `"'=HYPERLINK(""http://x"",""y"")"`],
  ["+1 234", "'+1 234"],
  ["-1+cmd|' /C calc'!A0", "'-1+cmd|' /C calc'!A0"],
  ["@SUM(A1)", "'@SUM(A1)"],
  ["\t=1", `"'\t=1"`],
  ["\r=1", `"'\r=1"`],
  ["  =1", "'  =1"],
  ["＝1+1", "'＝1+1"],
  ["＠SUM(A1)", "'＠SUM(A1)"],
  ["'=1", "''=1"],
  ["-", "'-"],
  ["-12.50", "-12.50"],
  ["-0", "-0"],
  ["12.50", "12.50"],
  ["O'Neill, Ada", '"O\'Neill, Ada"'],
  ["a=b", "a=b"],
])("%j is written as %s", (text, written) => {
  expect(csvText([[text]])).toBe(`${written}\r\n`);
});

it("figures stay figures, nothing is nothing, and what is no figure does not leave", () => {
  expect(csvText([[-1.5, 10n, true, null, ""]])).toBe('-1.5,10,true,,""\r\n');
  expect(() => csvText([[Number.NaN]])).toThrow("NaN is no figure");
  expect(() => csvText([[Number.POSITIVE_INFINITY]])).toThrow();
});
