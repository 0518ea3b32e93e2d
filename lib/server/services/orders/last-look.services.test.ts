/** What is thrown while the last look waits for its locks counts: the look decides on rows as they are when it has them. */
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { openBench } from "@/lib/proof/fixtures/bench.ts";
import { ORDER_PROTOCOL } from "@/lib/domain/protocol/settings.ts";
import type { Exchange } from "@/lib/exchange/start.ts";
import { decide, passedGate, plannedOrder, testContext, truthOf } from "@/lib/proof/fixtures/orders.ts";
import type { Context } from "../../context.ts";
import { lockAccount } from "../../core/transaction.ts";
import type { Account } from "../../core/row-types.ts";
import type { Tx } from "../../db.ts";
import { submitPlan } from "./submit-plan.ts";

let exchange: Exchange;
let context: Context;
let account: Account;
openBench((bench) => ({ exchange, context, account } = bench));

const STOPPED = { killState: "REDUCE_ONLY", killReason: "test", killSetAt: new Date() } as const;
const FREE = { killState: "NONE", killReason: null, killSetAt: null } as const;
// A build's first order waits for the system's row before its look.
beforeEach(() => context.db.systemState.update({ where: { id: 1 }, data: { orderProtocol: ORDER_PROTOCOL } }));
afterEach(async () => {
  await context.db.symbolStop.deleteMany();
  await context.db.systemState.update({ where: { id: 1 }, data: FREE });
});

const holdSystem = (tx: Tx) => tx.$queryRaw`select 1 from "SystemState" where "id" = 1 for update`;

/** Each as the product does it: the row is locked, then changed. */
const CHANGES: [string, string, (tx: Tx) => Promise<unknown>][] = [
  [
    "a halt of the account",
    "the account is halted",
    async (tx) => {
      await lockAccount(tx, account.id);
      await tx.account.update({ where: { id: account.id }, data: { haltedAt: new Date(), haltReason: "test" } });
    },
  ],
  [
    "the removal of its keys",
    "the account has no keys",
    async (tx) => {
      await lockAccount(tx, account.id);
      await tx.account.update({ where: { id: account.id }, data: { sealedKeys: null } });
    },
  ],
  [
    "the next writer",
    "another writer took over the account",
    (tx) => tx.account.update({ where: { id: account.id }, data: { writerEpoch: { increment: 1 } } }),
  ],
  [
    "the system's kill switch",
    "kill switch of the system: reduce only",
    async (tx) => {
      await holdSystem(tx);
      await tx.systemState.update({ where: { id: 1 }, data: STOPPED });
    },
  ],
  [
    "the kill switch of the symbol",
    "kill switch of the symbol: reduce only",
    async (tx) => {
      await holdSystem(tx);
      await tx.symbolStop.create({ data: { market: "PRACTICE", symbol: "SPY", setAt: new Date() } });
    },
  ],
  [
    "the fence of a newer build",
    "a newer build sends the orders",
    (tx) => tx.account.update({ where: { id: account.id }, data: { orderProtocol: 99 } }),
  ],
  [
    "the kill switch of the person",
    "kill switch of the user: reduce only",
    (tx) => tx.user.update({ where: { id: account.userId }, data: STOPPED }),
  ],
  [
    "the person's pause",
    "automation is paused",
    (tx) => tx.user.update({ where: { id: account.userId }, data: { automationPausedAt: new Date() } }),
  ],
];

describe("an order that waits for its last look is not sent after", () => {
  it.each(CHANGES)("%s", async (_, reason, change) => {
    const decisionId = await decide(context, account, [
      plannedOrder({ symbol: "SPY", type: "LIMIT", limitPrice: "50" }),
    ]);
    let committed: Promise<unknown> = Promise.resolve();
    const regate = async () => {
      // Held from before the look until the look waits for it.
      await new Promise<void>((isHeld) => {
        committed = context.db.$transaction(
          async (tx) => {
            await change(tx);
            isHeld();
            const [{ pid } = { pid: 0 }] = await tx.$queryRaw<{ pid: number }[]>`select pg_backend_pid() as "pid"`;
            await expect.poll(() => waitsFor(pid), { timeout: 10_000 }).toBe(true);
          },
          { timeout: 15_000 },
        );
      });
      return [passedGate];
    };
    const [leg] = await submitPlan(testContext(), { decisionId, epoch: 0, regate });
    await committed;
    expect(leg).toMatchObject({ status: "HALTED", reason: expect.stringContaining(reason) as string });
    expect(truthOf(exchange, account).orders).toEqual([]);
  });
});

async function waitsFor(pid: number): Promise<boolean> {
  const [row] = await context.db.$queryRaw<{ isWaiting: boolean }[]>`
    select exists (select 1 from pg_stat_activity where ${pid}::int = any(pg_blocking_pids("pid"))) as "isWaiting"`;
  return row?.isWaiting === true;
}
