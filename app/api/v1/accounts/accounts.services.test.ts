import { expect, it } from "vitest";
import { db } from "@/lib/server/db.ts";
import {
  add,
  addPractice,
  list,
  newKeys,
  newWorldEachTime,
  SECRET,
  startAgain,
  trader,
  world,
} from "@/lib/proof/fixtures/broker-world.ts";
import { openKeyPair } from "@/lib/proof/fixtures/key-pair.ts";

newWorldEachTime();

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

it("an administrator gets no account, and who became one while the broker was asked gets none either", async () => {
  const { user, token } = await trader();
  await db().user.update({ where: { id: user.id }, data: { role: "ADMIN" } });
  for (const answer of [await add(token, newKeys()), await addPractice(token)])
    expect(answer).toMatchObject({
      status: 409,
      json: { error: "An administrator cannot own brokerage accounts: use another user for them." },
    });
  expect(await db().account.count({ where: { userId: user.id } })).toBe(0);
});

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
