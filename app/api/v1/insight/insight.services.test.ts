import { randomUUID } from "node:crypto";
import { beforeEach, describe, expect, it } from "vitest";
import type { Answer } from "@/lib/contracts/endpoint.ts";
import type { insightApi } from "@/lib/contracts/insight.ts";
import type { SideName } from "@/lib/domain/enums.ts";
import { db } from "@/lib/server/db.ts";
import { env } from "@/lib/server/env.ts";
import { dateOf } from "@/lib/server/rows.ts";
import { makeAccount, makeSignIn, makeUser } from "@/prisma/factories.ts";
import { callDoor } from "@/lib/proof/call-door.ts";
import * as portfolio from "../portfolio/summary/route.ts";
import * as daily from "./daily/route.ts";

type Daily = Answer<typeof insightApi.daily>;

let [userId, accountId, token] = ["", "", ""];

beforeEach(async () => {
  await switchFlag(true);
  const user = await makeUser(db());
  userId = user.id;
  token = await makeSignIn(db(), user);
  accountId = (await makeAccount(db(), userId, { name: "Main" })).id;
});

function switchFlag(enabled: boolean) {
  const name = "ai_insights";
  const environment = env().FLAG_ENVIRONMENT;
  return db().featureFlag.upsert({
    where: { name_environment: { name, environment } },
    create: { name, environment, enabled },
    update: { enabled },
  });
}

async function ask(as = token, query = ""): Promise<Daily> {
  const { status, json } = await callDoor(daily, "GET", { token: as, query });
  expect(status, JSON.stringify(json)).toBe(200);
  return json?.data as unknown as Daily;
}

const plain = (parts: NonNullable<Daily["brief"]>["headline"]) => parts.map(({ text }) => text).join("");

/** The brief, in words. */
async function readText(as = token, query = "") {
  const { brief, environment } = await ask(as, query);
  if (!brief) throw new Error("no brief");
  return {
    environment,
    ...brief,
    headline: plain(brief.headline),
    sentences: brief.sentences.map(({ parts }) => plain(parts)),
  };
}

const at = (time: string, date = "2020-02-05") => new Date(`${date}T${time}:00.000Z`);

const close = (session: string, equity: string, of = accountId, netDeposits = "100000") => ({
  accountId: of,
  at: at("21:00", session),
  sessionDate: dateOf(session),
  isClose: true,
  equity,
  netDeposits,
});

async function read(equity: string, asOf: Date, of = accountId) {
  await db().accountFigures.update({
    where: { accountId: of },
    data: { equity, lastEquity: equity, cash: "90000", netDeposits: "100000", asOf },
  });
}

/** A close on the 4th and a running session on the 5th, 650.25 up. */
async function writeDay(of = accountId, equity = "101150.25") {
  await db().equityPoint.createMany({
    data: [
      close("2020-02-03", "100200", of),
      close("2020-02-04", "100500", of),
      { ...close("2020-02-05", equity, of), at: at("17:00"), isClose: false },
    ],
  });
  await read(equity, at("17:05"), of);
}

async function order(symbol: string, side: SideName, data: object = {}) {
  const key = randomUUID();
  return db().order.create({
    data: {
      accountId,
      origin: "EXTERNAL",
      role: "EXTERNAL",
      brokerOrderId: key,
      clientOrderId: key,
      symbol,
      side,
      orderClass: "SIMPLE",
      type: "MARKET",
      timeInForce: "day",
      qty: "10",
      status: "NEW",
      brokerStatus: "new",
      submittedAt: at("15:00"),
      brokerUpdatedAt: at("15:00"),
      tradedAt: at("15:00"),
      ...data,
    },
  });
}

async function filled(symbol: string, side: SideName, price: string, data: { accountId?: string; at?: Date } = {}) {
  const { accountId: of = accountId, at: when = at("15:00") } = data;
  const row = await order(symbol, side, {
    accountId: of,
    status: "FILLED",
    filledQty: "10",
    filledAvgPrice: price,
    filledValue: String(Number(price) * 10),
    tradedAt: when,
  });
  const fill = { accountId: of, orderId: row.id, symbol, side, qty: "5", price, source: "STREAM" as const, at: when };
  await db().fill.createMany({
    data: [
      { ...fill, executionId: randomUUID() },
      { ...fill, executionId: randomUUID() },
    ],
  });
  return row.id;
}

