import { randomUUID } from "node:crypto";
import path from "node:path";
import { strFromU8, unzipSync } from "fflate";
import { beforeAll, describe, expect, it } from "vitest";
import * as z from "zod";
import { allEndpoints } from "@/lib/contracts/api.ts";
import type { Environment } from "@/lib/domain/enums.ts";
import { db } from "@/lib/server/db.ts";
import { dateOf } from "@/lib/server/rows.ts";
import { makeAccount, makeSignIn, makeUser } from "@/prisma/factories.ts";
import { callDoor, type Door } from "@/lib/proof/call-door.ts";

/** What stands for an environment in every answer about it, and the equity of its account. */
const MONEY = {
  PRACTICE: { symbol: "MSFT", equity: 100_678 },
  PAPER: { symbol: "TSLA", equity: 100_000 },
} as const;
type Held = keyof typeof MONEY;

const AT = new Date("2020-02-03T15:00:00Z");

let [token, adminToken, paperId] = ["", "", ""];

const doorOf = async (address: string) =>
  (await import(
    path.join(import.meta.dirname, address.slice(1).replaceAll("{", "[").replaceAll("}", "]"), "route.ts")
  )) as Door;

/** A position, a filled order, a round trip, a decision and two points of the equity line. */
async function writeMoney(accountId: string, environment: Held): Promise<void> {
  const { symbol, equity } = MONEY[environment];
  const market = environment === "PRACTICE" ? "PRACTICE" : "US";
  await db().accountFigures.update({
    where: { accountId },
    data: { equity, cash: equity, buyingPower: equity, netDeposits: equity, asOf: AT },
  });
  const point = { accountId, equity, netDeposits: equity };
  await db().equityPoint.createMany({
    data: [
      { ...point, at: new Date("2020-01-31T21:00:00Z"), sessionDate: dateOf("2020-01-31"), isClose: true },
      { ...point, at: AT, sessionDate: dateOf("2020-02-03"), isClose: false },
    ],
  });
  await db().position.create({
    data: { accountId, symbol, qty: "2", avgEntryPrice: "90", currentPrice: "100", marketValue: "200", openedAt: AT },
  });
  await db().order.create({
    data: {
      ...{ accountId, symbol, origin: "EXTERNAL", role: "EXTERNAL", side: "BUY", orderClass: "SIMPLE", type: "MARKET" },
      ...{ timeInForce: "day", qty: "2", status: "FILLED", brokerStatus: "filled", filledQty: "2" },
      ...{ filledAvgPrice: "90", filledValue: "180", submittedAt: AT, tradedAt: AT, brokerUpdatedAt: AT },
      ...{ brokerOrderId: randomUUID(), clientOrderId: randomUUID() },
    },
  });
  await db().roundTrip.create({
    data: {
      ...{ accountId, symbol, openedAt: new Date("2020-01-30T15:00:00Z"), closedAt: AT, qtyBought: "1", qtySold: "1" },
      ...{ entryValue: "90", exitValue: "95", pnl: "5", outcome: "WIN" },
    },
  });
  const policyVersion = "environment";
  await db().policyVersion.upsert({
    where: { version: policyVersion },
    create: { version: policyVersion, content: {}, status: "RETIRED" },
    update: {},
  });
  await db().marketSnapshot.create({ data: { id: symbol, market, asOf: AT, content: {} } });
  const cycle = await db().cycle.create({ data: { market, startedAt: AT, sessionDate: dateOf("2020-02-03") } });
  await db().decisionRecord.create({
    data: {
      ...{ accountId, cycleId: cycle.id, snapshotId: symbol, policyVersion, engineVersion: "1", decidedAt: AT },
      ...{ inputHash: "", outputHash: "", accountState: {}, line: `10:00: ${symbol}` },
      plan: { counts: { screened: 1, seated: 1, signals: 1, orders: 0 } },
    },
  });
}

beforeAll(async () => {
  const user = await makeUser(db());
  token = await makeSignIn(db(), user);
  await writeMoney((await makeAccount(db(), user.id)).id, "PRACTICE");
  paperId = (await makeAccount(db(), user.id, { broker: "ALPACA" })).id;
  await writeMoney(paperId, "PAPER");
  // Not confirmed: it trades nothing and is no reason to show LIVE.
  const live = await makeAccount(db(), user.id, { broker: "ALPACA", environment: "LIVE" });
  await db().account.update({ where: { id: live.id }, data: { status: "INACTIVE", liveConfirmedAt: null } });
  adminToken = await makeSignIn(db(), await makeUser(db(), { role: "ADMIN" }));
  await db().featureFlag.createMany({
    data: (["development", "staging", "production"] as const).map((environment) => ({
      ...{ name: "ai_insights", environment, enabled: true },
    })),
    skipDuplicates: true,
  });
});

