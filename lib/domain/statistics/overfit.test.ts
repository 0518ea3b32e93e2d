import { expect, it } from "vitest";
import { overfitText } from "./overfit.ts";

it.each([
  [
    { tries: 7, sharpe: 0.7, deflated: 0.21, exposure: 0.4 },
    "The best of 7 tries: its Sharpe of 0.70 deflates to 0.21, the probability that it is more than the best of 7 worthless tries would show. Luck is the likelier explanation. On average 40.0% of the equity was invested.",
  ],
  [
    { tries: 1, sharpe: 2.42, deflated: 0.97, exposure: 0.047 },
    "That is more than luck alone usually shows. Only 4.7% of the equity was invested on average: the ratio judges a few small positions",
  ],
  [{ tries: 7, sharpe: 1.9, deflated: 0.5, exposure: 0.4 }, "It may be more than luck, but that is not shown."],
  [{ tries: 7, sharpe: 2.4, deflated: 0.95, exposure: 0.4 }, "Luck alone would rarely do as well."],
  [
    { tries: 1, sharpe: 0.7, deflated: 0.74, exposure: 0.4 },
    "One try: its Sharpe of 0.70 is above zero with a probability of 0.74.",
  ],
  [
    { tries: 1, sharpe: null, deflated: null, exposure: null },
    "One try, too short to be judged: a Sharpe ratio needs 60 sessions.",
  ],
  [
    { tries: 3, sharpe: null, deflated: null, exposure: null },
    "3 tries, and none of those kept is long enough to be judged",
  ],
  [{ tries: 3, sharpe: 0.7, deflated: null, exposure: 0.4 }, "cannot be deflated before two tries have a Sharpe ratio"],
])("%j reads as it is", (overfit, text) => {
  expect(overfitText({ ...overfit, isBeaten: false })).toContain(text);
});

it("what is kept is not called the best where a try that is not kept was better", () => {
  const overfit = { tries: 25, sharpe: 0.7, deflated: 0.21, exposure: 0.4 };
  expect(overfitText({ ...overfit, isBeaten: true })).toMatch(/^The best kept of 25 tries: its Sharpe of 0\.70 /);
  expect(overfitText({ ...overfit, isBeaten: false })).toMatch(/^The best of 25 tries: its Sharpe of 0\.70 /);
});

const LOW = { tries: 7, sharpe: 1.9, deflated: 0.2, exposure: 0.4 };

it("a probability and an exposure just below a line are not shown at it", () => {
  const textOf = (more: object) => overfitText({ ...LOW, isBeaten: false, ...more });
  expect(textOf({ deflated: 0.9499 })).toContain("deflates to 0.9499");
  expect(textOf({ deflated: 0.4999 })).toContain("deflates to 0.4999");
  expect(textOf({ exposure: 0.19996 })).toContain("Only 19.996% of the equity");
});
