import { expect, it } from "vitest";
import { addToCycleLine } from "./cycle-total.ts";

const cycle = (line: string, signals: number, orders: number) => ({ line, screened: 503, seated: 50, signals, orders });

it("the first account's line is the cycle's line", () => {
  const line = "10:05: 503 screened, 50 seated, 7 signals, 0 orders: 4 sector, 3 earnings";
  expect(addToCycleLine(cycle("10:05: 503 screened, 50 seated", 7, 0), "10:05", line)).toBe(line);
});

it("what stopped the candidates adds up over the accounts, most first", () => {
  const before = "10:05: 503 screened, 50 seated, 7 signals, 0 orders: 4 sector, 3 earnings";
  const account = "10:05: 503 screened, 50 seated, 3 signals, 1 order: 2 earnings, 1 already held or in flight";
  expect(addToCycleLine(cycle(before, 10, 1), "10:05", account)).toBe(
    "10:05: 503 screened, 50 seated, 10 signals, 1 order: 5 earnings, 4 sector, 1 already held or in flight",
  );
});

it("a reason that stands for a whole account has no number and is said once", () => {
  const stopped = "10:05: 503 screened, 50 seated, 0 signals, 0 orders: automation off";
  const once = addToCycleLine(cycle("10:05: 503 screened, 50 seated", 0, 0), "10:05", stopped);
  expect(addToCycleLine(cycle(once, 0, 0), "10:05", stopped)).toBe(stopped);
});

it("accounts in which nothing was stopped add their counts only", () => {
  const quiet = "10:05: 503 screened, 50 seated, 1 signal, 1 order";
  expect(addToCycleLine(cycle(quiet, 2, 2), "10:05", quiet)).toBe(
    "10:05: 503 screened, 50 seated, 2 signals, 2 orders",
  );
});
