/** Rounds over accounts whose brokers do not answer, and over those of which they do. */
import { afterEach, expect, it } from "vitest";
import type { Exchange } from "@/lib/exchange/start.ts";
import { openBench } from "@/lib/proof/fixtures/bench.ts";
import { buyBracket, hastyBroker, openAccount, truthOf, withBroker } from "@/lib/proof/fixtures/orders.ts";
import type { Context } from "../../context.ts";
import type { Account } from "../../core/row-types.ts";
import { metrics } from "../../metrics.ts";
import { refreshGauges } from "../system/refresh-gauges.ts";
import { protectAccounts, protectionEnded } from "./protect-accounts.ts";

let exchange: Exchange;
let context: Context;
let account: Account;
openBench((bench) => ({ exchange, context, account } = bench));
afterEach(async () => {
  await context.db.account.updateMany({ data: { deletedAt: new Date(), status: "INACTIVE", sealedKeys: null } });
});

/** Brokers whose requests for these accounts hang until the test ends them, as a time-out would. */
function silentFor(ids: readonly string[]) {
  const asked: string[] = [];
  let giveUp = () => {};
  const silence = new Promise<never>((_, reject) => {
    giveUp = () => reject(new Error("no answer"));
  });
  silence.catch(() => undefined);
  const forAccount = (of: Account) => {
    const real = hastyBroker(of, 5_000);
    if (!ids.includes(of.id)) return real;
    asked.push(of.id);
    return { ...real, clock: () => silence, positions: () => silence };
  };
  return { asked, giveUp, on: { ...context, brokers: { ...context.brokers, forAccount } } };
}

/** An account with ten shares and no stop at its broker. */
async function barePosition(of: Account): Promise<void> {
  await buyBracket(exchange, context, of);
  const stop = await context.db.order.findFirstOrThrow({ where: { accountId: of.id, role: "STOP", status: "NEW" } });
  await hastyBroker(of, 5_000).cancel(stop.brokerOrderId);
  await context.db.order.updateMany({ where: { accountId: of.id, side: "SELL" }, data: { status: "CANCELED" } });
}
const stopsOf = (of: Account) =>
  truthOf(exchange, of).orders.filter(({ type, status }) => type === "stop" && status === "new");

it("accounts whose broker does not answer delay the stops of no other, and are asked once at a time", async () => {
  const others = await Promise.all(Array.from({ length: 9 }, () => openAccount(context)));
  // Eight that hang are all that run side by side; the last account in order is of the other market.
  const accounts = [account, ...others].sort((a, b) => (a.id < b.id ? -1 : 1));
  const healthy = [accounts.at(-3)!, accounts.at(-1)!];
  const hung = accounts.filter((one) => !healthy.includes(one));
  await Promise.all(healthy.map(barePosition));
  const { review: _, ...held } = await context.db.position.findFirstOrThrow({ where: { accountId: healthy[0]!.id } });
  await context.db.position.createMany({ data: hung.map(({ id }) => ({ ...held, accountId: id })) });
  const { asked, giveUp, on } = silentFor(hung.map(({ id }) => id));
  await context.db.account.update({ where: { id: healthy[1]!.id }, data: { broker: "ALPACA", market: "US" } });
  const hungOnce = hung.map(({ id }) => id);

  await protectAccounts(on);
  await expect.poll(() => healthy.map((one) => stopsOf(one).length)).toEqual([1, 1]);
  await expect.poll(() => [...asked].sort()).toEqual(hungOnce);
  await protectAccounts(on);
  expect([...asked].sort()).toEqual(hungOnce);
  giveUp();
  await protectionEnded();
});

it("an account whose broker did not answer is not asked again at once, and has its stop when it answers", async () => {
  await barePosition(account);
  const { asked, giveUp, on } = silentFor([account.id]);
  giveUp();
  await protectAccounts(on);
  await protectionEnded();
  const [owed] = await context.db.owedStop.findMany({ where: { accountId: account.id, paidAt: null } });
  expect(owed).toMatchObject({ symbol: "SPY", attempts: 0, lastError: "no answer" });
  expect(owed?.nextTryAt?.getTime()).toBeGreaterThan(Date.now());
  await protectAccounts(on);
  await protectionEnded();
  expect(asked).toEqual([account.id]);

  await protectAccounts({ ...context, now: () => new Date(Date.now() + 5_000) });
  await protectionEnded();
  expect(stopsOf(account)).toHaveLength(1);
});

/** What the alert on shares without a stop reads. */
async function countedWithoutStop(at = new Date()): Promise<number | undefined> {
  await refreshGauges({ ...context, now: () => at });
  const gauge = await metrics().registry.getSingleMetric("tradewind_accounts_without_stop")!.get();
  return gauge.values[0]?.value;
}

it("an account whose stop the broker keeps refusing counts as without a stop until it has one, whether or not the next attempt is due", async () => {
  await barePosition(account);
  const real = hastyBroker(account, 5_000);
  const refused = { kind: "rejected" as const, code: "40310000", message: "not now" };
  const refusing = withBroker(context, { ...real, submit: () => Promise.resolve(refused) });
  for (let tries = 1; tries <= 3; tries += 1) {
    await context.db.owedStop.updateMany({ where: { accountId: account.id }, data: { nextTryAt: null } });
    await protectAccounts(refusing);
    await protectionEnded();
    const owed = await context.db.owedStop.findFirstOrThrow({ where: { accountId: account.id, paidAt: null } });
    expect(owed.attempts).toBe(tries);
    expect(owed.nextTryAt?.getTime()).toBeGreaterThan(Date.now());
    expect(await countedWithoutStop()).toBe(1);
  }
  await context.db.owedStop.updateMany({ where: { accountId: account.id }, data: { nextTryAt: null } });
  await protectAccounts(context);
  await protectionEnded();
  expect(stopsOf(account)).toHaveLength(1);
  expect(await countedWithoutStop()).toBe(0);
});

it("shares that can only be sold at the opening count as without a stop only when a look at them is late", async () => {
  await barePosition(account);
  await context.db.position.updateMany({ where: { accountId: account.id }, data: { stopPrice: "9999" } });
  const real = hastyBroker(account, 5_000);
  const closed = withBroker(context, { ...real, clock: async () => ({ ...(await real.clock()), isOpen: false }) });
  await protectAccounts(closed);
  await protectionEnded();
  const owed = await context.db.owedStop.findFirstOrThrow({ where: { accountId: account.id, paidAt: null } });
  const dueMs = owed.nextTryAt!.getTime();
  expect(await countedWithoutStop(new Date(dueMs - 1))).toBe(0);
  expect(await countedWithoutStop(new Date(dueMs + 5_000))).toBe(0);
  expect(await countedWithoutStop(new Date(dueMs + 11_000))).toBe(1);
});
