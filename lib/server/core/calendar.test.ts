import { expect, it } from "vitest";
import type { Context } from "../context.ts";
import type { MarketData } from "../providers/market-data.ts";
import { marketMoment, sessionsAround } from "./calendar.ts";

const MARKET_TIME = "2026-03-02T15:00:00.000Z";

const DAY = { session: "2026-03-02", opensAt: "2026-03-02T14:30:00.000Z", closesAt: "2026-03-02T21:00:00.000Z" };

function contextAt(wall: string): Context {
  const data = {
    clock: () => Promise.resolve({ now: MARKET_TIME, isOpen: true, nextOpen: MARKET_TIME, nextClose: MARKET_TIME }),
    calendar: () => Promise.resolve([DAY]),
  } as unknown as MarketData;
  return { now: () => new Date(wall), marketData: () => data } as unknown as Context;
}

it("a machine whose clock is minutes off trades nothing on the real market, and says by how much (T1)", async () => {
  for (const wall of ["2026-03-02T15:05:00.000Z", "2026-03-02T14:55:00.000Z", "2026-03-02T14:00:00.000Z"])
    await expect(marketMoment(contextAt(wall), "US")).rejects.toThrow(/clock differs from the market's by -?\d+ s/);
  await expect(marketMoment(contextAt("2026-03-02T15:00:04.000Z"), "US")).resolves.toMatchObject({ isOpen: true });
});

it("the practice market's time is its own", async () => {
  await expect(marketMoment(contextAt("2031-01-01T00:00:00.000Z"), "PRACTICE")).resolves.toMatchObject({
    now: MARKET_TIME,
  });
});

it("a calendar without any session is no answer: it is asked again, and does not close the market for the day", async () => {
  const answers = [[], [DAY]];
  const data = { calendar: () => Promise.resolve(answers.shift()) } as unknown as MarketData;
  const context = { marketData: () => data } as unknown as Context;
  const ask = () => sessionsAround(context, "US", "2026-03-03");
  await expect(ask()).rejects.toMatchObject({ code: "unavailable" });
  expect(await ask()).toEqual([DAY]);
});
