/**
 * A broker's secret goes in by one door and comes out nowhere: not in an answer, a log line, a job, a row or a mail.
 * The key's id is shown with its first eight characters and no more.
 */
import { randomBytes, randomUUID } from "node:crypto";
import type { AddressInfo } from "node:net";
import { Redis } from "ioredis";
import { SMTPServer } from "smtp-server";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { ownRedis } from "@/scripts/own-services.mjs";
import { jobs } from "@/lib/contracts/jobs.ts";
import type { Exchange } from "@/lib/exchange/start.ts";
import { db } from "@/lib/server/db.ts";
import { forgetEnv } from "@/lib/server/env.ts";
import { closeQueues } from "@/lib/server/jobs/queue.ts";
import type { LogEventName } from "@/lib/server/log-events.ts";
import { sealKeys } from "@/lib/server/secrets/seal.ts";
import { sendDueMails } from "@/lib/server/services/mail/send-due-mails.ts";
import { listenToOutput, textsInPostgres } from "@/lib/proof/fixtures/canary.ts";
import { allPass, CONTROL_TOKEN, decide, plannedOrder, startBench } from "@/lib/proof/fixtures/orders.ts";
import { streamAccount } from "@/lib/server/services/sync/stream-account.ts";
import { submitPlan } from "@/lib/server/services/orders/submit-plan.ts";
import { syncOrders } from "@/lib/server/services/accounts/sync-orders.ts";
import { systemContext } from "@/lib/server/system-context.ts";
import { makeSignIn, makeUser, type MadeUser } from "@/prisma/factories.ts";
import { callDoor, type Call, type CallResult, type Door } from "@/lib/proof/call-door.ts";
import * as accountDoor from "./[id]/route.ts";
import * as accountsDoor from "./route.ts";

let exchange: Exchange;
let redis: Awaited<ReturnType<typeof ownRedis>>;
let user: MadeUser;
let token: string;

const SOURCES = ["answers", "output", "redis", "postgres", "mails"] as const;
/** Everything that was seen, by where. */
const seen: Record<(typeof SOURCES)[number], string[]> = {
  answers: [],
  output: [],
  redis: [],
  postgres: [],
  mails: [],
};

const mailbox = new SMTPServer({
  authOptional: true,
  disabledCommands: ["STARTTLS", "AUTH"],
  onData(stream, _session, done) {
    const chunks: Buffer[] = [];
    stream.on("data", (chunk: Buffer) => chunks.push(chunk));
    stream.on("end", () => {
      const raw = Buffer.concat(chunks).toString("utf8");
      seen.mails.push(raw, raw.replaceAll(/=\r?\n/g, ""));
      done();
    });
  },
});

beforeAll(async () => {
  exchange = await startBench();
  redis = await ownRedis();
  await new Promise<void>((resolve) => mailbox.listen(0, "127.0.0.1", resolve));
  Object.assign(process.env, {
    REDIS_URL: redis.url,
    SMTP_URL: `smtp://127.0.0.1:${(mailbox.server.address() as AddressInfo).port}`,
    LOG_LEVEL: "debug",
    EXCHANGE_CONTROL_TOKEN: CONTROL_TOKEN,
    // No server listens there.
    ALPACA_PAPER_URL: "http://127.0.0.1:9",
    ALPACA_LIVE_URL: "http://127.0.0.2:9",
  });
  forgetEnv();
  user = await makeUser(db());
  token = await makeSignIn(db(), user);
  listenToOutput(seen.output);
}, 60_000);
afterAll(async () => {
  vi.restoreAllMocks();
  await closeQueues();
  await redis.remove();
  await exchange.close();
  await new Promise<void>((resolve) => mailbox.close(resolve));
});

async function call(door: Door, method: string, input: Call): Promise<CallResult> {
  const answer = await callDoor(door, method, { token, ...input });
  seen.answers.push(JSON.stringify([...answer.headers]), answer.text);
  return answer;
}

async function openedKeys(): Promise<{ keyId: string; secret: string }> {
  const answer = await fetch(`${exchange.url}/_control/accounts`, {
    method: "POST",
    headers: { "content-type": "application/json", "x-control-token": CONTROL_TOKEN },
    body: JSON.stringify({ cash: "100000" }),
  });
  const { key_id: keyId, secret } = (await answer.json()) as { key_id: string; secret: string };
  return { keyId, secret };
}

/** Every key and its value, whatever kind it is. */
async function readRedis(): Promise<void> {
  const client = new Redis(redis.url);
  for (const key of await client.keys("*")) {
    const read: Record<string, () => Promise<unknown>> = {
      string: () => client.get(key),
      hash: () => client.hgetall(key),
      list: () => client.lrange(key, 0, -1),
      set: () => client.smembers(key),
      zset: () => client.zrange(key, "0", "-1"),
      stream: () => client.xrange(key, "-", "+"),
    };
    const value = await read[await client.type(key)]?.();
    if (value === undefined) throw new Error(`${key} is of a kind that this test cannot read`);
    seen.redis.push(`${key} ${JSON.stringify(value)}`);
  }
  await client.quit();
}

/** A secret as it stands, and as an encoding would hide it. */
function shapesOf(keyId: string, secret: string): string[] {
  const texts = [secret, `${keyId}:${secret}`];
  return texts.flatMap((text) => [
    text,
    encodeURIComponent(text),
    Buffer.from(text).toString("base64").replace(/=+$/, ""),
    Buffer.from(text).toString("base64url"),
    Buffer.from(text).toString("hex"),
  ]);
}