async function decided(line: string, when: Date, of = accountId) {
  const version = "test-policy";
  await db().policyVersion.upsert({ where: { version }, create: { version, content: {} }, update: {} });
  const snapshotId = `snapshot-${randomUUID()}`;
  await db().marketSnapshot.create({ data: { id: snapshotId, market: "PRACTICE", asOf: when, content: {} } });
  const cycle = await db().cycle.create({
    data: {
      market: "PRACTICE",
      startedAt: new Date(Date.now() + Math.random() * 1e9),
      sessionDate: dateOf("2020-02-05"),
    },
  });
  const record = await db().decisionRecord.create({
    data: {
      cycleId: cycle.id,
      accountId: of,
      engineVersion: "1.0.0",
      policyVersion: version,
      snapshotId,
      inputHash: "x",
      accountState: {},
      plan: {},
      outputHash: "x",
      line,
      decidedAt: when,
    },
  });
  return record.id;
}

describe("the door", () => {
  it("refuses strangers (401), takes no other field than an environment (400) and no other method (405)", async () => {
    expect((await callDoor(daily, "GET")).status).toBe(401);
    expect((await callDoor(daily, "GET", { token, query: "session=2020-02-05" })).status).toBe(400);
    expect((await callDoor(daily, "POST", { token, body: {} })).status).toBe(405);
  });

  it("says that it is off while the flag is off, and tells nothing", async () => {
    await writeDay();
    await switchFlag(false);
    expect(await ask()).toEqual({ isOn: false, brief: null, environment: "PRACTICE", environments: ["PRACTICE"] });
  });

  it("has no brief for administrators, for a user without accounts and before the first record", async () => {
    const admin = await makeUser(db(), { role: "ADMIN" });
    await makeAccount(db(), admin.id);
    const none = await makeUser(db());
    for (const as of [await makeSignIn(db(), admin), await makeSignIn(db(), none), token])
      expect(await ask(as)).toMatchObject({ isOn: true, brief: null });
  });
});

