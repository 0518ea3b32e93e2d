import { beforeEach, expect, it } from "vitest";
import type { Context } from "../../context.ts";
import type { EarningsRow } from "../../providers/market-data.ts";
import { readEarnings } from "./read-earnings.ts";

const REPORTS = ["2018-06-01", "2019-01-30", "2019-10-30", "2020-01-29", "2020-02-05", "2020-02-20"].map(
  (date): EarningsRow => ({ symbol: "AAA", date, time: "AMC" }),
);

let asked: [string, string][];
let isAway: (from: string) => boolean;
const context = {
  log: { warn: () => undefined },
  marketData: () => ({
    hasEarningsCalendar: true,
    earnings(from: string, to: string) {
      asked.push([from, to]);
      return isAway(from)
        ? Promise.reject(new Error("away"))
        : Promise.resolve(REPORTS.filter(({ date }) => date >= from && date <= to));
    },
  }),
} as unknown as Context;

const dates = (rows: EarningsRow[] | null) => rows?.map(({ date }) => date);

beforeEach(async () => {
  asked = [];
  isAway = () => false;
  // A session before every test's: the process forgets what it knew of a later time.
  for (const market of ["US", "PRACTICE"] as const) await readEarnings(context, market, "1990-01-02");
  asked = [];
});

it("the first session asks for the past reports of 800 days, later ones only for what is new", async () => {
  const first = await readEarnings(context, "US", "2020-02-03");
  expect(dates(first.near)).toEqual(["2020-01-29", "2020-02-05", "2020-02-20"]);
  expect(dates(first.past)).toEqual(["2018-06-01", "2019-01-30", "2019-10-30", "2020-01-29"]);
  expect(asked).toEqual([
    ["2020-01-20", "2020-03-04"],
    ["2017-11-25", "2020-01-19"],
  ]);
  const second = await readEarnings(context, "US", "2020-02-06");
  expect(asked.slice(2)).toEqual([["2020-01-23", "2020-03-07"]]);
  expect(dates(second.past)).toEqual(["2018-06-01", "2019-01-30", "2019-10-30", "2020-01-29", "2020-02-05"]);
});

it("after a long sleep the question reaches back to the last one, and what is older than 800 days is dropped", async () => {
  await readEarnings(context, "US", "2020-02-03");
  asked = [];
  const { past } = await readEarnings(context, "US", "2020-09-01");
  expect(asked).toEqual([["2020-02-03", "2020-10-01"]]);
  expect(dates(past)).toEqual(["2019-01-30", "2019-10-30", "2020-01-29", "2020-02-05", "2020-02-20"]);
});

it("an unavailable calendar says so; unavailable past reports leave those of the last days", async () => {
  isAway = () => true;
  expect((await readEarnings(context, "PRACTICE", "1998-01-05")).near).toBeNull();
  isAway = (from) => from < "2019";
  const { near, past } = await readEarnings(context, "PRACTICE", "2020-02-03");
  expect(dates(near)).toHaveLength(3);
  expect(dates(past)).toEqual(["2020-01-29"]);
});

it("a market that went back in time is read anew: nothing of its future is known", async () => {
  await readEarnings(context, "US", "2020-07-02");
  const { past } = await readEarnings(context, "US", "2019-12-02");
  expect(dates(past)).toEqual(["2018-06-01", "2019-01-30", "2019-10-30"]);
});
