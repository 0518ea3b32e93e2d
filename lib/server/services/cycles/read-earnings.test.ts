import { beforeEach, expect, it } from "vitest";
import { POLICY_2_9_0 } from "@/lib/domain/policy.ts";
import type { Context } from "../../context.ts";
import type { EarningsRow } from "../../providers/market-data.ts";
import { readEarnings } from "./read-earnings.ts";

const REPORTS = ["2018-06-01", "2019-01-30", "2019-10-30", "2020-01-29", "2020-02-05", "2020-02-20"].map(
  (date): EarningsRow => ({ symbol: "AAA", date, time: "AMC" }),
);

let asked: [string, string][];
let isUnavailable: (from: string) => boolean;
const context = {
  log: { warn: () => undefined },
  marketData: () => ({
    earningsCalendar: { vendor: "Finnhub", coversPast: true },
    earnings(from: string, to: string) {
      asked.push([from, to]);
      return isUnavailable(from)
        ? Promise.reject(new Error("unavailable"))
        : Promise.resolve(REPORTS.filter(({ date }) => date >= from && date <= to));
    },
  }),
} as unknown as Context;

const dates = (rows: EarningsRow[] | null) => rows?.map(({ date }) => date);

beforeEach(async () => {
  asked = [];
  isUnavailable = () => false;
  // A session before every test's: the process forgets what it knew of a later time.
  for (const market of ["US", "PRACTICE"] as const) await readEarnings(context, market, "1990-01-02", POLICY_2_9_0);
  asked = [];
});

it("the first session asks for the past reports of 800 days, later ones only for what is new", async () => {
  const first = await readEarnings(context, "US", "2020-02-03", POLICY_2_9_0);
  expect(dates(first.near)).toEqual(["2020-01-29", "2020-02-05", "2020-02-20"]);
  expect(dates(first.past)).toEqual(["2018-06-01", "2019-01-30", "2019-10-30", "2020-01-29"]);
  expect(asked).toEqual([
    ["2020-01-20", "2020-03-04"],
    ["2017-11-25", "2020-01-19"],
  ]);
  const second = await readEarnings(context, "US", "2020-02-06", POLICY_2_9_0);
  expect(asked.slice(2)).toEqual([["2020-01-23", "2020-03-07"]]);
  expect(dates(second.past)).toEqual(["2018-06-01", "2019-01-30", "2019-10-30", "2020-01-29", "2020-02-05"]);
});

it("asks as far ahead as the policy keeps entries out before a report, and watches", async () => {
  const { selector_top50: selector, pretrade_filters: filters } = POLICY_2_9_0;
  const before = { ...POLICY_2_9_0, pretrade_filters: { ...filters, earnings_sessions_before: 20 } };
  await readEarnings(context, "US", "2020-02-03", before);
  const watching = { ...POLICY_2_9_0, selector_top50: { ...selector, watchlist_days: 60 } };
  await readEarnings(context, "US", "2020-02-04", watching);
  expect(asked.map(([, to]) => to)).toEqual(["2020-03-10", "2020-01-19", "2020-04-04"]);
});

it("after a long sleep the question reaches back to the last one, and what is older than 800 days is dropped", async () => {
  await readEarnings(context, "US", "2020-02-03", POLICY_2_9_0);
  asked = [];
  const { past } = await readEarnings(context, "US", "2020-09-01", POLICY_2_9_0);
  expect(asked).toEqual([["2020-02-03", "2020-10-01"]]);
  expect(dates(past)).toEqual(["2019-01-30", "2019-10-30", "2020-01-29", "2020-02-05", "2020-02-20"]);
});

it("an unavailable calendar says so; unavailable past reports leave those of the last days", async () => {
  isUnavailable = () => true;
  expect((await readEarnings(context, "PRACTICE", "1998-01-05", POLICY_2_9_0)).near).toBeNull();
  isUnavailable = (from) => from < "2019";
  const { near, past } = await readEarnings(context, "PRACTICE", "2020-02-03", POLICY_2_9_0);
  expect(dates(near)).toHaveLength(3);
  expect(dates(past)).toEqual(["2020-01-29"]);
});

it("a market that went back in time is read anew: nothing of its future is known", async () => {
  await readEarnings(context, "US", "2020-07-02", POLICY_2_9_0);
  const { past } = await readEarnings(context, "US", "2019-12-02", POLICY_2_9_0);
  expect(dates(past)).toEqual(["2018-06-01", "2019-01-30", "2019-10-30"]);
});

