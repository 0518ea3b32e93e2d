import http from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { createAdmission, isRead, readLimit, turnAway } from "./admission.mjs";

it.each([
  ["GET", "/api/v1/portfolio/summary?environment=LIVE", true],
  ["HEAD", "/api/v1/trades", true],
  ["GET", "/dashboard", true],
  ["GET", "/", true],
  ["GET", "/api/v1/health/ready", false],
  ["GET", "/api/auth/session", false],
  ["GET", "/_next/static/chunks/app.js", false],
  ["GET", "/push-worker.js", false],
  ["GET", "/icon.svg", true],
  ["GET", "/zzz.a", true],
  ["GET", "/_next/zzz", true],
  ["GET", "/_next/static/../../dashboard", true],
  ["GET", "/_next/static/%2e%2e/dashboard", true],
  ["GET", "/positions/BRK.B", true],
  ["POST", "/api/v1/auth/login", false],
  ["POST", "/api/v1/automation/pause", false],
  ["POST", "/api/v1/admin/kill-switch", false],
  ["POST", "/api/v1/positions/a/b/sell", false],
  ["DELETE", "/api/v1/auth/sign-ins/x", false],
])("%s %s may be shed: %s", (method, url, expected) => {
  expect(isRead({ method, url })).toBe(expected);
});

const AT_ONCE = 2;
let nowMs = 0;
const admission = createAdmission(AT_ONCE, () => nowMs);
/** Longer than a burst lasts. */
const LATER_MS = 100;
/** Requests that were let in and wait to be answered. */
let held: http.ServerResponse[] = [];
const server = http.createServer((request, response) => {
  if (!admission.admit(request, response)) return turnAway(request, response);
  held.push(response);
});
const agent = new http.Agent({ keepAlive: true });
beforeAll(() => new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve)));
beforeEach(() => {
  held = [];
});
afterAll(() => {
  agent.destroy();
  server.closeAllConnections();
  server.close();
});

interface Got {
  status: number;
  headers: http.IncomingHttpHeaders;
  text: string;
}

function ask(path: string, method = "GET") {
  const { port } = server.address() as AddressInfo;
  const request = http.request({ port, path, method, agent });
  const answer = new Promise<Got>((resolve, reject) => {
    request.on("error", reject).on("response", (response) => {
      let text = "";
      response
        .setEncoding("utf8")
        .on("data", (chunk: string) => (text += chunk))
        .on("end", () => resolve({ status: response.statusCode ?? 0, headers: response.headers, text }));
    });
  });
  answer.catch(() => undefined);
  request.end();
  return { request, answer };
}

const until = (isTrue: () => boolean) => expect.poll(isTrue).toBe(true);
const answerAll = () => held.splice(0).forEach((response) => response.end("read"));

it("reads beyond the limit are told at once to come again, on a line that stays open", async () => {
  const first = [ask("/api/v1/trades"), ask("/dashboard")];
  await until(() => admission.reads === AT_ONCE);
  nowMs += LATER_MS;
  const { status, headers, text } = await ask("/api/v1/trades").answer;
  expect(status).toBe(503);
  expect(headers).toMatchObject({ "retry-after": "2", connection: "keep-alive", "cache-control": "no-store" });
  expect(JSON.parse(text)).toEqual({
    success: false,
    data: null,
    error: "Tradewind is busy right now. Please try again in a moment.",
    code: "overloaded",
    requestId: headers["x-request-id"],
  });
  const page = await ask("/settings").answer;
  expect(page.headers["content-type"]).toContain("text/html");
  expect(page.text).toContain("Tradewind is busy right now");
  answerAll();
  for (const { answer } of first) expect((await answer).status).toBe(200);
  expect(admission.reads).toBe(0);
});

it("what protects money, signs in or tells of health is let in however many reads there are", async () => {
  const reads = [ask("/api/v1/trades"), ask("/api/v1/trades")];
  await until(() => admission.reads === AT_ONCE);
  nowMs += LATER_MS;
  const others = [
    ask("/api/v1/automation/pause", "POST"),
    ask("/api/v1/admin/kill-switch", "POST"),
    ask("/api/v1/auth/login", "POST"),
    ask("/api/v1/health/ready"),
  ];
  await until(() => held.length === reads.length + others.length);
  answerAll();
  for (const { answer } of [...reads, ...others]) expect((await answer).status).toBe(200);
});

it("a burst on a process that has time is answered, four times the limit at most; one that lasts is none", async () => {
  const burst = Array.from({ length: 4 * AT_ONCE }, () => ask("/api/v1/trades"));
  await until(() => admission.reads === 4 * AT_ONCE);
  expect((await ask("/api/v1/trades").answer).status).toBe(503);
  held.pop()?.end();
  await until(() => admission.reads === 4 * AT_ONCE - 1);
  nowMs += LATER_MS;
  expect((await ask("/api/v1/trades").answer).status).toBe(503);
  answerAll();
  await until(() => admission.reads === 0);
  // It has time again.
  const next = Array.from({ length: AT_ONCE + 1 }, () => ask("/api/v1/trades"));
  await until(() => admission.reads === AT_ONCE + 1);
  answerAll();
  for (const { answer } of [...burst, ...next]) expect((await answer).status).toBe(200);
});

it("it is busy while more than half of the places are taken", async () => {
  const reads = Array.from({ length: AT_ONCE / 2 }, () => ask("/dashboard"));
  await until(() => admission.reads === AT_ONCE / 2);
  expect(admission.isBusy).toBe(false);
  reads.push(ask("/dashboard"));
  await until(() => admission.reads === AT_ONCE / 2 + 1);
  expect(admission.isBusy).toBe(true);
  answerAll();
  await until(() => admission.reads === 0);
  expect(admission.isBusy).toBe(false);
  for (const { answer } of reads) expect((await answer).status).toBe(200);
});

it("a read gives its place back when its answer begins, however slowly the rest is taken", async () => {
  const slow = ask("/api/v1/trades/export");
  await until(() => held.length === 1);
  held[0]?.writeHead(200);
  held[0]?.write("the first rows");
  expect(admission.reads).toBe(0);
  answerAll();
  expect((await slow.answer).text).toBe("the first rowsread");
});

it("a read whose line breaks gives its place back, once", async () => {
  const { request } = ask("/api/v1/trades");
  await until(() => held.length === 1);
  request.destroy();
  await until(() => admission.reads === 0);
  held[0]?.end();
  expect(admission.reads).toBe(0);
});

it.each([
  [undefined, 16],
  ["", 16],
  ["7", 7],
])("the setting %s lets %i reads in", (text, reads) => {
  expect(readLimit(text)).toBe(reads);
});

it.each(["0", "-1", "many", "1.5", " 3"])("the setting %j is refused in a sentence", (text) => {
  expect(() => readLimit(text)).toThrow("WEB_READS_AT_ONCE is a whole number from 1 on");
});
