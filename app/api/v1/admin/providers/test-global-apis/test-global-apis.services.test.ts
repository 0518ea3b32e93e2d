import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { RANGE_MS, TIME_RANGES } from "@/lib/domain/console.ts";
import { DAY_MS, HOUR_MS } from "@/lib/domain/time.ts";
import { db } from "@/lib/server/db.ts";
import { forgetEnv } from "@/lib/server/env.ts";
import type { Probe } from "@/lib/server/providers/probes.ts";
import { checkProviders, testProviders } from "@/lib/server/services/providers/check-providers.ts";
import { readProviderStates } from "@/lib/server/services/providers/provider-states.ts";
import { testContext } from "@/lib/proof/fixtures/orders.ts";
import { makeSignIn, makeUser, type MadeUser } from "@/prisma/factories.ts";
import { callDoor } from "@/lib/proof/call-door.ts";
import * as metricsDoor from "../../metrics/route.ts";
import * as performanceDoor from "../../provider-performance/route.ts";
import * as door from "./route.ts";

let admin: MadeUser;
let [token, userToken] = ["", ""];

beforeAll(async () => {
  admin = await makeUser(db(), { role: "ADMIN" });
  token = await makeSignIn(db(), admin);
  userToken = await makeSignIn(db(), await makeUser(db()));
  // Nothing listens there: no call of this test leaves the machine.
  Object.assign(process.env, { EXCHANGE_URL: "http://127.0.0.1:9", EXCHANGE_CONTROL_TOKEN: "t".repeat(16) });
  forgetEnv();
});
beforeEach(async () => {
  await db().providerCheck.deleteMany();
  await db().providerCall.deleteMany();
});

const actor = () => ({ kind: "user", userId: admin.id, role: "ADMIN", signInId: "s" }) as const;
const probe = (provider: Probe["provider"], more: Partial<Probe> = {}): Probe => ({
  provider,
  absence: () => null,
  ask: () => Promise.resolve("It answers."),
  ...more,
});
const PROBES = [
  probe("Alpaca"),
  probe("Finnhub", { ask: () => Promise.reject(new Error("Finnhub answered with status 401.")) }),
  probe("CBOE", { ask: () => new Promise(() => undefined) }),
  probe("FRED", { absence: () => "Not configured: nothing asks it." }),
];
const EXPECTED = [
  { provider: "Alpaca", configured: true, working: true, message: "It answers." },
  { provider: "Finnhub", configured: true, working: false, message: "Finnhub answered with status 401." },
  { provider: "CBOE", configured: true, working: false, message: "It did not answer within 1 s." },
  { provider: "FRED", configured: false, working: false, message: "Not configured: nothing asks it." },
];

