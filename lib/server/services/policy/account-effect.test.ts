import { expect, it } from "vitest";
import { money } from "@/lib/domain/money.ts";
import { exampleAccount } from "@/lib/proof/example-market.ts";
import { accountEffect, openAccount, trackEquity } from "./account-effect.ts";

type Look = [equity: string, highWaterMark: string];

/** One look an hour, from 10:00 on; withdrawals with the hour in which they left. */
const fallOf = (looks: Look[], withdrawals: [hour: number, amount: string][] = []) => {
  const at = (hour: number) => `2026-03-02T${hour}:00:00.000Z`;
  const track = openAccount(withdrawals.map(([hour, amount]) => ({ at: at(hour), amount: money(amount) })));
  looks.forEach(([equity, highWaterMark], place) =>
    trackEquity(track, exampleAccount({ equity, highWaterMark }), at(10 + place)),
  );
  const { drawdownRecorded, drawdownDraft } = accountEffect("a", track);
  return [drawdownRecorded, drawdownDraft];
};

const WHOLE: Look = ["100000", "100000"];

it("a loss is a drawdown, and a withdrawal is none, nor does it hide a loss after it", () => {
  expect(fallOf([WHOLE, ["90000", "100000"]])).toEqual([-0.1, -0.1]);
  expect(fallOf([WHOLE, ["20000", "20000"]], [[11, "80000"]])).toEqual([0, 0]);
  expect(fallOf([WHOLE, ["20000", "20000"], ["15000", "20000"]], [[11, "80000"]])).toEqual([-0.25, -0.25]);
});

it("a withdrawal counts where it lowers the mark, though it left earlier", () => {
  expect(fallOf([WHOLE, ["99000", "100000"], ["19000", "20000"]], [[10, "80000"]])).toEqual([-0.05, -0.05]);
});

it("a mark that a person set anew after a drawdown does not make the drawdown smaller", () => {
  const resumed: Look[] = [
    ["75000", "75000"],
    ["60000", "75000"],
  ];
  expect(fallOf([WHOLE, ["75000", "100000"], ...resumed])).toEqual([-0.4, -0.4]);
  // Nor does it in an account from which money was taken before.
  const before: Look[] = [["120000", "120000"], WHOLE, ["75000", "100000"]];
  expect(fallOf([...before, ...resumed], [[11, "20000"]])).toEqual([-0.4, -0.4]);
});