describe("the figures are those of the rows", () => {
  it("the day's result is the dashboard's Day figure, with what was paid in named and not counted", async () => {
    await writeDay();
    await db().accountFigures.update({ where: { accountId }, data: { equity: "106150.25", netDeposits: "105000" } });
    const brief = await readText();
    const summary = (await callDoor(portfolio, "GET", { token })).json?.data as unknown as { pnlDay: number };
    expect(summary.pnlDay).toBe(650.25);
    expect(brief).toMatchObject({
      environment: "PRACTICE",
      session: "2020-02-05",
      isClosed: false,
      asOf: "2020-02-05T17:05:00.000Z",
      writer: "TRADEWIND",
    });
    expect(brief.headline).toBe("+$650.25 so far, nothing bought or sold");
    expect(brief.sentences[0]).toBe(
      "Your practice account is worth $106,150.25, +$650.25 since the last close, not counting $5,000.00 paid in.",
    );
  });

  it("an account that was added today adds its value as paid in, whatever it had earned before: the sum comes out", async () => {
    await writeDay();
    const second = (await makeAccount(db(), userId, { name: "Second" })).id;
    const first = { ...close("2020-02-05", "20000", second, "15000"), at: at("16:00"), isClose: false };
    await db().equityPoint.create({ data: first });
    await read("20100", at("17:05"), second);
    await db().accountFigures.update({ where: { accountId: second }, data: { netDeposits: "15000" } });
    // $100,500.00 before, $20,000.00 that came with the account, and $750.25.
    expect((await readText()).sentences[0]).toBe(
      "Your 2 practice accounts are worth $121,250.25, +$750.25 since the last close, not counting $20,000.00 paid in.",
    );
  });

  it("after the close and on the next morning it still tells of the session, to its close", async () => {
    await writeDay();
    await read("101200", at("21:30"));
    expect(await readText()).toMatchObject({ isClosed: true, headline: "+$700.00 on the day, nothing bought or sold" });
    // The next morning the broker states the close, and has moved on itself.
    await db().accountFigures.update({
      where: { accountId },
      data: { equity: "101999", lastEquity: "101180", asOf: at("13:00", "2020-02-06") },
    });
    const brief = await readText();
    expect(brief).toMatchObject({
      session: "2020-02-05",
      isClosed: true,
      asOf: "2020-02-05T21:00:00.000Z",
      headline: "+$680.00 on the day, nothing bought or sold",
    });
    expect(brief.sentences[0]).toBe(
      "Your practice account is worth $101,180.00, +$680.00 (+0.68%) over the session of Wed 5 Feb 2020.",
    );
  });

  it("what was bought, sold, rejected and closed on the day, and nothing of the day before", async () => {
    await writeDay();
    const bought = await filled("AAPL", "BUY", "320.505");
    await filled("JPM", "BUY", "137");
    const sold = await filled("KO", "SELL", "58.5", { at: at("16:00") });
    await filled("OLD", "BUY", "10", { at: at("20:00", "2020-02-04") });
    await order("NVDA", "BUY", { status: "REJECTED", brokerStatus: "rejected" });
    const trip = {
      accountId,
      symbol: "KO",
      openedAt: at("15:00", "2020-01-20"),
      qtyBought: "10",
      qtySold: "10",
      entryValue: "600",
      exitValue: "585",
      pnl: "-15",
      outcome: "LOSS" as const,
      exitReason: "protective_stop",
    };
    await db().roundTrip.createMany({
      data: [
        { ...trip, closedAt: at("16:00") },
        { ...trip, symbol: "OLD", closedAt: at("16:00", "2020-02-04") },
      ],
    });
    const { headline, sentences } = await readText();
    expect(headline).toBe("+$650.25 so far, 2 buys and 1 sell");
    expect(sentences.slice(1, 5)).toEqual([
      "Bought 2 stocks for $4,575.05: AAPL and JPM.",
      "Sold KO for $585.00.",
      "The broker rejected 1 order: NVDA.",
      "A round trip in KO closed with -$15.00 (protective stop).",
    ]);
    const cites = (await ask()).brief?.sentences.map((each) => each.cites.map(({ href }) => href));
    expect(cites?.[1]?.[0]).toBe(`/trade-history/${bought}`);
    expect(cites?.[2]).toEqual([`/trade-history/${sold}`]);
    expect(cites?.[4]).toEqual([`/trade-history/${sold}`]);
  });

  it("how much was decided, what mostly stopped it and the session's regime, by the records' own lines", async () => {
    await writeDay();
    const line = (clock: string, tail: string) => `${clock}: 502 screened, 50 seated, 25 signals, 0 orders: ${tail}`;
    await decided(line("09:35", "18 stop guard, 7 earnings"), at("14:35"));
    const latest = await decided(line("09:40", "18 stop guard, 7 earnings"), at("14:40"));
    await decided(line("09:45", "25 market hours"), at("14:45"));
    await decided(line("15:55", "25 kill switch"), at("20:55", "2020-02-04"));
    await db().regimeReading.create({
      data: {
        market: "PRACTICE",
        sessionDate: dateOf("2020-02-05"),
        label: "neutral",
        vix: 16.05,
        votes: 1,
        hasFlipped: false,
        memory: {},
      },
    });
    const { sentences } = await readText();
    expect(sentences.slice(1, 4)).toEqual([
      "Nothing has been bought or sold so far; 3 decisions were made, none of them with an order.",
      "What mostly kept Tradewind from buying was “stop guard” (in 2 of 3 decisions without an order): after too many stops in a short time, nothing is bought for some sessions. At 09:40 ET it stopped 18 of 25 signals.",
      "The market is mixed; the VIX stood at 16.05 at the close before.",
    ]);
    const { brief } = await ask();
    expect(brief?.sentences[2]?.cites).toEqual([{ label: "Decision of 09:40 ET", href: `/decisions/${latest}` }]);
  });

  it("what is held, what rests at the broker for it, and what is halted", async () => {
    await writeDay();
    const held = (symbol: string, pnl: string) => ({
      accountId,
      symbol,
      qty: "10.5",
      avgEntryPrice: "90",
      currentPrice: "100",
      marketValue: "1050",
      unrealizedPnl: pnl,
      unrealizedPnlPercent: "0.1",
      stopPrice: "95",
      openedAt: at("15:00"),
    });
    await db().position.createMany({ data: [held("AAA", "105"), held("BBB", "-20")] });
    const stop = (symbol: string) => order(symbol, "SELL", { type: "STOP", stopPrice: "95", qty: "10" });
    await stop("AAA");
    expect(await readText()).toMatchObject({
      headline: "+$650.25 so far, nothing bought or sold, 1 position not fully covered by stops",
    });
    await stop("BBB");
    await db().account.update({
      where: { id: accountId },
      data: { haltedAt: new Date(), haltReason: "cash differs by $3.50" },
    });
    const { headline, sentences } = await readText();
    expect(headline).toBe("+$650.25 so far, your account is halted");
    expect(sentences[0]).toBe(
      "Your practice account is halted: nothing new is sent until you resume it. Reason: cash differs by $3.50.",
    );
    expect(sentences.slice(-3)).toEqual([
      "2 positions are open, worth $2,100.00, 2.1% of the equity.",
      "Since they were bought, AAA stands best at +$105.00 (+10.00%) and BBB weakest at -$20.00 (+10.00%).",
      "Both have stops resting at the broker: filled at their prices, the positions would give back $100.00 (0.1% of the equity) from here; a gap would cost more.",
    ]);
    await db().account.update({ where: { id: accountId }, data: { haltedAt: null, haltReason: null } });
    await db().user.update({
      where: { id: userId },
      data: { automationPausedAt: new Date(), pausedReason: "holiday" },
    });
    expect((await readText()).sentences[0]).toBe(
      "You paused the automation: nothing is bought, exits and stops keep working. Reason: holiday.",
    );
  });
});

