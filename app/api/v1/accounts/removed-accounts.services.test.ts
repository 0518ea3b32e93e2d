import { describe, expect, it } from "vitest";
import type { SideName } from "@/lib/domain/enums.ts";
import type { BrokerOrder } from "@/lib/server/broker/broker.ts";
import { db } from "@/lib/server/db.ts";
import { add, list, newKeys, newWorldEachTime, remove, trader, world } from "@/lib/proof/fixtures/broker-world.ts";
import { setAccountKillState } from "@/lib/server/services/automation/set-kill-state.ts";
import { makeAccount } from "@/prisma/factories.ts";

newWorldEachTime();

const order = (id: string, side: SideName, clientOrderId: string) => ({ id, side, clientOrderId }) as BrokerOrder;

it("the list shows the user's own accounts, newest first, without deleted ones", async () => {
  const { token } = await trader();
  const other = await trader();
  await makeAccount(db(), other.user.id, { name: "theirs" });
  for (const name of ["first", "second", "third"]) await add(token, { name, ...newKeys() });
  const { data } = (await list(token)).json as unknown as { data: { id: string; name: string }[] };
  expect(data.map(({ name }) => name)).toEqual(["third", "second", "first"]);
  await remove(token, data[1]?.id ?? "");
  const left = (await list(token)).json as unknown as { data: { name: string }[] };
  expect(left.data.map(({ name }) => name)).toEqual(["third", "first"]);
});

it("someone else's account, an unknown one and one removed before answer 404 alike", async () => {
  const { token } = await trader();
  const other = await trader();
  const theirs = await makeAccount(db(), other.user.id);
  const mine = (await add(token, newKeys())).json.data.id as string;
  expect((await remove(token, mine)).status).toBe(200);
  for (const id of [theirs.id, "0192f0c1-2b3c-7d4e-8f90-a1b2c3d4e5f6", mine]) {
    expect(await remove(token, id)).toMatchObject({ status: 404, json: { error: "Account not found." } });
  }
  expect((await db().account.findUniqueOrThrow({ where: { id: theirs.id } })).deletedAt).toBeNull();
  expect((await remove(token, "not-an-id")).status).toBe(400);
});

it("removing cancels our open entries and nothing else, erases the keys and keeps the row", async () => {
  const { user, token } = await trader();
  const keys = newKeys();
  const id = (await add(token, keys)).json.data.id as string;
  world.openOrders = [
    order("entry", "BUY", "tw-p-1-0-1"),
    order("stop", "SELL", "tw-p-1-1-1"),
    order("own", "BUY", "by-hand"),
  ];
  expect((await remove(token, id)).json).toMatchObject({ success: true, data: { id, state: "deleted" } });
  expect(world.cancelled).toEqual(["entry"]);
  const row = await db().account.findUniqueOrThrow({ where: { id } });
  expect(row).toMatchObject({ status: "INACTIVE", sealedKeys: null, keyPrefix: null, writerEpoch: 1 });
  expect(row.deletedAt).not.toBeNull();
  expect(
    await db().auditEvent.findMany({ where: { subjectUserId: user.id, eventType: "ACCOUNT_REMOVED" } }),
  ).toMatchObject([{ data: { accountId: id, cancelledEntryOrders: 1, wasBrokerAsked: true } }]);
  expect((await add(token, keys)).status).toBe(200);
});

it.each([
  ["the broker is unreachable", () => void (world.isReachable = false)],
  ["an entry cannot be cancelled", () => void (world.cancelOutcome = { kind: "failed", cause: "timeout" })],
])("while %s an account stays as it is", async (_, trouble) => {
  const { token } = await trader();
  const id = (await add(token, newKeys())).json.data.id as string;
  world.openOrders = [order("entry", "BUY", "tw-p-1-0-1")];
  trouble();
  expect((await remove(token, id)).status).toBe(503);
  const row = await db().account.findUniqueOrThrow({ where: { id } });
  expect(row).toMatchObject({ status: "ACTIVE", deletedAt: null });
  expect(row.sealedKeys).not.toBeNull();
});

it("keys that the broker no longer takes do not keep an account from being removed", async () => {
  const { token } = await trader();
  const keys = newKeys();
  const id = (await add(token, keys)).json.data.id as string;
  world.refused.add(keys.alpacaKey);
  expect((await remove(token, id)).status).toBe(200);
});

it("keys that open nothing do not keep an account from being removed and added again; its history stays", async () => {
  const { user, token } = await trader();
  const keys = newKeys();
  const id = (await add(token, keys)).json.data.id as string;
  const other = await makeAccount(db(), user.id);
  const { sealedKeys } = await db().account.findUniqueOrThrow({ where: { id: other.id } });
  await db().account.update({ where: { id }, data: { sealedKeys } });
  world.openOrders = [order("entry", "BUY", "tw-p-1-0-1")];
  expect((await add(token, keys)).status, "it is still connected").toBe(409);
  expect((await remove(token, id)).json).toMatchObject({ data: { state: "deleted" } });
  expect(world.cancelled).toEqual([]);
  expect(await db().account.findUniqueOrThrow({ where: { id } })).toMatchObject({ sealedKeys: null, keyPrefix: null });
  const where = { subjectUserId: user.id, eventType: "ACCOUNT_REMOVED" };
  expect(await db().auditEvent.findFirstOrThrow({ where })).toMatchObject({ data: { wasBrokerAsked: false } });
  expect((await add(token, keys)).status).toBe(200);
});

