import { expect, it } from "vitest";
import { logsApi } from "./logs.ts";
import { dayIn } from "./codecs.ts";
import { decisionsApi } from "./decisions.ts";
import { tradesApi } from "./trades.ts";

it("a day is one that the database can hold, with its neighbours in every time zone", () => {
  const days = dayIn("Enter a date.");
  for (const day of ["1900-01-01", "2026-11-21", "2020-02-29", "9998-12-31"])
    expect(days.safeParse(day).success).toBe(true);
  for (const day of ["0000-01-01", "0001-01-01", "1899-12-31", "9999-01-01", "2021-02-29", "today", ""])
    expect(days.safeParse(day).error?.issues[0]?.message).toBe("Enter a date.");
});

it.each([
  ["decisions", decisionsApi.list.input, "date"],
  ["the audit trail", logsApi.auditAll.input, "from"],
  ["trades", tradesApi.list.input, "startDate"],
] as const)("a year that the database has none of is refused in the filter of %s", (_, input, field) => {
  expect(input.safeParse({ [field]: "2026-11-21" }).success).toBe(true);
  expect(input.safeParse({ [field]: "0000-01-01" }).success).toBe(false);
});
