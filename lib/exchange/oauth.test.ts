import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { WebSocket } from "ws";
import { startTestExchange } from "@/lib/proof/market/test-exchange.ts";
import type { NewAccount } from "./control.ts";
import type { Exchange } from "./start.ts";

const REDIRECT = "https://tradewind.example/alpaca-keys/connect";
const CONTROL_TOKEN = "control-token-of-oauth";
const CLIENT = { client_id: "client", client_secret: "secret-of-the-client" };

let exchange: Exchange;
let paper: NewAccount;
let live: NewAccount;

beforeAll(async () => {
  exchange = await startTestExchange({
    ...{ port: 0, livePort: 0, paused: true, seed: 5, controlToken: CONTROL_TOKEN },
    dataPlan: { connections: 2 },
  });
  await exchange.control.clock({ advanceMinutes: 15 });
  paper = await exchange.control.createAccount({ keys: "alpaca", name: "Paper <1>" });
  live = await exchange.control.createAccount({ keys: "alpaca", live: true });
  await exchange.control.createAccount({ name: "On the practice market" });
  await control("/oauth/clients", { ...CLIENT, name: "Tradewind", redirect_uris: [REDIRECT] });
});
afterAll(() => exchange.close());
afterEach(() => vi.restoreAllMocks());

async function control(path: string, body?: object): Promise<Record<string, unknown>> {
  const answer = await fetch(`${exchange.url}/_control${path}`, {
    method: body ? "POST" : "GET",
    headers: { "content-type": "application/json", "x-control-token": CONTROL_TOKEN },
    ...(body && { body: JSON.stringify(body) }),
  });
  expect(answer.status).toBe(200);
  return (await answer.json()) as Record<string, unknown>;
}

const wish = (changes: Record<string, string | undefined> = {}) => {
  const all = {
    response_type: "code",
    client_id: CLIENT.client_id,
    redirect_uri: REDIRECT,
    state: "a-state",
    scope: "account:write trading data",
    env: "paper",
    ...changes,
  };
  return new URLSearchParams(Object.entries(all).filter((entry): entry is [string, string] => entry[1] !== undefined));
};

const ask = (query: URLSearchParams) => fetch(`${exchange.url}/oauth/authorize?${query}`, { redirect: "manual" });
const answerWith = (form: URLSearchParams) =>
  fetch(`${exchange.url}/oauth/authorize`, { method: "POST", body: form, redirect: "manual" });

async function codeFor(changes: Record<string, string | undefined> = {}, chosen: Record<string, string> = {}) {
  const form = wish(changes);
  form.append("decision", "allow");
  for (const [name, id] of Object.entries({ paper_account: paper.id, ...chosen })) form.append(name, id);
  const answer = await answerWith(form);
  expect(answer.status).toBe(302);
  const back = new URL(answer.headers.get("location") ?? "");
  expect(back.searchParams.get("state")).toBe("a-state");
  return back.searchParams.get("code") ?? "";
}

async function exchangeCode(code: string, changes: Record<string, string> = {}) {
  const body = new URLSearchParams({
    grant_type: "authorization_code",
    code,
    ...CLIENT,
    redirect_uri: REDIRECT,
    ...changes,
  });
  const answer = await fetch(`${exchange.url}/oauth/token`, { method: "POST", body });
  return { status: answer.status, json: (await answer.json()) as Record<string, string>, headers: answer.headers };
}

const tokenFor = async (...given: Parameters<typeof codeFor>) =>
  (await exchangeCode(await codeFor(...given))).json.access_token ?? "";

const call = (token: string, path: string, init: RequestInit = {}, at = exchange.url) =>
  fetch(`${at}${path}`, { ...init, headers: { authorization: `Bearer ${token}`, "content-type": "application/json" } });
const statusOf = async (...given: Parameters<typeof call>) => (await call(...given)).status;

const ORDER = {
  method: "POST",
  body: JSON.stringify({ symbol: "SPY", qty: "1", side: "buy", type: "market", time_in_force: "day" }),
};

