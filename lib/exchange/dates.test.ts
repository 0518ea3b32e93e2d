import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { exchanges, openTrader, type PracticeTrader } from "@/lib/proof/practice-trader.ts";
import { sessionsBetween } from "../domain/market-calendar.ts";
import type { Exchange } from "./start.ts";

/** Dates as clients that mistake them send them, over the wire. */

// A busy machine needs longer to open a market.
vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

const running = exchanges();
let exchange: Exchange;
let trader: PracticeTrader;
beforeAll(async () => {
  exchange = await running.open({ seed: 3 });
  trader = await openTrader(exchange);
});
afterAll(() => running.closeAll());

const get = (path: string) => trader.send("GET", path);
type Days = { date: string; settlement_date: string }[];
const daysOf = async (path: string) => (await get(path)).body as unknown as Days;

describe("a day that no month has is refused, wherever a date is read", () => {
  it.each([
    ["/v2/calendar?start=2024-13-45", 400],
    ["/v2/calendar?end=2024-02-30T00:00:00Z", 400],
    ["/v3/calendar/NYSE?start=2024-99-99", 400],
    ["/v3/clock?time=275760-09-13", 400],
    ["/v3/clock?time=2023-02-29T12:00:00Z", 400],
    ["/v2/stocks/bars?symbols=SPY&timeframe=1Day&start=2024-13-45", 400],
    ["/v2/stocks/SPY/trades?end=2024-02-30T10:00:00Z", 400],
    ["/v1beta1/news?start=2024-13-45", 400],
    ["/v1/corporate-actions?start=2024-13-45", 400],
    ["/v2/account/portfolio/history?start=2024-13-45", 422],
    ["/v2/account/portfolio/history?end=2024-02-30T10:00:00Z", 422],
    ["/v2/account/activities?date=2024-13-45", 422],
    ["/v2/account/activities?after=2024-02-30T10:00:00Z", 422],
    ["/v2/orders?after=2024-02-30", 422],
    ["/v2/corporate_actions/announcements?ca_types=split&since=2024-02-30&until=2024-03-05", 422],
    ["/vendors/finnhub/api/v1/company-news?symbol=SPY&from=2024-13-45", 400],
  ])("%s → %i", async (path, status) => {
    expect((await get(path)).status).toBe(status);
  });

  it("the clock is not moved to one either", async () => {
    const init = { method: "POST", body: JSON.stringify({ jumpTo: "2024-13-45" }) };
    expect((await fetch(`${exchange.url}/_control/clock`, init)).status).toBe(422);
  });
});

describe("an instant without its zone is refused, wherever one is read", () => {
  it.each([
    ["/v2/stocks/bars?symbols=SPY&timeframe=1Day&start=2024-01-08T14:31:00", 400],
    ["/v2/stocks/SPY/trades?end=2024-01-08T14:31:00.5", 400],
    ["/v2/stocks/SPY/bars?timeframe=1Min&start=2024-01-08%2014:31", 400],
    ["/v1beta1/news?start=2024-01-08%2010", 400],
    // A plus that was not encoded is a space.
    ["/v1beta1/news?start=2024-01-08T14:31:00+00:00", 400],
    ["/v1beta1/news?start=2024-01-08T24:00:00Z", 400],
    ["/v3/clock?time=2024-01-08%202:31%20PM", 400],
    ["/v2/account/portfolio/history?start=2024-01-08T14:31:00", 422],
    ["/v2/account/activities?after=2024-01-08T14:31:00", 422],
    ["/v2/orders?until=2024-01-08%20(x)%2014:31", 422],
    ["/v2/calendar?start=2024-01-08T00:00:00", 400],
  ])("%s → %i", async (path, status) => {
    expect((await get(path)).status).toBe(status);
  });

  it.each([
    "2024-01-08T14:31:00Z",
    "2024-01-08T14:31:00.123456789Z",
    "2024-01-08T09:31:00-05:00",
    "2024-01-08t14:31:00z",
  ])("%s is read", async (instant) => {
    expect((await get(`/v1beta1/news?start=${instant}`)).status).toBe(200);
    expect((await get(`/v2/orders?after=${instant}`)).status).toBe(200);
    const clock = await get(`/v3/clock?markets=NYSE&time=${instant}`);
    expect(clock.body).toMatchObject({ clocks: [{ timestamp: expect.stringMatching(/^2024-01-08T09:31:00/) }] });
  });

  it("as the instants that Python writes, with an offset, are", async () => {
    const path = "/v2/stocks/SPY/bars?timeframe=1Min&start=2024-01-08T14:31:00%2B00:00";
    expect((await get(path)).status).toBe(200);
  });
});

