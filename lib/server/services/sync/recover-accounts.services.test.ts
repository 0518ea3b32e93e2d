import { afterAll, beforeAll, expect, it } from "vitest";
import type { Exchange } from "@/lib/exchange/start.ts";
import { allPass, decide, openAccount, plannedOrder, startBench, testContext } from "@/lib/proof/fixtures/orders.ts";
import { closeAccountWriters } from "../../core/account-writer.ts";
import type { Account } from "../../core/row-types.ts";
import { flattenAccount } from "../automation/flatten-account.ts";
import { submitPlan } from "../orders/submit-plan.ts";
import { reconcileAccount } from "./reconcile-account.ts";
import { recoverAccounts, recoveredSinceStart } from "./recover-accounts.ts";

let exchange: Exchange;
beforeAll(async () => {
  exchange = await startBench();
});
afterAll(async () => {
  await closeAccountWriters();
  await exchange.close();
});

const context = testContext();
const rowOf = ({ id }: Account) => context.db.account.findUniqueOrThrow({ where: { id } });
/** An account whose books were read a minute before this process began. */
async function readBefore(): Promise<Account> {
  const account = await openAccount(context);
  await reconcileAccount(context, account.id);
  const reconciledAt = new Date(Date.now() - 60_000);
  return context.db.account.update({ where: { id: account.id }, data: { reconciledAt } });
}

it("a start recovers the accounts in doubt and no others; the others are recovered before anything is decided for them", async () => {
  const [unread, owing, sending, quiet] = [
    await openAccount(context),
    await readBefore(),
    await readBefore(),
    await readBefore(),
  ];
  await context.db.owedStop.create({
    data: { accountId: owing.id, symbol: "SPY", qty: "1", stopPrice: "1", reason: "test" },
  });
  const decisionId = await decide(context, sending, [plannedOrder({ symbol: "SPY", qty: "1" })]);
  await submitPlan(context, { decisionId, epoch: 0, regate: allPass });
  await context.db.intent.updateMany({ where: { accountId: sending.id }, data: { status: "SUBMITTING" } });
  const beganAt = new Date();

  await recoverAccounts(context);
  for (const account of [unread, owing, sending])
    expect((await rowOf(account)).reconciledAt?.getTime()).toBeGreaterThanOrEqual(beganAt.getTime());
  // Its answer was asked for: the order is at the broker.
  const intents = await context.db.intent.findMany({ where: { accountId: sending.id } });
  expect(intents.length).toBeGreaterThan(0);
  expect(intents.map(({ status }) => status)).not.toContain("SUBMITTING");
  expect((await rowOf(quiet)).reconciledAt).toEqual(quiet.reconciledAt);

  expect(await recoveredSinceStart(context, await rowOf(quiet))).toBe(true);
  const read = await rowOf(quiet);
  expect(read.reconciledAt?.getTime()).toBeGreaterThanOrEqual(beganAt.getTime());
  // Once is enough.
  expect(await recoveredSinceStart(context, read)).toBe(true);
  expect((await rowOf(quiet)).reconciledAt).toEqual(read.reconciledAt);
});

it("an account whose books cannot be read before a decision is not decided for, and takes no orders until they are", async () => {
  await recoverAccounts(context);
  const account = await openAccount(context);
  const old = await context.db.account.update({
    where: { id: account.id },
    data: { reconciledAt: new Date(Date.now() - 60_000) },
  });
  exchange.control.addFault({ kind: "status", status: 503, path: "/v2/*", count: 0 });
  expect(await recoveredSinceStart(context, old)).toBe(false);
  exchange.control.clearFaults();
  expect((await rowOf(account)).reconciledAt).toBeNull();
  expect(await recoveredSinceStart(context, await rowOf(account))).toBe(false);
  expect(context.lines.map(({ event }) => event)).toContain("recovery.failed");
});

it("nothing is sold for a kill switch before the books were read since the start", async () => {
  const quiet = await readBefore();
  await context.db.account.update({ where: { id: quiet.id }, data: { killState: "FLATTEN" } });
  const beganAt = new Date();
  await recoverAccounts(context);
  expect((await rowOf(quiet)).reconciledAt).toEqual(quiet.reconciledAt);
  await flattenAccount(context, quiet.id, quiet.writerEpoch);
  expect((await rowOf(quiet)).reconciledAt?.getTime()).toBeGreaterThanOrEqual(beganAt.getTime());
});

it("a start does not wait for a broker that does not answer: what is left is recovered before anything new", async () => {
  await context.db.account.updateMany({ data: { deletedAt: new Date(), status: "INACTIVE", sealedKeys: null } });
  const unread = await Promise.all(Array.from({ length: 6 }, () => openAccount(context)));
  let giveUp = () => {};
  const silence = new Promise<never>((_, reject) => {
    giveUp = () => reject(new Error("no answer"));
  });
  silence.catch(() => undefined);
  const asked: string[] = [];
  const forAccount = (account: Account) => {
    asked.push(account.id);
    const silent = () => silence;
    return new Proxy(context.brokers.forAccount(account), { get: () => silent });
  };
  const log = testContext();
  await recoverAccounts({ ...log, brokers: { ...context.brokers, forAccount } }, { withinMs: 50 });
  expect(log.lines).toMatchObject([{ event: "recovery.left", fields: { accounts: 6, count: 6 } }]);
  // What was under way ends as without the limit, and none is begun any more.
  await expect.poll(() => new Set(asked).size).toBe(4);
  const begun = new Set(asked);
  giveUp();
  const failed = () => log.lines.filter(({ event }) => event === "recovery.failed").length;
  await expect.poll(failed).toBe(begun.size);
  expect(new Set(asked)).toEqual(begun);

  const nothingNew = await Promise.all(unread.map(async (account) => recoveredSinceStart(log, await rowOf(account))));
  expect(nothingNew).toEqual(unread.map(() => false));
  await recoverAccounts(context);
  for (const account of unread) expect((await rowOf(account)).reconciledAt).not.toBeNull();
});
