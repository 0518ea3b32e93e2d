/** The latest decision made again on a market that is supposed: same engine, nothing stored, nothing sent. */
import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { Answer, Sent } from "@/lib/contracts/endpoint.ts";
import type { insightApi } from "@/lib/contracts/insight.ts";
import { accountStateOf, planOf } from "@/lib/server/core/json.ts";
import type { Exchange } from "@/lib/exchange/start.ts";
import { callDoor } from "@/lib/proof/call-door.ts";
import { look, openTrader, ROOMY, startMarketDay } from "@/lib/proof/fixtures/cycles.ts";
import { db } from "@/lib/server/db.ts";
import { env } from "@/lib/server/env.ts";
import { systemContext } from "@/lib/server/system-context.ts";
import { makeSignIn, makeUser } from "@/prisma/factories.ts";
import * as decisionDoor from "./decisions/[id]/route.ts";
import * as door from "./rehearsal/route.ts";
import * as rotationDoor from "./rotation/[planId]/route.ts";
import * as tradeDoor from "./trades/[id]/route.ts";

type Rehearsed = Answer<typeof insightApi.rehearsal>;

let exchange: Exchange;
let [token, accountId] = ["", ""];

async function ask(body: Sent<typeof insightApi.rehearsal> = {}, as = token): Promise<Rehearsed> {
  const { status, json } = await callDoor(door, "POST", { token: as, body });
  expect(status, JSON.stringify(json)).toBe(200);
  return json?.data as unknown as Rehearsed;
}

async function rehearsed(body: Sent<typeof insightApi.rehearsal>) {
  const { rehearsal } = await ask(body);
  if (!rehearsal) throw new Error("no rehearsal");
  const sentences = rehearsal.sentences.map(({ parts }) => parts.map(({ text }) => text).join(""));
  return { ...rehearsal, sentences };
}

/** Every row that an act of trading leaves. */
async function traces() {
  const [decisions, intents, orders, cycles, verdicts, snapshots, regimes] = await Promise.all([
    db().decisionRecord.count(),
    db().intent.count(),
    db().order.count(),
    db().cycle.count(),
    db().gateVerdict.count(),
    db().marketSnapshot.count(),
    db().regimeReading.count(),
  ]);
  return { decisions, intents, orders, cycles, verdicts, snapshots, regimes };
}

async function switchFlag(enabled: boolean) {
  const where = { name: "ai_insights", environment: env().FLAG_ENVIRONMENT };
  await db().featureFlag.upsert({
    where: { name_environment: where },
    create: { ...where, enabled },
    update: { enabled },
  });
}

beforeAll(async () => {
  exchange = await startMarketDay();
  const context = systemContext("test");
  await switchFlag(true);
  const trader = await openTrader(context, ROOMY);
  accountId = trader.accountId;
  token = await makeSignIn(db(), trader.user);
  for (const minutes of [0, 6, 10, 10]) await look(exchange, context, minutes);
}, 240_000);
afterAll(() => exchange.close());

it("with nothing different it is the recorded plan, byte for byte", async () => {
  const record = await db().decisionRecord.findFirstOrThrow({ where: { accountId }, orderBy: { decidedAt: "desc" } });
  const found = await rehearsed({});
  expect(found).toMatchObject({ isAsRecorded: true, line: record.line, decision: { id: record.id }, assumptions: [] });
  expect(found.orders).toHaveLength(planOf(record).orders.length);
  expect(found.sentences[0]).toBe("Nothing is different from the record: the plan is the recorded one.");
  // A VIX that is supposed to be what it was is no difference either.
  expect(await rehearsed({ vix: found.regime.recorded.vix!, spyChangePct: 0 })).toMatchObject({ isAsRecorded: true });
});

it("SPY 5 % lower and the VIX at 32 turns the market, buys nothing, and says what it would do", async () => {
  const before = await traces();
  const requests = exchange.control.arrivals().arrivals.length;
  const found = await rehearsed({ vix: 32, spyChangePct: -5 });
  expect(found).toMatchObject({
    isHypothetical: true,
    isAsRecorded: false,
    regime: { supposed: { label: "risk_off" } },
  });
  expect(found.orders.filter(({ side }) => side === "BUY")).toEqual([]);
  expect(found.sentences[0]).toMatch(
    /^Supposed, with the VIX at 32\.00 and SPY 5\.00% lower: the market would count as falling or nervous, (not as|as it did)/,
  );
  const state = accountStateOf(await db().decisionRecord.findFirstOrThrow({ where: { id: found.decision.id } }));
  expect(state.positions.length).toBeGreaterThan(0);
  // What is held is sold or reaches its stop: something happens to it.
  expect(found.sentences.length).toBeGreaterThan(1);
  expect(found.assumptions.length).toBeGreaterThan(0);
  expect(await traces()).toEqual(before);
  expect(exchange.control.arrivals().arrivals).toHaveLength(requests);
});

