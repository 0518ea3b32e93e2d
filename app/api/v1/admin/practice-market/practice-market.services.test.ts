import { createServer, type Server, type ServerResponse } from "node:http";
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from "vitest";
import { auditText } from "@/lib/domain/audit-events.ts";
import { startExchange } from "@/lib/exchange/start.ts";
import { fixtureTape } from "@/lib/proof/market/fixture-tape.ts";
import { callDoor } from "@/lib/proof/call-door.ts";
import { db } from "@/lib/server/db.ts";
import { forgetEnv } from "@/lib/server/env.ts";
import { makeSignIn, makeUser } from "@/prisma/factories.ts";
import * as door from "./route.ts";

let exchange: Awaited<ReturnType<typeof startExchange>>;
let token: string;
const { EXCHANGE_URL: url, EXCHANGE_CONTROL_TOKEN: controlToken } = process.env;
const installed = (name: "EXCHANGE_URL" | "EXCHANGE_CONTROL_TOKEN", value: string | undefined) => {
  if (value === undefined) delete process.env[name];
  else process.env[name] = value;
  forgetEnv();
};

beforeAll(async () => {
  exchange = await startExchange({
    port: 0,
    controlToken: "test-control-token",
    databaseUrl: null,
    leadSessions: 0,
    tape: fixtureTape(),
    start: "2020-03-09",
    skipClosed: false,
  });
});
beforeEach(async () => {
  installed("EXCHANGE_URL", exchange.url);
  installed("EXCHANGE_CONTROL_TOKEN", "test-control-token");
  await exchange.control.clock({ paused: true, speed: 60 });
  token = await makeSignIn(db(), await makeUser(db(), { role: "ADMIN" }));
});
afterEach(async () => void (await exchange.control.clock({ paused: true })));
afterAll(async () => {
  await exchange.close();
  installed("EXCHANGE_URL", url);
  installed("EXCHANGE_CONTROL_TOKEN", controlToken);
});

const read = async () => (await callDoor(door, "GET", { token })).json?.data;
const steer = (body: object) => callDoor(door, "POST", { token, body: { reason: "for the demo", ...body } });
const events = () =>
  db().auditEvent.findMany({ where: { eventType: { startsWith: "PRACTICE_CLOCK" } }, orderBy: { seq: "asc" } });

it("changes the speed, resumes the market and pauses it, and tells the trail what was and what is", async () => {
  const before = (await events()).length;
  await steer({ action: "speed", speed: 10 });
  await steer({ action: "continue" });
  expect(exchange.control.status()).toMatchObject({ speed: 10, isPaused: false });
  await steer({ action: "pause" });
  const written = (await events()).slice(before);
  expect(written.map(({ eventType, data }) => auditText(eventType, data as never))).toEqual([
    "Set the speed of the practice market from 60× to 10×: for the demo",
    "Resumed the practice market: for the demo",
    "Paused the practice market: for the demo",
  ]);
});

it("steering to what is so already changes and audits nothing", async () => {
  const before = (await events()).length;
  for (const body of [{ action: "speed", speed: 60 }, { action: "pause" }])
    expect((await steer(body)).json?.data).toMatchObject({ isChanged: false });
  expect(await events()).toHaveLength(before);
});

it("skips to the next opening while the market is closed, paused as it was, and not while it is open", async () => {
  await exchange.control.clock({ jumpTo: "2020-03-10T21:00:00.000Z" });
  expect((await steer({ action: "skip" })).json?.data).toMatchObject({
    market: { now: "2020-03-11T13:30:00.000Z", isOpen: true, isPaused: true },
  });
  expect((await steer({ action: "skip" })).status).toBe(409);
});

it.each([
  { action: "speed", speed: 61 },
  { action: "speed" },
  { action: "pause", speed: 10 },
  { action: "pause", reason: " " },
  {},
])("%j is refused (400)", async (body) => expect((await steer(body)).status).toBe(400));

it("says why it does not steer: a wrong token, a market that is unreachable", async () => {
  installed("EXCHANGE_CONTROL_TOKEN", "another-control-token");
  expect((await steer({ action: "continue" })).status).toBe(503);
  expect(await read()).toMatchObject({ market: null, isSetUp: true });
  installed("EXCHANGE_URL", "http://127.0.0.1:9");
  expect((await steer({ action: "continue" })).status).toBe(503);
});

/** Stands before the market and answers changes of its clock by itself. */
async function behind(answer: (response: ServerResponse) => void): Promise<() => void> {
  const server: Server = createServer((request, response): void => {
    if (request.method === "POST") return answer(response);
    void fetch(`${exchange.url}${request.url}`, { headers: { "x-control-token": "test-control-token" } })
      .then((found) => found.text())
      .then((text) => response.setHeader("content-type", "application/json").end(text));
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  installed("EXCHANGE_URL", `http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  return () => server.close();
}
const refuse =
  (status: number) =>
  (response: ServerResponse): void => {
    response.writeHead(status).end("no");
  };
const lose = (response: ServerResponse): void => {
  response.destroy();
};

it.each([
  ["refused", refuse(422), "The practice market did not accept the change: Resumed the practice market"],
  ["lost", lose, "It is not known whether the practice market took the change: Resumed the practice market"],
  ["failed", refuse(500), "It is not known whether the practice market took the change: Resumed the practice market"],
] as const)("a change whose answer is %s is told as that in the trail and in the log", async (_, answer, text) => {
  const close = await behind(answer);
  try {
    expect((await steer({ action: "continue" })).status).toBe(503);
    const last = (await events()).at(-1)!;
    expect(auditText(last.eventType, last.data as never)).toBe(text);
    const lines = await db().logEvent.findMany({ orderBy: { id: "desc" }, take: 1 });
    const isRefused = text.includes("did not accept");
    expect(lines[0]?.message).toBe(
      `An administrator resumed the practice market${isRefused ? ", but the market did not accept it" : ", but whether the market took it is not known"}.`,
    );
  } finally {
    close();
  }
});
