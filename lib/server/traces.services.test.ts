/** What a collector receives, from a request to the job that it enqueued and to the calls of the broker. */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, inject, it } from "vitest";
import * as againDoor from "@/app/api/v1/accounts/[id]/connect-again/route.ts";
import * as finishDoor from "@/app/api/v1/accounts/oauth/finish/route.ts";
import * as startDoor from "@/app/api/v1/accounts/oauth/start/route.ts";
import * as liveDoor from "@/app/api/v1/health/live/route.ts";
import * as tradesDoor from "@/app/api/v1/trades/route.ts";
import { jobs } from "@/lib/contracts/jobs.ts";
import type { Exchange } from "@/lib/exchange/start.ts";
import { callDoor } from "@/lib/proof/call-door.ts";
import {
  openCollector,
  traceNoMore,
  traceTo,
  type Collector,
  type ReceivedSpan,
} from "@/lib/proof/fixtures/collector.ts";
import { answerConsent, registerAtStandIn } from "@/lib/proof/fixtures/consent.ts";
import { openTrader, ROOMY, startMarketDay } from "@/lib/proof/fixtures/cycles.ts";
import { startTestExchange } from "@/lib/proof/market/test-exchange.ts";
import { makeSignIn, makeUser } from "@/prisma/factories.ts";
import { migrate } from "@/prisma/migrate.mjs";
import { userOf } from "@/prisma/roles.mjs";
import { doors } from "@/workers/doors.ts";
import { db } from "./db.ts";
import { env, forgetEnv } from "./env.ts";
import type { JobDoor } from "./jobs/define-job.ts";
import { closeQueues, consume, queue, type Consumer } from "./jobs/queue.ts";
import { syncOrders } from "./services/accounts/sync-orders.ts";
import { runJob } from "./services/queue/run-job.ts";
import { systemContext } from "./system-context.ts";
import { stopTracing, traced } from "./tracing.ts";

let collector: Collector;
const consumers: Consumer[] = [];
const redisUrl = process.env.REDIS_URL;

beforeEach(async () => {
  collector = await openCollector();
});
afterEach(async () => {
  await Promise.all(consumers.splice(0).map((consumer) => consumer.close(true)));
  await closeQueues();
  if (redisUrl !== undefined) process.env.REDIS_URL = redisUrl;
  await traceNoMore();
  await collector.close();
});

/** A worker's consumer of one job; answers when the work of a scope has run. */
function worker(door: JobDoor) {
  const context = systemContext("worker");
  const ran: unknown[] = [];
  const consumer = consume(door.job, async (data, delivery) => {
    await runJob(context, door, data, delivery);
    ran.push(data);
  });
  consumer.onError(() => undefined);
  consumers.push(consumer);
  return ran;
}

/** From a span up to its root. */
function lineage(span: ReceivedSpan): string[] {
  const parent = collector.spans.find(({ spanId }) => spanId === span.parentSpanId);
  return parent === undefined ? [span.name] : [...lineage(parent), span.name];
}
const named = (name: string) => collector.spans.filter((span) => span.name === name);

interface Connected {
  token: string;
  id: string;
  accountId: string;
  email: string;
  secrets: string[];
}