function findings(keys: { keyId: string; secret: string }[]): string[] {
  return SOURCES.flatMap((source) =>
    keys.flatMap(({ keyId, secret }) => {
      const parts = [...shapesOf(keyId, secret), keyId.slice(0, 9)];
      return seen[source]
        .filter((text) => parts.some((part) => text.includes(part)))
        .map((text) => `${source}: ${text}`);
    }),
  );
}

const body = ({ keyId, secret }: { keyId: string; secret: string }, more: object = {}) => ({
  body: { alpacaKey: keyId, alpacaSecret: secret, ...more },
});

it("a secret that was added, checked, used, refused, halted, mailed about and deleted is nowhere to be found", async () => {
  const keys = await openedKeys();
  const wrong = { keyId: keys.keyId, secret: `wrong-${randomBytes(15).toString("hex")}` };
  const elsewhere = {
    keyId: `PK${randomBytes(9).toString("hex").toUpperCase()}`,
    secret: randomBytes(20).toString("hex"),
  };
  const all = [keys, wrong, elsewhere];

  // Added, refused and misspelt at the door.
  const added = await call(accountsDoor, "POST", body(keys));
  expect(added).toMatchObject({ status: 200, json: { data: { alpacaKey: keys.keyId.slice(0, 8), hasKeys: true } } });
  const { id } = added.json?.data as unknown as { id: string };
  expect((await call(accountsDoor, "POST", body(keys))).status).toBe(409);
  expect((await call(accountsDoor, "POST", body(wrong))).status).toBe(400);
  expect((await call(accountsDoor, "POST", body(elsewhere))).status).toBe(503);
  expect((await call(accountsDoor, "POST", body(elsewhere, { environment: "LIVE" }))).status).toBe(400);
  expect((await call(accountsDoor, "POST", body(keys, { environment: "LIVE" }))).status).toBe(400);
  expect((await call(accountsDoor, "POST", body(keys, { note: keys.secret }))).status).toBe(400);
  expect((await call(accountsDoor, "POST", body({ ...keys, secret: `${keys.secret} x` }))).status).toBe(400);
  expect((await call(accountsDoor, "POST", { rawBody: JSON.stringify(keys).slice(0, -1) })).status).toBe(415);
  expect((await call(accountsDoor, "GET", {})).status).toBe(200);

  // Used: followed, read, traded with.
  const context = systemContext("worker");
  const account = () => db().account.findUniqueOrThrow({ where: { id } });
  await context.queue.enqueue(jobs.orderStatus, { accountId: id });
  await context.queue.enqueue(jobs.accountCycle, { accountId: id, cycleId: randomUUID() });
  let isReady = false;
  const follower = streamAccount(context, await account(), () => (isReady = true));
  await syncOrders(context, { accountId: id });
  await expect.poll(() => isReady, { timeout: 10_000 }).toBe(true);
  const decisionId = await decide(context, await account(), [plannedOrder({ symbol: "SPY", qty: "1" })]);
  expect(
    await submitPlan(context, { decisionId, epoch: (await account()).writerEpoch, regate: allPass }),
  ).toMatchObject([{ status: "LIVE" }]);
  await exchange.control.clock({ advanceMinutes: 1 });
  await syncOrders(context, { accountId: id });
  follower.close();
  seen.postgres.push(...(await textsInPostgres()));
  await readRedis();

  // The broker refuses the keys: the account halts and its user is told.
  const { userId, sealedKeys } = await account();
  const binding = { userId, accountId: id, environment: "PAPER" as const };
  await db().account.update({ where: { id }, data: { sealedKeys: sealKeys(wrong, binding) } });
  await expect(syncOrders(context, { accountId: id })).rejects.toMatchObject({ code: "broker_refused" });
  expect((await account()).haltedAt).not.toBeNull();
  // A broken envelope is an error that is logged.
  await db().account.update({ where: { id }, data: { sealedKeys: sealKeys(keys, { ...binding, accountId: userId }) } });
  await syncOrders(context, { accountId: id }).catch((error: unknown) =>
    context.log.error("job.failed", { job: "order-status", accountId: id, err: error }),
  );
  const careless = { keys, secret: keys.secret, accountId: id, reason: `key ${keys.keyId}` };
  (context.log.error as (event: LogEventName, fields: object) => void)("account.halted", careless);
  await db().account.update({ where: { id }, data: { sealedKeys } });
  await sendDueMails(context);
  await expect.poll(() => seen.mails.length, { timeout: 10_000 }).toBeGreaterThan(0);

  // Deleted.
  expect((await call(accountDoor, "DELETE", { params: { id } })).status).toBe(200);
  seen.postgres.push(...(await textsInPostgres()));
  await readRedis();

  // Each place was really looked into.
  expect(seen.answers.join("\n")).toContain(keys.keyId.slice(0, 8));
  expect(seen.output.join("\n")).toContain('"dropped":["keys","secret"]');
  expect(seen.postgres.join("\n")).toContain(keys.keyId.slice(0, 8));
  expect(seen.redis.join("\n")).toContain(id);
  expect(findings(all)).toEqual([]);
});

it("the search finds a secret in every place and in every shape", () => {
  const keys = { keyId: "TPCANARY0123456789", secret: "a canary+secret/of this test" };
  const found = SOURCES.flatMap((source) =>
    [...shapesOf(keys.keyId, keys.secret), keys.keyId].map((shape) => {
      seen[source].push(`{"x":"${shape}"}`);
      const count = findings([keys]).length;
      seen[source].pop();
      return count;
    }),
  );
  expect(found).not.toContain(0);
});
