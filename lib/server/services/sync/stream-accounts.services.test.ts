import pg from "pg";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import type { Exchange } from "@/lib/exchange/start.ts";
import type { Context } from "../../context.ts";
import {
  buyBracket,
  hastyBroker,
  openAccount,
  startBench,
  testContext,
  withBroker,
} from "@/lib/proof/fixtures/orders.ts";
import type { TradeUpdate } from "../../broker/broker.ts";
import { reconcileAccount } from "./reconcile-account.ts";
import { streamAccount } from "./stream-account.ts";
import { streamAccounts } from "./stream-accounts.ts";

let exchange: Exchange;
beforeAll(async () => {
  exchange = await startBench();
});
afterAll(() => exchange.close());

it("of several workers one follows an account's stream; when it goes or falls silent, another one does", async () => {
  const base = testContext();
  const account = await openAccount(base);
  let open = 0;
  let most = 0;
  const counting = (): Context => {
    const broker = hastyBroker(account, 5_000);
    return withBroker(testContext(), {
      ...broker,
      tradeUpdates: () => {
        open += 1;
        most = Math.max(most, open);
        return { close: () => (open -= 1) };
      },
    });
  };
  const [first, second, third] = await Promise.all([counting(), counting(), counting()].map(streamAccounts));
  const followers = [first, second, third].filter((follower) => follower !== undefined);
  expect(open).toBe(1);
  // Its owner releases it on a clean end.
  for (const left of [2, 1]) {
    followers.pop()?.close();
    expect(followers).toHaveLength(left);
    await expect.poll(() => open, { timeout: 10_000 }).toBe(1);
  }
  // The last one ended without releasing its lease: the lease expires.
  await base.db.lease.updateMany({ where: { name: "follower" }, data: { owner: "gone", beatAt: new Date(0) } });
  const heir = await streamAccounts(counting());
  await expect.poll(() => open, { timeout: 10_000 }).toBe(1);
  expect(await base.db.lease.findUnique({ where: { name: "follower" } })).not.toMatchObject({ owner: "gone" });
  expect(most).toBeLessThanOrEqual(2);
  heir.close();
  followers.pop()?.close();
});

it("the follower stores each stream's state as the broker reports it; what is no state is not stored", async () => {
  const base = testContext();
  const account = await openAccount(base);
  let listeners: { onReady: () => void; onState: (state: string) => void } | undefined;
  const context = withBroker(testContext(), {
    ...hastyBroker(account, 5_000),
    tradeUpdates: (handlers) => {
      listeners = handlers;
      return { close: () => undefined };
    },
  });
  const state = async () => (await base.db.streamState.findUnique({ where: { accountId: account.id } }))?.state ?? null;
  // Of accounts of the test before only this one's handlers are asked: it is the last that was opened.
  await base.db.account.updateMany({ where: { id: { not: account.id } }, data: { sealedKeys: null } });
  const follower = await streamAccounts(context);
  try {
    expect(await state()).toBeNull();
    listeners?.onState("connecting");
    await expect.poll(state, { timeout: 10_000 }).toBe("connecting");
    listeners?.onReady();
    listeners?.onState("error: the broker's words");
    await expect.poll(state, { timeout: 10_000 }).toBe("listening");
    listeners?.onState("waiting to reconnect");
    await expect.poll(state, { timeout: 10_000 }).toBe("waiting to reconnect");
  } finally {
    follower.close();
  }
});

/** An account with a bracket at the broker, followed by a stream whose updates the test gives. */
async function followedBracket(onChange: () => void = () => undefined) {
  const base = testContext();
  const account = await openAccount(base);
  await reconcileAccount(base, account.id);
  await base.db.account.update({ where: { id: account.id }, data: { writerEpoch: 0 } });
  await buyBracket(exchange, base, account);
  const broker = hastyBroker(account, 5_000);
  let onUpdate: (update: TradeUpdate) => void = () => undefined;
  const context = withBroker(base, {
    ...broker,
    tradeUpdates: (handlers) => {
      onUpdate = handlers.onUpdate;
      return { close: () => undefined };
    },
  });
  const following = streamAccount(context, account, onChange);
  const reported = (await broker.ordersSince(null)).find(({ legs }) => legs.length > 0)!;
  const stop = reported.legs.find(({ type }) => type === "STOP")!;
  return {
    ...{ base, account, reported, stop, following },
    tell: (order: TradeUpdate["order"]) => onUpdate({ event: "new", at: reported.updatedAt, order, execution: null }),
  };
}

