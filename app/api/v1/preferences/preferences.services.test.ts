import { beforeEach, expect, it } from "vitest";
import { auditText } from "@/lib/domain/audit-events.ts";
import type { AuditFacts } from "@/lib/domain/audit-phrases.ts";
import type { Answer } from "@/lib/contracts/endpoint.ts";
import type { preferencesApi } from "@/lib/contracts/preferences.ts";
import { db } from "@/lib/server/db.ts";
import { ensureFlags } from "@/lib/server/services/flags/ensure-flags.ts";
import { makeAccount, makeSignIn, makeUser } from "@/prisma/factories.ts";
import { callDoor } from "@/lib/proof/call-door.ts";
import * as flags from "../flags/route.ts";
import * as notifications from "./notifications/route.ts";
import * as profile from "./profile/route.ts";
import * as quietHours from "./quiet-hours/route.ts";
import * as strategies from "./strategies/route.ts";
import * as trading from "./trading/route.ts";

let userId: string;
let token: string;

beforeEach(async () => {
  const user = await makeUser(db());
  userId = user.id;
  token = await makeSignIn(db(), user);
});

const DEFAULTS = {
  defaultOrderSize: 1000,
  riskTolerance: "medium",
  paperTradingOnly: true,
  maxPositions: 3,
  maxPositionValue: 1000,
  profitTarget: 5,
  stopLoss: 3,
  checkInterval: 5,
  strategy: "MOMENTUM",
  riskLevel: "MEDIUM",
};

const read = async () => (await callDoor(trading, "GET", { token })).json?.data as unknown;
const save = (changes: object) => callDoor(trading, "PUT", { token, body: { ...DEFAULTS, ...changes } });

it("trading preferences begin at the specification's defaults", async () => {
  expect(await read()).toEqual(DEFAULTS);
});

it("what another window changed since the form was read is not brought back by a save, Paper Trading Only above all", async () => {
  const asRead = { ...DEFAULTS, paperTradingOnly: false };
  expect((await save({ paperTradingOnly: false })).status).toBe(200);
  const token2 = await makeSignIn(db(), (await db().user.findUniqueOrThrow({ where: { id: userId } })) as never);
  await callDoor(trading, "PUT", {
    token: token2,
    body: { ...asRead, paperTradingOnly: true, stopLoss: 2, basedOn: asRead },
  });
  const stale = await save({ paperTradingOnly: false, maxPositions: 7, basedOn: asRead });
  expect(stale).toMatchObject({
    status: 409,
    json: {
      error:
        "Nothing was saved, because these settings were changed elsewhere since they were read: Paper Trading Only, Stop Loss.",
      issues: [{ path: "basedOn" }],
    },
  });
  const newer = { ...DEFAULTS, paperTradingOnly: true, stopLoss: 2 };
  expect(await read()).toEqual(newer);
  // On the newer ones it is saved, and switching it off is what the person wants then.
  expect((await save({ ...newer, paperTradingOnly: false, maxPositions: 7, basedOn: newer })).status).toBe(200);
  expect(await read()).toMatchObject({ paperTradingOnly: false, stopLoss: 2, maxPositions: 7 });
  // A program that sends no basis sends what it wants as a whole.
  expect((await save({})).status).toBe(200);
  expect(await read()).toEqual(DEFAULTS);
  expect((await save({ basedOn: { nothing: 1 } })).status).toBe(400);
});

it("the settings are explained with the policy's numbers, and set beside the account with money that is the most real", async () => {
  const explained = async () =>
    (await callDoor(strategies, "GET", { token })).json?.data as unknown as Record<string, unknown>;
  expect(await explained()).toMatchObject({
    strategies: [
      {
        strategy: "MOMENTUM",
        label: "Momentum",
        does: [expect.stringContaining("80% of the market"), expect.anything()],
      },
      { strategy: "MEAN_REVERSION", trades: expect.stringContaining("at most 5 positions") },
      { strategy: "BREAKOUT", holds: expect.stringContaining("10 sessions") },
    ],
    riskTolerance: { low: expect.stringContaining("0.5 times") },
    riskLevel: { high: expect.stringContaining("65 of 100") },
    account: null,
  });
  await makeAccount(db(), userId, { equity: "100000" });
  expect((await explained()).account).toEqual({
    environment: "PRACTICE",
    label: "your practice account",
    equity: 100_000,
  });
  await makeAccount(db(), userId, { broker: "ALPACA", equity: "0" });
  expect((await explained()).account, "an account without money sizes nothing").toBeNull();
  await makeAccount(db(), userId, { broker: "ALPACA", equity: "2500.5" });
  expect((await explained()).account).toEqual({
    environment: "PAPER",
    label: "one of your paper accounts",
    equity: 2500.5,
  });
  await makeAccount(db(), (await makeUser(db())).id, { broker: "ALPACA", equity: "9" });
  expect((await explained()).account, "the caller's own").toMatchObject({ equity: 2500.5 });
});

