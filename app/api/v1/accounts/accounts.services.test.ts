import { beforeEach, describe, expect, it } from "vitest";
import { accountsApi } from "@/lib/contracts/accounts.ts";
import type { Endpoint } from "@/lib/contracts/endpoint.ts";
import type { SideName } from "@/lib/domain/enums.ts";
import { Failure } from "@/lib/domain/failures.ts";
import type { Broker, BrokerAccount, BrokerOrder, CancelOutcome } from "@/lib/server/broker/broker.ts";
import type { BrokerKeys, Brokers, BrokerTarget } from "@/lib/server/context.ts";
import { db } from "@/lib/server/db.ts";
import { serve, type Ports, type Service } from "@/lib/server/http/serve.ts";
import { keyPairIn, openKeyPair } from "@/lib/proof/fixtures/key-pair.ts";
import { addAccount } from "@/lib/server/services/accounts/add-account.ts";
import { addPracticeAccount, startPracticeAgain } from "@/lib/server/services/accounts/add-practice-account.ts";
import { listAccounts } from "@/lib/server/services/accounts/list-accounts.ts";
import { removeAccount } from "@/lib/server/services/accounts/remove-account.ts";
import { setAccountKillState } from "@/lib/server/services/automation/set-kill-state.ts";
import { makeAccount, makeSignIn, makeUser } from "@/prisma/factories.ts";

const SECRET = "canary-secret-of-the-accounts-test-0123456789";

/** A broker world in memory: who owns which keys, which orders are open, whether it can be reached. */
const world = {
  isReachable: true,
  hasPracticeMarket: true,
  asked: [] as BrokerTarget[],
  opened: 0,
  openOrders: [] as BrokerOrder[],
  cancelled: [] as string[],
  cancelOutcome: { kind: "requested" } as CancelOutcome,
  refused: new Set<string>(),
};

beforeEach(() => {
  Object.assign(world, {
    isReachable: true,
    hasPracticeMarket: true,
    asked: [],
    opened: 0,
    openOrders: [],
    cancelled: [],
    cancelOutcome: { kind: "requested" },
  });
  world.refused.clear();
});

function brokerOf(keyId: string): Broker {
  const reach = () => {
    if (!world.isReachable) throw new Failure("broker_unavailable", "unreachable");
    if (world.refused.has(keyId)) throw new Failure("broker_refused", "refused");
  };
  return {
    async account(): Promise<BrokerAccount> {
      reach();
      return {
        id: `broker-${keyId}`,
        accountNumber: "9987261",
        status: "ACTIVE",
        isBlocked: false,
        cash: "900.5",
        equity: "1000.123456789",
        lastEquity: "990",
        buyingPower: "1800",
        longMarketValue: "99.623456789",
      };
    },
    async openOrders() {
      reach();
      return world.openOrders;
    },
    async cancel(id: string): Promise<CancelOutcome> {
      if (world.cancelOutcome.kind === "requested") {
        world.cancelled.push(id);
        world.openOrders = world.openOrders.filter((order) => order.id !== id);
      }
      return world.cancelOutcome;
    },
  } as unknown as Broker;
}

const brokers: Brokers = {
  withKeys(target: BrokerTarget, keys: BrokerKeys) {
    world.asked.push(target);
    return brokerOf(keyPairIn(keys).keyId);
  },
  reserve: () => Promise.resolve(),
  forAccount: (account) =>
    brokerOf(
      openKeyPair(account.sealedKeys ?? "", {
        userId: account.userId,
        accountId: account.id,
        environment: account.environment,
      }).keyId,
    ),
  practiceMinuteMs: () => null,
  get hasPracticeMarket() {
    return world.hasPracticeMarket;
  },
  async openPracticeAccount() {
    if (!world.isReachable)
      throw new Failure("broker_unavailable", "The practice market cannot be reached at the moment.");
    world.opened += 1;
    return { keyId: `TPPRACTICE${Math.random().toString(36).slice(2, 12).toUpperCase()}`, secret: SECRET };
  },
};