interface Filed {
  symbol: string;
  announcedAt: Date[];
}

/** A calendar of coming reports as seen on one session, beside what companies filed until then. */
const comingOnly = (coming: EarningsRow[] | null, filed: Filed[] = []) =>
  ({
    log: { warn: () => undefined },
    db: { company: { findMany: () => Promise.resolve(filed) } },
    marketData: () => ({
      earningsCalendar: { vendor: "Alpha Vantage", coversPast: false },
      earnings(from: string, to: string) {
        asked.push([from, to]);
        return coming === null
          ? Promise.reject(new Error("unavailable"))
          : Promise.resolve(coming.filter(({ date }) => date >= from && date <= to));
      },
    }),
  }) as unknown as Context;
const row = (symbol: string, date: string, time: EarningsRow["time"] = "UNKNOWN"): EarningsRow => ({
  symbol,
  date,
  time,
});
/** Filed after the close; in New York it is still the day that is given. */
const filedOn = (...days: string[]) => days.map((day) => new Date(`${day}T21:05:00Z`));

it("a calendar without past reports is asked for coming ones alone; past ones are those that companies filed", async () => {
  const filed = [
    { symbol: "AAA", announcedAt: filedOn("2020-01-29", "2019-10-30", "2017-10-30") },
    { symbol: "BBB", announcedAt: [new Date("2020-02-04T02:30:00Z"), ...filedOn("2020-02-04")] },
  ];
  const { near, past, estimates } = await readEarnings(
    comingOnly([row("CCC", "2020-02-20")], filed),
    "US",
    "2020-02-04",
    POLICY_2_9_0,
  );
  expect(asked).toEqual([["2020-02-04", "2020-03-05"]]);
  expect(past).toEqual([row("AAA", "2020-01-29"), row("AAA", "2019-10-30"), row("BBB", "2020-02-03")]);
  expect(near).toEqual([row("AAA", "2020-01-29"), row("BBB", "2020-02-03"), row("CCC", "2020-02-20")]);
  expect(estimates).toBeNull();
});

it("the day after a report that no filing tells of yet, what the calendar had given counts, until the filing is read", async () => {
  const reports = [row("AAA", "2020-02-05", "AMC"), row("BBB", "2020-02-06", "BMO"), row("CCC", "2020-02-07")];
  await readEarnings(comingOnly(reports), "US", "2020-02-05", POLICY_2_9_0);
  // BBB moved its report.
  const moved = [row("BBB", "2020-02-13", "BMO"), row("CCC", "2020-02-07")];
  const next = await readEarnings(comingOnly(moved), "US", "2020-02-06", POLICY_2_9_0);
  expect(next.past).toEqual([row("AAA", "2020-02-05", "AMC")]);
  expect(next.near).toEqual([row("AAA", "2020-02-05", "AMC"), ...moved]);
  const later = await readEarnings(comingOnly([]), "US", "2020-02-10", POLICY_2_9_0);
  expect(later.past).toEqual([row("AAA", "2020-02-05", "AMC"), row("CCC", "2020-02-07")]);
  const filed = [{ symbol: "AAA", announcedAt: filedOn("2020-02-06") }];
  const read = await readEarnings(comingOnly([], filed), "US", "2020-02-11", POLICY_2_9_0);
  expect(read.past).toEqual([row("AAA", "2020-02-06"), row("CCC", "2020-02-07")]);
});

it("a report of today that left the list of coming ones since yesterday is still one of today, unless it was put off", async () => {
  await readEarnings(
    comingOnly([row("AAA", "2020-02-06", "BMO"), row("BBB", "2020-02-06")]),
    "US",
    "2020-02-05",
    POLICY_2_9_0,
  );
  const moved = row("BBB", "2020-02-20");
  const today = await readEarnings(comingOnly([moved]), "US", "2020-02-06", POLICY_2_9_0);
  expect(today.near).toEqual([row("AAA", "2020-02-06", "BMO"), moved]);
  expect((await readEarnings(comingOnly([moved]), "US", "2020-02-07", POLICY_2_9_0)).past).toEqual([
    row("AAA", "2020-02-06", "BMO"),
  ]);
});

it("a calendar without past reports that is unavailable is not known, whatever was filed", async () => {
  const filed = [{ symbol: "AAA", announcedAt: filedOn("2020-01-29") }];
  const { near, past } = await readEarnings(comingOnly(null, filed), "US", "2020-02-04", POLICY_2_9_0);
  expect(near).toBeNull();
  expect(past).toEqual([row("AAA", "2020-01-29")]);
});
