import { expect, it } from "vitest";
import fc from "fast-check";
import { csvRows } from "./csv.ts";

const quoted = (cell: string) => `"${cell.replaceAll('"', '""')}"`;

it("whatever the cells hold, a table that was written with quotes is read as it was", () => {
  const cell = fc.oneof(fc.string(), fc.constantFrom(",", '"', "\r\n", "\n", 'a"b', "é"));
  const table = fc.array(fc.array(cell, { minLength: 1, maxLength: 4 }), { minLength: 1, maxLength: 5 });
  fc.assert(
    fc.property(table, fc.constantFrom("\n", "\r\n"), (rows, lineEnd) => {
      const text = rows.map((row) => row.map(quoted).join(",")).join(lineEnd);
      expect(csvRows(text)).toEqual(rows);
    }),
  );
});

it("plain cells, empty cells and empty lines at the end are read; a mark of the byte order is no part of the table", () => {
  expect(csvRows("\uFEFFa,b\r\n1,\r\n,\r\n\r\n")).toEqual([
    ["a", "b"],
    ["1", ""],
    ["", ""],
  ]);
  expect(csvRows("a,")).toEqual([["a", ""]]);
  expect(csvRows("")).toEqual([]);
});

it("a quote that stands where none may stand, or never ends, is no table", () => {
  for (const text of ['a"b', '"a"b', '"a', '"a""', 'x,"a" ,b', '"']) expect(csvRows(text), text).toBeNull();
});