const ports: Ports = {
  now: () => new Date(),
  db: db(),
  brokers,
  marketData: () => {
    throw new Error("not asked for");
  },
  queue: { enqueue: async () => undefined },
};

async function call<E extends Endpoint>(
  endpoint: E,
  service: Service<E>,
  token: string,
  input: { body?: unknown; id?: string; query?: string } = {},
) {
  const init =
    input.body === undefined
      ? {}
      : { body: JSON.stringify(input.body), headers: { "content-type": "application/json" } };
  const request = new Request(`http://localhost/api/v1/accounts?${input.query ?? ""}`, {
    method: endpoint.method,
    ...init,
  });
  request.headers.set("authorization", `Bearer ${token}`);
  const response = await serve(
    endpoint,
    service,
    request,
    { params: Promise.resolve(input.id ? { id: input.id } : {}) },
    ports,
  );
  const text = await response.text();
  return {
    status: response.status,
    text,
    json: JSON.parse(text) as { data: Record<string, unknown>; error: string | null; issues?: { path: string }[] },
  };
}
const add = (token: string, body: object) => call(accountsApi.add, addAccount, token, { body });
const addPractice = (token: string) => call(accountsApi.addPractice, addPracticeAccount, token);
const startAgain = (token: string) => call(accountsApi.startAgain, startPracticeAgain, token);
const list = (token: string) => call(accountsApi.list, listAccounts, token);
const remove = (token: string, id: string, more: { closePositions?: "true" } = {}) =>
  call(accountsApi.remove, removeAccount, token, { id, query: new URLSearchParams(more).toString() });

async function trader() {
  const user = await makeUser(db());
  return { user, token: await makeSignIn(db(), user) };
}
let serial = 0;
const newKeys = () => ({ alpacaKey: `PKTEST${String((serial += 1)).padStart(14, "0")}`, alpacaSecret: SECRET });

const order = (id: string, side: SideName, clientOrderId: string) => ({ id, side, clientOrderId }) as BrokerOrder;

it("an account is stored sealed, with figures and one audit row, and shows eight characters of its key", async () => {
  const { user, token } = await trader();
  const keys = newKeys();
  const answer = await add(token, { name: " Main ", ...keys });
  expect(answer.status).toBe(200);
  expect(answer.json.data).toMatchObject({
    name: "Main",
    accountType: "INDIVIDUAL",
    environment: "PAPER",
    broker: "ALPACA",
    status: "ACTIVE",
    accountNumberEnd: "7261",
    alpacaKey: keys.alpacaKey.slice(0, 8),
    hasKeys: true,
    haltReason: null,
  });
  const id = answer.json.data.id as string;
  const row = await db().account.findUniqueOrThrow({ where: { id }, include: { figures: true } });
  expect(row).toMatchObject({ userId: user.id, market: "US", brokerAccountId: `broker-${keys.alpacaKey}` });
  expect(openKeyPair(row.sealedKeys ?? "", { userId: user.id, accountId: id, environment: "PAPER" })).toEqual({
    keyId: keys.alpacaKey,
    secret: SECRET,
  });
  expect(row.figures?.equity.toFixed()).toBe("1000.123456789");
  expect(row.figures?.cash.toFixed()).toBe("900.5");
  expect(row.figures?.netDeposits.toFixed()).toBe("0");
  const audits = await db().auditEvent.findMany({ where: { subjectUserId: user.id } });
  expect(audits).toMatchObject([
    {
      eventType: "ACCOUNT_ADDED",
      actorUserId: user.id,
      data: { accountId: id, broker: "ALPACA", environment: "PAPER" },
    },
  ]);
  const everything = JSON.stringify([row, audits.map(({ data }) => data)]) + answer.text + (await list(token)).text;
  expect(everything).not.toContain(SECRET);
  expect(everything.replaceAll(row.brokerAccountId, "")).not.toContain(keys.alpacaKey);
});