it("a stock that is held and falls below its stop is said to be stopped at the broker", async () => {
  const record = await db().decisionRecord.findFirstOrThrow({ where: { accountId }, orderBy: { decidedAt: "desc" } });
  const held = accountStateOf(record).positions.find(({ stopPrice }) => stopPrice !== null);
  const found = await rehearsed({ changes: [{ symbol: held!.symbol, changePct: -40 }] });
  expect(found.sentences.join(" ")).toContain(`The stop of ${held!.symbol} at `);
  expect(found.regime.supposed).toEqual(found.regime.recorded);
});

it("the service is handed no broker, no queue and no log", async () => {
  const { rehearse } = await import("@/lib/server/services/insight/rehearse.ts");
  const { userId } = await db().account.findUniqueOrThrow({ where: { id: accountId } });
  const actor = { kind: "user", userId, role: "USER", signInId: "test" } as const;
  expect((await rehearse({ actor, db: db() }, { vix: 40 })).rehearsal).not.toBeNull();
});

it("a trade and a decision are explained in words from their records, to their owner alone; a plan to administrators", async () => {
  const decision = await db().decisionRecord.findFirstOrThrow({
    where: { accountId, intents: { some: { purpose: "ENTRY", orders: { some: { role: "ENTRY" } } } } },
  });
  const trade = await db().order.findFirstOrThrow({ where: { role: "ENTRY", intent: { planId: decision.id } } });
  const told = async (of: typeof tradeDoor, id: string, query = "") => {
    const { status, json } = await callDoor(of, "GET", { token, params: { id }, query });
    expect(status, JSON.stringify(json)).toBe(200);
    const data = json?.data as unknown as Answer<typeof insightApi.trade>;
    expect(data).toMatchObject({ isOn: true, explanation: { writer: "TRADEWIND", model: null } });
    return (data.explanation?.sentences ?? []).map(({ parts }) => parts.map(({ text }) => text).join(""));
  };
  expect((await told(tradeDoor, trade.id)).join(" ")).toMatch(
    new RegExp(`${trade.symbol} .*The .+ strategy found a reason to buy.*It passed 28 of 28 rules`, "s"),
  );
  expect((await told(decisionDoor, decision.id)).join(" ")).toMatch(
    /Tradewind looked at \d+ stocks.*It decided to buy/s,
  );
  expect(await told(decisionDoor, decision.id, `symbol=${trade.symbol}`)).toHaveLength(1);
  const stranger = await makeSignIn(db(), await makeUser(db()));
  const admin = await makeSignIn(db(), await makeUser(db(), { role: "ADMIN" }));
  for (const [of, id] of [
    [tradeDoor, trade.id],
    [decisionDoor, decision.id],
  ] as const)
    expect((await callDoor(of, "GET", { token: stranger, params: { id } })).status).toBe(404);
  const planId = randomUUID();
  expect((await callDoor(rotationDoor, "GET", { token, params: { planId } })).status).toBe(403);
  expect((await callDoor(rotationDoor, "GET", { token: admin, params: { planId } })).status).toBe(404);
});

it("each person rehearses their own accounts only, and nothing where the feature is off or nothing was decided", async () => {
  const stranger = await makeSignIn(db(), await makeUser(db()));
  expect(await ask({}, stranger)).toMatchObject({ rehearsal: null });
  expect((await callDoor(door, "POST", { token: stranger, body: { accountId } })).status).toBe(404);
  expect((await callDoor(door, "POST", { token, body: { accountId: randomUUID() } })).status).toBe(404);
  expect((await callDoor(door, "POST", { body: {} })).status).toBe(401);
  await switchFlag(false);
  expect(await ask({})).toMatchObject({ isOn: false, rehearsal: null });
  await switchFlag(true);
});

it.each([
  [{ vix: 4 }, "VIX must be 5 or more."],
  [{ vix: 151 }, "VIX must be 150 or less."],
  [{ vix: "32" }, "VIX must be a number."],
  [{ spyChangePct: -51 }, "SPY change must be -50 % or more."],
  [{ changes: [{ symbol: "aapl", changePct: 1 }] }, "Enter a symbol such as AAPL."],
  [{ when: "now" }, ""],
])("refuses %o", async (body, sentence) => {
  // Another person each time: a call that was refused counts as well.
  const someone = await makeSignIn(db(), await makeUser(db()));
  const { status, json } = await callDoor(door, "POST", { token: someone, body });
  expect(status).toBe(400);
  expect(JSON.stringify(json)).toContain(sentence);
});
