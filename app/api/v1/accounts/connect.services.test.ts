import { randomUUID } from "node:crypto";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, afterEach, beforeAll, expect, it } from "vitest";
import { livePhrase } from "@/lib/contracts/accounts.ts";
import { ACCESS_TEXT, OTHER_ACCOUNT } from "@/lib/domain/account-access.ts";
import type { NewAccount } from "@/lib/exchange/control.ts";
import type { Exchange } from "@/lib/exchange/start.ts";
import { callDoor, type Call } from "@/lib/proof/call-door.ts";
import { answerConsent, registerAtStandIn } from "@/lib/proof/fixtures/consent.ts";
import { testContext } from "@/lib/proof/fixtures/orders.ts";
import { startTestExchange } from "@/lib/proof/market/test-exchange.ts";
import { db } from "@/lib/server/db.ts";
import { forgetEnv } from "@/lib/server/env.ts";
import { openKeys, sealKeys } from "@/lib/server/secrets/seal.ts";
import { syncOrders } from "@/lib/server/services/accounts/sync-orders.ts";
import { makeSignIn, makeUser, type MadeUser } from "@/prisma/factories.ts";
import * as confirmDoor from "./[id]/confirm-live/route.ts";
import * as againDoor from "./[id]/connect-again/route.ts";
import * as accountDoor from "./[id]/route.ts";
import * as finishDoor from "./oauth/finish/route.ts";
import * as startDoor from "./oauth/start/route.ts";
import * as accountsDoor from "./route.ts";

let exchange: Exchange;
beforeAll(async () => {
  exchange = await startTestExchange({ port: 0, livePort: 0, databaseUrl: null, paused: true });
  await exchange.control.clock({ advanceMinutes: 6 });
  await registerAtStandIn(exchange);
});
afterAll(() => exchange.close());
afterEach(() => exchange.control.clearFaults());

interface Trader {
  user: MadeUser;
  token: string;
}
async function trader(): Promise<Trader> {
  const user = await makeUser(db());
  return { user, token: await makeSignIn(db(), user) };
}
const atAlpaca = (live = false) => exchange.control.createAccount({ keys: "alpaca", live });

async function start({ token }: Pick<Trader, "token">, body: object = {}): Promise<string> {
  const answer = await callDoor(startDoor, "POST", { token, body });
  expect(answer).toMatchObject({ status: 200 });
  return (answer.json?.data as unknown as { authorizeUrl: string }).authorizeUrl;
}
const finish = ({ token }: Pick<Trader, "token">, body: object) => callDoor(finishDoor, "POST", { token, body });
const stateIn = (url: string) => new URL(url).searchParams.get("state") ?? "";

async function connect(who: Trader, account: NewAccount, body: object = {}): Promise<string> {
  const answer = await finish(who, await answerConsent(await start(who, body), account.id));
  expect(answer).toMatchObject({ status: 200 });
  return (answer.json?.data as unknown as { id: string }).id;
}
const row = (id: string) => db().account.findUniqueOrThrow({ where: { id }, include: { figures: true } });
const eventsOf = (userId: string, eventType: string) =>
  db().auditEvent.findMany({ where: { subjectUserId: userId, eventType } });
const accountsOf = ({ user }: Trader) => db().account.count({ where: { userId: user.id } });

it("asks Alpaca for trading in one environment, with a state that is kept as a hash", async () => {
  const who = await trader();
  const url = await start(who, { environment: "LIVE" });
  expect(url).toMatch(`${exchange.url}/oauth/authorize?`);
  expect(Object.fromEntries(new URL(url).searchParams)).toEqual({
    response_type: "code",
    client_id: "tradewind-of-a-test",
    redirect_uri: "http://127.0.0.1:3000/alpaca-keys/connect",
    state: expect.stringMatching(/^[\w-]{43}$/) as string,
    scope: "trading",
    env: "live",
  });
  const stored = await db().brokerAuthorization.findFirstOrThrow({ where: { userId: who.user.id } });
  expect(JSON.stringify(stored)).not.toContain(stateIn(url));
});