const aSecondLater = (instant: string) => new Date(Date.parse(instant) + 1_000).toISOString();

it("an update that says what is known takes no lock and changes nothing; one that says more is applied", async () => {
  let changes = 0;
  const { base, account, reported, stop, following, tell } = await followedBracket(() => (changes += 1));
  const rows = () => base.db.order.findMany({ where: { accountId: account.id }, orderBy: { id: "asc" } });
  const before = await rows();
  expect(before.map(({ role }) => role).sort()).toEqual(["ENTRY", "STOP", "TARGET"]);
  const query = vi.spyOn(pg.Client.prototype, "query");
  const asked = () =>
    (query.mock.calls as unknown as [string | { text: string }][]).map(([text]) =>
      (typeof text === "string" ? text : text.text).trim(),
    );
  for (const order of [reported, ...reported.legs]) tell(order);
  await expect.poll(() => asked().filter((text) => /FROM "public"."Order"/.test(text)).length).toBe(3);
  tell({ ...stop, stopPrice: "1", updatedAt: aSecondLater(stop.updatedAt) });
  await expect.poll(() => changes).toBe(1);
  expect(asked().filter((text) => text === "BEGIN")).toHaveLength(1);
  query.mockRestore();
  following.close();
  const after = await rows();
  expect(after.filter(({ role }) => role !== "STOP")).toEqual(before.filter(({ role }) => role !== "STOP"));
  expect(after.find(({ role }) => role === "STOP")?.stopPrice?.toString()).toBe("1");
});

it("an update that could not be booked is read from the broker instead", async () => {
  const { base, account, stop, following, tell } = await followedBracket();
  const readAt = async () =>
    (await base.db.account.findUniqueOrThrow({ where: { id: account.id } })).reconciledAt?.getTime() ?? 0;
  const before = await readAt();
  // Its column holds no such price.
  tell({ ...stop, stopPrice: "1".padEnd(30, "0"), updatedAt: aSecondLater(stop.updatedAt) });
  await expect.poll(readAt).toBeGreaterThan(before);
  following.close();
  expect(base.lines.map(({ event }) => event)).toContain("trade-update.failed");
});

it("updates of an account are applied while the brokers of others hang, however many", async () => {
  let isHanging = true;
  const ends: (() => void)[] = [];
  const hangs = () =>
    new Promise<never>((_, reject) => {
      if (isHanging) ends.push(() => reject(new Error("no answer")));
      else reject(new Error("no answer"));
    });
  const hanging = await Promise.all(
    Array.from({ length: 6 }, async () => {
      const base = testContext();
      const account = await openAccount(base);
      const handlers: { onReady?: () => void; onUpdate?: (update: TradeUpdate) => void } = {};
      const context = withBroker(base, {
        ...hastyBroker(account, 5_000),
        ...{ clock: hangs, account: hangs, openOrders: hangs, ordersSince: hangs, positions: hangs },
        tradeUpdates: (given) => {
          Object.assign(handlers, given);
          return { close: () => undefined };
        },
      });
      return { handlers, following: streamAccount(context, account, () => undefined) };
    }),
  );
  let changes = 0;
  const { base, account, stop, following, tell } = await followedBracket(() => (changes += 1));
  try {
    for (const { handlers } of hanging) handlers.onReady?.();
    await expect.poll(() => ends.length).toBeGreaterThanOrEqual(4);
    const update = { event: "new", at: stop.updatedAt, execution: null } as const;
    for (const { handlers } of hanging) handlers.onUpdate?.({ ...update, order: { ...stop, legs: [] } });
    tell({ ...stop, stopPrice: "1", updatedAt: aSecondLater(stop.updatedAt) });
    await expect.poll(() => changes, { timeout: 10_000 }).toBe(1);
    const row = await base.db.order.findFirstOrThrow({ where: { accountId: account.id, role: "STOP" } });
    expect(row.stopPrice?.toString()).toBe("1");
  } finally {
    for (const one of [...hanging, { following }]) one.following.close();
    isHanging = false;
    for (const end of ends) end();
  }
});