/** The first answer to an authentication. */
function streamSays(path: string, authentication: object): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = new WebSocket(`${exchange.url.replace("http", "ws")}${path}`);
    socket.on("open", () => socket.send(JSON.stringify(authentication)));
    socket.on("error", reject);
    socket.on("message", (raw: Buffer) => {
      const said = raw.toString("utf8");
      if (said.includes('"connected"')) return;
      socket.close();
      resolve(said);
    });
  });
}
/** A connection to market data that is subscribed to bars. */
async function reader(authentication: object) {
  const socket = new WebSocket(`${exchange.url.replace("http", "ws")}/v2/sip`);
  let said = "";
  socket.on("message", (raw: Buffer) => (said += raw.toString("utf8")));
  const closed = new Promise((resolve) => socket.on("close", resolve));
  const heard = (text: string) => vi.waitFor(() => expect(said).toContain(text), { interval: 5, timeout: 15_000 });
  await heard('"connected"');
  socket.send(JSON.stringify({ action: "auth", ...authentication }));
  socket.send(JSON.stringify({ action: "subscribe", bars: ["SPY"] }));
  await heard('"subscription"');
  return { socket, closed, heard };
}

const authenticate = (token: string) => streamSays("/stream", { action: "authenticate", data: { oauth_token: token } });

describe("the consent page", () => {
  it("names the application and what it may do, and offers the accounts of the environment alone", async () => {
    const page = await (await ask(wish())).text();
    expect(page).toContain("Tradewind asks for access");
    expect(page).toContain("Place, cancel or modify orders");
    expect(page).toContain(`${paper.account_number} (Paper &lt;1&gt;)`);
    for (const hidden of [live.account_number, "On the practice market"]) expect(page).not.toContain(hidden);
    expect(await (await ask(wish({ env: undefined }))).text()).toMatch(/paper_account.*live_account/s);
  });

  it.each([
    ["an unknown client", { client_id: "another" }],
    ["an address that is not registered", { redirect_uri: `${REDIRECT}/elsewhere` }],
    ["no address", { redirect_uri: undefined }],
  ])("redirects no caller for %s", async (_, changes) => {
    const answer = await ask(wish(changes));
    expect([answer.status, answer.headers.get("location")]).toEqual([400, null]);
  });

  it.each([
    ["unsupported_response_type", { response_type: "token" }],
    ["invalid_scope", { scope: "trading everything" }],
    ["invalid_request", { env: "moon" }],
  ])("sends back %s with the state", async (error, changes) => {
    const answer = await ask(wish(changes));
    expect(answer.headers.get("location")).toBe(`${REDIRECT}?error=${error}&state=a-state`);
  });

  it("sends back access_denied when the person refuses, and no account that was not offered is taken", async () => {
    const denied = wish();
    denied.append("decision", "deny");
    expect((await answerWith(denied)).headers.get("location")).toBe(`${REDIRECT}?error=access_denied&state=a-state`);
    const other = wish();
    other.append("decision", "allow");
    other.append("paper_account", live.id);
    expect((await answerWith(other)).status).toBe(400);
  });
});

describe("the exchange of a code", () => {
  it("answers a token once, as the document shows it", async () => {
    const code = await codeFor();
    const answer = await exchangeCode(code);
    expect(answer).toMatchObject({
      status: 200,
      json: { token_type: "bearer", scope: "account:write trading data" },
    });
    expect(Object.keys(answer.json)).toEqual(["access_token", "token_type", "scope"]);
    expect(answer.headers.get("cache-control")).toBe("no-store");
    expect(await exchangeCode(code)).toMatchObject({ status: 400, json: { error: "invalid_grant" } });
  });

  it.each([
    [400, "unsupported_grant_type", { grant_type: "password" }],
    [401, "invalid_client", { client_secret: "another" }],
    [401, "invalid_client", { client_id: "another" }],
    [400, "invalid_grant", { redirect_uri: "https://tradewind.example/" }],
    [400, "invalid_request", { client_secret: "" }],
  ])("refuses with %i %s", async (status, error, changes) => {
    expect(await exchangeCode(await codeFor(), changes)).toMatchObject({ status, json: { error } });
  });

  it("takes forms alone", async () => {
    const answer = await fetch(`${exchange.url}/oauth/token`, { method: "POST", body: "{}" });
    expect([answer.status, await answer.json()]).toMatchObject([400, { error: "invalid_request" }]);
  });

  it("takes no code after a minute", async () => {
    const code = await codeFor();
    const now = performance.now();
    vi.spyOn(performance, "now").mockReturnValue(now + 60_001);
    expect(await exchangeCode(code)).toMatchObject({ status: 400, json: { error: "invalid_grant" } });
  });
});

