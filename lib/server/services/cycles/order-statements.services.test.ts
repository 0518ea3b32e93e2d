/** What an order costs the database from its decision to its fill. */
import { afterAll, beforeAll, expect, it } from "vitest";
import type { Exchange } from "@/lib/exchange/start.ts";
import { openTrader, ROOMY, startMarketDay } from "@/lib/proof/fixtures/cycles.ts";
import { statementsOf } from "@/lib/proof/fixtures/statements-of.ts";
import { db } from "../../db.ts";
import { systemContext } from "../../system-context.ts";
import { syncOrders } from "../accounts/sync-orders.ts";
import { ensureFlags } from "../flags/ensure-flags.ts";
import { streamAccount } from "../sync/stream-account.ts";
import { newestCycle } from "./newest-cycle.ts";
import { runAccountCycle } from "./run-account-cycle.ts";
import { screenForCycle } from "./run-screening.ts";

let exchange: Exchange;
const context = systemContext("test");
beforeAll(async () => {
  exchange = await startMarketDay();
  await exchange.control.clock({ advanceMinutes: 6 });
  await ensureFlags(context);
}, 120_000);
afterAll(() => exchange.close());

/** The statements of a new account that buys so many stocks in brackets, each filled in one piece and followed by the stream. */
async function buying(maxPositions: number): Promise<string[]> {
  const { accountId } = await openTrader(context, { ...ROOMY, maxPositions });
  await syncOrders(context, { accountId });
  const account = await db().account.findUniqueOrThrow({ where: { id: accountId } });
  let [isRead, changes] = [false, 0];
  const following = streamAccount(context, account, () => (isRead ? (changes += 1) : (isRead = true)));
  await expect.poll(() => isRead, { timeout: 10_000 }).toBe(true);
  await exchange.control.clock({ advanceMinutes: 5 });
  const screened = await screenForCycle(context, { market: "PRACTICE" });
  const open = await newestCycle(context, screened?.cycleId ?? "");
  const sent = await statementsOf(async () => {
    await runAccountCycle(context, { cycleId: open?.id ?? "", accountId });
    await exchange.control.clock({ advanceMinutes: 1 });
    // The order works, is filled, and each of its two legs works.
    await expect.poll(() => changes, { timeout: 20_000 }).toBe(4 * maxPositions);
  });
  following.close();
  expect(await db().fill.count({ where: { accountId } })).toBe(maxPositions);
  return sent;
}

it("an order is 82 statements from its decision to its fill, both askings of its gates and its three rows of the trail included", async () => {
  await buying(1);
  const [one, two] = [await buying(1), await buying(2)];
  const both = `${one.join("\n")}\n\n${two.join("\n")}`;
  expect(two.length - one.length, both).toBeLessThanOrEqual(82);
  const of = (sent: string[], beginning: string) => sent.filter((text) => text.startsWith(beginning)).length;
  // What an account's gates look at is one statement: for its decision, and again for each order.
  const rows = 'select a."id", a."environment"';
  expect([of(one, rows), of(two, rows)], both).toEqual([2, 3]);
  const turn = 'select "seq", "hash" from take_audit_turn';
  expect([of(one, turn), of(two, turn)], both).toEqual([3, 6]);
}, 60_000);
