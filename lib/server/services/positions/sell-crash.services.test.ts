import { spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { beforeAll, beforeEach, expect, it } from "vitest";
import type { Exchange } from "@/lib/exchange/start.ts";
import { shortLivedArgs } from "@/lib/proof/bundled.ts";
import { openBench } from "@/lib/proof/fixtures/bench.ts";
import { buyBracket, truthOf } from "@/lib/proof/fixtures/orders.ts";
import { asOwnerOf } from "@/lib/proof/fixtures/owner.ts";
import type { Context } from "../../context.ts";
import { withAccountWriter } from "../../core/account-writer.ts";
import type { Account } from "../../core/row-types.ts";
import type { CrashPoint } from "../../crash-point.ts";
import { syncOrders } from "../accounts/sync-orders.ts";
import { readRowBreaches } from "../invariants/read-breaches.ts";
import { protectedQuantity } from "../orders/protected-quantity.ts";
import { reconcileAccount } from "../sync/reconcile-account.ts";
import { recoverAccount } from "../sync/recover-account.ts";
import { readSale } from "./read-sale.ts";
import { sellPosition } from "./sell-position.ts";

let exchange: Exchange;
let context: Context;
let account: Account;
let program: string[];
openBench((bench) => ({ exchange, context, account } = bench));
beforeAll(async () => {
  program = await shortLivedArgs("lib/proof/crash/orders-child.ts");
}, 120_000);
beforeEach(async () => {
  await reconcileAccount(context, account.id);
  await buyBracket(exchange, context, account);
});

const owner = () => asOwnerOf(account, context);
const truth = () => truthOf(exchange, account);
const sales = () => truth().orders.filter(({ side, type }) => side === "sell" && type === "market");
const held = () => truth().positions.find(({ symbol }) => symbol === "SPY")?.qty ?? "0";
const covered = async () => (await protectedQuantity(context.db, account.id)).get("SPY")?.toFixed() ?? "0";

/** Each with the orders at the broker that the killed process leaves behind. */
const POINTS: [CrashPoint, number][] = [
  ["before-intent", 0],
  ["after-release-cancel", 0],
  ["after-release", 0],
  ["after-intent", 0],
  ["after-mark", 0],
  ["after-post", 1],
  ["before-record", 1],
  ["after-record", 1],
];

/** One of each number of orders and each side of the stop's release; all of them: npm run prove -- crashes. */
const SAMPLE: CrashPoint[] = ["after-release-cancel", "after-release", "after-mark", "after-post", "after-record"];

it.each(POINTS.filter(([point]) => process.env.EVERY_CRASH === "1" || SAMPLE.includes(point)))(
  "a sale whose process is killed at %s is recovered with %d orders at the broker: none doubled, none lost, no share bare",
  async (point, sent) => {
    const requestId = randomUUID();
    expect(await sellAndDie(point, requestId)).toBe("SIGKILL");
    expect(sales()).toHaveLength(sent);
    const recover = () => recoverAccount(context, account.id, { settleWindowMs: 500, untilSettled: true });
    expect(await withAccountWriter(context, account.id, recover, { waitMs: 20_000 })).not.toBeNull();
    await exchange.control.clock({ advanceMinutes: 1 });
    const follow = () => syncOrders(context, { accountId: account.id });
    await expect.poll(async () => (await follow(), covered()), { timeout: 30_000 }).toBe(held());
    expect(sales()).toHaveLength(sent);
    if (sent === 1) {
      // Adopted: the order of the killed process is the order of the request.
      expect(await readSale(owner(), { requestId })).toMatchObject({ state: "filled" });
      expect(held()).toBe("0");
    } else expect(held()).toBe("10");

    // Their owner asks again, under the same id: at most one order ever comes of it.
    const request = { accountId: account.id, symbol: "SPY", requestId, confirmation: "SELL SPY", qty: null };
    const again = await sellPosition(owner(), request, { followMs: 0 });
    await exchange.control.clock({ advanceMinutes: 1 });
    await expect.poll(async () => (await follow(), covered()), { timeout: 30_000 }).toBe(held());
    expect(sales().length).toBeLessThanOrEqual(1);
    expect(again.state === "filled" || again.state === "sent").toBe(sales().length === 1);
    expect(await readRowBreaches(context, account.id)).toEqual([]);
  },
  120_000,
);

function sellAndDie(crashAt: CrashPoint, requestId: string): Promise<string | null> {
  return new Promise((resolve, reject) => {
    const env: NodeJS.ProcessEnv = { ...process.env, NODE_ENV: "test", CRASH_AT: crashAt };
    const run = spawn(process.execPath, [...program, "sell", account.id, requestId], { env });
    let output = "";
    run.stdout.on("data", (chunk: Buffer) => (output += chunk.toString()));
    run.stderr.on("data", (chunk: Buffer) => (output += chunk.toString()));
    run.on("error", reject);
    run.on("close", (code, signal) =>
      code !== 0 && signal === null ? reject(new Error(`the child failed: ${output}`)) : resolve(signal),
    );
  });
}
