import { describe, expect, it } from "vitest";
import * as z from "zod";
import {
  anyText,
  commandFailure,
  date,
  flag,
  fraction,
  id,
  oneOf,
  percentage,
  positiveMoney,
  positiveNumber,
  readArguments,
  wholeNumber,
} from "./command.ts";

const OPTIONS = {
  market: oneOf(["PRACTICE", "US"]).optional(),
  from: date.optional(),
  account: id.optional(),
  count: wholeNumber(1, 20).default(7),
  share: fraction.optional(),
  speed: positiveNumber.optional(),
  cash: positiveMoney.optional(),
  stop: percentage(99).optional(),
  name: z.array(anyText).default([]),
  all: flag,
};
const read = (line: string, positionals = 0) => readArguments(line.split(" ").filter(Boolean), OPTIONS, positionals);

describe("a command line", () => {
  it("is read with its defaults, its lists and its words", () => {
    expect(read("")).toEqual({ values: { count: 7, name: [], all: false }, positionals: [] });
    expect(read("check --name a --all DIR --name=b --market us --cash 0100.50", 2)).toEqual({
      values: { count: 7, name: ["a", "b"], all: true, market: "US", cash: "100.5" },
      positionals: ["check", "DIR"],
    });
  });

  it("that asks for help is answered with it, whatever else it says", () => {
    expect(read("--nonsense --help")).toBeNull();
    expect(read("check -h")).toBeNull();
  });

  it.each([
    ["--speed-up 2", "There is no option --speed-up. See --help."],
    ["now", '"now" is not an option. See --help.'],
    ["--from", "--from needs a value. See --help."],
    ["--all=yes", "--all takes no value. See --help."],
    ["--count 1 --count 2", "--count is given twice."],
    ["--market moon", '--market is one of PRACTICE, US, not "moon".'],
    ["--from 2020-02-30", '--from is a date like 2020-01-31, not "2020-02-30".'],
    ["--account mine", '--account is an id, not "mine".'],
    ["--count 21", '--count is a whole number from 1 to 20, not "21".'],
    ["--count 1.5", '--count is a whole number from 1 to 20, not "1.5".'],
    ["--share 2", '--share is a number from 0 to 1, not "2".'],
    ["--speed 0", '--speed is a number above 0, not "0".'],
    ["--cash lots", '--cash is a positive number of USD, not "lots".'],
    ["--stop 100", '--stop is a percentage above 0 and at most 99, not "100".'],
  ])("%s is refused with one sentence, and the command ends with 2", (line, sentence) => {
    expect(() => read(line)).toThrow(sentence);
    try {
      read(line);
    } catch (error) {
      expect(commandFailure(error)).toEqual({ said: sentence, code: 2 });
    }
  });

  it("without a value that it needs is refused with its name", () => {
    expect(() => readArguments([], { tape: anyText })).toThrow("--tape is missing. See --help.");
  });
});

it("a path that cannot be used is named with what the system says of it", () => {
  const error = Object.assign(new Error("no"), { code: "ENOENT", path: "/nowhere" });
  expect(commandFailure(error)).toEqual({ said: "/nowhere does not exist.", code: 2 });
});