it("connects the account that the person chose: sealed access, no key, figures, and a row in the trail", async () => {
  const [who, theirs] = [await trader(), await atAlpaca()];
  const id = await connect(who, theirs, { name: "Granted", accountType: "JOINT" });
  const account = await row(id);
  expect(account).toMatchObject({
    name: "Granted",
    accountType: "JOINT",
    access: "OAUTH",
    broker: "ALPACA",
    market: "US",
    environment: "PAPER",
    status: "ACTIVE",
    brokerAccountId: theirs.id,
    accountNumberEnd: theirs.account_number.slice(-4),
    keyPrefix: null,
  });
  expect(account.figures?.equity.toString()).toBe("100000");
  const binding = { userId: who.user.id, accountId: id, environment: "PAPER" } as const;
  const keys = openKeys(account.sealedKeys ?? "", binding);
  expect(keys).toEqual({ accessToken: expect.any(String) as string });
  expect(() => openKeys(account.sealedKeys ?? "", { ...binding, environment: "LIVE" })).toThrow();
  expect(await eventsOf(who.user.id, "ACCOUNT_ADDED")).toMatchObject([{ data: { accountId: id, access: "OAUTH" } }]);
  const listed = await callDoor(accountsDoor, "GET", { token: who.token });
  expect(listed.json?.data).toMatchObject([{ id, access: "OAUTH", hasKeys: true, alpacaKey: null }]);
  expect(listed.text).not.toContain((keys as { accessToken: string }).accessToken);
});

it("a LIVE account waits for its owner's confirmation, whichever way it was connected", async () => {
  const [who, theirs] = [await trader(), await atAlpaca(true)];
  const id = await connect(who, theirs, { environment: "LIVE" });
  expect(await row(id)).toMatchObject({ environment: "LIVE", status: "INACTIVE" });
  const confirmation = livePhrase(theirs.account_number.slice(-4));
  await callDoor(confirmDoor, "POST", { token: who.token, params: { id }, body: { confirmation } });
  expect(await row(id)).toMatchObject({ status: "ACTIVE" });
});

it("an account that is connected already, by keys or by access, is not connected twice", async () => {
  const [who, theirs] = [await trader(), await atAlpaca()];
  const keys = { alpacaKey: theirs.key_id, alpacaSecret: theirs.secret };
  expect((await callDoor(accountsDoor, "POST", { token: who.token, body: keys })).status).toBe(200);
  const again = await finish(who, await answerConsent(await start(who), theirs.id));
  expect(again).toMatchObject({ status: 409, json: { error: "This brokerage account is already connected." } });
  const stranger = await trader();
  const other = await finish(stranger, await answerConsent(await start(stranger), theirs.id));
  expect(other.status).toBe(409);
});

const NOTHING_SAVED = /Nothing was saved/;
const error = (answer: Awaited<ReturnType<typeof finish>>) => String(answer.json?.error);

it("a person who refuses at Alpaca connects nothing, and reads so", async () => {
  const who = await trader();
  const denied = await answerConsent(await start(who), null);
  expect(denied.error).toBe("access_denied");
  const answer = await finish(who, denied);
  expect(answer.status).toBe(409);
  expect(error(answer)).toBe("You did not allow the connection at Alpaca. Nothing was saved.");
  expect(await accountsOf(who)).toBe(0);
});

it("the state of another user, and one of another sign-in, connect nothing and are not used up", async () => {
  const [who, victim, theirs] = [await trader(), await trader(), await atAlpaca()];
  const back = await answerConsent(await start(who), theirs.id);
  const elsewhere = { token: await makeSignIn(db(), who.user) };
  for (const caller of [victim, elsewhere]) {
    const answer = await finish(caller, back);
    expect(answer.status).toBe(409);
    expect(error(answer)).toMatch(/was not started in this sign-in\. Nothing was saved/);
  }
  expect(await accountsOf(victim)).toBe(0);
  expect((await finish(who, back)).status).toBe(200);
});

