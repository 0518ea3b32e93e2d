import { expect, it } from "vitest";
import { CSV_PAGE, csvFile } from "./csv-file.ts";

const COUNT = CSV_PAGE + 1;
const rows = Array.from({ length: COUNT }, (_, id) => ({ id, name: "José" }));
/** Pages of these rows. */
const readFrom = (all: typeof rows) => (last: (typeof rows)[number] | undefined) => {
  const from = last === undefined ? 0 : last.id + 1;
  return Promise.resolve(all.slice(from, from + CSV_PAGE));
};

async function textOf(all: typeof rows, columns?: readonly [string, (row: (typeof rows)[number]) => unknown][]) {
  const beat = () => Promise.resolve();
  const parts: string[] = [];
  const { chunks } = csvFile({ name: "people", read: readFrom(all), beat, ...(columns && { columns }) });
  for await (const chunk of chunks) parts.push(String(chunk));
  return parts.join("");
}

it.each([
  ["of its own", [["name", (row: (typeof rows)[number]) => row.name]] as const],
  ["of its rows", undefined],
])("a file with columns %s begins once with the mark by which spreadsheets know UTF-8", async (_, columns) => {
  const text = await textOf(rows, columns as never);
  expect(text.startsWith("\uFEFF")).toBe(true);
  expect(text.lastIndexOf("\uFEFF")).toBe(0);
  expect(text.trimEnd().split("\r\n")).toHaveLength(COUNT + 1);
});

it("an empty table without columns of its own is empty", async () => {
  expect(await textOf([])).toBe("");
});
