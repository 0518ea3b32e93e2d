import { expect, it } from "vitest";
import type { VixRow } from "./market-data.ts";
import { filledVix } from "./vix.ts";

const day = (session: string, close: number): VixRow => ({ session, close });
const source = (rows: VixRow[] | Error) => {
  const asked: string[] = [];
  const vix = async (from: string, through: string) => {
    asked.push(`${from} ${through}`);
    if (rows instanceof Error) throw rows;
    return rows;
  };
  return { asked, vix };
};
const FROM = "2020-03-02";
const THROUGH = "2020-03-04";
const whole = [day("2020-03-02", 33.4), day("2020-03-03", 36.8), day("2020-03-04", 31.9)];

it("a source that has the last day is enough: the other one is not asked", async () => {
  const second = source([]);
  expect(await filledVix(source(whole), second).vix(FROM, THROUGH)).toEqual(whole);
  expect(second.asked).toEqual([]);
});

it("days that the first source lacks come from the second, in order; where both have one, the first one's counts", async () => {
  const second = source([day("2020-03-03", 99), day("2020-03-04", 31.9)]);
  expect(await filledVix(source(whole.slice(0, 2)), second).vix(FROM, THROUGH)).toEqual(whole);
  expect(second.asked).toEqual([`${FROM} ${THROUGH}`]);
});

it("a first source that fails is replaced, and a second one that fails removes nothing of the first", async () => {
  const failure = new Error("unavailable");
  expect(await filledVix(source(failure), source(whole)).vix(FROM, THROUGH)).toEqual(whole);
  expect(await filledVix(source(whole.slice(0, 1)), source(failure)).vix(FROM, THROUGH)).toEqual(whole.slice(0, 1));
  expect(await filledVix(source([]), source(failure)).vix(FROM, THROUGH)).toEqual([]);
});

it("where neither answers, the failure of the first is reported", async () => {
  const failure = filledVix(source(new Error("first")), source(new Error("second"))).vix(FROM, THROUGH);
  await expect(failure).rejects.toThrow("first");
});