it("a state that never was and a changed one are the same", async () => {
  const [who, theirs] = [await trader(), await atAlpaca()];
  const { state, ...rest } = await answerConsent(await start(who), theirs.id);
  for (const wrong of ["x", `${state.slice(0, -1)}${state.endsWith("A") ? "B" : "A"}`, ""])
    expect((await finish(who, { ...rest, state: wrong })).status).toBe(409);
  expect(await accountsOf(who)).toBe(0);
});

it("mixed-up states and codes of one person connect the accounts that their codes opened, each state once", async () => {
  const [who, first, second] = [await trader(), await atAlpaca(), await atAlpaca()];
  const one = await answerConsent(await start(who, { name: "one" }), first.id);
  const two = await answerConsent(await start(who, { name: "two" }), second.id);
  expect((await finish(who, { state: one.state, code: two.code })).status).toBe(200);
  const replayed = await finish(who, two);
  expect(error(replayed)).toMatch(/Alpaca no longer accepts this connection\. Nothing was saved/);
  expect(await db().account.findMany({ where: { userId: who.user.id } })).toMatchObject([
    { name: "one", brokerAccountId: second.id },
  ]);
});

it("the same return twice at once connects one account", async () => {
  const [who, theirs] = [await trader(), await atAlpaca()];
  const back = await answerConsent(await start(who), theirs.id);
  const answers = await Promise.all([finish(who, back), finish(who, back), finish(who, back)]);
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409]);
  expect(await accountsOf(who)).toBe(1);
  expect(error(await finish(who, back))).toMatch(/was already completed\. Nothing was saved/);
});

it("after ten minutes a return is too late", async () => {
  const [who, theirs] = [await trader(), await atAlpaca()];
  const back = await answerConsent(await start(who), theirs.id);
  const past = { createdAt: new Date(Date.now() - 700_000), expiresAt: new Date(Date.now() - 1) };
  await db().brokerAuthorization.updateMany({ where: { userId: who.user.id }, data: past });
  const answer = await finish(who, back);
  expect(answer.status).toBe(409);
  expect(error(answer)).toMatch(/started more than ten minutes ago\. Nothing was saved/);
  expect(await accountsOf(who)).toBe(0);
});

it.each<[string, string, number]>([
  ["was never issued", randomUUID(), 409],
  ["holds what no code holds", "a b", 400],
  ["is longer than any code", "x".repeat(501), 400],
])("a code that %s connects nothing", async (_, code, status) => {
  const who = await trader();
  const answer = await finish(who, { state: stateIn(await start(who)), code });
  expect(answer.status).toBe(status);
  expect(await accountsOf(who)).toBe(0);
});

it("what the person allowed has to include trading, in the environment that was asked for", async () => {
  const [who, theirs] = [await trader(), await atAlpaca()];
  const url = new URL(await start(who));
  url.searchParams.delete("scope");
  const reading = await finish(who, await answerConsent(url.href, theirs.id));
  expect(error(reading)).toMatch(/allowed only reading, not trading\. Nothing was saved/);
  const other = new URL(await start(who));
  other.searchParams.set("env", "live");
  const mixed = await finish(who, await answerConsent(other.href, (await atAlpaca(true)).id));
  expect(error(mixed)).toMatch(/gives no access to a PAPER account\. Nothing was saved/);
  expect(await accountsOf(who)).toBe(0);
});

it("a code is sent once, whatever the answer, and an unreachable Alpaca saves nothing", async () => {
  let asked = 0;
  const failing = createServer((request, response) => {
    asked += 1;
    if (asked === 1) request.socket.destroy();
    else if (asked === 2) response.writeHead(503).end("<html>");
    else if (asked === 3) response.writeHead(302, { location: "http://127.0.0.1:9/" }).end();
    else response.writeHead(200, { "content-type": "application/json" }).end('{"access_token":"short"}');
  });
  await new Promise<void>((resolve) => failing.listen(0, "127.0.0.1", resolve));
  const { ALPACA_OAUTH_TOKEN_URL } = process.env;
  process.env.ALPACA_OAUTH_TOKEN_URL = `http://127.0.0.1:${(failing.address() as AddressInfo).port}/oauth/token`;
  forgetEnv();
  try {
    const who = await trader();
    for (let count = 1; count <= 4; count += 1) {
      const answer = await finish(who, { state: stateIn(await start(who)), code: randomUUID() });
      expect(answer.status).toBe(503);
      expect(error(answer)).toMatch(NOTHING_SAVED);
      expect(asked).toBe(count);
    }
    expect(await accountsOf(who)).toBe(0);
  } finally {
    process.env.ALPACA_OAUTH_TOKEN_URL = ALPACA_OAUTH_TOKEN_URL;
    forgetEnv();
    await new Promise((resolve) => failing.close(resolve));
  }
});

