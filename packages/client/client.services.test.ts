/** The client against the doors of the API, as they answer over HTTP. */
import { beforeEach, expect, it } from "vitest";
import { db } from "@/lib/server/db.ts";
import { exportedHandlers, isServed, parametersOf } from "@/lib/proof/principals/routes.ts";
import { makeAccessToken, makeAccount, makeUser, type MadeUser } from "@/prisma/factories.ts";
import { answerOf, createTradewind, TradewindError } from "./index.mjs";

const routes = (await exportedHandlers()).filter(isServed);

/** Answers a request the way the site does: by the route file of its path. */
async function serve(request: Request): Promise<Response> {
  const { pathname } = new URL(request.url);
  for (const { endpoint, handler, method } of routes) {
    const pattern = new RegExp(`^/api/v1${endpoint.path.replace(/\{\w+\}/g, "([^/]+)")}$`);
    const found = method === request.method ? pattern.exec(pathname) : null;
    if (!found) continue;
    const params = Object.fromEntries(parametersOf(endpoint).map((name, index) => [name, found[index + 1]]));
    return handler(request, { params: Promise.resolve(params) });
  }
  return new Response("<h1>Nothing here</h1>", { status: 404, headers: { "content-type": "text/html" } });
}

let user: MadeUser;
const clientWith = (token: string) => createTradewind({ url: "http://localhost:3000/", token, fetch: serve });

beforeEach(async () => {
  user = await makeUser(db());
});

async function failureOf(call: Promise<unknown>): Promise<TradewindError> {
  const failure = await call.then(
    () => null,
    (error: unknown) => error,
  );
  if (!(failure instanceof TradewindError)) throw new Error("the call was not refused", { cause: failure });
  return failure;
}

it("reads positions with their types", async () => {
  const { id } = await makeAccount(db(), user.id, { broker: "ALPACA", environment: "PAPER" });
  const held = { symbol: "AAPL", qty: 10, avgEntryPrice: "187.5", openedAt: new Date() };
  await db().position.create({ data: { accountId: id, ...held, strategy: "MOMENTUM" } });
  const tradewind = clientWith(await makeAccessToken(db(), user));
  const query = { environment: "PAPER" } as const;
  const positions = await answerOf(tradewind.GET("/portfolio/positions", { params: { query } }));
  const worth = positions.reduce((sum, { quantity, averagePrice }) => sum + quantity * averagePrice, 0);
  expect(positions).toMatchObject([{ accountId: id, symbol: "AAPL", strategy: "MOMENTUM" }]);
  expect(worth).toBe(1_875);
});

it("pauses automation and one account", async () => {
  const { id } = await makeAccount(db(), user.id);
  const tradewind = clientWith(await makeAccessToken(db(), user, { scope: "STEER" }));
  const paused = await answerOf(tradewind.POST("/automation/pause", { body: { reason: "CPI at 8:30" } }));
  expect(paused).toMatchObject({ isPaused: true, reason: "CPI at 8:30" });
  const path = { id };
  await answerOf(tradewind.PATCH("/accounts/{id}", { params: { path }, body: { status: "PAUSED" } }));
  expect(await answerOf(tradewind.GET("/accounts"))).toMatchObject([{ id, status: "PAUSED" }]);
  expect(await answerOf(tradewind.POST("/automation/resume"))).toMatchObject({ isPaused: false });
});

it("throws what was refused, with its code, its sentence and the fields", async () => {
  const reader = clientWith(await makeAccessToken(db(), user));
  const closed = await failureOf(answerOf(reader.POST("/automation/pause", { body: {} })));
  expect(closed).toMatchObject({ status: 403, code: "forbidden", issues: [] });
  expect(closed.message).toContain("may only read");
  expect(closed.requestId).toMatch(/^[0-9a-f-]{36}$/);
  const wrong = await failureOf(answerOf(reader.GET("/trades", { params: { query: { limit: 1_000 } } })));
  expect(wrong).toMatchObject({ status: 400, code: "invalid_input", issues: [{ path: "limit" }] });
  const stranger = await failureOf(answerOf(clientWith("twp_unknown").GET("/accounts")));
  expect(stranger).toMatchObject({ status: 401, code: "unauthenticated", message: "Please sign in." });
});

it("tells an answer that is none of Tradewind's from one that is", async () => {
  const elsewhere = createTradewind({
    url: "http://localhost",
    token: "twp_x",
    fetch: async () => new Response("<h1>Bad gateway</h1>", { status: 502 }),
  });
  const failure = await failureOf(answerOf(elsewhere.GET("/accounts")));
  expect(failure).toMatchObject({ status: 502, code: null, message: "Tradewind answered with status 502." });
});

it("says how long to wait where the server does", async () => {
  const busy = (headers: Record<string, string>) =>
    createTradewind({
      url: "http://localhost",
      token: "twp_x",
      fetch: async () =>
        Response.json({ success: false, data: null, error: "Busy.", code: "overloaded" }, { status: 503, headers }),
    });
  for (const [headers, retryAfterMs] of [
    [{ "retry-after": "2" }, 2_000],
    [{}, null],
    [{ "retry-after": "Fri, 27 Nov 2026 00:00:00 GMT" }, null],
  ] as const)
    expect(await failureOf(answerOf(busy(headers).GET("/accounts")))).toMatchObject({ status: 503, retryAfterMs });
});

it("has no call that tokens do not open", () => {
  const tradewind = clientWith("twp_x");
  // @ts-expect-error: for sign-ins alone
  void tradewind.GET<"/auth/sign-ins">;
  // @ts-expect-error: a write of what is read here
  void tradewind.POST<"/portfolio/positions">;
});
