import { afterEach, expect, it, vi } from "vitest";
import { statementsOf } from "@/lib/proof/fixtures/statements-of.ts";
import { jobs } from "@/lib/contracts/jobs.ts";
import type { Exchange } from "@/lib/exchange/start.ts";
import { ACCESS_TEXT } from "@/lib/domain/account-access.ts";
import { openBench } from "@/lib/proof/fixtures/bench.ts";
import { buyBracket } from "@/lib/proof/fixtures/orders.ts";
import type { Context } from "../../context.ts";
import type { Account } from "../../core/row-types.ts";
import { defineJob } from "../../jobs/define-job.ts";
import { marketData } from "../../providers/market-data-registry.ts";
import { runJob } from "../queue/run-job.ts";
import { reconcileAccount } from "../sync/reconcile-account.ts";
import { syncOrders } from "./sync-orders.ts";

let exchange: Exchange;
let context: Context;
let account: Account;
openBench((bench) => ({ exchange, context, account } = bench), { marketData });
afterEach(() => vi.restoreAllMocks());

const door = defineJob(jobs.orderStatus, syncOrders);
const run = () => runJob(context, door, { accountId: account.id });
const intent = () => context.db.intent.findFirstOrThrow({ where: { accountId: account.id } });

it("a reading in which nothing changed takes 31 statements beside that for its requests, and two transactions, with what is held and its orders too", async () => {
  await run();
  const empty = await statementsOf(run);
  expect(empty.length, empty.join("\n")).toBeLessThanOrEqual(31);

  await context.db.account.update({ where: { id: account.id }, data: { writerEpoch: 0 } });
  await buyBracket(exchange, context, account);
  await run();
  const holding = await statementsOf(run);
  expect(holding.length, holding.join("\n")).toBeLessThanOrEqual(31);
  expect(holding.filter((text) => text === "BEGIN")).toHaveLength(2);
});

it("keys that stay refused fail the work once: the account is halted, and later readings end as done until they are taken", async () => {
  const follow = () => syncOrders(context, { accountId: account.id });
  const haltReason = async () => (await context.db.account.findUniqueOrThrow({ where: { id: account.id } })).haltReason;
  await run();
  exchange.control.addFault({ kind: "keys_revoked" });
  await expect(follow()).rejects.toMatchObject({ code: "broker_refused" });
  expect(await haltReason()).toBe(ACCESS_TEXT.KEYS.refused);
  await expect(follow()).resolves.toBeUndefined();
  expect(await haltReason()).toBe(ACCESS_TEXT.KEYS.refused);
  exchange.control.clearFaults();
  await follow();
  expect(await haltReason()).toBeNull();
});

it("a report that says nothing new brings an intent along that did not follow its order", async () => {
  await buyBracket(exchange, context, account);
  const { id, status } = await intent();
  expect(status).toBe("FILLED");
  await context.db.intent.update({ where: { id }, data: { status: "LIVE" } });
  await reconcileAccount(context, account.id, { from: "2000-01-01T00:00:00.000Z" });
  expect((await intent()).status).toBe("FILLED");
});

it("a leg whose row was changed here is made what the broker says again", async () => {
  await buyBracket(exchange, context, account);
  const leg = { accountId: account.id, role: "STOP" } as const;
  const before = await context.db.order.findFirstOrThrow({ where: leg });
  await context.db.order.update({ where: { id: before.id }, data: { stopPrice: "1" } });
  await run();
  expect((await context.db.order.findFirstOrThrow({ where: leg })).stopPrice).toEqual(before.stopPrice);
});
