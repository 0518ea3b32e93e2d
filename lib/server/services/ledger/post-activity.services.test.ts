import { expect, it } from "vitest";
import { openBench } from "@/lib/proof/fixtures/bench.ts";
import type { BrokerActivity } from "../../broker/broker.ts";
import type { Context } from "../../context.ts";
import type { Account } from "../../core/row-types.ts";
import { postActivity, unpostedActivities } from "./post-activity.ts";

let context: Context;
let account: Account;
openBench((bench) => ({ context, account } = bench));

const deposit = (nth: number, amount = "10"): BrokerActivity => ({
  id: `deposit-${nth}`,
  type: "CSD",
  symbol: null,
  date: "2020-01-06",
  netAmount: amount,
  qty: null,
  isCanceled: false,
});

it("what is booked as it stands is not posted again; what changed, was taken back or is new is", async () => {
  const [booked, changed, taken] = [deposit(1), deposit(2), deposit(3)];
  for (const activity of [booked, changed, taken]) expect(await postActivity(context, account, activity)).toBe(true);
  const listed = [booked, { ...changed, netAmount: "11" }, { ...taken, isCanceled: true }, deposit(4), deposit(5, "0")];
  const unposted = await unpostedActivities(context, account.id, listed);
  expect([...unposted].map(({ id }) => id)).toEqual(["deposit-2", "deposit-3", "deposit-4"]);
});

it("of a list longer than is asked about at once nothing is left out", async () => {
  const taken = deposit(9_000);
  await postActivity(context, account, taken);
  const listed = [...Array.from({ length: 8_000 }, (_, nth) => deposit(nth)), { ...taken, isCanceled: true }];
  const unposted = await unpostedActivities(context, account.id, listed);
  expect(unposted.size).toBe(listed.length);
});