describe("from a request to the broker", () => {
  let exchange: Exchange;
  beforeAll(async () => {
    exchange = await startTestExchange({ port: 0, databaseUrl: null, paused: true });
    await exchange.control.clock({ advanceMinutes: 6 });
    await registerAtStandIn(exchange);
    // The queue's own tables, for installations without Redis.
    const superuser = inject("superuser").replace(/DATABASE$/, new URL(env().DATABASE_URL).pathname.slice(1));
    await migrate(superuser, { hasQueue: true, appRole: userOf(env().DATABASE_URL) });
  });
  afterAll(() => exchange.close());

  const authorizeUrl = (answer: Awaited<ReturnType<typeof callDoor>>) =>
    (answer.json?.data as unknown as { authorizeUrl: string }).authorizeUrl;

  /** A person whose account was connected at Alpaca, by calls outside of any trace. */
  async function connected(): Promise<Connected> {
    const user = await makeUser(db());
    const token = await makeSignIn(db(), user);
    const theirs = await exchange.control.createAccount({ keys: "alpaca" });
    const back = await answerConsent(authorizeUrl(await callDoor(startDoor, "POST", { token, body: {} })), theirs.id);
    const answer = await callDoor(finishDoor, "POST", { token, body: back });
    expect(answer.status).toBe(200);
    const { id } = answer.json?.data as unknown as { id: string };
    return { token, id, accountId: theirs.id, email: user.email, secrets: [token, user.id, id, theirs.id] };
  }

  /** The person connects the account again, which enqueues the reading of its orders. */
  async function connectAgain(who: Connected, headers: Record<string, string> = {}) {
    const { token, id } = who;
    const asked = await callDoor(againDoor, "POST", { token, params: { id } });
    const back = await answerConsent(authorizeUrl(asked), who.accountId);
    const answer = await callDoor(finishDoor, "POST", { token, body: back, headers });
    expect(answer.status).toBe(200);
    return { requestId: answer.json?.requestId ?? answer.headers.get("x-request-id"), back };
  }

  it.each(["Redis", "Postgres"])("is one trace where %s carries the queue", async (carrier) => {
    if (carrier === "Postgres") delete process.env.REDIS_URL;
    else expect(redisUrl, "this machine has a Redis").toBeDefined();
    forgetEnv();
    const who = await connected();
    await traceTo(collector.url);
    const ran = worker(doors.orderStatus);
    const { requestId } = await connectAgain(who);
    await expect.poll(() => ran).toEqual([{ accountId: who.id }]);
    expect((await db().account.findUniqueOrThrow({ where: { id: who.id } })).reconciledAt).not.toBeNull();
    await stopTracing();

    const [request, ...others] = named("POST /api/v1/accounts/oauth/finish");
    expect(others).toEqual([]);
    expect(request).toMatchObject({
      parentSpanId: "",
      attributes: { "http.response.status_code": 200, "tradewind.request.id": requestId },
    });
    const ofTrace = collector.spans.filter(({ traceId }) => traceId === request!.traceId);
    const job = ofTrace.find(({ name }) => name === "job order-status");
    expect(lineage(job!)).toEqual(["POST /api/v1/accounts/oauth/finish", "job order-status"]);
    expect(job!.attributes).toMatchObject({ "tradewind.job.attempt": 1 });
    for (const operation of ["account", "orders", "positions"]) {
      const call = ofTrace.find(
        ({ name, parentSpanId }) => name === `broker ${operation}` && parentSpanId !== request!.spanId,
      );
      expect(lineage(call!).slice(0, 2), operation).toEqual(["POST /api/v1/accounts/oauth/finish", "job order-status"]);
      expect(call).toMatchObject({ kind: "CLIENT", attributes: { "http.response.status_code": 200 } });
    }
    expect(lineage(named("broker token")[0]!)).toEqual(["POST /api/v1/accounts/oauth/finish", "broker token"]);
    expect(ofTrace.some(({ name }) => name === "database transaction")).toBe(true);
  });

  it("a caller's own trace decides nothing: neither which trace it is nor whether it is kept", async () => {
    await traceTo(collector.url);
    const theirs = "4bf92f3577b34da6a3ce929d0e0e4736";
    for (const flags of ["00", "01"])
      await callDoor(liveDoor, "GET", {
        headers: { traceparent: `00-${theirs}-00f067aa0ba902b7-${flags}`, tracestate: "vendor=theirs", baggage: "a=b" },
      });
    await stopTracing();
    const requests = named("GET /api/v1/health/live");
    expect(requests).toHaveLength(2);
    for (const request of requests) expect(request).toMatchObject({ parentSpanId: "", links: 0 });
    expect(collector.requests.join("")).not.toContain(theirs);
    expect(collector.requests.join("")).not.toContain("vendor");
  });

  it("a job whose asker left no trace begins one, wherever it is started", async () => {
    await traceTo(collector.url);
    const unknown = { accountId: "0198c0de-0000-7000-8000-000000000001" };
    await traced("step", { step: "decide" }, () => runJob(systemContext("worker"), doors.orderStatus, unknown));
    await stopTracing();
    const [step, job] = [named("decide")[0], named("job order-status")[0]];
    expect(job!.parentSpanId).toBe("");
    expect(job!.traceId).not.toBe(step!.traceId);
  });

  it("it holds no id of a person, and nothing of what was asked, sent or kept secret", async () => {
    const who = await connected();
    await traceTo(collector.url);
    const ran = worker(doors.orderStatus);
    const { back } = await connectAgain(who);
    await callDoor(tradesDoor, "GET", { token: who.token, query: "symbol=CANARYSYM&search=adalovelace" });
    await callDoor(tradesDoor, "GET", { token: "canary.token.x" });
    await expect.poll(() => ran.length).toBe(1);
    await stopTracing();
    expect(named("GET /api/v1/trades").length).toBe(2);
    const sent = collector.requests.join("\n");
    const oauth = [back.state, back.code ?? "", process.env.ALPACA_OAUTH_CLIENT_SECRET ?? ""];
    const canaries = ["CANARYSYM", "adalovelace", "canary.token", who.email, ...who.secrets, ...oauth];
    expect(canaries.every((canary) => canary.length > 2)).toBe(true);
    for (const canary of canaries) expect(sent).not.toContain(canary);
  });

  it.each([
    ["is not there", () => Promise.resolve({ url: "http://127.0.0.1:9", close: () => Promise.resolve() })],
    ["refuses everything", () => openCollector(503)],
    ["never answers", () => openCollector("silence")],
  ])("the same work is done where the collector %s", async (_, open) => {
    const dead = await open();
    const who = await connected();
    await traceTo(dead.url);
    const ran = worker(doors.orderStatus);
    await connectAgain(who);
    await expect.poll(() => ran).toEqual([{ accountId: who.id }]);
    const { reconciledAt, haltedAt } = await db().account.findUniqueOrThrow({ where: { id: who.id } });
    expect([reconciledAt, haltedAt]).toEqual([expect.any(Date), null]);
    await traceNoMore();
    await dead.close();
  });
});

