/** What an access token opens. The list is reviewed by hand: a new call that a token opens shows up here. */
import { expect, it } from "vitest";
import { READ_OPENS } from "./access-tokens.ts";
import { allEndpoints } from "./api.ts";
import { tokenScopeOf, type Endpoint } from "./endpoint.ts";

const line = ({ method, path }: Endpoint) => `${method} ${path}`;
const opened = allEndpoints.filter((endpoint) => tokenScopeOf(endpoint) !== null);

it("what an access token opens, and with which scope", () => {
  const lines = opened.map((endpoint) => `${line(endpoint)} ${tokenScopeOf(endpoint)}`).sort();
  expect(lines).toMatchInlineSnapshot(`
    [
      "GET /accounts READ",
      "GET /automation/heartbeat READ",
      "GET /automation/market READ",
      "GET /automation/pause READ",
      "GET /backtests READ",
      "GET /backtests/options READ",
      "GET /backtests/{id} READ",
      "GET /backtests/{id}/grid READ",
      "GET /decisions READ",
      "GET /decisions/{id} READ",
      "GET /flags READ",
      "GET /insight/daily READ",
      "GET /insight/decisions/{id} READ",
      "GET /insight/today READ",
      "GET /insight/trades/{id} READ",
      "GET /logs/daily-review READ",
      "GET /logs/tail READ",
      "GET /performance READ",
      "GET /performance/markers READ",
      "GET /performance/trips READ",
      "GET /performance/weeks READ",
      "GET /performance/weeks/{week} READ",
      "GET /portfolio/equity READ",
      "GET /portfolio/position-lines READ",
      "GET /portfolio/positions READ",
      "GET /portfolio/summary READ",
      "GET /positions/requests/{requestId} READ",
      "GET /positions/{accountId}/{symbol} READ",
      "GET /preferences/preview/{id} READ",
      "GET /preferences/strategies READ",
      "GET /preferences/trading READ",
      "GET /symbols/{symbol} READ",
      "GET /symbols/{symbol}/bars READ",
      "GET /trades READ",
      "GET /trades/{id} READ",
      "PATCH /accounts/{id} STEER",
      "POST /automation/pause STEER",
      "POST /automation/resume STEER",
      "POST /positions/{accountId}/{symbol}/sell STEER",
      "POST /positions/{accountId}/{symbol}/tighten-stop STEER",
      "PUT /preferences/trading STEER",
    ]
  `);
});

it("no token opens what is for administrators, what asks for a step-up, or what is about the sign-in", () => {
  const forbidden =
    /^\/(admin|auth|users)\/|^\/preferences\/profile|^\/notifications\/(webhook|push)|^\/accounts\/oauth/;
  expect(opened.filter(({ access }) => access !== "user").map(line)).toEqual([]);
  expect(opened.filter(({ stepUp }) => stepUp === true).map(line)).toEqual([]);
  expect(opened.filter(({ path }) => forbidden.test(path)).map(line)).toEqual([]);
  expect(opened.filter(({ downloadType }) => downloadType !== undefined).map(line)).toEqual([]);
});

/** How the sentence names what READ opens, by the first part of the address; null for what is about no person. */
const NAMED: Record<string, string | null> = {
  accounts: "accounts",
  automation: "the automation's state",
  backtests: "backtests",
  decisions: "decisions",
  flags: null,
  insight: "decisions",
  logs: "log",
  performance: "results",
  portfolio: "positions",
  positions: "positions",
  preferences: "trading preferences",
  symbols: null,
  trades: "trades",
};

it("the sentence that its owner reads names everything that READ opens", () => {
  const nouns = opened.filter(({ method }) => method === "GET").map(({ path }) => path.split("/")[1] ?? "");
  expect([...new Set(nouns)].sort()).toEqual(Object.keys(NAMED).sort());
  for (const words of Object.values(NAMED)) expect(READ_OPENS).toContain(words ?? "");
});

it("a write is opened by STEER alone, and only where its contract says so", () => {
  const writes = opened.filter(({ method }) => method !== "GET");
  expect(writes.length).toBeGreaterThan(3);
  for (const endpoint of writes)
    expect([line(endpoint), endpoint.token, tokenScopeOf(endpoint)]).toEqual([line(endpoint), "STEER", "STEER"]);
});

it("says nothing where it would change nothing", () => {
  const isIdle = ({ access, method, stepUp, token }: Endpoint) =>
    token !== undefined && (access !== "user" || stepUp === true || (token === "NONE") !== (method === "GET"));
  expect(allEndpoints.filter(isIdle).map(line)).toEqual([]);
});
