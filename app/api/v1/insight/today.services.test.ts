import { randomUUID } from "node:crypto";
import { beforeEach, describe, expect, it } from "vitest";
import type { Answer } from "@/lib/contracts/endpoint.ts";
import type { insightApi } from "@/lib/contracts/insight.ts";
import { POLICY_2_9_0 as policy } from "@/lib/domain/policy.ts";
import { regimeOf } from "@/lib/domain/screening/regime.ts";
import { callDoor } from "@/lib/proof/call-door.ts";
import { asJson } from "@/lib/server/core/json.ts";
import { db, type Prisma } from "@/lib/server/db.ts";
import { env } from "@/lib/server/env.ts";
import { dateOf } from "@/lib/server/rows.ts";
import { makeAccount, makeSignIn, makeUser } from "@/prisma/factories.ts";
import * as portfolio from "../portfolio/summary/route.ts";
import * as door from "./today/route.ts";

type Today = Answer<typeof insightApi.today>;

const SESSION = "2020-02-05";
let [userId, accountId, token] = ["", "", ""];

const at = (time: string, date = SESSION) => new Date(`${date}T${time}:00.000Z`);
const plain = (parts: Today["headline"]) => parts.map(({ text }) => text).join("");

beforeEach(async () => {
  await db().lease.upsert({
    where: { name: "worker" },
    create: { name: "worker", owner: "test", beatAt: new Date(), detail: {} },
    update: { beatAt: new Date() },
  });
  await db().regimeReading.deleteMany({ where: { market: "PRACTICE" } });
  const user = await makeUser(db());
  userId = user.id;
  token = await makeSignIn(db(), user);
  accountId = (await makeAccount(db(), userId, { name: "Main" })).id;
});

async function ask(as = token, query = ""): Promise<Today> {
  const { status, json } = await callDoor(door, "GET", { token: as, query });
  expect(status, JSON.stringify(json)).toBe(200);
  return json?.data as unknown as Today;
}

async function read(as = token) {
  const answer = await ask(as);
  const { headline, sentences, health, timeline } = answer;
  return {
    ...answer,
    headline: plain(headline),
    sentences: sentences.map(({ parts }) => plain(parts)),
    health: plain(health.sentence.parts),
    timeline: timeline.map(({ at: from, parts }) => `${from.slice(11, 16)} ${plain(parts)}`),
  };
}

/** A close on the 4th and a running session on the 5th, down by 331.20 of 100,000. */
async function writeDay(of = accountId, equity = "99668.80", asOf = at("17:05")) {
  const point = { accountId: of, netDeposits: "100000" };
  const close = { ...point, isClose: true };
  await db().equityPoint.createMany({
    data: [
      { ...close, at: at("21:00", "2020-01-29"), sessionDate: dateOf("2020-01-29"), equity: "102000" },
      { ...close, at: at("21:00", "2020-02-04"), sessionDate: dateOf("2020-02-04"), equity: "100000" },
      { ...point, isClose: false, at: at("17:00"), sessionDate: dateOf(SESSION), equity },
    ],
  });
  await db().accountFigures.update({
    where: { accountId: of },
    data: { equity, lastEquity: "100000", cash: "90000", netDeposits: "100000", asOf },
  });
}

async function regime(session: string, spyClose: number, vix: number | null) {
  const facts = { vix, spyClose, spyMa20: 330, spyMa50: 328, spyMa200: 300, spyDayReturn: 0 };
  const { view, memory, hasFlipped } = regimeOf(facts, null, session, policy);
  const { label, votes } = view;
  await db().regimeReading.create({
    data: {
      market: "PRACTICE",
      sessionDate: dateOf(session),
      label,
      vix,
      spyClose,
      votes,
      hasFlipped,
      memory: asJson(memory),
    },
  });
}

async function order(symbol: string, data: Partial<Prisma.OrderUncheckedCreateInput>, of = accountId) {
  const key = randomUUID();
  return db().order.create({
    data: {
      ...{ accountId: of, symbol, origin: "EXTERNAL", role: "EXTERNAL", brokerOrderId: key, clientOrderId: key },
      ...{ side: "SELL", orderClass: "SIMPLE", type: "MARKET", timeInForce: "day", qty: "10", status: "NEW" },
      ...{ brokerStatus: "new", submittedAt: at("15:00"), brokerUpdatedAt: at("15:00"), tradedAt: at("15:00") },
      ...data,
    },
  });
}

