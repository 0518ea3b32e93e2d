import { expect, it } from "vitest";
import { cycleText } from "./cycle-text.ts";

it.each([
  [
    "10:05: 503 screened, 50 seated, 7 signals, 0 orders: 4 regime, 3 earnings",
    "Looked at 503 stocks: 50 in the Top-50, 7 would buy, none ordered. 4 stocks wait for a calmer market. 3 stocks wait because of their earnings reports.",
  ],
  ["10:05: 1,503 screened, 50 seated", "10:05: 1,503 screened, 50 seated"],
  ["10:05: 1503 screened, 50 seated, 0 signals, 0 orders", "Looked at 1,503 stocks: 50 in the Top-50, none would buy."],
  ["10:05: 1 screened, 1 seated, 1 signal, 1 order", "Looked at 1 stock: 1 in the Top-50, 1 would buy, 1 ordered."],
  [
    "10:05: 503 screened, 50 seated, 9 signals, 1 order: 3 regime, 2 sector, 1 already held or in flight, 1 earnings",
    expect.stringMatching(
      /^Looked at 503 stocks: 50 in the Top-50, 9 would buy, 1 ordered\. .*\. The decision names 1 more reason\.$/,
    ),
  ],
])("%s is described in plain words", (line, text) => {
  expect(cycleText(line)).toEqual(text);
});