it("each strategy has its history on the market of that account, or the reason why there is none", async () => {
  await db().strategyHistory.deleteMany();
  await makeAccount(db(), userId, { equity: "100000" });
  const histories = async () => {
    const { strategies: all } = (await callDoor(strategies, "GET", { token })).json?.data as unknown as Answer<
      typeof preferencesApi.explain
    >;
    return all.map(({ history, historyReason }) => ({ history, historyReason }));
  };
  expect(await histories()).toEqual(
    Array.from({ length: 3 }, () => ({ history: null, historyReason: expect.stringMatching(/^No history/) })),
  );
  const computedAt = new Date("2026-11-25T03:00:00Z");
  const of = { throughDate: new Date("2020-06-30"), policyVersion: "2.9.0", engineVersion: "1.2.0", computedAt };
  const points = [
    { session: "2020-01-31", strategy: 100, index: 100 },
    { session: "2020-06-30", strategy: 101.25, index: 97.5 },
  ];
  const figures = {
    ...{ fromDate: new Date("2020-02-03"), sessions: 104, cash: "100000", finalEquity: "101250.123456789" },
    ...{ totalReturn: 0.01250123456789, indexReturn: -0.025, maxDrawdown: -0.004, exposure: 0.02, trades: 12 },
    ...{ winRate: 0.75, points },
  };
  await db().strategyHistory.createMany({
    data: [
      { market: "PRACTICE", strategy: "MOMENTUM", ...of, ...figures },
      { market: "PRACTICE", strategy: "BREAKOUT", ...of, reason: "Too few sessions." },
      { market: "US", strategy: "MOMENTUM", ...of, ...figures, winRate: null, trades: 0 },
    ],
  });
  const [momentum, reversion, breakout] = await histories();
  expect(momentum).toEqual({
    historyReason: null,
    history: {
      ...{ market: "PRACTICE", from: "2020-02-03", to: "2020-06-30", sessions: 104, cash: 100_000 },
      ...{ totalReturn: 0.01250123456789, indexReturn: -0.025, maxDrawdown: -0.004, exposure: 0.02 },
      ...{ trades: 12, winRate: 0.75, points, policyVersion: "2.9.0", computedAt: computedAt.toISOString() },
      label: "Backtest of the last 104 sessions (from 3 Feb 2020 to 30 Jun 2020), costs included; not your account.",
      basis: expect.stringContaining("On average 2.0% of the money was invested"),
      sentence: expect.stringContaining("Momentum +1.25%, over the same sessions SPY -2.50%"),
    },
  });
  expect(reversion).toMatchObject({ history: null, historyReason: expect.stringMatching(/^No history/) });
  expect(breakout).toEqual({ history: null, historyReason: "Too few sessions." });

  await makeAccount(db(), userId, { broker: "ALPACA", equity: "2500" });
  expect(await histories()).toMatchObject([
    { history: { market: "US", trades: 0, winRate: null }, historyReason: null },
    { history: null },
    { history: null },
  ]);
});

it("saved trading preferences are the ones that are read, exact to the last digit, and audited from and to", async () => {
  const changes = {
    riskTolerance: "high",
    paperTradingOnly: false,
    maxPositions: 20,
    maxPositionValue: 99999.99,
    profitTarget: 0.1,
    stopLoss: 49.9,
    checkInterval: 60,
    strategy: "BREAKOUT",
    riskLevel: "LOW",
    defaultOrderSize: 0.000000001,
  };
  expect(await save(changes)).toMatchObject({ status: 200, json: { data: changes } });
  expect(await read()).toEqual({ ...DEFAULTS, ...changes });
  const row = await db().tradingPreferences.findUniqueOrThrow({ where: { userId } });
  expect(row.defaultOrderSize.toFixed()).toBe("0.000000001");
  const where = { subjectUserId: userId, eventType: "TRADING_PREFERENCES_CHANGED" };
  const event = await db().auditEvent.findFirstOrThrow({ where });
  expect(event.data).toMatchObject({ strategy: { from: "MOMENTUM", to: "BREAKOUT" } });

  await save(changes);
  expect(await db().auditEvent.count({ where }), "saving the same again changes nothing").toBe(1);
});

it.each([
  ["maxPositions", 0],
  ["maxPositions", 21],
  ["maxPositions", 1.5],
  ["maxPositionValue", 99.99],
  ["maxPositionValue", 100_000.01],
  ["profitTarget", 0],
  ["profitTarget", 50.1],
  ["profitTarget", 1.25],
  ["stopLoss", 0.09],
  ["stopLoss", 50.1],
  ["checkInterval", 0],
  ["checkInterval", 61],
  ["checkInterval", "5"],
  ["defaultOrderSize", 0],
  ["defaultOrderSize", -1],
  ["defaultOrderSize", 1e30],
  ["riskTolerance", "MEDIUM"],
  ["strategy", "momentum"],
  ["userId", "0195e7a0-0000-7000-8000-000000000000"],
] as const)("%s of %j is refused by name, and nothing is saved", async (name, value) => {
  const answer = await save({ [name]: value });
  expect(answer).toMatchObject({ status: 400, json: { success: false } });
  expect(answer.json?.issues?.map((issue) => issue.path)).toContain(name);
  expect(await read()).toEqual(DEFAULTS);
});

