import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { addDays } from "../time.ts";
import { estimateReport } from "./estimate-report.ts";

const LAST_YEAR = ["2019-01-29", "2019-04-30", "2019-07-30", "2019-10-30"];

describe("the estimate of a company's next report", () => {
  it("is the same quarter a year ago and 364 days, five sessions to both sides", () => {
    expect(estimateReport(LAST_YEAR, "2020-01-06")).toEqual({ from: "2020-01-21", to: "2020-02-04" });
    expect(estimateReport([...LAST_YEAR, "2020-01-28"], "2020-01-29")).toEqual({
      from: "2020-04-21",
      to: "2020-05-05",
    });
  });

  it("takes a report that came early or late for the one that was expected", () => {
    for (const day of ["2020-01-14", "2020-02-12"])
      expect(estimateReport([...LAST_YEAR, day], "2020-02-20")).toEqual({ from: "2020-04-21", to: "2020-05-05" });
  });

  it("goes on expecting a report that is late", () => {
    for (const today of ["2020-02-05", "2020-02-19"])
      expect(estimateReport(LAST_YEAR, today)).toEqual({ from: "2020-01-21", to: addDays(today, 7) });
  });

  it("says nothing where less than three reports of the last year are known", () => {
    expect(estimateReport([], "2020-01-06")).toBeNull();
    expect(estimateReport(LAST_YEAR.slice(0, 2), "2019-12-01")).toBeNull();
    expect(estimateReport(LAST_YEAR, "2022-01-06")).toBeNull();
  });

  it("says nothing where the coming quarter's report of a year ago is not known", () => {
    const [, ...others] = LAST_YEAR;
    expect(estimateReport(others, "2020-01-29")).toBeNull();
    expect(estimateReport(others, "2019-12-02")).toBeNull();
  });

  it("a report that is left out never puts the next one off", () => {
    const cases = fc.tuple(fc.integer({ min: 0, max: 6 }), fc.integer({ min: 4, max: 8 }));
    fc.assert(
      fc.property(cases, ([without, quarters]) => {
        const days = Array.from({ length: quarters }, (_, quarter) => addDays("2018-01-30", quarter * 91));
        const report = days.at(-1)!;
        const known = days.slice(0, -1).filter((_, at) => at !== without);
        const window = estimateReport(known, report);
        expect(window === null || window.from <= report).toBe(true);
      }),
    );
  });

  it("whatever is known, the window holds no day twice, ends today or later, and does not depend on order", () => {
    const day = fc.integer({ min: -900, max: 60 }).map((days) => addDays("2020-01-06", days));
    fc.assert(
      fc.property(fc.array(day, { maxLength: 14 }), (reports) => {
        const today = "2020-01-06";
        const window = estimateReport(reports, today);
        expect(estimateReport([...reports].reverse(), today)).toEqual(window);
        expect(
          estimateReport(
            reports.filter((date) => date < today),
            today,
          ),
        ).toEqual(window);
        if (window === null) return;
        expect(window.from < window.to && window.to >= today).toBe(true);
      }),
      { numRuns: 500 },
    );
  });

  it("a company that reports each quarter is within its window on every report day", () => {
    const shift = fc.array(fc.integer({ min: -6, max: 6 }), { minLength: 8, maxLength: 8 });
    fc.assert(
      fc.property(shift, (shifts) => {
        const days = shifts.map((by, quarter) => addDays("2018-01-30", quarter * 91 + Math.trunc(by / 2)));
        const report = days.at(-1)!;
        const window = estimateReport(days.slice(0, -1), report);
        expect(window !== null && window.from <= report && report <= window.to).toBe(true);
      }),
    );
  });
});