it("a client that Alpaca does not know is the installation's fault, and its secret is nowhere in the words", async () => {
  process.env.ALPACA_OAUTH_CLIENT_SECRET = "a-wrong-client-secret";
  forgetEnv();
  try {
    const [who, theirs] = [await trader(), await atAlpaca()];
    const answer = await finish(who, await answerConsent(await start(who), theirs.id));
    expect(answer.status).toBe(503);
    expect(error(answer)).toMatch(/not set up correctly here\. Nothing was saved/);
  } finally {
    await registerAtStandIn(exchange);
  }
});

it("without its settings no user is sent to Alpaca", async () => {
  const before = { ...process.env };
  process.env.ALPACA_OAUTH_CLIENT_ID = "";
  process.env.ALPACA_OAUTH_CLIENT_SECRET = "";
  forgetEnv();
  try {
    const { token } = await trader();
    expect((await callDoor(startDoor, "POST", { token, body: {} })).status).toBe(503);
  } finally {
    Object.assign(process.env, before);
    forgetEnv();
  }
});

it("beginning asks who the person is, as pasting keys does", async () => {
  const { user, token } = await trader();
  await db().signIn.updateMany({ where: { userId: user.id }, data: { confirmedAt: new Date(Date.now() - 3_600_000) } });
  const body: Call = { token, body: {} };
  expect(await callDoor(startDoor, "POST", body)).toMatchObject({ status: 403, json: { code: "step_up_required" } });
});

const context = testContext();
const sync = (id: string) => syncOrders(context, { accountId: id });

async function again(who: Trader, id: string, accountId: string | null) {
  const answer = await callDoor(againDoor, "POST", { token: who.token, params: { id }, body: {} });
  expect(answer.status).toBe(200);
  const { authorizeUrl } = answer.json?.data as unknown as { authorizeUrl: string };
  return finish(who, await answerConsent(authorizeUrl, accountId));
}

it("access that was taken back halts the account in words, and connecting it again resumes it", async () => {
  const [who, theirs, other] = [await trader(), await atAlpaca(), await atAlpaca()];
  const id = await connect(who, theirs);
  await sync(id);
  expect(await row(id)).toMatchObject({ haltReason: null, reconciledAt: expect.any(Date) as Date });
  await exchange.control.oauth.revoke({ account_number: theirs.account_number });
  await db().account.update({ where: { id }, data: { reconciledAt: new Date(0) } });
  await expect(sync(id)).rejects.toMatchObject({ code: "broker_refused" });
  const halted = await row(id);
  expect(halted.haltReason).toBe(ACCESS_TEXT.OAUTH.refused);
  const listed = await callDoor(accountsDoor, "GET", { token: who.token });
  expect(listed.json?.data).toMatchObject([{ haltAdvice: ACCESS_TEXT.OAUTH.afterRefusal }]);

  // Another account of the same person is not put in its place.
  const wrong = await again(who, id, other.id);
  expect(error(wrong)).toMatch(/chose another account than this one, whose number ends in \w{4}\. Nothing was changed/);
  expect((await row(id)).sealedKeys).toBe(halted.sealedKeys);
  expect((await again(who, id, null)).status).toBe(409);

  expect(await again(who, id, theirs.id)).toMatchObject({ status: 200, json: { data: { id } } });
  const renewed = await row(id);
  expect(renewed.sealedKeys).not.toBe(halted.sealedKeys);
  expect(renewed.createdAt).toEqual(halted.createdAt);
  await sync(id);
  expect(await row(id)).toMatchObject({ haltedAt: null, haltReason: null });
  expect(await eventsOf(who.user.id, "ACCOUNT_CONNECTED_AGAIN")).toHaveLength(1);
  expect(await eventsOf(who.user.id, "ACCOUNT_KEYS_ACCEPTED")).toMatchObject([{ data: { access: "OAUTH" } }]);
  expect(await db().account.count({ where: { userId: who.user.id } })).toBe(1);
});

