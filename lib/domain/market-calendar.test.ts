import { describe, expect, it } from "vitest";
import {
  addSessions,
  isEarlyClose,
  isSession,
  nextSession,
  previousSession,
  sessionHours,
  sessionsBetween,
} from "./market-calendar.ts";

/** Weekday holidays of a year: the weekdays on which there is no session. */
function closedWeekdays(year: number): string[] {
  const closed: string[] = [];
  const day = new Date(Date.UTC(year, 0, 1));
  for (; day.getUTCFullYear() === year; day.setUTCDate(day.getUTCDate() + 1)) {
    const date = day.toISOString().slice(0, 10);
    if (day.getUTCDay() % 6 !== 0 && !isSession(date)) closed.push(date.slice(5));
  }
  return closed;
}

const HOLIDAYS: Record<number, string[]> = {
  2007: ["01-01", "01-02", "01-15", "02-19", "04-06", "05-28", "07-04", "09-03", "11-22", "12-25"],
  2018: ["01-01", "01-15", "02-19", "03-30", "05-28", "07-04", "09-03", "11-22", "12-05", "12-25"],
  2019: ["01-01", "01-21", "02-18", "04-19", "05-27", "07-04", "09-02", "11-28", "12-25"],
  2020: ["01-01", "01-20", "02-17", "04-10", "05-25", "07-03", "09-07", "11-26", "12-25"],
  2021: ["01-01", "01-18", "02-15", "04-02", "05-31", "07-05", "09-06", "11-25", "12-24"],
  2022: ["01-17", "02-21", "04-15", "05-30", "06-20", "07-04", "09-05", "11-24", "12-26"],
  2023: ["01-02", "01-16", "02-20", "04-07", "05-29", "06-19", "07-04", "09-04", "11-23", "12-25"],
  2024: ["01-01", "01-15", "02-19", "03-29", "05-27", "06-19", "07-04", "09-02", "11-28", "12-25"],
  2025: ["01-01", "01-09", "01-20", "02-17", "04-18", "05-26", "06-19", "07-04", "09-01", "11-27", "12-25"],
  2026: ["01-01", "01-19", "02-16", "04-03", "05-25", "06-19", "07-03", "09-07", "11-26", "12-25"],
  2027: ["01-01", "01-18", "02-15", "03-26", "05-31", "06-18", "07-05", "09-06", "11-25", "12-24"],
  2028: ["01-17", "02-21", "04-14", "05-29", "06-19", "07-04", "09-04", "11-23", "12-25"],
  2029: ["01-01", "01-15", "02-19", "03-30", "05-28", "06-19", "07-04", "09-03", "11-22", "12-25"],
  2030: ["01-01", "01-21", "02-18", "04-19", "05-27", "06-19", "07-04", "09-02", "11-28", "12-25"],
  2031: ["01-01", "01-20", "02-17", "04-11", "05-26", "06-19", "07-04", "09-01", "11-27", "12-25"],
  2032: ["01-01", "01-19", "02-16", "03-26", "05-31", "06-18", "07-05", "09-06", "11-25", "12-24"],
  2033: ["01-17", "02-21", "04-15", "05-30", "06-20", "07-04", "09-05", "11-24", "12-26"],
  2034: ["01-02", "01-16", "02-20", "04-07", "05-29", "06-19", "07-04", "09-04", "11-23", "12-25"],
  2035: ["01-01", "01-15", "02-19", "03-23", "05-28", "06-19", "07-04", "09-03", "11-22", "12-25"],
};

const EARLY: Record<number, string[]> = {
  2007: ["07-03", "11-23", "12-24"],
  2018: ["07-03", "11-23", "12-24"],
  2019: ["07-03", "11-29", "12-24"],
  2020: ["11-27", "12-24"],
  2021: ["11-26"],
  2022: ["11-25"],
  2023: ["07-03", "11-24"],
  2024: ["07-03", "11-29", "12-24"],
  2025: ["07-03", "11-28", "12-24"],
  2026: ["11-27", "12-24"],
  2027: ["11-26"],
  2028: ["07-03", "11-24"],
  2029: ["07-03", "11-23", "12-24"],
  2030: ["07-03", "11-29", "12-24"],
  2031: ["07-03", "11-28", "12-24"],
  2032: ["11-26"],
  2033: ["11-25"],
  2034: ["07-03", "11-24"],
  2035: ["07-03", "11-23", "12-24"],
};

describe("the New York Stock Exchange's calendar", () => {
  it.each(Object.keys(HOLIDAYS).map(Number))("knows the holidays and early closes of %i", (year) => {
    expect(closedWeekdays(year)).toEqual(HOLIDAYS[year]);
    const early = sessionsBetween(`${year}-01-01`, `${year}-12-31`).filter(isEarlyClose);
    expect(early.map((date) => date.slice(5))).toEqual(EARLY[year]);
  });

  it("opens at 9:30 and closes at 16:00 in New York, summer and winter, and at 13:00 on half days", () => {
    expect(sessionHours("2020-07-01")).toEqual({
      opensAt: "2020-07-01T13:30:00.000Z",
      closesAt: "2020-07-01T20:00:00.000Z",
      isEarlyClose: false,
    });
    expect(sessionHours("2020-11-27")).toEqual({
      opensAt: "2020-11-27T14:30:00.000Z",
      closesAt: "2020-11-27T18:00:00.000Z",
      isEarlyClose: true,
    });
    expect(sessionHours("2020-12-25")).toBeNull();
  });

  it("opens at 9:30 of New York on every session to 2035, whatever daylight saving does", () => {
    const wall = new Intl.DateTimeFormat("en-GB", { timeZone: "America/New_York", timeStyle: "short" });
    for (const date of sessionsBetween("2026-01-01", "2035-12-31")) {
      const hours = sessionHours(date);
      const times = [hours?.opensAt, hours?.closesAt].map((instant) => wall.format(new Date(instant ?? "")));
      expect([date, ...times]).toEqual([date, "09:30", isEarlyClose(date) ? "13:00" : "16:00"]);
    }
  });

  it("walks over week-ends and holidays in both directions", () => {
    expect(nextSession("2020-12-24")).toBe("2020-12-28");
    expect(previousSession("2020-12-28")).toBe("2020-12-24");
    expect(addSessions("2020-12-23", 3)).toBe("2020-12-29");
    expect(addSessions("2020-12-29", -3)).toBe("2020-12-23");
    expect(addSessions("2020-12-25", 0)).toBe("2020-12-25");
  });
});