describe("testing the providers", () => {
  it("asks all at once, each in its time, keeps what was found, and leaves one audit row with it", async () => {
    const before = await db().auditEvent.count({ where: { eventType: "PROVIDERS_TESTED" } });
    const startedAt = performance.now();
    const { providers } = await testProviders(testContext({ actor: actor() }), {}, { probes: PROBES, withinMs: 1_000 });
    expect(performance.now() - startedAt).toBeGreaterThanOrEqual(990);
    expect(providers).toMatchObject(EXPECTED);
    expect(await db().providerCheck.findMany({ orderBy: { provider: "asc" } })).toMatchObject(
      [...EXPECTED].sort((a, b) => (a.provider < b.provider ? -1 : 1)),
    );
    const audits = await db().auditEvent.findMany({
      where: { eventType: "PROVIDERS_TESTED" },
      orderBy: { seq: "desc" },
    });
    expect(audits.length).toBe(before + 1);
    expect(audits[0]).toMatchObject({
      actorUserId: admin.id,
      data: { configured: 3, notWorking: ["Finnhub", "CBOE"] },
    });
  });

  it("by the door answers for every provider of the product, those without an adapter honestly not configured", async () => {
    const { status, json } = await callDoor(door, "POST", { token, body: {} });
    expect(status).toBe(200);
    const { providers } = json?.data as unknown as {
      providers: { provider: string; configured: boolean; working: boolean; message: string }[];
    };
    expect(providers.map(({ provider, configured }) => [provider, configured])).toEqual([
      ["Alpaca", false],
      ["Finnhub", false],
      ["Financial Modeling Prep", false],
      ["Alpha Vantage", false],
      ["CBOE", false],
      ["FRED", false],
      ["SEC EDGAR", false],
      ["Insight model", false],
      ["Practice market", true],
    ]);
    for (const { provider, working, message } of providers) {
      expect(working, provider).toBe(false);
      expect(message, provider).not.toBe("");
    }
    expect(providers.find(({ provider }) => provider === "Insight model")?.message).toContain(
      "INSIGHT_PROVIDER is not set",
    );
  });

  it("is seen in the metrics: valid are those that work, and a provider that lost its settings is not configured", async () => {
    const read = async () =>
      (await callDoor(metricsDoor, "GET", { token })).json?.data as unknown as {
        apiMetrics: { timestamp: string | null };
        providers: { provider: string; working: boolean | null; message: string }[];
      };
    expect((await read()).apiMetrics).toEqual({ timestamp: null, total: 0, valid: 0, invalid: 0 });
    expect((await read()).providers.at(-1)).toMatchObject({ working: null, message: "Not checked yet." });
    await callDoor(door, "POST", { token, body: {} });
    expect((await read()).apiMetrics).toMatchObject({ total: 1, valid: 0, invalid: 1 });
    await db().providerCheck.create({
      data: { provider: "Finnhub", configured: true, working: true, message: "As it was." },
    });
    const states = await readProviderStates({ db: db() });
    expect(states.find(({ provider }) => provider === "Finnhub")).toMatchObject({ configured: false, working: false });
  });

  it("the daily check keeps what it found and tells the system's log what failed, without an audit row", async () => {
    const before = await db().auditEvent.count();
    await checkProviders(testContext(), { probes: PROBES, withinMs: 50 });
    expect(await db().providerCheck.count()).toBe(4);
    expect(await db().auditEvent.count()).toBe(before);
    const lines = await db().logEvent.findMany({ where: { message: { contains: "daily check" } } });
    expect(lines.map(({ message, userId }) => [message.split(" ")[0], userId])).toEqual([
      ["Finnhub", null],
      ["CBOE", null],
    ]);
  });
});

