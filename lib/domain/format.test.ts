import { describe, expect, it } from "vitest";
import {
  countdownText,
  dateText,
  easternAxisSeconds,
  easternAxisText,
  easternClockText,
  easternText,
  moneyText,
  priceText,
  quantityText,
  sharesText,
  shortMoneyText,
  signedMoneyText,
  ratioText,
  shareText,
  signedPercentText,
  winRateText,
} from "./format.ts";

describe("money", () => {
  it("reads as USD with two decimals", () => {
    expect(moneyText(1234.5)).toBe("$1,234.50");
    expect(moneyText(-3)).toBe("-$3.00");
  });

  it("reads a price to its last digit, and to the cent at least", () => {
    expect(["137.5", "1425.89", "0.1234", "10", "137.505"].map(priceText)).toEqual([
      "$137.50",
      "$1,425.89",
      "$0.1234",
      "$10.00",
      "$137.505",
    ]);
  });

  it("reads $0.00 when the number is invalid, absent or rounds to zero from below", () => {
    expect([Number.NaN, null, undefined, Number.POSITIVE_INFINITY, -0.001].map(moneyText)).toEqual(
      Array(5).fill("$0.00"),
    );
  });

  it("carries an explicit sign on request, and none on zero", () => {
    expect([1, -1, 0, -0.001].map(signedMoneyText)).toEqual(["+$1.00", "-$1.00", "$0.00", "$0.00"]);
  });
});

it("an amount for a narrow place is short at any size, and keeps its sign", () => {
  const values = [0, 0.4, -25.4, 99.99, -99.999, 204.55, -999.9, 1250.5, -12_345.67, 123_456.78, 1_234_567, 999_999.9];
  const texts = values.map(shortMoneyText);
  expect(texts).toEqual([
    ...["$0.00", "+$0.40", "-$25.40", "+$99.99", "-$100", "+$205", "-$1K"],
    ...["+$1.25K", "-$12.3K", "+$123K", "+$1.23M", "+$1M"],
  ]);
  expect(Math.max(...texts.map(({ length }) => length))).toBe(7);
});

describe("ratios and quantities", () => {
  it("percentages carry a sign; an undefined one is a dash, not zero", () => {
    expect([1.234, -0.5, 0, null].map(signedPercentText)).toEqual(["+1.23%", "-0.50%", "0.00%", "—"]);
  });

  it("quantities keep nine decimals", () => {
    expect([12, 0.123456789, 1500].map(quantityText)).toEqual(["12", "0.123456789", "1,500"]);
  });

  it("shares are counted in words that fit one, several and a part", () => {
    expect([1, 0, 12, 0.5, 1500].map(sharesText)).toEqual([
      "1 share",
      "0 shares",
      "12 shares",
      "0.5 shares",
      "1,500 shares",
    ]);
  });

  it("the win rate is won over decided trades, and undefined before the first", () => {
    expect(winRateText(5, 3)).toBe("62.5%");
    expect(winRateText(0, 0)).toBe("—");
    // Halves go up, also where a double has no such half: 7.25 %, 0.35 %.
    expect(winRateText(29, 371)).toBe("7.3%");
    expect(winRateText(7, 1993)).toBe("0.4%");
  });
});

it("a ratio that rounds to zero has no sign, and a share is a percentage", () => {
  expect([ratioText(-0.004, 2), ratioText(-0.04, 1), ratioText(-0.006, 2), ratioText(1234.565, 2)]).toEqual([
    "0.00",
    "0.0",
    "-0.01",
    "1234.57",
  ]);
  expect([0, 0.625, 0.0725, 1].map(shareText)).toEqual(["0.0%", "62.5%", "7.3%", "100.0%"]);
});

describe("times", () => {
  it("read in New York, in winter and in summer", () => {
    expect(easternText("2020-02-03T15:42:00.000Z")).toBe("Mon 3 Feb 2020 10:42 ET");
    expect(easternText("2020-09-01T03:30:00.000Z")).toBe("Mon 31 Aug 2020 23:30 ET");
    expect(easternClockText("2020-07-01T14:32:05.000Z")).toBe("10:32:05 ET");
  });

  it("a date reads as people write it", () => {
    expect(["2020-02-03", "2019-12-31"].map(dateText)).toEqual(["3 Feb 2020", "31 Dec 2019"]);
  });

  it("midnight is 00, not 24", () => {
    expect(easternText("2020-02-03T05:00:00.000Z")).toBe("Mon 3 Feb 2020 00:00 ET");
  });

  it("a chart's axis turns the year at midnight in New York, not in Greenwich", () => {
    const stillOldYear = easternAxisSeconds("2020-01-01T04:59:59.000Z");
    expect(easternAxisText(stillOldYear, "year")).toBe("2019");
    expect(easternAxisText(stillOldYear + 1, "all")).toBe("1 Jan 2020 00:00 ET");
    const summer = easternAxisSeconds("2020-07-01T14:32:00.000Z");
    expect((["month", "day", "time"] as const).map((kind) => easternAxisText(summer, kind))).toEqual([
      "Jul",
      "1 Jul",
      "10:32",
    ]);
  });

  it("a countdown is mm:ss within the hour, rounds up and stops at zero", () => {
    expect([245_000, 244_001, 0, -5, 3_599_000].map(countdownText)).toEqual([
      "04:05",
      "04:05",
      "00:00",
      "00:00",
      "59:59",
    ]);
  });

  it("a countdown beyond an hour has hours, and over a weekend days", () => {
    const [hour, day] = [3_600_000, 86_400_000];
    expect([hour, hour + 900_000, day - 1_000, day, 3930 * 60_000 + 12_000].map(countdownText)).toEqual([
      "1:00:00",
      "1:15:00",
      "23:59:59",
      "1 d 0:00:00",
      "2 d 17:30:12",
    ]);
  });
});