it("connecting again mends access that opens no more", async () => {
  const [who, theirs] = [await trader(), await atAlpaca()];
  const id = await connect(who, theirs);
  const elsewhere = { userId: who.user.id, accountId: randomUUID(), environment: "PAPER" } as const;
  await db().account.update({ where: { id }, data: { sealedKeys: sealKeys({ accessToken: "moved" }, elsewhere) } });
  await expect(sync(id)).rejects.toMatchObject({ message: ACCESS_TEXT.OAUTH.cannotOpen });
  expect(await row(id)).toMatchObject({ haltReason: ACCESS_TEXT.OAUTH.unopenable });
  expect((await again(who, id, theirs.id)).status).toBe(200);
  await sync(id);
  expect(await row(id)).toMatchObject({ haltReason: null });
});

it("access that opens another account books nothing of it and halts", async () => {
  const [who, theirs, other] = [await trader(), await atAlpaca(), await atAlpaca()];
  const id = await connect(who, theirs);
  const { sealedKeys } = await row(await connect(who, other));
  const binding = { userId: who.user.id, environment: "PAPER" } as const;
  const second = await db().account.findFirstOrThrow({ where: { brokerAccountId: other.id } });
  const turned = openKeys(sealedKeys ?? "", { ...binding, accountId: second.id });
  await db().account.update({
    where: { id },
    data: { sealedKeys: sealKeys(turned, { ...binding, accountId: id }) },
  });
  await expect(sync(id)).rejects.toMatchObject({ message: OTHER_ACCOUNT });
  expect(await row(id)).toMatchObject({ haltReason: OTHER_ACCOUNT, reconciledAt: null });
  expect(await db().cashFlow.count({ where: { accountId: id } })).toBe(0);
  expect((await again(who, id, theirs.id)).status).toBe(200);
  await sync(id);
  expect(await row(id)).toMatchObject({ haltReason: null });
});

it("connecting again is for the user's own account, and for one that was connected at Alpaca", async () => {
  const [who, stranger, theirs, pasted] = [await trader(), await trader(), await atAlpaca(), await atAlpaca()];
  const id = await connect(who, theirs);
  const call = (token: string, of: string) => callDoor(againDoor, "POST", { token, params: { id: of }, body: {} });
  expect((await call(stranger.token, id)).status).toBe(404);
  expect((await call(who.token, randomUUID())).status).toBe(404);
  const keys = { alpacaKey: pasted.key_id, alpacaSecret: pasted.secret };
  const added = await callDoor(accountsDoor, "POST", { token: who.token, body: keys });
  expect((await call(who.token, (added.json?.data as unknown as { id: string }).id)).status).toBe(409);
});

it("deleting the account erases the access, and a return that was under way finds none", async () => {
  const [who, theirs] = [await trader(), await atAlpaca()];
  const id = await connect(who, theirs);
  const begun = await callDoor(againDoor, "POST", { token: who.token, params: { id }, body: {} });
  const { authorizeUrl } = begun.json?.data as unknown as { authorizeUrl: string };
  const back = await answerConsent(authorizeUrl, theirs.id);
  expect((await callDoor(accountDoor, "DELETE", { token: who.token, params: { id } })).status).toBe(200);
  expect(await row(id)).toMatchObject({ sealedKeys: null, access: "OAUTH" });
  const last = await db().logEvent.findFirst({ where: { accountId: id }, orderBy: { id: "desc" } });
  expect(last?.message).toBe("The account was deleted: the access to it is erased, its history stays.");
  expect((await finish(who, back)).status).toBe(404);
  expect(await row(id)).toMatchObject({ sealedKeys: null });
  // Connected anew it is another account here.
  expect(await connect(who, theirs)).not.toBe(id);
});
