import { ADX, ATR, BollingerBands, EMA, MACD, RSI, SMA } from "technicalindicators";
import { describe, expect, it } from "vitest";
import { exampleBars } from "../../proof/indicators/series.ts";
import { adx } from "./adx.ts";
import { atr } from "./atr.ts";
import { bollinger } from "./bollinger.ts";
import { ema } from "./ema.ts";
import { macd } from "./macd.ts";
import { rsi } from "./rsi.ts";
import { sma } from "./sma.ts";

/**
 * 300 bars through a library that others wrote (engine.md §2). Not compared: what it computes otherwise
 * (its MACD signal and ADX are seeded elsewhere, so only values long after the seeds agree).
 */
const { high, low, close } = exampleBars();
const closes = [...close];
const ohlc = { high: [...high], low: [...low], close: closes };

/** Their answers begin at the first valid value: aligned at the end. */
function expectSame(ours: Float64Array, theirs: readonly (number | undefined)[], tolerance: number, from = 0) {
  const offset = ours.length - theirs.length;
  let compared = 0;
  for (const [i, value] of theirs.entries()) {
    if (value === undefined || i + offset < from) continue;
    compared++;
    expect(Math.abs(ours[i + offset]! - value), `bar ${i + offset}`).toBeLessThanOrEqual(tolerance);
  }
  expect(compared).toBeGreaterThan(80);
}

describe("technicalindicators agrees", () => {
  it.each([5, 20, 50, 200])("on SMA %i", (period) =>
    expectSame(sma(close, period), SMA.calculate({ period, values: closes }), 1e-6),
  );
  it.each([12, 20, 26])("on EMA %i", (period) =>
    expectSame(ema(close, period), EMA.calculate({ period, values: closes }), 1e-6),
  );
  it.each([2, 14])("on RSI %i to 2 decimals", (period) =>
    expectSame(rsi(close, period), RSI.calculate({ period, values: closes }), 0.005 + 1e-9),
  );
  it.each([14, 20])("on ATR %i", (period) =>
    expectSame(atr(high, low, close, period), ATR.calculate({ period, ...ohlc }), 1e-6),
  );
  it("on Bollinger bands", () => {
    const theirs = BollingerBands.calculate({ period: 20, stdDev: 2, values: closes });
    const { middle, upper, lower } = bollinger(close);
    expectSame(
      middle,
      theirs.map((band) => band.middle),
      1e-6,
    );
    expectSame(
      upper,
      theirs.map((band) => band.upper),
      1e-6,
    );
    expectSame(
      lower,
      theirs.map((band) => band.lower),
      1e-6,
    );
  });
  it("on the MACD line", () => {
    const theirs = MACD.calculate({
      values: closes,
      fastPeriod: 12,
      slowPeriod: 26,
      signalPeriod: 9,
      SimpleMAOscillator: false,
      SimpleMASignal: false,
    });
    expectSame(
      macd(close).line,
      theirs.map((point) => point.MACD),
      1e-6,
    );
  });
  it("on ADX once the seeds have faded", () => {
    const theirs = ADX.calculate({ period: 14, ...ohlc });
    expectSame(
      adx(high, low, close, 14).adx,
      theirs.map((point) => point.adx),
      0.01,
      200,
    );
  });
});