async function filled(symbol: string, side: "BUY" | "SELL", prices: string[], when: Date, of = accountId) {
  const { id: orderId } = await order(
    symbol,
    { side, status: "FILLED", filledQty: "10", filledAvgPrice: "1", filledValue: "10", tradedAt: when },
    of,
  );
  const fill = { accountId: of, orderId, symbol, side, qty: "5", source: "STREAM" as const, at: when };
  await db().fill.createMany({ data: prices.map((price) => ({ ...fill, price, executionId: randomUUID() })) });
  return orderId;
}

async function decided(tail: string, when: Date, { of = accountId, plan = {} }: { of?: string; plan?: object } = {}) {
  const version = "test-policy";
  await db().policyVersion.upsert({ where: { version }, create: { version, content: {} }, update: {} });
  const snapshotId = `snapshot-${randomUUID()}`;
  await db().marketSnapshot.create({ data: { id: snapshotId, market: "PRACTICE", asOf: when, content: {} } });
  const startedAt = new Date(Date.now() + Math.random() * 1e9);
  const cycle = await db().cycle.create({ data: { market: "PRACTICE", startedAt, sessionDate: dateOf(SESSION) } });
  const line = `12:00: 495 screened, 50 seated, 27 signals, ${tail}`;
  const { id } = await db().decisionRecord.create({
    data: {
      ...{ cycleId: cycle.id, accountId: of, engineVersion: "1", policyVersion: version, snapshotId, line },
      ...{ inputHash: "x", outputHash: "x", accountState: {}, plan, decidedAt: when },
    },
  });
  return id;
}

const QUIET = "0 orders: 26 regime, 1 earnings";

describe("the door", () => {
  it("refuses strangers (401), takes no other field than an environment (400) and no other method (405)", async () => {
    expect((await callDoor(door, "GET")).status).toBe(401);
    expect((await callDoor(door, "GET", { token, query: "session=2020-02-05" })).status).toBe(400);
    expect((await callDoor(door, "POST", { token, body: {} })).status).toBe(405);
  });

  it("answers who has no account, and who waits for the first look", async () => {
    const none = await makeSignIn(db(), await makeUser(db()));
    expect(await read(none)).toMatchObject({
      headline: "No account yet",
      action: "ADD_ACCOUNT",
      session: null,
      asOf: null,
      timeline: [],
    });
    expect(await read()).toMatchObject({ headline: "The account is connected", action: "PAUSE" });
    const admin = await makeUser(db(), { role: "ADMIN" });
    await makeAccount(db(), admin.id);
    expect(await read(await makeSignIn(db(), admin))).toMatchObject({ headline: "No account yet", hasInsight: false });
  });

  it("names what a deleted account left at its broker: while it is read there, and after its keys are erased", async () => {
    const row = { accountId, qty: "10", avgEntryPrice: "100", strategy: "MOMENTUM" as const, openedAt: at("15:00") };
    await db().position.createMany({ data: ["HLM", "RVG"].map((symbol) => ({ ...row, symbol })) });
    const stop = { type: "STOP" as const, role: "STOP" as const, stopPrice: "90" };
    for (const symbol of ["HLM", "RVG"]) await order(symbol, stop);
    const removed = (data: Prisma.AccountUpdateInput) => db().account.update({ where: { id: accountId }, data });
    await removed({ deletedAt: new Date(), status: "INACTIVE", keyPrefix: null, accountNumberEnd: null });
    expect((await read()).health).toBe(
      "Nothing is wrong: 2 positions of a deleted account are still at its broker, with the stops that were there.",
    );
    expect((await read()).headline).toBe("No account yet");
    await decided(QUIET, at("17:00"));
    expect((await read()).headline).toBe("No account now");
    await removed({ sealedKeys: null });
    expect((await read()).health).toContain("what a deleted account left at its broker is no longer read");

    const { broker, brokerAccountId } = await db().account.findUniqueOrThrow({ where: { id: accountId } });
    const again = await makeAccount(db(), userId, { broker });
    const data = {
      brokerAccountId,
      deletedAt: new Date(),
      status: "INACTIVE" as const,
      keyPrefix: null,
      sealedKeys: null,
    };
    await db().account.update({ where: { id: again.id }, data });
    expect((await read()).health).toBe("Nothing is wrong: none of your money is invested.");
  });

  it("is there while the insights are switched off: only the brief beside it goes", async () => {
    await writeDay();
    await decided(QUIET, at("17:00"));
    for (const enabled of [true, false]) {
      const key = { name: "ai_insights", environment: env().FLAG_ENVIRONMENT };
      await db().featureFlag.upsert({
        where: { name_environment: key },
        create: { ...key, enabled },
        update: { enabled },
      });
      expect(await read()).toMatchObject({
        hasInsight: enabled,
        headline: "-$2,331.20 in 7 days, -$331.20 today (-0.33%)",
      });
    }
  });
});

