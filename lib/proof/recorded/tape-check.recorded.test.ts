import { expect, it } from "vitest";
import { checkTape } from "@/lib/tape/check.ts";
import { TAPE } from "./place.mjs";

it("the recorded tape is sound", () => {
  const report = checkTape(TAPE);
  expect(report.findings.filter(({ level }) => level === "error")).toEqual([]);
  expect(Object.fromEntries(report.contents)).toMatchObject({
    sessions: "505, 2019-01-02 to 2020-12-31",
    bars: "253,585, 99.4 % of symbols × sessions",
  });
});
