/** Pages of accounts while a canary worker has a share of them. */
import { setTimeout as delay } from "node:timers/promises";
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from "vitest";
import { sidesOf } from "@/lib/domain/canary.ts";
import type { Exchange } from "@/lib/exchange/start.ts";
import { leftBehind, openTrader, ROOMY, startMarketDay } from "@/lib/proof/fixtures/cycles.ts";
import { canaryBeats, endSplit, giveShare } from "@/lib/proof/fixtures/split.ts";
import type { Context } from "../../context.ts";
import { db } from "../../db.ts";
import { CANARY_BEAT_MS, CANARY_SILENT_MS } from "../../jobs/canary.ts";
import { systemContext } from "../../system-context.ts";
import { syncOrders } from "../accounts/sync-orders.ts";
import { type AccountPage, runAccountPage } from "./run-account-page.ts";
import { runScreening } from "./run-screening.ts";

const HALF = 5_000;
const context = systemContext("test");
let exchange: Exchange;
let ids: string[] = [];

beforeAll(async () => {
  exchange = await startMarketDay();
  await exchange.control.clock({ advanceMinutes: 6 });
}, 120_000);
afterAll(() => exchange.close());
/** Paused accounts whose books were read: none has anything to send. On each side of the share there are two or more. */
beforeEach(async () => {
  await db().account.updateMany({ data: { status: "INACTIVE" } });
  ids = [];
  while (Math.min(...sides().map((side) => side.length)) < 2) {
    const { accountId, user } = await openTrader(context, ROOMY);
    await syncOrders(context, { accountId });
    await db().user.update({ where: { id: user.id }, data: { automationPausedAt: new Date(), pausedReason: "test" } });
    ids = [...ids, accountId].sort();
  }
});
afterEach(endSplit);

const sides = () =>
  sidesOf(
    ids.map((id) => ({ id })),
    HALF,
  ).map((side) => side.map(({ id }) => id)) as [string[], string[]];

/** The pages that a look at the market wakes. */
async function woken(): Promise<AccountPage[]> {
  await exchange.control.clock({ advanceMinutes: 5 });
  const pages: AccountPage[] = [];
  const enqueue: Context["queue"]["enqueue"] = (_, input) => {
    for (const page of [input].flat()) pages.push(page as AccountPage);
    return Promise.resolve();
  };
  await runScreening({ ...context, queue: { enqueue } }, { market: "PRACTICE" });
  return pages;
}
/** On a busy machine a look takes longer than a canary may be silent. */
async function whileCanaryBeats<T>(work: () => Promise<T>): Promise<T> {
  let isOver = false;
  await canaryBeats();
  const beats = (async () => {
    while (!isOver) {
      await canaryBeats();
      await delay(CANARY_BEAT_MS);
    }
  })();
  try {
    return await work();
  } finally {
    isOver = true;
    await beats;
  }
}
const decidedIn = async ({ cycleId }: AccountPage) =>
  (await leftBehind(cycleId)).records.map(({ accountId }) => accountId);

it("a canary's accounts have pages of their own, which decide for them alone though the others' ids lie between", async () => {
  await giveShare(HALF);
  const [inside, others] = sides();
  const pages = await whileCanaryBeats(woken);
  expect(pages.map(({ from, to, share }) => ({ from, to, share }))).toEqual([
    { from: inside[0], to: inside.at(-1), share: HALF },
    { from: others[0], to: others.at(-1), share: HALF },
  ]);
  const [ofCanary, ofOthers] = pages as [AccountPage, AccountPage];
  await runAccountPage(context, ofCanary);
  expect(await decidedIn(ofCanary)).toEqual(inside);
  // Its share was taken back while this one waited: it is still of its own side.
  await giveShare(0);
  await runAccountPage(context, ofOthers);
  expect(await decidedIn(ofOthers)).toEqual(ids);
});

it("a share without a living canary changes no page", async () => {
  await giveShare(HALF);
  await canaryBeats(CANARY_SILENT_MS + 1);
  const [page, ...more] = await woken();
  expect(page).toEqual({ cycleId: page!.cycleId, from: ids[0], to: ids.at(-1) });
  expect(more).toEqual([]);
  await runAccountPage(context, page!);
  expect(await decidedIn(page!)).toEqual(ids);
});