describe("the calendar's range", () => {
  it.each([
    "/v2/calendar?start=9999-12-01&end=9999-12-31",
    "/v2/calendar?start=9999-12-01&end=9999-12-31&date_type=SETTLEMENT",
    "/v3/calendar/NYSE?start=9999-12-01&end=9999-12-31",
    "/v3/clock?time=9999-12-31T23:59:59Z",
    "/v2/stocks/bars?symbols=SPY&timeframe=1Day&start=0001-01-01&end=9999-12-31&limit=1",
    "/v2/account/portfolio/history?start=0001-01-01T00:00:00Z&end=9999-12-31",
    "/v2/account/activities?after=0001-01-01&until=9999-12-31T23:59:59Z",
    "/v2/orders?after=0001-01-01T00:00:00Z&until=9999-12-31T23:59:59Z",
  ])("%s is answered at once", async (path) => {
    expect((await get(path)).status).toBe(200);
  });

  it.each(["/v2/calendar?start=0001-01-01", "/v3/calendar/NYSE?start=2016-01-04&end=2029-12-31"])(
    "%s is longer than one answer may be",
    async (path) => {
      expect(await get(path)).toMatchObject({
        status: 400,
        body: { code: 40010000, message: "invalid end: the range is too long" },
      });
    },
  );

  it("what is kept of a year is told as it was worked out: every session of the range, first and last day included", async () => {
    const sessions = sessionsBetween("2022-12-30", "2024-01-02");
    for (const _ of [1, 2]) {
      const days = await daysOf("/v2/calendar?start=2022-12-30&end=2024-01-02");
      expect(days.map(({ date }) => date)).toEqual(sessions);
      const settled = await daysOf("/v2/calendar?start=2024-01-02&end=2024-01-03&date_type=SETTLEMENT");
      expect(settled.map(({ date, settlement_date }) => [date, settlement_date])).toEqual([
        ["2023-12-28", "2024-01-02"],
        ["2023-12-29", "2024-01-03"],
      ]);
    }
  });

  it("is from 1970 to 2029 where none is given, and each end is so by itself", async () => {
    const ends = async (query: string) => {
      const days = (await daysOf(`/v2/calendar${query}`)).map(({ date }) => date);
      return [days[0], days.at(-1), days.length];
    };
    const between = (first: string, last: string) => {
      const sessions = sessionsBetween(first, last);
      return [sessions[0], sessions.at(-1), sessions.length];
    };
    expect(await ends("")).toEqual(between("1970-01-01", "2029-12-31"));
    expect(await ends("?end=2008-03-31")).toEqual(between("1970-01-01", "2008-03-31"));
    expect(await ends("?start=2008-03-03")).toEqual(between("2008-03-03", "2029-12-31"));
  });

  it("version 3 tells a session's instants with New York's offset of the season", async () => {
    const { body } = await get("/v3/calendar/NYSE?start=2024-03-08&end=2024-03-11");
    expect(body.calendar).toMatchObject([
      { date: "2024-03-08", pre_start: "2024-03-08T04:00:00-05:00", core_end: "2024-03-08T16:00:00-05:00" },
      { date: "2024-03-11", pre_start: "2024-03-11T04:00:00-04:00", post_end: "2024-03-11T20:00:00-04:00" },
    ]);
  });
});
