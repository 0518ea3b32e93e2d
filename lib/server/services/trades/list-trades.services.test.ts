import { randomUUID } from "node:crypto";
import { beforeAll, describe, expect, it } from "vitest";
import { GET } from "@/app/api/v1/trades/route.ts";
import { GET as getAll } from "@/app/api/v1/admin/all-trades/route.ts";
import { GET as getSummary } from "@/app/api/v1/portfolio/summary/route.ts";
import { GET as getPositions } from "@/app/api/v1/portfolio/positions/route.ts";
import { GET as getEquity } from "@/app/api/v1/portfolio/equity/route.ts";
import { GET as getFile } from "@/app/api/v1/trades/export/route.ts";
import { GET as getAllFile } from "@/app/api/v1/admin/all-trades/export/route.ts";
import * as one from "@/app/api/v1/trades/[id]/route.ts";
import type { SideName } from "@/lib/domain/enums.ts";
import { withReplica } from "@/lib/proof/fixtures/replica.ts";
import { callDoor } from "@/lib/proof/call-door.ts";
import { makeAccount, makeSignIn, makeUser, type MadeUser } from "@/prisma/factories.ts";
import { money, text } from "@/lib/domain/money.ts";
import { db } from "../../db.ts";

interface Body {
  success: boolean;
  error: string | null;
  data: {
    trades: {
      id: string;
      symbol: string;
      status: string;
      side: string;
      filledQuantity: number;
      averagePrice: number | null;
      totalValue: number;
      reason: string | null;
      createdAt: string;
    }[];
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
    side?: SideName;
    status?: "FILLED" | "NEW" | "CANCELED" | "REJECTED";
    parentId?: string;
    role?: "EXTERNAL" | "STOP" | "TARGET";
    account?: string;
    qty?: string;
    price?: string;
  },
): Promise<string> {
  const isFilled = (row.status ?? "FILLED") === "FILLED";
  const { qty = "10", price = "100.10" } = row;
  const order = await db().order.create({
    data: {
      accountId: row.account ?? accountId,
      origin: "EXTERNAL",
      role: row.role ?? "EXTERNAL",
      parentId: row.parentId ?? null,
      brokerOrderId: randomUUID(),
      clientOrderId: randomUUID(),
      symbol: row.symbol,
      side: row.side ?? "BUY",
      orderClass: "SIMPLE",
      type: "MARKET",
      timeInForce: "day",
      qty,
      status: row.status ?? "FILLED",
      brokerStatus: (row.status ?? "FILLED").toLowerCase(),
      filledQty: isFilled ? qty : "0",
      filledAvgPrice: isFilled ? price : null,
      filledValue: isFilled ? text(money(qty).times(price).toDecimalPlaces(9)) : "0",
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

it.each([
  "",
  "?symbol=A",
  "?startDate=2020-02-03&endDate=2020-02-03",
  "?status=FILLED&startDate=2020-02-03T15:01:00.000Z",
])("who has no account yet has no trades: %s", async (query) => {
  const newcomer = await makeSignIn(db(), await makeUser(db()));
  const { status, body } = await ask(query, newcomer);
  expect(status).toBe(200);
  expect(body.data).toMatchObject({ trades: [], summary: { totalTrades: 0, totalVolume: 0, winningTrades: 0 } });
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

  it("counts no protective order that never filled, alone or a leg, and counts one that filled", async () => {
    const person = await makeUser(db());
    const account = (await makeAccount(db(), person.id)).id;
    const sell = { symbol: "PROT", side: "SELL", account } as const;
    await makeOrder(0, { symbol: "PROT", account });
    for (const status of ["CANCELED", "REJECTED", "NEW"] as const) {
      const pair = await makeOrder(1, { ...sell, status, role: "TARGET" });
      await makeOrder(1, { ...sell, status, role: "STOP", parentId: pair });
    }
    const filled = await makeOrder(2, { ...sell, role: "STOP" });
    const bearer = await makeSignIn(db(), person);
    const { trades, summary } = (await ask("", bearer)).body.data;
    expect(trades.map(({ side }) => side)).toEqual(["SELL", "BUY"]);
    expect(trades[0]?.id).toBe(filled);
    expect(summary).toMatchObject({ totalTrades: 2, filledTrades: 2, averageTradeSize: 1001 });
    expect((await ask("?status=CANCELLED", bearer)).body.data.summary.totalTrades).toBe(0);
    expect((await ask("?status=REJECTED&symbol=PRO", bearer)).body.data.trades).toEqual([]);
    await db().account.delete({ where: { id: account } });
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
    ["?sort=colour", "sort"],
    ["?direction=up", "direction"],
    ["?colour=red", ""],
  ])("refuses %s with a sentence and the field's name", async (query, path) => {
    const { status, body } = await ask(query);
    expect(status).toBe(400);
    expect(body.error).toMatch(/\w+.*\.|\w/);
    if (path) expect(body.issues?.map((issue) => issue.path)).toContain(path);
  });

  it("is closed to people without a sign-in, and all trades to all users but administrators", async () => {
    expect((await ask("", null)).status).toBe(401);
    expect((await ask("", token, getAll)).status).toBe(403);
    const admin = await makeUser(db(), { role: "ADMIN" });
    const { status, body } = await ask("?symbol=SECRET", await makeSignIn(db(), admin), getAll);
    expect(status).toBe(200);
    expect(body.data.trades).toHaveLength(1);
  });
});

/** The list page by page. */
async function walk(query: string): Promise<Body["data"]["trades"]> {
  const seen: Body["data"]["trades"] = [];
  for (let cursor = ""; ;) {
    const { body } = await ask(`?limit=4&${query}${cursor}`);
    seen.push(...body.data.trades);
    if (body.data.pagination.nextCursor === null) return seen;
    cursor = `&cursor=${body.data.pagination.nextCursor}`;
  }
}

describe("sorting", () => {
  const KEYS: Record<string, (trade: Body["data"]["trades"][number]) => string | number> = {
    date: ({ createdAt }) => createdAt,
    symbol: ({ symbol }) => symbol,
    quantity: ({ filledQuantity }) => filledQuantity,
    price: ({ averagePrice }) => averagePrice ?? 0,
    total: ({ totalValue }) => totalValue,
  };
  const cases = Object.keys(KEYS).flatMap((sort) => [`sort=${sort}&direction=asc`, `sort=${sort}&direction=desc`]);

  beforeAll(async () => {
    const second = await makeAccount(db(), owner.id);
    await makeOrder(4, { symbol: "ZM", account: second.id, qty: "3", price: "9.123456789" });
    await makeOrder(5, { symbol: "ABBV", account: second.id, qty: "30", price: "250.5" });
    await makeOrder(40, { symbol: "MSFT", account: second.id, qty: "0.333333333", price: "9.12" });
  });

  it.each(cases)("%s stands in order across pages and accounts, each trade once", async (query) => {
    const [, sort = "", direction = ""] = /sort=(\w+)&direction=(\w+)/.exec(query) ?? [];
    const trades = await walk(query);
    expect(new Set(trades.map(({ id }) => id)).size).toBe(14);
    expect(trades).toHaveLength(14);
    const keys = trades.map((trade) => (KEYS[sort] ?? (() => ""))(trade));
    const inOrder = [...keys].sort((a, b) => (a < b ? -1 : a > b ? 1 : 0));
    expect(keys).toEqual(direction === "asc" ? inOrder : inOrder.reverse());
  });

  it("a cursor of one order is no place in another", async () => {
    const { body } = await ask("?limit=2&sort=price");
    for (const other of ["sort=date", "sort=price&direction=asc", "sort=total"]) {
      const refused = await ask(`?limit=2&${other}&cursor=${body.data.pagination.nextCursor}`);
      expect(refused.status).toBe(400);
      expect(refused.body.issues?.map(({ path }) => path)).toEqual(["cursor"]);
    }
  });

  it.each(["0000-01-01T00:00:00.000Z", "2026-02-31T00:00:00.000Z"])(
    "a cursor of a time that the database has none of (%s) is refused with a sentence",
    async (at) => {
      const cursor = Buffer.from(`date|desc|${randomUUID()}|${at}`).toString("base64url");
      const refused = await ask(`?limit=2&cursor=${cursor}`);
      expect(refused.status).toBe(400);
      expect(refused.body.issues?.map(({ path }) => path)).toEqual(["cursor"]);
    },
  );
});

describe("the kept totals", () => {
  const counted = () => db().$queryRaw`
    select "accountId"::text, count(*)::int as "trades", count(*) filter (where "status" = 'FILLED')::int as "filled", sum("filledValue")::text as "volume"
    from "Order" where "filledQty" > 0 or ("parentId" is null and "role" not in ('STOP', 'TARGET')) group by 1 order by 1`;
  const kept = () => db().$queryRaw`
    select "accountId"::text, "trades", "filledTrades" as "filled", "volume"::text from "TradeTotals" where "trades" > 0 order by 1`;

  it("follows every change of an order, alone and many at once", async () => {
    const account = (await makeAccount(db(), owner.id)).id;
    const entry = await makeOrder(1, { symbol: "TALLY", account });
    const leg = await makeOrder(2, { symbol: "TALLY", account, parentId: entry, status: "NEW", side: "SELL" });
    expect(await kept()).toEqual(await counted());
    await db().order.update({
      where: { id: leg },
      data: { status: "FILLED", filledQty: "10", filledAvgPrice: "3", filledValue: "30" },
    });
    expect(await kept()).toEqual(await counted());
    await db().order.update({ where: { id: leg }, data: { brokerStatus: "a word", filledValue: "31" } });
    expect(await kept()).toEqual(await counted());
    await db().order.updateMany({ where: { accountId: account }, data: { symbol: "OTHER" } });
    expect(await kept()).toEqual(await counted());
    await db().order.delete({ where: { id: leg } });
    expect(await kept()).toEqual(await counted());
    await db().account.delete({ where: { id: account } });
    expect(await kept()).toEqual(await counted());
  });

  it("sum as the trades themselves do", async () => {
    const fromTotals = (await ask("")).body.data.summary;
    const period = "startDate=2020-02-03T06:00:00Z&endDate=2020-02-04T04:00:00Z";
    expect((await ask(`?${period}`)).body.data.summary).toEqual(fromTotals);
  });
});

describe("the export", () => {
  const download = (query = "", bearer = token, handler: typeof GET = getFile) =>
    handler(
      new Request(`http://localhost/api/v1/trades/export${query}`, { headers: { authorization: `Bearer ${bearer}` } }),
      { params: Promise.resolve({}) },
    );
  const lines = async (response: Response) => (await response.text()).trimEnd().split("\r\n");

  it("is a CSV file of the list as it is filtered and sorted, with exact figures", async () => {
    const bytes = new Uint8Array(await (await download("?symbol=MSFT")).arrayBuffer());
    expect([...bytes.slice(0, 3)], "marked as UTF-8 for spreadsheets").toEqual([0xef, 0xbb, 0xbf]);
    const response = await download("?symbol=MSFT&sort=quantity&direction=asc");
    expect(response.headers.get("content-type")).toBe("text/csv; charset=utf-8");
    expect(response.headers.get("content-disposition")).toMatch(
      /^attachment; filename="trades-practice-\d{4}-\d\d-\d\d\.csv"$/,
    );
    const [head, first, ...rest] = await lines(response);
    expect(head).toMatch(/^Trade ID,Symbol,Side,Quantity,Price,Total Value,Status,Date,/);
    expect(first).toMatch(/,MSFT,BUY,0\.333333333,9\.12,/);
    expect(first, "an account without a name is told by its key").toMatch(/,Practice account \w+…,PRACTICE$/);
    expect(rest).toHaveLength(7);
  });

  it("is read from the replica where there is one, and is recorded in the database itself", async () => {
    const exports = () => db().auditEvent.count({ where: { eventType: "TRADES_EXPORTED" } });
    const before = await exports();
    const asked = await withReplica(async () => {
      expect(await lines(await download("?symbol=MSFT"))).toHaveLength(9);
    });
    expect(asked).not.toEqual([]);
    expect(await exports()).toBe(before + 1);
  });

  it("holds no other user's trades, and no formula", async () => {
    const account = (await makeAccount(db(), owner.id, { name: "=HYPERLINK(1)" })).id;
    await makeOrder(50, { symbol: "CSV", account });
    const text = await (await download()).text();
    expect(text).not.toContain("SECRET");
    expect(text).toContain(",'=HYPERLINK(1),PRACTICE");
    await db().account.delete({ where: { id: account } });
  });

  it("of all users has whose trade it was, for administrators only, and leaves a trace", async () => {
    expect((await download("", token, getAllFile)).status).toBe(403);
    const admin = await makeUser(db(), { role: "ADMIN" });
    const [head = "", ...rows] = await lines(
      await download("?symbol=SECRET", await makeSignIn(db(), admin), getAllFile),
    );
    expect(head).toMatch(/First Name,Last Name,Email$/);
    expect(rows).toHaveLength(1);
    expect(rows[0]).toMatch(/,Ada,Lovelace,user-/);
    const trace = await db().auditEvent.findFirstOrThrow({ where: { actorUserId: admin.id } });
    expect(trace).toMatchObject({ eventType: "TRADES_EXPORTED", data: { scope: "all" } });
  });

  it("is made one at a time", async () => {
    const open = await download();
    expect((await download()).status).toBe(409);
    await open.body?.cancel();
    expect((await download()).status).toBe(200);
  });

  it("refuses a period that ends before it begins", async () => {
    expect((await download("?startDate=2020-02-04&endDate=2020-02-03")).status).toBe(400);
  });
});

it("an order that is not ours says that nothing decided it", async () => {
  const [trade] = (await ask("?symbol=TSLA&status=REJECTED")).body.data.trades;
  const { json } = await callDoor(one, "GET", { token, params: { id: trade?.id ?? "" } });
  expect(json?.data).toMatchObject({
    isOwn: true,
    order: { origin: "EXTERNAL" },
    intent: null,
    decision: null,
    verdicts: [],
    slippage: null,
    slippageReason: "Tradewind did not decide this order, so there is no decision price.",
    timeline: [
      { kind: "accepted", title: "Placed at the broker" },
      { kind: "ended", isBad: true },
    ],
    trip: null,
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