describe("an account that is deleted and added again", () => {
  const stop = {
    killState: "REDUCE_ONLY",
    killReason: "odd orders",
    killSetAt: new Date("2026-05-04T10:00:00Z"),
  } as const;
  /** Adds it, has it stopped and deletes it. */
  async function stopped(token: string, keys: object, killSource: "ADMIN" | "OWNER" | null): Promise<void> {
    const id = (await add(token, keys)).json.data.id as string;
    if (killSource === null) await setAccountKillState(asAdministrator(), { id, killState: "NONE", reason: "fine" });
    else await db().account.update({ where: { id }, data: { ...stop, killSource } });
    expect((await remove(token, id)).status).toBe(200);
  }
  const asAdministrator = () =>
    ({
      ...{ db: db(), now: () => new Date(), log: { info: () => undefined, warn: () => undefined } },
      ...{ actor: { kind: "system", name: "operator" }, request: { id: "stop-test", ipAddress: null } },
    }) as unknown as Parameters<typeof setAccountKillState>[0];
  const storedStop = async (id: unknown) =>
    db().account.findUniqueOrThrow({
      where: { id: id as string },
      select: { killState: true, killReason: true, killSource: true, killSetAt: true },
    });

  it("keeps an administrator's stop, as often as that is done, and its owner reads of it", async () => {
    const { user, token } = await trader();
    const keys = newKeys();
    await stopped(token, keys, "ADMIN");
    for (const last of [false, true]) {
      const { id } = (await add(token, keys)).json.data;
      expect(await storedStop(id)).toEqual({ ...stop, killSource: "ADMIN" });
      expect((await list(token)).json.data).toMatchObject([
        { stop: { state: "REDUCE_ONLY", source: "ADMIN", text: expect.stringContaining("odd orders") as string } },
      ]);
      const told = await db().logEvent.findFirstOrThrow({ where: { userId: user.id, accountId: id as string } });
      expect(told.message).toMatch(/administrator stopped .* still holds\. .* Reason: odd orders/);
      if (!last) await remove(token, id as string);
    }
  });

  it("keeps of a deletion that sold first what an administrator had stopped, and no stop for the sale", async () => {
    const { token } = await trader();
    for (const [killSource, kept] of [
      ["ADMIN", { ...stop, killSource: "ADMIN" }],
      ["OWNER", { killState: "NONE", killReason: null, killSource: null, killSetAt: null }],
    ] as const) {
      const keys = newKeys();
      const id = (await add(token, keys)).json.data.id as string;
      await db().account.update({ where: { id }, data: { ...stop, killSource } });
      const held = { symbol: "AAPL", qty: 10, avgEntryPrice: "187.5", openedAt: new Date() };
      await db().position.create({ data: { accountId: id, ...held, strategy: "MOMENTUM" } });
      expect((await remove(token, id, { closePositions: "true" })).json).toMatchObject({ data: { state: "closing" } });
      expect(await storedStop(id)).toMatchObject({ killState: "FLATTEN", killSource });
      await db().position.deleteMany({ where: { accountId: id } });
      expect((await remove(token, id)).json).toMatchObject({ data: { state: "deleted" } });
      expect(await storedStop((await add(token, keys)).json.data.id), killSource).toEqual(kept);
    }
  });

  it("by another person keeps the stop, without what was written about the first", async () => {
    const [{ token }, other] = [await trader(), await trader()];
    const keys = newKeys();
    await stopped(token, keys, "ADMIN");
    const { id } = (await add(other.token, keys)).json.data;
    expect(await storedStop(id)).toEqual({ ...stop, killReason: null, killSource: "ADMIN" });
  });

  it("is free again where an administrator had lifted the stop, or the owner had stopped it", async () => {
    const { token } = await trader();
    const keys = newKeys();
    const none = { killState: "NONE", killReason: null, killSource: null, killSetAt: null };
    await stopped(token, keys, "OWNER");
    const { id } = (await add(token, keys)).json.data;
    expect(await storedStop(id)).toEqual(none);
    await remove(token, id as string);
    await stopped(token, keys, "ADMIN");
    await stopped(token, keys, null);
    expect(await storedStop((await add(token, keys)).json.data.id)).toEqual(none);
  });

  it("keeps no stop of another account, nor of the same number in another environment", async () => {
    const { token } = await trader();
    const keys = newKeys();
    await stopped(token, keys, "ADMIN");
    for (const free of [newKeys(), { ...keys, environment: "LIVE" }])
      expect(await storedStop((await add(token, free)).json.data.id)).toMatchObject({ killState: "NONE" });
  });
});