it.each(["PAPER", "LIVE"] as const)(
  "keys that Alpaca rejects for %s are named and nothing is stored",
  async (environment) => {
    const { user, token } = await trader();
    const keys = newKeys();
    world.refused.add(keys.alpacaKey);
    const answer = await add(token, { environment, ...keys });
    expect(answer.status).toBe(400);
    expect(answer.json.error).toBe(`Alpaca rejected these keys for the ${environment} environment.`);
    expect(world.asked).toEqual([{ broker: "ALPACA", environment }]);
    expect(await db().account.count({ where: { userId: user.id } })).toBe(0);
    expect(await db().auditEvent.count({ where: { subjectUserId: user.id } })).toBe(0);
  },
);

it("while Alpaca is unreachable nothing is stored", async () => {
  const { user, token } = await trader();
  world.isReachable = false;
  const answer = await add(token, newKeys());
  expect(answer.status).toBe(503);
  expect(answer.json.error).toBe("Alpaca cannot be reached right now. Nothing was saved. Please try again.");
  expect(await db().account.count({ where: { userId: user.id } })).toBe(0);
});

it.each([
  ["alpacaKey", { alpacaKey: undefined }, "Alpaca API key and secret are required"],
  ["alpacaSecret", { alpacaSecret: "  " }, "Alpaca API key and secret are required"],
  ["alpacaKey", { alpacaKey: "PK TEST" }, "Keys contain only letters and digits."],
  ["userId", { userId: "0192f0c1-2b3c-7d4e-8f90-a1b2c3d4e5f6" }, "Unknown field: userId."],
  ["status", { status: "PAUSED" }, "Unknown field: status."],
  ["baseUrl", { baseUrl: "http://169.254.169.254/" }, "Unknown field: baseUrl."],
])("an account with a wrong %s is refused before the broker is asked", async (path, change, message) => {
  const { token } = await trader();
  const answer = await add(token, { ...newKeys(), ...change });
  expect(answer.status).toBe(400);
  expect(answer.json.error).toBe(message);
  expect(answer.json.issues).toMatchObject([{ path }]);
  expect(world.asked).toEqual([]);
});

it("practice keys make a practice account, in PAPER only, and where there is a practice market", async () => {
  const { token } = await trader();
  const keys = { alpacaKey: "TPABCDEFGHIJ12345678", alpacaSecret: SECRET };
  expect((await add(token, { ...keys, environment: "LIVE" })).status).toBe(400);
  expect(world.asked).toEqual([]);
  expect((await add(token, keys)).json.data).toMatchObject({ broker: "PRACTICE", environment: "PAPER" });
  world.hasPracticeMarket = false;
  world.asked = [];
  await add(token, { ...keys, alpacaKey: "TPZZZZ" });
  expect(world.asked).toEqual([{ broker: "ALPACA", environment: "PAPER" }]);
});

it("the same broker account cannot be connected twice: not by another person, not ten times at once", async () => {
  const { token } = await trader();
  const other = await trader();
  const keys = newKeys();
  const answers = await Promise.all(Array.from({ length: 10 }, (_, n) => add(n % 2 ? token : other.token, keys)));
  expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array<number>(9).fill(409)]);
  expect(answers.find(({ status }) => status === 409)?.json.error).toBe("This brokerage account is already connected.");
});

it("one click opens a practice account; of twenty at once one is opened at the exchange, and a second click opens no other", async () => {
  const { token } = await trader();
  world.opened = 0;
  const answers = await Promise.all(Array.from({ length: 20 }, () => addPractice(token)));
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
  expect(world.opened).toBe(1);
  for (const { status } of answers) expect([200, 409, 429]).toContain(status);
  expect(answers.find(({ status }) => status === 200)?.json.data).toMatchObject({
    name: "Practice account",
    broker: "PRACTICE",
    environment: "PAPER",
    hasKeys: true,
  });
  world.opened = 0;
  const again = await addPractice(token);
  expect(again).toMatchObject({ status: 409, json: { error: "You already have a practice account." } });
  expect(world.opened).toBe(0);
});

