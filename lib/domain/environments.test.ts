import { expect, it } from "vitest";
import { defaultEnvironment, environmentLabel, environmentsOf } from "./environments.ts";

const practice = { broker: "PRACTICE", environment: "PAPER" } as const;
const paper = { broker: "ALPACA", environment: "PAPER" } as const;
const live = { broker: "ALPACA", environment: "LIVE" } as const;
const active = <T extends object>(account: T) => ({ ...account, isActive: true });
const inactive = <T extends object>(account: T) => ({ ...account, isActive: false });

it("an account of the practice market is PRACTICE, whatever its environment at the broker is", () => {
  expect([practice, paper, live].map(environmentLabel)).toEqual(["PRACTICE", "PAPER", "LIVE"]);
});

it("environments are listed once each, the most real first", () => {
  expect(environmentsOf([practice, paper, practice, live, paper])).toEqual(["LIVE", "PAPER", "PRACTICE"]);
  expect(environmentsOf([])).toEqual([]);
});

it.each([
  [[active(practice), active(paper), active(live)], "LIVE"],
  [[active(practice), active(paper), inactive(live)], "PAPER"],
  [[active(practice), inactive(paper)], "PRACTICE"],
  // Only history is left: the most real of it.
  [[inactive(practice), inactive(paper)], "PAPER"],
  [[], null],
])("without a choice the most real environment with an active account is shown (%#)", (accounts, environment) => {
  expect(defaultEnvironment(accounts)).toBe(environment);
});