describe("a token", () => {
  it("reads, trades, listens and reads data at the address of its environment", async () => {
    const token = await tokenFor();
    const account = (await (await call(token, "/v2/account")).json()) as { id: string };
    expect(account.id).toBe(paper.id);
    expect(await statusOf(token, "/v2/orders", ORDER)).toBe(200);
    expect(await statusOf(token, "/v2/stocks/SPY/trades/latest")).toBe(200);
    expect(await authenticate(token)).toContain('"authorized"');
    expect(await streamSays("/v2/iex", { action: "auth", key: "oauth", secret: token })).toContain("authenticated");
    expect(await statusOf(token, "/v2/account", {}, exchange.liveUrl ?? "")).toBe(401);
  });

  it("may stand for one account of each environment", async () => {
    const token = await tokenFor({ env: undefined }, { live_account: live.id });
    const ids = await Promise.all(
      [exchange.url, exchange.liveUrl ?? ""].map(async (at) => {
        return ((await (await call(token, "/v2/account", {}, at)).json()) as { id: string }).id;
      }),
    );
    expect(ids).toEqual([paper.id, live.id]);
  });

  it.each([
    ["no scope reads", undefined, { account: 200, order: 403, watchlist: 403, data: 403 }],
    ["trading trades", "trading", { account: 200, order: 200, watchlist: 403, data: 403 }],
    ["data reads data", "data", { account: 200, order: 403, watchlist: 403, data: 200 }],
    ["account:write writes lists", "account:write", { account: 200, order: 403, watchlist: 200, data: 403 }],
  ])("with %s, and no more", async (_, scope, may) => {
    const token = await tokenFor({ scope });
    const list = { method: "POST", body: JSON.stringify({ name: `list of ${scope}`, symbols: [] }) };
    expect({
      account: await statusOf(token, "/v2/account"),
      order: await statusOf(token, "/v2/orders", ORDER),
      watchlist: await statusOf(token, "/v2/watchlists", list),
      data: await statusOf(token, "/v2/stocks/SPY/trades/latest"),
    }).toEqual(may);
  });

  it("that was revoked opens nothing, and what it had open is cut", async () => {
    const [token, other] = [await tokenFor(), await tokenFor()];
    const socket = new WebSocket(`${exchange.url.replace("http", "ws")}/stream`);
    const closed = new Promise((resolve) => socket.on("close", resolve));
    await new Promise((resolve) => socket.on("open", resolve));
    socket.send(JSON.stringify({ action: "authenticate", data: { oauth_token: token } }));
    await new Promise((resolve) => socket.on("message", resolve));
    const ofToken = await reader({ key: "oauth", secret: token });
    const ofKeys = await reader({ key: paper.key_id, secret: paper.secret });
    expect(await control("/oauth/revoke", { access_token: token })).toEqual({ revoked: 1 });
    await Promise.all([closed, ofToken.closed]);
    // What the account's own keys have open is none of the token's.
    await exchange.control.clock({ advanceMinutes: 1 });
    await ofKeys.heard('"T":"b"');
    ofKeys.socket.terminate();
    expect(await statusOf(token, "/v2/account")).toBe(401);
    expect(await statusOf(token, "/v2/stocks/SPY/trades/latest")).toBe(401);
    expect(await authenticate(token)).toContain('"unauthorized"');
    expect(await statusOf(other, "/v2/account")).toBe(200);
    const scopes = ["account:write", "trading", "data"];
    const { tokens } = await control("/oauth/tokens");
    expect(tokens).toContainEqual({ access_token: other, client_id: CLIENT.client_id, scopes });
    expect(JSON.stringify(tokens)).not.toContain(token);
    await control("/oauth/revoke", { account_number: paper.account_number });
    await control("/oauth/revoke", { account_number: paper.account_number });
    expect(await statusOf(other, "/v2/account")).toBe(401);
  });
});
