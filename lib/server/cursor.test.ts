import { expect, it } from "vitest";
import { Failure } from "@/lib/domain/failures.ts";
import { readCursor, writeCursor } from "./cursor.ts";

const ID = "0192f0c1-2b3c-7d4e-8f90-a1b2c3d4e5f6";
const coded = (text: string) => Buffer.from(text).toString("base64url");

it("a cursor is read as it was written", () => {
  const place = { at: new Date("2026-11-21T15:00:00.123Z"), id: ID };
  expect(readCursor(writeCursor(place))).toEqual(place);
});

it.each([
  ["no place", ""],
  ["no time", coded(`today|${ID}`)],
  ["no id", coded("2026-11-21T15:00:00.000Z|1")],
  ["a year that the database has none of", coded(`0000-01-01T00:00:00.000Z|${ID}`)],
  ["a day that the database has none of", coded(`2026-02-31T00:00:00.000Z|${ID}`)],
  ["a time in another form", coded(`2026-02-01|${ID}`)],
  ["a year before Christ", coded(`-000001-01-01T00:00:00.000Z|${ID}`)],
  ["a year of five digits", coded(`+275760-09-13T00:00:00.000Z|${ID}`)],
])("a cursor with %s is refused with a sentence", (_, cursor) => {
  expect(() => readCursor(cursor)).toThrow(Failure);
  expect(() => readCursor(cursor)).toThrow("This page cannot be found. Load the list again.");
});
