import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { openTrader } from "@/lib/proof/practice-trader.ts";
import { type Exchange, type ExchangeOptions, startExchange } from "./start.ts";

// A busy machine needs longer to open a market.
vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

let exchange: Exchange | undefined;
beforeEach(() => void vi.useFakeTimers({ toFake: ["Date"] }));
afterEach(async () => {
  await exchange?.close();
  exchange = undefined;
  vi.useRealTimers();
});

async function startAt(instant: string): Promise<Exchange> {
  vi.setSystemTime(instant);
  exchange = await startExchange({ port: 0, start: "now" });
  return exchange;
}

it("market time is the wall clock's, with today's date, history behind it and a calendar ahead", async () => {
  // A Friday, an hour after the opening.
  const running = await startAt("2026-11-20T15:30:20.000Z");
  const trader = await openTrader(running);
  expect((await trader.send("GET", "/v2/clock")).body).toEqual({
    timestamp: "2026-11-20T10:30:20-05:00",
    is_open: true,
    next_open: "2026-11-23T09:30:00-05:00",
    next_close: "2026-11-20T16:00:00-05:00",
  });
  const range = "start=2024-01-01&end=2026-11-19&limit=10000";
  const days = (await trader.send("GET", `/v2/stocks/SPY/bars?timeframe=1Day&${range}`)).body.bars as { t: string }[];
  expect(days.length).toBeGreaterThanOrEqual(400);
  expect(days.at(-1)?.t).toBe("2026-11-19T05:00:00Z");
  const { body } = await trader.send("GET", "/v2/calendar?start=2026-11-20&end=2035-12-31");
  const calendar = body as unknown as { date: string; close: string }[];
  expect(calendar[0]?.date).toBe("2026-11-20");
  expect(calendar[4]).toMatchObject({ date: "2026-11-27", close: "13:00" });
  expect(calendar.at(-1)?.date).toBe("2035-12-31");
});

it("bars and quotes come minute by minute with the wall clock, through the close and the night", async () => {
  const running = await startAt("2026-11-20T20:57:30.000Z");
  const trader = await openTrader(running);
  const at = async (instant: string) => {
    vi.setSystemTime(instant);
    // vi.waitFor would move the faked date on.
    while (running.control.status().now !== instant) await new Promise((resolve) => setTimeout(resolve, 20));
  };
  const lastMinute = async () => {
    const { body } = await trader.send("GET", "/v2/stocks/SPY/bars/latest");
    return (body.bar as { t: string }).t;
  };
  expect(await lastMinute()).toBe("2026-11-20T20:56:00Z");
  for (const [instant, minute] of [
    ["2026-11-20T20:58:00.500Z", "20:57"],
    ["2026-11-20T20:59:10.000Z", "20:58"],
    ["2026-11-20T21:00:30.000Z", "20:59"],
  ] as const) {
    await at(instant);
    expect(await lastMinute()).toBe(`2026-11-20T${minute}:00Z`);
  }
  expect(running.control.status().isOpen).toBe(false);
  await at("2026-11-22T12:00:00.000Z");
  expect(await lastMinute()).toBe("2026-11-20T20:59:00Z");
  await at("2026-11-23T14:31:15.000Z");
  expect(await lastMinute()).toBe("2026-11-23T14:30:00Z");
  expect(running.control.status().isOpen).toBe(true);
});

it("on a week-end the last session is Friday's, and the market is shut", async () => {
  const running = await startAt("2026-11-22T17:00:00.000Z");
  const trader = await openTrader(running);
  expect((await trader.send("GET", "/v2/clock")).body).toMatchObject({
    timestamp: "2026-11-22T12:00:00-05:00",
    is_open: false,
    next_open: "2026-11-23T09:30:00-05:00",
  });
  expect(((await trader.send("GET", "/v2/stocks/SPY/bars/latest")).body.bar as { t: string }).t).toBe(
    "2026-11-20T20:59:00Z",
  );
});

it("a wall clock that is set back does not turn market time back", async () => {
  const running = await startAt("2026-11-20T15:30:20.000Z");
  expect(running.control.status().now).toBe("2026-11-20T15:30:20.000Z");
  vi.setSystemTime("2026-11-20T15:30:05.000Z");
  expect(running.control.status().now).toBe("2026-11-20T15:30:20.000Z");
});

it("its clock is not moved by hand", async () => {
  const running = await startAt("2026-11-20T15:30:20.000Z");
  for (const command of [{ paused: true }, { speed: 60 }, { advanceMinutes: 1 }, { jumpTo: "2026-11-24" }])
    await expect(running.control.clock(command)).rejects.toThrow(/follows the wall clock/);
  expect(running.control.status()).toMatchObject({ isWallClock: true, isPaused: false, speed: 1, skipClosed: false });
});

it.each<[string, Partial<ExchangeOptions>, RegExp]>([
  ["a tape", { tape: "/nowhere" }, /EXCHANGE_START=now follows the wall clock: a tape .* lies in the past/],
  ["another speed", { speed: 60 }, /EXCHANGE_SPEED must be 1, not 60/],
  ["skipped nights", { skipClosed: true }, /EXCHANGE_SKIP_CLOSED must be 0/],
  ["sessions before the start", { leadSessions: 12 }, /EXCHANGE_LEAD_SESSIONS must be 0/],
])("together with %s it does not start, and says why", async (_, options, message) => {
  await expect(startExchange({ port: 0, start: "now", ...options })).rejects.toThrow(message);
});