/** The endpoints that take an environment, by the promise itself. */
const ofMoney = allEndpoints.filter(
  ({ input, method }) =>
    method === "GET" && input instanceof z.ZodObject && Object.keys(input.shape as object).includes("environment"),
);

/** Those of money that cannot be asked in this test: the market's clock is not there. */
const CLOCK = ["/automation/market"];
/** Of one symbol, which stands in every answer; and its bars, which are no money. */
const OF_SYMBOL = ["/symbols/{symbol}", "/symbols/{symbol}/bars"];
const FILES = ["/trades/export", "/admin/all-trades/export", "/logs/export"];

it("every endpoint about money takes an environment, and says which it answers for and which there are", () => {
  expect(ofMoney.map(({ path: address }) => address).sort()).toMatchInlineSnapshot(`
    [
      "/admin/all-trades",
      "/admin/all-trades/export",
      "/admin/metrics",
      "/admin/trading-success-rate",
      "/automation/heartbeat",
      "/automation/market",
      "/decisions",
      "/insight/daily",
      "/insight/today",
      "/logs/daily-review",
      "/logs/export",
      "/performance",
      "/performance/markers",
      "/performance/trips",
      "/performance/weeks",
      "/performance/weeks/{week}",
      "/portfolio/equity",
      "/portfolio/position-lines",
      "/portfolio/positions",
      "/portfolio/summary",
      "/symbols/{symbol}",
      "/symbols/{symbol}/bars",
      "/trades",
      "/trades/export",
    ]
  `);
  const silent = ofMoney.filter(
    ({ output }) => !(output instanceof z.ZodObject) || !Object.keys(output.shape as object).includes("environments"),
  );
  // Files name it in their rows, their name or their manifest; positions each name theirs; a clock is no money.
  expect(silent.map(({ path: address }) => address).sort()).toEqual(
    [...FILES, ...CLOCK, "/portfolio/positions", "/symbols/{symbol}/bars"].sort(),
  );
});

/** What an address names beside the environment. */
const paramsOf = (address: string) => (address.includes("{week}") ? { week: "2026-11-16" } : {});
const tokenFor = (address: string) => (address.startsWith("/admin/") ? adminToken : token);

it.each(ofMoney.map(({ path: address }) => address))(
  "%s refuses an environment that there is not (400)",
  async (address) => {
    for (const wrong of ["DEMO", "paper", ""]) {
      const query = `environment=${wrong}`;
      const asked = { token: tokenFor(address), query, params: { symbol: "SPY", ...paramsOf(address) } };
      const { status, json } = await callDoor(await doorOf(address), "GET", asked);
      expect({ status, path: json?.issues?.[0]?.path }, query).toEqual({ status: 400, path: "environment" });
    }
  },
);

const expectOnly = (text: string, environment: Held) => {
  const other = environment === "PAPER" ? "PRACTICE" : "PAPER";
  expect(text).not.toContain(MONEY[other].symbol);
  expect(text).not.toContain(String(MONEY[other].equity));
  expect(text).not.toContain("200678");
};

describe.each(
  ofMoney
    .map(({ path: address }) => address)
    .filter((address) => ![...CLOCK, ...FILES, ...OF_SYMBOL].includes(address)),
)("%s", (address) => {
  const ask = async (environment?: Environment) => {
    const query = environment === undefined ? "" : `environment=${environment}`;
    const { status, text, json } = await callDoor(await doorOf(address), "GET", {
      token: tokenFor(address),
      query,
      params: paramsOf(address),
    });
    expect(status, text).toBe(200);
    return { text, data: json?.data as unknown as { environment: Environment; environments: Environment[] } };
  };

  it("answers for one environment, unasked for the most real one with an active account", async () => {
    const [unasked, paper, practice] = [await ask(), await ask("PAPER"), await ask("PRACTICE")];
    expect(unasked.data).toEqual(paper.data);
    expectOnly(paper.text, "PAPER");
    expectOnly(practice.text, "PRACTICE");
    if (address === "/portfolio/positions") return;
    expect(paper.data).toMatchObject({ environment: "PAPER", environments: ["PAPER", "PRACTICE"] });
    expect(practice.data).toMatchObject({ environment: "PRACTICE", environments: ["PAPER", "PRACTICE"] });
  });

  it("has nothing of an environment without an account", async () => {
    const { text, data } = await ask("LIVE");
    expectOnly(text, "PAPER");
    expectOnly(text, "PRACTICE");
    if (address !== "/portfolio/positions") expect(data.environment).toBe("LIVE");
  });
});

it("the portfolio of a practice and a paper account is 100,678 or 100,000, and never both", async () => {
  const summary = await doorOf("/portfolio/summary");
  for (const environment of ["PRACTICE", "PAPER"] as const) {
    const { symbol, equity } = MONEY[environment];
    const { json } = await callDoor(summary, "GET", { token, query: `environment=${environment}` });
    expect(json?.data).toMatchObject({ totalValue: equity, cash: equity, accounts: [{ isInSums: true }] });
    expect(json?.data).toMatchObject({ positions: [{ symbol, environmentLabel: environment }] });
  }
});

