import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { DAY_MS } from "@/lib/domain/time.ts";
import { asSuperuser } from "@/lib/proof/fixtures/every-right.ts";
import { db } from "../db.ts";
import { purgeCalls } from "../services/providers/purge-calls.ts";
import { alpacaData } from "./alpaca-data.ts";
import { cboe } from "./cboe.ts";
import { faultOf, flushProviderCalls, timedCall } from "./provider-calls.ts";

/** What the vendor answers next. */
let answer: { status: number; body: string };
const server = createServer((_, response) => response.writeHead(answer.status).end(answer.body));
let url: string;

beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => server.close());
beforeEach(async () => {
  await flushProviderCalls();
  await db().providerCall.deleteMany();
});

const CLOCK = JSON.stringify({
  timestamp: "2020-03-05T15:00:00Z",
  is_open: true,
  next_open: "2020-03-06T14:30:00Z",
  next_close: "2020-03-05T21:00:00Z",
});
const alpaca = (more: object = {}) =>
  alpacaData({ tradingUrl: url, dataUrl: url, feed: "sip", keyId: "k", secret: "s", ...more });
const rows = async (span: "MINUTE" | "HOUR" = "HOUR") => {
  await flushProviderCalls();
  const found = await db().providerCall.findMany({
    where: { span },
    orderBy: [{ operation: "asc" }, { error: "asc" }],
  });
  return found.map(({ provider, operation, ok, status, error, calls }) => ({
    provider,
    operation,
    ok,
    status,
    error,
    calls,
  }));
};

it("every call is counted with its outcome, by minute and by hour, and batches add up", async () => {
  answer = { status: 200, body: CLOCK };
  await alpaca().clock();
  await alpaca().clock();
  await flushProviderCalls();
  await alpaca().clock();
  answer = { status: 200, body: "{}" };
  await expect(alpaca().clock()).rejects.toThrow();
  answer = { status: 200, body: "<html>" };
  await expect(alpaca().clock()).rejects.toThrow();
  answer = { status: 503, body: "" };
  await expect(alpaca().clock()).rejects.toThrow();
  const of = { provider: "Alpaca", operation: "clock" };
  const expected = [
    { ...of, ok: true, status: 0, error: "", calls: 3 },
    { ...of, ok: false, status: 0, error: "not_json", calls: 1 },
    // An error of the server is met with a second attempt.
    { ...of, ok: false, status: 503, error: "status", calls: 2 },
    { ...of, ok: false, status: 0, error: "unknown_form", calls: 1 },
  ];
  expect(await rows()).toEqual(expected);
  const minutes = await rows("MINUTE");
  expect(minutes.reduce((sum, { calls }) => sum + calls, 0)).toBe(7);
});

it("what the practice market answers in a vendor's form is counted as the practice market's", async () => {
  answer = { status: 200, body: CLOCK };
  await alpaca({ countedAs: "Practice market" }).clock();
  answer = { status: 200, body: "a,b\n" };
  await expect(cboe({ url, countedAs: "Practice market" }).vix("2020-01-01", "2020-01-02")).rejects.toThrow();
  expect(await rows()).toEqual([
    { provider: "Practice market", operation: "clock", ok: true, status: 0, error: "", calls: 1 },
    { provider: "Practice market", operation: "vix", ok: false, status: 0, error: "unknown_form", calls: 1 },
  ]);
});

it("ten thousand calls are two rows, and many writers at once lose none", async () => {
  for (let n = 0; n < 10_000; n += 1) await timedCall({ provider: "FRED", operation: "vix" }, () => Promise.resolve());
  await Promise.all(Array.from({ length: 5 }, () => flushProviderCalls()));
  const found = await db().providerCall.groupBy({ by: ["span"], _sum: { calls: true }, orderBy: { span: "asc" } });
  expect(found.map(({ span, _sum }) => [span, _sum.calls])).toEqual([
    ["MINUTE", 10_000],
    ["HOUR", 10_000],
  ]);
  expect(await db().providerCall.count()).toBeLessThanOrEqual(4);
});

it("a database that refuses the counts fails no call, and the counts are written later", async () => {
  await asSuperuser((all) => all.$executeRaw`alter table "ProviderCall" rename to "ProviderCallGone"`);
  try {
    await expect(timedCall({ provider: "FRED", operation: "vix" }, () => Promise.resolve("answer"))).resolves.toBe(
      "answer",
    );
    await flushProviderCalls();
  } finally {
    await asSuperuser((all) => all.$executeRaw`alter table "ProviderCallGone" rename to "ProviderCall"`);
  }
  expect(await rows()).toMatchObject([{ provider: "FRED", calls: 1 }]);
});

it("a call without an answer in time is a timeout, one without a connection is unreachable", async () => {
  const late = await fetch(url, { signal: AbortSignal.abort(new DOMException("late", "TimeoutError")) }).catch(
    (error: unknown) => error,
  );
  expect(faultOf(late)).toEqual({ error: "timeout", status: 0 });
  const gone = await fetch("http://127.0.0.1:1/").catch((error: unknown) => error);
  expect(faultOf(gone)).toEqual({ error: "unreachable", status: 0 });
});

it("hours are kept for 30 days and minutes for one", async () => {
  const now = new Date("2026-11-22T12:00:00Z");
  const row = (span: "MINUTE" | "HOUR", days: number) => ({
    provider: "FRED",
    operation: `${span} ${days}`,
    ok: true,
    durationMs: 1,
    span,
    at: new Date(now.getTime() - days * DAY_MS),
  });
  await db().providerCall.createMany({
    data: [row("MINUTE", 1), row("MINUTE", 2), row("HOUR", 2), row("HOUR", 30), row("HOUR", 31)],
  });
  await purgeCalls({ db: db(), now: () => now, log: { debug() {}, info() {}, warn() {}, error() {} } });
  expect((await rows("HOUR")).map(({ operation }) => operation)).toEqual(["HOUR 2", "HOUR 30"]);
  expect((await rows("MINUTE")).map(({ operation }) => operation)).toEqual(["MINUTE 1"]);
});
