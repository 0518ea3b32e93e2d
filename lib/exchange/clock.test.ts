import { afterEach, describe, expect, it, vi } from "vitest";
import { openTrader } from "@/lib/proof/practice-trader.ts";
import type { Exchange } from "./start.ts";
import { startTestExchange } from "@/lib/proof/market/test-exchange.ts";

let exchange: Exchange | undefined;
afterEach(() => exchange?.close());

describe("market time", () => {
  it("stands still while paused, and one step is exactly one minute", async () => {
    exchange = await startTestExchange({ port: 0, paused: true, start: "2024-03-04", seed: 1 });
    expect(exchange.control.status().now).toBe("2024-03-04T14:30:00.000Z");
    expect((await exchange.control.clock({ advanceMinutes: 1 })).now).toBe("2024-03-04T14:31:00.000Z");
    expect(exchange.control.status().now).toBe("2024-03-04T14:31:00.000Z");
  });

  it("skips nights, week-ends and holidays, and stops at the close when a step ends there", async () => {
    exchange = await startTestExchange({ port: 0, paused: true, start: "2024-03-28", seed: 1 });
    expect(await exchange.control.clock({ advanceMinutes: 390 })).toMatchObject({
      now: "2024-03-28T20:00:00.000Z",
      isOpen: false,
    });
    // Good Friday and a week-end lie between.
    expect(await exchange.control.clock({ advanceMinutes: 1 })).toMatchObject({
      now: "2024-04-01T13:31:00.000Z",
      isOpen: true,
    });
  });

  it("passes through the night when closed hours are not skipped", async () => {
    exchange = await startTestExchange({ port: 0, paused: true, start: "2024-03-04", seed: 1, skipClosed: false });
    const evening = await exchange.control.clock({ advanceMinutes: 600 });
    expect([evening.now, evening.isOpen]).toEqual(["2024-03-05T00:30:00.000Z", false]);
    const morning = await exchange.control.clock({ advanceMinutes: 14 * 60 });
    expect([morning.now, morning.isOpen]).toEqual(["2024-03-05T14:30:00.000Z", true]);
  });

  it("runs on its own, from one session into the next, and never backwards", async () => {
    exchange = await startTestExchange({ port: 0, start: "2024-03-04", seed: 1, speed: 100_000 });
    const { control } = exchange;
    let last = control.status().now;
    await vi.waitFor(
      () => {
        const { now } = control.status();
        expect(now >= last).toBe(true);
        last = now;
        expect(now > "2024-03-06").toBe(true);
      },
      { timeout: 5_000, interval: 5 },
    );
    const paused = await control.clock({ paused: true });
    expect(paused.isPaused).toBe(true);
    expect(control.status().now).toBe(paused.now);
  });

  it("refuses to run backwards", async () => {
    exchange = await startTestExchange({ port: 0, paused: true, start: "2024-03-04", seed: 1 });
    await expect(exchange.control.clock({ jumpTo: "2024-03-01" })).rejects.toThrow(/backwards/);
  });

  it("shows no minute before it is over: the running day's bar is made of whole minutes only", async () => {
    exchange = await startTestExchange({ port: 0, paused: true, start: "2024-03-04", seed: 1 });
    const trader = await openTrader(exchange);
    const bars = async (timeframe: string) => {
      const { body } = await trader.send(
        "GET",
        `/v2/stocks/SPY/bars?timeframe=${timeframe}&start=2024-03-04&end=2024-03-08&limit=1000`,
      );
      return body.bars as { t: string; h: number; l: number; c: number; v: number }[];
    };
    expect([await bars("1Day"), await bars("1Min")]).toEqual([[], []]);
    await exchange.control.clock({ advanceMinutes: 3 });
    const minutes = await bars("1Min");
    const [day] = await bars("1Day");
    expect(minutes.map((bar) => bar.t)).toEqual([
      "2024-03-04T14:30:00Z",
      "2024-03-04T14:31:00Z",
      "2024-03-04T14:32:00Z",
    ]);
    expect(day).toMatchObject({
      h: Math.max(...minutes.map((bar) => bar.h)),
      l: Math.min(...minutes.map((bar) => bar.l)),
      c: minutes[2]?.c,
      v: minutes.reduce((sum, bar) => sum + bar.v, 0),
    });
    const vix = await (await fetch(`${exchange.url}/vendors/cboe/VIX_History.csv`)).text();
    expect(vix.trimEnd().split("\n").at(-1)?.startsWith("03/01/2024,")).toBe(true);
  });
});
