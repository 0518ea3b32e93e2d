import { randomUUID } from "node:crypto";
import { beforeAll, describe, expect, it } from "vitest";
import { GET } from "@/app/api/v1/trades/route.ts";
import { GET as getAll } from "@/app/api/v1/admin/all-trades/route.ts";
import { GET as getSummary } from "@/app/api/v1/portfolio/summary/route.ts";
import { GET as getPositions } from "@/app/api/v1/portfolio/positions/route.ts";
import { GET as getEquity } from "@/app/api/v1/portfolio/equity/route.ts";
import { makeAccount, makeSignIn, makeUser, type MadeUser } from "@/prisma/factories.ts";
import { db } from "../../db.ts";

interface Body {
  success: boolean;
  error: string | null;
  data: {
    trades: { id: string; symbol: string; status: string; side: string; totalValue: number; reason: string | null }[];
    summary: {
      totalTrades: number;
      filledTrades: number;
      totalVolume: number;
      averageTradeSize: number;
      winningTrades: number;
      losingTrades: number;
    };
    pagination: { nextCursor: string | null; total: number };
  };
  issues?: { path: string }[];
}

let owner: MadeUser;
let token: string;
let accountId: string;

async function ask(
  query: string,
  bearer: string | null = token,
  handler = GET,
): Promise<{ status: number; body: Body }> {
  const request = new Request(
    `http://localhost/api/v1/trades${query}`,
    bearer ? { headers: { authorization: `Bearer ${bearer}` } } : {},
  );
  const response = await handler(request, { params: Promise.resolve({}) });
  return { status: response.status, body: (await response.json()) as Body };
}

async function makeOrder(
  index: number,
  row: {
    symbol: string;
    side?: "BUY" | "SELL";
    status?: "FILLED" | "NEW" | "CANCELED" | "REJECTED";
    parentId?: string;
    account?: string;
  },
): Promise<string> {
  const isFilled = (row.status ?? "FILLED") === "FILLED";
  const order = await db().order.create({
    data: {
      accountId: row.account ?? accountId,
      origin: "EXTERNAL",
      role: "EXTERNAL",
      parentId: row.parentId ?? null,
      brokerOrderId: randomUUID(),
      clientOrderId: randomUUID(),
      symbol: row.symbol,
      side: row.side ?? "BUY",
      orderClass: "SIMPLE",
      type: "MARKET",
      timeInForce: "day",
      qty: "10",
      status: row.status ?? "FILLED",
      brokerStatus: (row.status ?? "FILLED").toLowerCase(),
      filledQty: isFilled ? "10" : "0",
      filledAvgPrice: isFilled ? "100.10" : null,
      filledValue: isFilled ? "1001" : "0",
      // Three orders share each moment, so that pages must also order by id.
      submittedAt: new Date("2020-02-03T15:00:00Z"),
      tradedAt: new Date(Date.parse("2020-02-03T15:00:00Z") + Math.floor(index / 3) * 60_000),
      brokerUpdatedAt: new Date("2020-02-03T15:00:00Z"),
    },
  });
  return order.id;
}

beforeAll(async () => {
  owner = await makeUser(db());
  token = await makeSignIn(db(), owner);
  accountId = (await makeAccount(db(), owner.id)).id;
  const parent = await makeOrder(0, { symbol: "AAPL" });
  await makeOrder(0, { symbol: "AAPL", side: "SELL", status: "CANCELED", parentId: parent });
  await makeOrder(1, { symbol: "AAPL", side: "SELL", parentId: parent });
  for (let index = 2; index < 9; index += 1) await makeOrder(index, { symbol: "MSFT" });
  await makeOrder(9, { symbol: "TSLA", status: "NEW" });
  await makeOrder(10, { symbol: "TSLA", status: "REJECTED" });
  const stranger = await makeUser(db());
  await makeOrder(3, { symbol: "SECRET", account: (await makeAccount(db(), stranger.id)).id });
});

describe("trade history", () => {
  it("shows the user's own trades, without resting legs of a bracket, with the true sums", async () => {
    const { status, body } = await ask("");
    expect(status).toBe(200);
    expect(body.data.trades.map((trade) => trade.symbol)).not.toContain("SECRET");
    expect(body.data.summary).toEqual({
      totalTrades: 11,
      filledTrades: 9,
      winningTrades: 0,
      losingTrades: 0,
      totalVolume: 9009,
      averageTradeSize: 819,
    });
    expect(body.data.trades.filter((trade) => trade.status === "CANCELLED")).toEqual([]);
  });

  it("pages through everything once, however many trades share a moment", async () => {
    const seen: string[] = [];
    let cursor: string | null = null;
    do {
      const { body } = await ask(`?limit=2${cursor ? `&cursor=${cursor}` : ""}`);
      seen.push(...body.data.trades.map((trade) => trade.id));
      cursor = body.data.pagination.nextCursor;
    } while (cursor);
    expect(seen).toHaveLength(11);
    expect(new Set(seen).size).toBe(11);
  });

  it.each([
    ["?symbol=aap", ["AAPL"]],
    ["?side=SELL", ["AAPL"]],
    ["?status=PENDING", ["TSLA"]],
    ["?status=REJECTED", ["TSLA"]],
    ["?symbol=&side=&status=FILLED&startDate=2020-02-03&endDate=2020-02-03&symbol", ["AAPL", "MSFT"]],
    ["?startDate=2020-02-04", []],
    ["?endDate=2020-02-02", []],
  ])("filters %s", async (query, symbols) => {
    const { status, body } = await ask(query.replace("&symbol", "&limit=100").replace("?symbol=&", "?"));
    expect(status).toBe(200);
    expect([...new Set(body.data.trades.map((trade) => trade.symbol))].sort()).toEqual(symbols);
  });

  it.each([
    ["?limit=0", "limit"],
    ["?limit=201", "limit"],
    ["?side=HOLD", "side"],
    ["?status=OPEN", "status"],
    ["?startDate=yesterday", "startDate"],
    ["?startDate=2020-02-04&endDate=2020-02-03", "startDate"],
    ["?cursor=nonsense", "cursor"],
    ["?colour=red", ""],
  ])("refuses %s with a sentence and the field's name", async (query, path) => {
    const { status, body } = await ask(query);
    expect(status).toBe(400);
    expect(body.error).toMatch(/\w+.*\.|\w/);
    if (path) expect(body.issues?.map((issue) => issue.path)).toContain(path);
  });

  it("is closed to people without a sign-in, and all trades to everybody but administrators", async () => {
    expect((await ask("", null)).status).toBe(401);
    expect((await ask("", token, getAll)).status).toBe(403);
    const admin = await makeUser(db(), { role: "ADMIN" });
    const { status, body } = await ask("?symbol=SECRET", await makeSignIn(db(), admin), getAll);
    expect(status).toBe(200);
    expect(body.data.trades).toHaveLength(1);
  });
});

describe("portfolio doors", () => {
  it.each([
    ["summary", getSummary],
    ["positions", getPositions],
    ["equity", getEquity],
  ])("%s: 401 without a sign-in, 400 for an unknown field, 200 for the user", async (path, handler) => {
    const call = async (query: string, bearer: string | null) =>
      (
        await handler(
          new Request(
            `http://localhost/api/v1/portfolio/${path}${query}`,
            bearer ? { headers: { authorization: `Bearer ${bearer}` } } : {},
          ),
          { params: Promise.resolve({}) },
        )
      ).status;
    expect(await call("", null)).toBe(401);
    expect(await call("?user=someone", token)).toBe(400);
    expect(await call("", token)).toBe(200);
  });
});