it("a preference that is left out is refused: the whole is saved or nothing", async () => {
  const { strategy: _, ...rest } = DEFAULTS;
  expect(await callDoor(trading, "PUT", { token, body: rest })).toMatchObject({ status: 400 });
});

it("notification preferences begin switched on and are saved all five", async () => {
  const on = {
    emailNotifications: true,
    orderNotifications: true,
    tradeNotifications: true,
    weeklySummary: true,
    systemAlerts: true,
  };
  expect((await callDoor(notifications, "GET", { token })).json?.data).toEqual(on);
  const body = { ...on, weeklySummary: false, emailNotifications: false };
  expect(await callDoor(notifications, "PUT", { token, body })).toMatchObject({ status: 200, json: { data: body } });
  expect((await callDoor(notifications, "GET", { token })).json?.data).toEqual(body);
  expect(await callDoor(notifications, "PUT", { token, body: { ...on, weeklySummary: "no" } })).toMatchObject({
    status: 400,
  });
});

it("the profile is saved only where its flag is on", async () => {
  await ensureFlags({ db: db() });
  const body = { displayName: "Ada", bio: "Counts." };
  expect(await callDoor(profile, "PUT", { token, body })).toMatchObject({
    status: 501,
    json: { error: "profile settings not yet implemented" },
  });
  expect((await callDoor(profile, "GET", { token })).json?.data).toEqual({ displayName: null, bio: null });
  await db().featureFlag.update({
    where: { name_environment: { name: "profile_editing", environment: "production" } },
    data: { enabled: true },
  });
  expect((await callDoor(flags, "GET", { token })).json?.data).toMatchObject({ profile_editing: true });
  expect(await callDoor(profile, "PUT", { token, body })).toMatchObject({ status: 200, json: { data: body } });
  expect((await callDoor(profile, "GET", { token })).json?.data).toEqual(body);
  // Saved again it changes nothing; the trail names what was changed, never what was written.
  await callDoor(profile, "PUT", { token, body });
  await callDoor(profile, "PUT", { token, body: { ...body, bio: "Another text" } });
  const events = await db().auditEvent.findMany({ where: { eventType: "PROFILE_CHANGED" }, orderBy: { seq: "asc" } });
  expect(events.map(({ data }) => data)).toEqual([{ displayName: true, bio: true }, { bio: true }]);
  expect(auditText("PROFILE_CHANGED", events[1]?.data as AuditFacts)).toBe("Changed the profile: bio");
});

it("flags are those of the environment in force, also before any row is there", async () => {
  await db().featureFlag.deleteMany();
  await db().featureFlag.create({ data: { name: "automation_enabled", environment: "staging", enabled: false } });
  await db().featureFlag.create({ data: { name: "new_look", environment: "production", enabled: true } });
  expect((await callDoor(flags, "GET", { token })).json?.data).toMatchObject({
    automation_enabled: true,
    profile_editing: false,
    new_look: true,
  });
});

it("preferences belong to a sign-in", async () => {
  for (const door of [trading, notifications, profile, flags]) {
    expect(await callDoor(door, "GET")).toMatchObject({ status: 401 });
  }
});

it("a switch that is sent back as it was read stays as it is stored: what a mail's link switched off is not on again", async () => {
  const { data: read } = (await callDoor(notifications, "GET", { token })).json as { data: Record<string, boolean> };
  const basedOn = { ...read, weeklySummary: true, tradeNotifications: true };
  await db().notificationPreferences.updateMany({ where: { userId }, data: { weeklySummary: false } });
  const body = { ...basedOn, tradeNotifications: false, basedOn };
  const { json } = await callDoor(notifications, "PUT", { token, body });
  expect(json?.data).toMatchObject({ weeklySummary: false, tradeNotifications: false });
});

it("what changes nothing of the notifications and the quiet hours is in no log of changes", async () => {
  const wanted = { emailNotifications: true, orderNotifications: true, tradeNotifications: true };
  const put = (door: typeof notifications | typeof quietHours, body: object) => callDoor(door, "PUT", { token, body });
  const events = async () =>
    (await db().auditEvent.findMany({ where: { subjectUserId: userId }, orderBy: { seq: "asc" } })).map(
      ({ eventType }) => eventType,
    );
  const hours = { quietHours: { from: 1_320, to: 420, timeZone: "America/New_York" } };
  for (const [door, body] of [
    [notifications, { ...wanted, weeklySummary: false, systemAlerts: true }],
    [quietHours, hours],
  ] as const)
    for (let times = 0; times < 2; times += 1) expect((await put(door, body)).status).toBe(200);
  expect((await put(quietHours, { quietHours: null })).status).toBe(200);
  expect((await put(quietHours, { quietHours: null })).status).toBe(200);
  expect(await events()).toEqual(["NOTIFICATION_PREFERENCES_CHANGED", "QUIET_HOURS_CHANGED", "QUIET_HOURS_CHANGED"]);
});

it("an amount of more than nine decimal places is refused with a sentence, and not rounded to nothing", async () => {
  const refused = await save({ defaultOrderSize: 1e-10 });
  expect(refused).toMatchObject({ status: 400, json: { error: "Default Order Size has too many digits." } });
});
