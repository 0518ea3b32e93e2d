import { expect, it } from "vitest";
import * as z from "zod";
import { allEndpoints } from "./api.ts";
import { dayIn } from "./codecs.ts";

it("a day is one that the database can hold, with its neighbours in every time zone", () => {
  const days = dayIn("Enter a date.");
  for (const day of ["1900-01-01", "2026-11-21", "2020-02-29", "9998-12-31"])
    expect(days.safeParse(day).success).toBe(true);
  for (const day of ["0000-01-01", "0001-01-01", "1899-12-31", "9999-01-01", "2021-02-29", "today", ""])
    expect(days.safeParse(day).error?.issues[0]?.message).toBe("Enter a date.");
});

/** Fields that take a day and no other text. */
const dayFields = allEndpoints.flatMap(({ method, path, input }) =>
  Object.entries(input instanceof z.ZodObject ? (input.shape as Record<string, z.ZodType>) : {})
    .filter(([, field]) => field.safeParse("2026-11-20").success && !field.safeParse("AAPL").success)
    .map(([name, field]) => ({ name: `${name} of ${method} ${path}`, field })),
);

it("no call takes a day of a year that the database has none of", () => {
  expect(dayFields.length).toBeGreaterThan(10);
  const loose = dayFields.filter(({ field }) =>
    ["0000-01-01", "9999-12-31"].some((day) => field.safeParse(day).success),
  );
  expect(loose.map(({ name }) => name)).toEqual([]);
});