describe("from a look at the market to its orders", () => {
  let exchange: Exchange;
  beforeAll(async () => {
    exchange = await startMarketDay();
  }, 120_000);
  afterAll(() => exchange.close());

  it("is one trace: screening, each account's cycle, and each order through the steps of its protocol", async () => {
    const context = systemContext("test");
    const { accountId } = await openTrader(context, ROOMY);
    await syncOrders(context, { accountId });
    await exchange.control.clock({ advanceMinutes: 36 });
    await syncOrders(context, { accountId });
    await traceTo(collector.url);
    worker(doors.screening);
    worker(doors.accountPage);
    const ran = worker(doors.accountCycle);
    await queue().enqueue(jobs.screening, { market: "PRACTICE" });
    await expect.poll(() => ran.length, { timeout: 50_000 }).toBe(1);
    await stopTracing();

    const cycle = ["job screening", "job account-page", "job account-cycle"];
    const [screening] = named("job screening");
    expect(screening).toMatchObject({ parentSpanId: "", attributes: { "tradewind.market": "PRACTICE" } });
    expect(named("job account-cycle")[0]!.attributes).toMatchObject({ "tradewind.market": "PRACTICE" });
    // The page finds that there is something to send; the account's own turn decides it anew.
    const decisions = named("decide").map((span) => lineage(span));
    expect(decisions).toContainEqual([...cycle.slice(0, 2), "decide"]);
    expect(decisions).toContainEqual([...cycle, "decide"]);
    const orders = named("order").filter(({ attributes }) => attributes["tradewind.outcome"] === "LIVE");
    expect(orders.length).toBeGreaterThan(0);
    for (const order of orders) {
      expect(lineage(order)).toEqual([...cycle, "submit plan", "order"]);
      expect(order.attributes).toMatchObject({ "tradewind.order.side": "BUY", "tradewind.order.purpose": "ENTRY" });
      const steps = collector.spans.filter(({ parentSpanId }) => parentSpanId === order.spanId).map(({ name }) => name);
      expect(steps.sort()).toEqual(["broker submit", "regate", "t1 intent", "t2 mark", "t3 record"]);
    }
    expect(named("broker submit").length).toBeGreaterThanOrEqual(orders.length);
    expect(collector.spans.some(({ name }) => name.startsWith("provider Practice market"))).toBe(true);
  }, 120_000);
});