describe("provider performance", () => {
  const call = (more: object) => ({
    provider: "Alpaca",
    operation: "clock",
    ok: true,
    durationMs: 100,
    calls: 1,
    at: new Date(),
    ...more,
  });
  const read = async (query = "") => {
    const { status, json } = await callDoor(performanceDoor, "GET", { token, query });
    expect(status).toBe(200);
    return json?.data as unknown as {
      range: string;
      since: string;
      providers: { provider: string; totalRequests: number; successRate: number | null }[];
    };
  };

  it("is the share of good answers and their time, over minutes up to a day and over hours beyond", async () => {
    await db().providerCall.createMany({
      data: [
        call({ calls: 19, durationMs: 1_900 }),
        call({ ok: false, error: "status", status: 503, durationMs: 300 }),
        call({ span: "HOUR", calls: 300, durationMs: 30_000 }),
        call({ span: "HOUR", calls: 100, durationMs: 10_000, at: new Date(Date.now() - 8 * DAY_MS) }),
      ],
    });
    for (const range of ["1h", "24h"]) {
      const { providers } = await read(`range=${range}`);
      expect(providers[0]).toEqual({
        provider: "Alpaca",
        configured: false,
        successRate: 0.95,
        averageResponseTime: 110,
        totalRequests: 20,
        errorCount: 1,
        lastCheck: expect.any(String) as string,
        faults: [{ operation: "clock", error: "status", status: 503, count: 1 }],
        agreement: null,
        lastDisagreement: null,
      });
      expect(providers[1]).toMatchObject({ totalRequests: 0, successRate: null, averageResponseTime: null });
    }
    expect((await read("range=7d")).providers[0]).toMatchObject({ totalRequests: 300 });
    expect((await read("range=30d")).providers[0]).toMatchObject({ totalRequests: 400 });
  });

  it("tells how often a source agreed within the range, what it disagreed about last, and what is set aside now", async () => {
    const counted = (hours: number, compared: number) => ({
      provider: "Alpaca",
      market: "US" as const,
      figure: "QUOTE" as const,
      at: new Date(Date.now() - hours * HOUR_MS),
      compared,
      agreed: compared - 1,
    });
    await db().sourceAgreement.createMany({
      data: [
        counted(0.5, 10),
        counted(20, 20),
        counted(100, 40),
        // The practice market plays the vendors as well.
        { ...counted(0.5, 500), market: "PRACTICE" as const },
        { ...counted(0.5, 10), provider: "Financial Modeling Prep" },
      ],
    });
    for (const span of ["MINUTE", "HOUR"] as const)
      await db().providerCall.createMany({ data: [call({ span }), call({ span, provider: "Finnhub" })] });
    const found = (symbol: string, more: object = {}) => ({
      market: "US" as const,
      symbol,
      session: new Date("2026-11-20"),
      figure: "CLOSE" as const,
      values: [
        { source: "Alpaca", value: "101.2", at: "2026-11-19" },
        { source: "Finnhub", value: "103.25", at: "2026-11-19" },
      ],
      deviationBps: 202.57,
      limitBps: 50,
      foundAt: new Date("2026-11-20T14:30:00Z"),
      ...more,
    });
    await db().sourceDisagreement.create({ data: found("OVER", { clearedAt: new Date("2026-11-20T14:40:00Z") }) });
    await db().sourceDisagreement.create({ data: found("OPEN") });
    const of = async (range: string) => {
      const answer = (await read(`range=${range}`)) as unknown as {
        providers: { provider: string; agreement: unknown; lastDisagreement: { symbol: string } | null }[];
        quarantined: { symbol: string; text: string }[];
        quarantinedCount: number;
      };
      return { ...answer, at: (name: string) => answer.providers.find(({ provider }) => provider === name) };
    };
    const day = await of("24h");
    expect((await of("1h")).at("Alpaca")?.agreement).toEqual({ compared: 10, agreed: 9 });
    expect(day.at("Alpaca")?.agreement).toEqual({ compared: 30, agreed: 28 });
    expect((await of("7d")).at("Alpaca")?.agreement).toEqual({ compared: 70, agreed: 67 });
    expect(day.at("Finnhub")?.lastDisagreement).toMatchObject({ symbol: "OPEN", figure: "CLOSE", market: "US" });
    expect(day.at("FRED")).toMatchObject({ agreement: null, lastDisagreement: null });
    expect(day.at("Financial Modeling Prep"), "it is not configured, and was never asked").toMatchObject({
      agreement: null,
    });
    expect(day.quarantined.map(({ symbol }) => symbol)).toEqual(["OPEN"]);
    expect(day.quarantined[0]?.text).toBe("Alpaca closed at $101.20, Finnhub at $103.25: 2.03 % apart, limit 0.50 %");
    expect(day.quarantinedCount).toBe(1);
  });

  it("counts from the minute or hour in which the range begins, a day unless another is asked for", async () => {
    expect((await read()).range).toBe("24h");
    for (const range of TIME_RANGES) {
      const since = Date.parse((await read(`range=${range}`)).since);
      const partMs = RANGE_MS[range] <= DAY_MS ? 60_000 : 3_600_000;
      const age = Date.now() - since - RANGE_MS[range];
      expect(age, range).toBeGreaterThanOrEqual(0);
      expect(age, range).toBeLessThan(partMs + 10_000);
    }
  });
});

it("both are for administrators: 401 without a sign-in, 403 for a user, 400 for what they do not take", async () => {
  expect((await callDoor(door, "POST", { body: {} })).status).toBe(401);
  expect((await callDoor(door, "POST", { token: userToken, body: {} })).status).toBe(403);
  expect((await callDoor(door, "POST", { token, body: { provider: "Alpaca" } })).status).toBe(400);
  expect((await callDoor(performanceDoor, "GET")).status).toBe(401);
  expect((await callDoor(performanceDoor, "GET", { token: userToken })).status).toBe(403);
  expect((await callDoor(performanceDoor, "GET", { token, query: "range=2h" })).status).toBe(400);
});