describe("the answer is that of the rows", () => {
  it("the day's result is the dashboard's Day figure to the cent, and SPY's close to close", async () => {
    await writeDay(accountId, "99668.80", at("21:30"));
    await regime(SESSION, 330, 12);
    await regime("2020-02-06", 328.317, 12);
    await decided(QUIET, at("17:00"));
    const today = await read();
    const summary = (await callDoor(portfolio, "GET", { token })).json?.data as unknown as {
      pnlDay: number;
      pnlWeek: number;
    };
    expect([summary.pnlDay, summary.pnlWeek]).toEqual([-331.2, -2331.2]);
    expect(today).toMatchObject({ session: SESSION, asOf: "2020-02-05T21:30:00.000Z" });
    expect(today.headline).toBe("-$2,331.20 in 7 days, -$331.20 today (-0.33%), SPY -0.51%");
  });

  it("what was bought, sold and raised, at the average of the fills, with what the round trip brought; nothing of the day before", async () => {
    await writeDay();
    await regime(SESSION, 335, 12);
    await decided("1 order: 26 conviction", at("14:35"));
    const bought = await filled("HD", "BUY", ["199.70", "199.86"], at("14:36"));
    const sold = await filled("KO", "SELL", ["58.5"], at("16:00"));
    await filled("OLD", "BUY", ["10"], at("20:00", "2020-02-04"));
    await order("BA", {
      role: "STOP",
      type: "STOP",
      reason: "trailing_stop",
      stopPrice: "332.55",
      submittedAt: at("14:40"),
    });
    await order("NVDA", { side: "BUY", status: "REJECTED", tradedAt: at("16:30") });
    await db().roundTrip.create({
      data: {
        ...{ accountId, symbol: "KO", openedAt: at("15:00", "2020-01-20"), closedAt: at("16:00"), qtyBought: "10" },
        ...{
          qtySold: "10",
          entryValue: "600",
          exitValue: "570.76",
          pnl: "-29.24",
          outcome: "LOSS",
          exitReason: "protective_stop",
        },
      },
    });
    for (const clock of ["16:35", "16:40", "16:45"]) await decided("0 orders: 26 conviction", at(clock));
    const { sentences, health, timeline } = await read();
    expect(sentences[0]).toBe(
      "Bought 10 HD at $199.78; sold KO (protective stop), -$29.24: the purchase was made at the broker, not by Tradewind.",
    );
    expect(health).toBe("The broker rejected 1 order: NVDA.");
    expect(timeline).toEqual([
      "14:35 Looked at 495 stocks: 1 order decided",
      "14:36 Bought 10 HD at $199.78, at the broker and not by Tradewind",
      "14:40 Stop of BA raised to $332.55",
      "16:00 Sold 5 KO at $58.50 (protective stop), -$29.24, at the broker and not by Tradewind",
      "16:30 The broker rejected the order in NVDA",
      "16:35 3 looks, nothing new: nothing to buy, 26 stocks score below what a purchase takes",
    ]);
    const hrefs = (await ask()).timeline.map(({ href }) => href);
    expect([hrefs[1], hrefs[3]]).toEqual([`/trade-history/${bought}`, `/trade-history/${sold}`]);
    const amounts = (await ask()).timeline.flatMap(({ parts }) =>
      parts.filter(({ isAmount }) => isAmount).map(({ text }) => text),
    );
    expect(amounts).toEqual(["$199.78", "$332.55", "$58.50", "-$29.24"]);
  });

  it("what ends the wait follows from the recorded market: levels, and the first session", async () => {
    await writeDay();
    await regime(SESSION, 320, 30);
    await decided(QUIET, at("17:00"));
    expect((await read()).sentences).toEqual([
      "Nothing bought or sold: the market is falling or nervous, so Tradewind holds back; 26 stocks wait for a calmer market, 1 stock waits because of its earnings report.",
      "It buys again when SPY closes above about $328.35 (2.6% above its last close) or the VIX closes below 15 (last 30.0), or when both come part of that way, twice running; on Wed 12 Feb at the earliest, in 5 sessions.",
    ]);
  });

  it("reports of which no source knew the day at the session's screening are a missing source", async () => {
    await writeDay();
    await regime(SESSION, 335, 12);
    await decided("0 orders: 27 earnings", at("17:00"));
    const screened = async (hasCalendarFailed: boolean) => {
      const key = { market: "PRACTICE" as const, sessionDate: dateOf(SESSION) };
      const metadata = { hasCalendarFailed };
      await db().selection.upsert({
        where: { market_sessionDate: key },
        create: { ...key, policyVersion: "test-policy", metadata, memory: {} },
        update: { metadata },
      });
    };
    await screened(true);
    expect(await read()).toMatchObject({
      sentences: [
        "Nothing bought or sold: it is not known when companies report earnings, and nothing is bought without that.",
        "It buys again once a source says when companies report; that is asked at the opening of each session.",
      ],
    });
    await screened(false);
    expect((await read()).sentences[0]).toBe(
      "Nothing bought or sold: 27 stocks wait because of their earnings reports.",
    );
  });

  it("after several stops the day on which the guard ends is that of the recorded margin", async () => {
    await writeDay();
    await regime(SESSION, 335, 12);
    const gates = [{ code: "stop_guard", passed: false, margin: -4, detail: "x" }];
    await decided("0 orders: 27 stop guard", at("17:00"), { plan: { candidates: [{ gates: [] }, { gates }] } });
    expect((await read()).sentences[1]).toBe("No new purchases before Tue 11 Feb.");
  });

  it("a pause, a halt and keys that are refused come with the one thing to press; what is held is said to be safe or not", async () => {
    await writeDay();
    await decided(QUIET, at("17:00"));
    await db().position.create({
      data: {
        ...{ accountId, symbol: "AAA", qty: "10", avgEntryPrice: "90", currentPrice: "100", marketValue: "1000" },
        openedAt: at("15:00"),
      },
    });
    expect(await read()).toMatchObject({ health: "AAA is not fully covered by a stop at the broker." });
    await order("AAA", { type: "STOP", stopPrice: "95" });
    await db().user.update({
      where: { id: userId },
      data: { automationPausedAt: new Date(), pausedReason: "holiday" },
    });
    expect(await read()).toMatchObject({
      action: "RESUME",
      sentences: [
        "You paused the automation: nothing is bought, sales and stops keep working. Reason: holiday.",
        "It buys again once you resume.",
      ],
      health: "Nothing is wrong: the one position has its stop at the broker.",
    });
    const halt = (haltReason: string) =>
      db().account.update({ where: { id: accountId }, data: { haltedAt: new Date(), haltReason } });
    await halt("cash differs by $3.50");
    expect(await read()).toMatchObject({
      action: "RESUME_ACCOUNT",
      health: "What is held is safe: the one position has its stop at the broker.",
    });
    await halt("The broker refused the keys of this account.");
    expect(await read()).toMatchObject({ action: "FIX_KEYS" });
  });

  it("a broker that misses its readings is what is wrong", async () => {
    await writeDay();
    await decided(QUIET, at("17:00"));
    const readAgo = async (seconds: number) => {
      const reconciledAt = new Date(Date.now() - seconds * 1000);
      await db().account.update({ where: { id: accountId }, data: { reconciledAt } });
      return read();
    };
    expect((await readAgo(30)).sentences[0]).not.toContain("has not answered");
    const silent = await readAgo(80);
    expect(silent.sentences[0]).toContain("the broker has not answered for more than a minute");
    // While an administrator holds the queue, no broker is asked.
    const price = { avgEntryPrice: "90", currentPrice: "100", marketValue: "1000" };
    await db().position.create({ data: { accountId, symbol: "AAA", qty: "10", ...price, openedAt: at("15:00") } });
    await order("AAA", { type: "STOP", stopPrice: "95" });
    await db().systemState.update({ where: { id: 1 }, data: { isQueueActive: false } });
    const held = await read();
    await db().systemState.update({ where: { id: 1 }, data: { isQueueActive: true } });
    expect(held.health).toBe("What is held is safe: the one position has its stop at the broker.");
    expect(silent.health).not.toContain("Nothing is wrong");
  });

  it("says that nothing is looked at while no worker beats", async () => {
    await writeDay();
    await decided(QUIET, at("17:00"));
    await db().lease.deleteMany({ where: { name: "worker" } });
    expect((await read()).sentences[0]).toContain("Tradewind's own service is not running");
  });
});

it("another person's rows never appear", async () => {
  await writeDay();
  await decided(QUIET, at("17:00"));
  const other = await makeUser(db());
  const theirs = (await makeAccount(db(), other.id)).id;
  await writeDay(theirs, "100999.11");
  await filled("THEIRS", "BUY", ["77"], at("16:00"), theirs);
  await decided("0 orders: 3 sector", at("16:40"), { of: theirs });
  const own = JSON.stringify(await ask());
  expect(own).not.toMatch(/THEIRS|sector|999\.11/);
  expect(JSON.stringify(await ask(await makeSignIn(db(), other)))).toMatch(/THEIRS.*999\.11|999\.11.*THEIRS/);
});