it("while the practice market takes no new accounts, one click opens none (flag practice_market)", async () => {
  const { user, token } = await trader();
  const flag = { name: "practice_market", environment: "production" } as const;
  await db().featureFlag.create({ data: { ...flag, enabled: false } });
  const refused = await addPractice(token);
  expect(refused).toMatchObject({
    status: 409,
    json: { error: "The practice market accepts no new accounts at the moment. Please try again later." },
  });
  expect(world.opened).toBe(0);
  await db().featureFlag.delete({ where: { name_environment: flag } });
  expect((await addPractice(token)).status).toBe(200);
  expect(await db().account.count({ where: { userId: user.id } })).toBe(1);
});

it("a LIVE account is stored inactive, with the last four characters of its number", async () => {
  const { user, token } = await trader();
  const answer = await add(token, { environment: "LIVE", ...newKeys(), alpacaKey: `AK${Date.now()}` });
  expect(answer.json.data).toMatchObject({ environment: "LIVE", status: "INACTIVE", accountNumberEnd: "7261" });
  expect(await db().account.findFirstOrThrow({ where: { userId: user.id } })).toMatchObject({
    status: "INACTIVE",
    liveConfirmedAt: null,
    accountNumberEnd: "7261",
  });
  expect(answer.text + (await list(token)).text, "the whole number is nowhere").not.toContain("9987261");
});

it("without a practice market, or while it is unreachable, no practice account is made", async () => {
  const { user, token } = await trader();
  world.isReachable = false;
  expect((await addPractice(token)).status).toBe(503);
  world.hasPracticeMarket = false;
  expect(await addPractice(token)).toMatchObject({
    status: 503,
    json: { error: "There is no practice market in this installation." },
  });
  expect(await db().account.count({ where: { userId: user.id } })).toBe(0);
});

it("who starts again has a fresh practice account in the place of the old one, whose history stays", async () => {
  const { user, token } = await trader();
  const old = String((await addPractice(token)).json.data.id);
  const opened = world.opened;
  const { status, json } = await startAgain(token);
  expect(status).toBe(200);
  expect(json.data).toMatchObject({ broker: "PRACTICE", status: "ACTIVE", hasKeys: true });
  const rows = await db().account.findMany({ where: { userId: user.id }, orderBy: { createdAt: "asc" } });
  expect(rows.map(({ id, deletedAt }) => [id, deletedAt !== null])).toEqual([
    [old, true],
    [json.data.id, false],
  ]);
  expect(world.opened).toBe(opened + 1);
  const written = await db().auditEvent.findMany({ where: { subjectUserId: user.id }, orderBy: { seq: "asc" } });
  expect(written.map(({ eventType }) => eventType)).toEqual(["ACCOUNT_ADDED", "ACCOUNT_REMOVED", "ACCOUNT_ADDED"]);
});

it("of ten who start again at once one does, and a fresh account is never beside an old one", async () => {
  const { user, token } = await trader();
  await addPractice(token);
  const answers = await Promise.all(Array.from({ length: 10 }, () => startAgain(token)));
  expect(answers.filter(({ status }) => status === 200).length).toBeGreaterThan(0);
  for (const { status } of answers) expect([200, 409, 429]).toContain(status);
  expect(await db().account.count({ where: { userId: user.id, deletedAt: null } })).toBe(1);
});

it("nothing changes for who starts again while the practice market is unreachable, has no account, or has one that is being closed", async () => {
  const { user, token } = await trader();
  expect((await startAgain(token)).status).toBe(404);
  await addPractice(token);
  world.isReachable = false;
  expect((await startAgain(token)).status).toBe(503);
  world.isReachable = true;
  await db().account.updateMany({ where: { userId: user.id }, data: { killState: "FLATTEN", closingAt: new Date() } });
  const opened = world.opened;
  expect(await startAgain(token)).toMatchObject({
    status: 409,
    json: { error: "Your practice account is being closed. You can start another one once it is deleted." },
  });
  expect(world.opened).toBe(opened);
  expect(await db().account.count({ where: { userId: user.id, deletedAt: null } })).toBe(1);
});

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
  expect(row).toMatchObject({ status: "ACTIVE", deletedAt: null, writerEpoch: 0 });
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
