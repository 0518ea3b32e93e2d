import { expect, it } from "vitest";
import { exampleAccount } from "@/lib/proof/example-market.ts";
import { accountEffect, openAccount, trackEquity } from "./account-effect.ts";

const fallOf = (looks: [equity: string, highWaterMark: string][]) => {
  const track = openAccount();
  for (const [equity, highWaterMark] of looks) trackEquity(track, exampleAccount({ equity, highWaterMark }));
  const { drawdownRecorded, drawdownDraft } = accountEffect("a", track);
  return [drawdownRecorded, drawdownDraft];
};

it("a loss is a drawdown, and a withdrawal is none, nor does it hide a loss after it", () => {
  expect(fallOf([["100000", "100000"], ["90000", "100000"]])).toEqual([-0.1, -0.1]); // oxfmt-ignore
  expect(fallOf([["100000", "100000"], ["20000", "20000"]])).toEqual([0, 0]); // oxfmt-ignore
  expect(fallOf([["100000", "100000"], ["20000", "20000"], ["15000", "20000"]])).toEqual([-0.25, -0.25]); // oxfmt-ignore
});
