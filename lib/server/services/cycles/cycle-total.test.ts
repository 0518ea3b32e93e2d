import { expect, it } from "vitest";
import { cycleTotal, type SaidLine } from "./cycle-total.ts";

const HEAD = "10:05: 503 screened, 50 seated";
const total = (...lines: SaidLine[]) => cycleTotal({ clock: "10:05", screened: 503, seated: 50 }, lines);

it("the line of the only account is the cycle's line", () => {
  const line = `${HEAD}, 7 signals, 0 orders: 4 sector, 3 earnings`;
  expect(total({ line, count: 1 })).toEqual({ signals: 7, orders: 0, line });
});

it("what stopped the candidates adds up over the accounts, most first", () => {
  expect(
    total(
      { line: `${HEAD}, 7 signals, 0 orders: 4 sector, 3 earnings`, count: 1 },
      { line: `${HEAD}, 3 signals, 1 order: 2 earnings`, count: 2 },
    ),
  ).toEqual({ signals: 13, orders: 2, line: `${HEAD}, 13 signals, 2 orders: 7 earnings, 4 sector` });
});

it("a reason that stands for a whole account has no number and is said once", () => {
  const line = `${HEAD}, 0 signals, 0 orders: automation off`;
  expect(total({ line, count: 3 }).line).toBe(line);
});

it("accounts in which nothing was stopped add their counts only", () => {
  expect(total({ line: `${HEAD}, 1 signal, 1 order`, count: 2 }).line).toBe(`${HEAD}, 2 signals, 2 orders`);
});

it("a cycle without decisions says that nothing came of it", () => {
  expect(total()).toEqual({ signals: 0, orders: 0, line: `${HEAD}, 0 signals, 0 orders` });
});

it("a line that cannot be read is not left out of the total", () => {
  expect(() => total({ line: "something else", count: 1 })).toThrow("something else");
});