describe("whose figures", () => {
  it("another person's rows never appear", async () => {
    await writeDay();
    const other = await makeUser(db());
    const theirs = (await makeAccount(db(), other.id)).id;
    await writeDay(theirs, "100999");
    await filled("THEIRS", "BUY", "77", { accountId: theirs });
    await decided("09:40: 502 screened, 50 seated, 1 signal, 0 orders: 1 sector", at("14:40"), theirs);
    const own = JSON.stringify(await ask());
    expect(own).not.toMatch(/THEIRS|sector|499/);
    expect((await readText(await makeSignIn(db(), other))).sentences.join(" ")).toContain("Bought THEIRS for $770.00.");
  });

  it("two environments have a brief each, and no figure of one is in the other", async () => {
    const paper = (await makeAccount(db(), userId, { broker: "ALPACA" })).id;
    await writeDay();
    await writeDay(paper, "100400");
    await filled("PRAC", "BUY", "11");
    await filled("PAPR", "SELL", "22", { accountId: paper });
    const readBrief = async (query: string) => {
      const { environment, headline, sentences } = await readText(token, query);
      return { environment, text: [headline, ...sentences].join(" ") };
    };
    const practice = await readBrief("environment=PRACTICE");
    expect(practice.environment).toBe("PRACTICE");
    expect(practice.text).toContain("+$650.25 so far, 1 buy ");
    expect(practice.text).not.toMatch(/PAPR|paper|100\.00/);
    const own = await readBrief("");
    expect(own.environment).toBe("PAPER");
    expect(own.text).toContain("-$100.00 so far, 1 sell ");
    expect(own.text).not.toMatch(/PRAC|practice|650\.25/);
  });

  it("an account that was not read in the session is left out and said so; an inactive one is not told of", async () => {
    const second = (await makeAccount(db(), userId)).id;
    const inactive = (await makeAccount(db(), userId)).id;
    await writeDay();
    await db().equityPoint.create({ data: close("2020-02-04", "50000", second, "50000") });
    await read("50000", at("20:00", "2020-02-04"), second);
    await writeDay(inactive, "1");
    await db().account.update({ where: { id: inactive }, data: { status: "INACTIVE" } });
    const { headline, sentences } = await readText();
    expect(headline).toBe("+$650.25 so far, nothing bought or sold");
    expect(sentences.slice(0, 2)).toEqual([
      "1 of your 2 practice accounts is worth $101,150.25, +$650.25 (+0.65%) since the last close.",
      "1 of 2 accounts has not been read at the broker since the session began and is left out of the figures.",
    ]);
  });
});