it("what is held and traded of a symbol is shown for one environment alone", async () => {
  const door = await doorOf("/symbols/{symbol}");
  for (const environment of ["PAPER", "PRACTICE"] as const) {
    const { symbol } = MONEY[environment];
    for (const asked of ["PAPER", "PRACTICE"] as const) {
      const { json } = await callDoor(door, "GET", { token, query: `environment=${asked}`, params: { symbol } });
      const { positions = [], trades = [] } = (json?.data ?? {}) as { positions?: unknown[]; trades?: unknown[] };
      const own = asked === environment ? 1 : 0;
      expect([positions.length, trades.length], `${symbol}, ${asked}`).toEqual([own, own]);
    }
  }
});

it("trades of one environment are summed, the user's own and all users'", async () => {
  for (const address of ["/trades", "/admin/all-trades"]) {
    for (const query of ["", "environment=PRACTICE"]) {
      const { json } = await callDoor(await doorOf(address), "GET", { token: tokenFor(address), query });
      const summary = { totalTrades: 1, totalVolume: 180, winningTrades: 1 };
      expect(json?.data, `${address} ${query}`).toMatchObject({ summary, trades: [{}] });
    }
  }
});

it.each(["/trades/export", "/admin/all-trades/export"])(
  "%s is a file of one environment, named after it",
  async (address) => {
    for (const environment of ["PAPER", "PRACTICE"] as const) {
      const query = environment === "PAPER" ? "" : `environment=${environment}`;
      const file = await callFile(address, query);
      expect(file.name).toMatch(new RegExp(`^trades-${environment.toLowerCase()}-\\d{4}-\\d\\d-\\d\\d\\.csv$`));
      expect(file.bytes.toString()).toContain(MONEY[environment].symbol);
      expectOnly(file.bytes.toString(), environment);
    }
  },
);

it("reports.zip holds what was traded and held in one environment, and its manifest says in which", async () => {
  for (const environment of ["PAPER", "PRACTICE"] as const) {
    const { bytes } = await callFile("/logs/export", environment === "PAPER" ? "" : `environment=${environment}`);
    const files = Object.entries(unzipSync(bytes)).map(([name, content]) => [name, strFromU8(content)] as const);
    const manifest = JSON.parse(files.find(([name]) => name === "manifest.json")?.[1] ?? "") as object;
    expect(manifest).toMatchObject({ environment, environments: ["PAPER", "PRACTICE"] });
    for (const [name, content] of files) {
      if (["trades.csv", "round-trips.csv", "positions.csv"].includes(name))
        expect(content, name).toContain(MONEY[environment].symbol);
      if (name !== "audit.csv" && name !== "logs.csv") expectOnly(content, environment);
    }
  }
});

it("decisions of an account are found without its environment being named", async () => {
  const [practice] = await db().account.findMany({ where: { broker: "PRACTICE" } });
  const query = `accountId=${practice?.id}`;
  const { json } = await callDoor(await doorOf("/decisions"), "GET", { token, query });
  expect(json?.data).toMatchObject({ environment: "PRACTICE", decisions: [{ account: { id: practice?.id } }] });
});

/** Last: the paper account goes. */
it("what was traded in an account that was removed can still be asked for, and is no longer shown unasked", async () => {
  await db().account.update({
    where: { id: paperId },
    data: { deletedAt: new Date(), sealedKeys: null, keyPrefix: null, status: "INACTIVE" },
  });
  const ask = async (address: string, query = "") =>
    (await callDoor(await doorOf(address), "GET", { token, query })).json?.data;
  expect(await ask("/portfolio/summary")).toMatchObject({ environment: "PRACTICE", environments: ["PRACTICE"] });
  expect(await ask("/trades")).toMatchObject({ environment: "PRACTICE", environments: ["PAPER", "PRACTICE"] });
  expect(await ask("/trades", "environment=PAPER")).toMatchObject({ trades: [{ symbol: "TSLA" }] });
});

async function callFile(address: string, query: string): Promise<{ name: string; bytes: Buffer }> {
  const handler = (await doorOf(address)).GET;
  if (!handler) throw new Error(`${address} has no GET`);
  const request = new Request(`http://localhost/api/v1${address}?${query}`, {
    headers: { authorization: `Bearer ${tokenFor(address)}` },
  });
  const response = await handler(request, { params: Promise.resolve({}) });
  expect(response.status).toBe(200);
  const name = /filename="([^"]+)"/.exec(response.headers.get("content-disposition") ?? "")?.[1] ?? "";
  return { name, bytes: Buffer.from(await response.arrayBuffer()) };
}
