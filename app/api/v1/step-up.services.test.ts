/** What a token alone does not open: every route that asks for a recent confirmation, and what confirms. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { allEndpoints } from "@/lib/contracts/api.ts";
import type { Exchange } from "@/lib/exchange/start.ts";
import { db } from "@/lib/server/db.ts";
import { forgetEnv } from "@/lib/server/env.ts";
import { callDoor, type CallResult } from "@/lib/proof/call-door.ts";
import { startBench } from "@/lib/proof/fixtures/orders.ts";
import { addPasskey, codeNow, done, personWithApp } from "@/lib/proof/fixtures/second-factor.ts";
import { ownInput } from "@/lib/proof/principals/checks.ts";
import { makePerson, tokenOf, type Person } from "@/lib/proof/principals/people.ts";
import { requestAs } from "@/lib/proof/principals/request-as.ts";
import { exportedHandlers, isServed, lineOf } from "@/lib/proof/principals/routes.ts";
import { ensureFlags } from "@/lib/server/services/flags/ensure-flags.ts";
import { ensureRateLimits } from "@/lib/server/services/rate-limits/ensure-rate-limits.ts";
import { closeRows, openRows } from "@/lib/proof/principals/rows.ts";
import { FACTORY_PASSWORD, makeSignIn, makeUser } from "@/prisma/factories.ts";
import * as accountsDoor from "./accounts/route.ts";
import * as rotationDoor from "./admin/biweekly-rotation/config/route.ts";
import * as flagsDoor from "./admin/feature-flags/route.ts";
import * as killSwitchDoor from "./admin/kill-switch/route.ts";
import * as toggleDoor from "./admin/queue/toggle/route.ts";
import * as limitDoor from "./admin/rate-limits/[id]/route.ts";
import * as limitsDoor from "./admin/rate-limits/route.ts";
import * as disableDoor from "./admin/users/[id]/disable/route.ts";
import * as enableDoor from "./admin/users/[id]/enable/route.ts";
import * as changePasswordDoor from "./auth/change-password/route.ts";
import * as securityDoor from "./auth/security/route.ts";
import * as optionsDoor from "./auth/step-up/options/route.ts";
import * as stepUpDoor from "./auth/step-up/route.ts";
import * as preferencesDoor from "./preferences/trading/route.ts";

const routes = (await exportedHandlers()).filter(isServed);
const asking = routes.filter(({ endpoint }) => endpoint.stepUp === true);
const REFUSED = { status: 403, json: { code: "step_up_required", error: "Confirm that it is you to continue." } };

let exchange: Exchange;
const people = {} as Record<"user" | "admin", Person>;

beforeAll(async () => {
  exchange = await startBench();
  Object.assign(process.env, {
    TRUSTED_PROXIES: "1",
    LOG_LEVEL: "error",
    APP_BASE_URL: "http://localhost:3000",
    // Nothing listens there: no call of this test leaves the machine.
    ALPACA_PAPER_URL: "http://127.0.0.1:9",
    ALPACA_LIVE_URL: "http://127.0.0.2:9",
  });
  forgetEnv();
  await openRows();
  for (const name of ["user", "admin"] as const) people[name] = await makePerson(name);
}, 120_000);
afterAll(async () => {
  await closeRows();
  await exchange.close();
});

/** Every sign-in of a person was last confirmed so long ago. */
const confirmedAgo = (userId: string, ms: number) =>
  db().signIn.updateMany({ where: { userId }, data: { confirmedAt: new Date(Date.now() - ms) } });
const LONG_AGO_MS = 5 * 60_000 + 1_000;

it("what asks for a confirmation", () => {
  const lines = allEndpoints.flatMap(({ method, path, stepUp }) =>
    stepUp === undefined ? [] : [`${method} ${path}${stepUp === true ? "" : ` (${stepUp})`}`],
  );
  expect(lines.sort()).toMatchInlineSnapshot(`
    [
      "DELETE /accounts/{id}",
      "DELETE /admin/rate-limits/{id} (loosening)",
      "DELETE /auth/passkeys/{id}",
      "DELETE /auth/totp",
      "GET /admin/all-trades/export",
      "GET /admin/audit/export",
      "GET /logs/export",
      "GET /trades/export",
      "GET /users/me/export",
      "PATCH /admin/biweekly-rotation/config (loosening)",
      "POST /accounts",
      "POST /accounts/oauth/start",
      "POST /accounts/practice/start-again",
      "POST /accounts/{id}/confirm-live",
      "POST /accounts/{id}/connect-again",
      "POST /accounts/{id}/resume",
      "POST /admin/accounts/{id}/close",
      "POST /admin/accounts/{id}/resume",
      "POST /admin/biweekly-rotation/plans/{planId}/execute",
      "POST /admin/feature-flags (loosening)",
      "POST /admin/kill-switch (loosening)",
      "POST /admin/policy/versions/{version}/activate",
      "POST /admin/practice-market",
      "POST /admin/queue/toggle (loosening)",
      "POST /admin/rate-limits (loosening)",
      "POST /admin/users/{id}/disable (loosening)",
      "POST /admin/users/{id}/enable (loosening)",
      "POST /admin/users/{id}/role",
      "POST /auth/access-tokens",
      "POST /auth/passkeys",
      "POST /auth/passkeys/options",
      "POST /auth/recovery-codes",
      "POST /auth/sign-ins/end-others",
      "POST /auth/totp",
      "POST /auth/totp/confirm",
      "POST /notifications/push (loosening)",
      "POST /notifications/webhook/rotate",
      "POST /users/me/erase",
      "PUT /notifications/webhook",
      "PUT /preferences/trading (loosening)",
    ]
  `);
});

it("every download asks for it, and what is open to all callers never does", () => {
  const downloads = allEndpoints.filter(({ downloadType }) => downloadType !== undefined);
  expect(downloads.length).toBeGreaterThan(3);
  expect(downloads.filter(({ stepUp }) => stepUp !== true)).toEqual([]);
  expect(allEndpoints.filter(({ access, stepUp }) => access === "public" && stepUp !== undefined)).toEqual([]);
});

describe.each(asking.map((route) => [lineOf(route), route] as const))("%s", (_, route) => {
  it("is refused to a sign-in that was confirmed more than five minutes ago, and open to a recent one", async () => {
    const person = route.endpoint.access === "admin" ? people.admin : people.user;
    const input = await ownInput(route, person);
    const old = await tokenOf(person);
    await confirmedAgo(person.userId, LONG_AGO_MS);
    expect(await requestAs(route, old, input)).toMatchObject({ status: 403, code: "step_up_required" });
    // The last: it may end the person's days.
    if (route.endpoint.path === "/users/me/erase") people.user = await makePerson("user");
    const fresh = await requestAs(route, await tokenOf(person), input);
    expect(fresh.code, fresh.text).not.toBe("step_up_required");
    expect([401, 403]).not.toContain(fresh.status);
  });
});

const post = (door: Parameters<typeof callDoor>[0], token: string, body: object): Promise<CallResult> =>
  callDoor(door, "POST", { token, body });

describe("a kill switch", () => {
  const set = (token: string, state: string) =>
    post(killSwitchDoor, token, { scope: { kind: "system" }, state, reason: "a test" });

  it("is thrown and tightened without a confirmation, and loosened or lifted with a recent one alone", async () => {
    const admin = await makeUser(db(), { role: "ADMIN" });
    const token = await makeSignIn(db(), admin);
    await confirmedAgo(admin.id, LONG_AGO_MS);
    for (const state of ["NO_NEW_ENTRIES", "REDUCE_ONLY"]) expect((await set(token, state)).status).toBe(200);
    for (const state of ["NO_NEW_ENTRIES", "NONE"]) expect(await set(token, state)).toMatchObject(REFUSED);
    expect((await db().systemState.findUniqueOrThrow({ where: { id: 1 } })).killState).toBe("REDUCE_ONLY");
    await confirmedAgo(admin.id, 0);
    expect((await set(token, "NONE")).status).toBe(200);
  });

  it.each([
    ["of a user", async () => ({ kind: "user", userId: people.user.userId })],
    ["of an account", async () => ({ kind: "account", accountId: people.user.accountId })],
    ["of a symbol", async () => ({ kind: "symbol", market: "PRACTICE", symbol: "ZZZZ" })],
  ])("%s is lifted after a confirmation alone", async (_, scopeOf) => {
    const admin = await makeUser(db(), { role: "ADMIN" });
    const token = await makeSignIn(db(), admin);
    const scope = await scopeOf();
    await confirmedAgo(admin.id, LONG_AGO_MS);
    expect((await post(killSwitchDoor, token, { scope, state: "REDUCE_ONLY" })).status).toBe(200);
    expect(await post(killSwitchDoor, token, { scope, state: "NONE", reason: "a test" })).toMatchObject(REFUSED);
  });
});

describe("in the console", () => {
  let admin: Awaited<ReturnType<typeof makeUser>>;
  let token: string;
  beforeEach(async () => {
    admin = await makeUser(db(), { role: "ADMIN" });
    token = await makeSignIn(db(), admin);
    await confirmedAgo(admin.id, LONG_AGO_MS);
    await db().featureFlag.deleteMany();
    await ensureFlags({ db: db() });
    await db().rateLimit.deleteMany();
    await ensureRateLimits({ db: db() });
  });
  afterAll(async () => {
    await db().rateLimit.deleteMany();
    await db().systemState.update({ where: { id: 1 }, data: { isQueueActive: true } });
  });
  /** Refused without a recent confirmation, done with one. */
  const waitsForOne = async (call: () => Promise<CallResult>) => {
    expect(await call()).toMatchObject(REFUSED);
    await confirmedAgo(admin.id, 0);
    expect((await call()).status).toBe(200);
    await confirmedAgo(admin.id, LONG_AGO_MS);
  };
  const limit = async (name: string) => (await db().rateLimit.findUniqueOrThrow({ where: { name } })).id;

  it("the queue is stopped without a confirmation, and goes on after one alone", async () => {
    const set = (active: boolean) => post(toggleDoor, token, { active });
    expect((await set(false)).status).toBe(200);
    await waitsForOne(() => set(true));
    // What it is already is no change.
    expect((await set(true)).status).toBe(200);
  });

  it.each([
    ["automation_enabled", true],
    ["qa_live_gate", false],
  ])(
    "%s, where it is in force, is switched to %s after a confirmation alone, and back without one",
    async (name, to) => {
      const { id } = await db().featureFlag.findFirstOrThrow({ where: { name } });
      const set = (enabled: boolean) => post(flagsDoor, token, { id, enabled });
      expect((await set(!to)).status).toBe(200);
      await waitsForOne(() => set(to));
    },
  );

  it("flags that protect nothing, or not here, are switched without a confirmation", async () => {
    const elsewhere = await db().featureFlag.create({ data: { name: "automation_enabled", environment: "staging" } });
    const practice = await db().featureFlag.findFirstOrThrow({ where: { name: "practice_market" } });
    for (const [flag, enabled] of [
      [elsewhere, true],
      [practice, false],
      [practice, true],
    ] as const)
      expect((await post(flagsDoor, token, { id: flag.id, enabled })).status).toBe(200);
  });

  it("the rotation trades, trades more or more often after a confirmation alone, and less without one", async () => {
    const set = (body: object) => callDoor(rotationDoor, "PATCH", { token, body });
    expect((await set({ advisory_only: true })).status).toBe(200);
    await waitsForOne(() => set({ advisory_only: false }));
    expect((await set({ enabled: false })).status).toBe(200);
    await waitsForOne(() => set({ enabled: true }));
    const tight = { turnover_cap_pct_per_period: 1, cost_aware_threshold_bps: 400, cadence_days: 60 };
    expect((await set({ ...tight, enabled: false })).status).toBe(200);
    for (const looser of [{ turnover_cap_pct_per_period: 2 }, { cost_aware_threshold_bps: null }, { cadence_days: 59 }])
      await waitsForOne(() => set(looser));
    expect((await set({ turnover_cap_pct_per_period: 1, cadence_days: 60, advisory_only: true })).status).toBe(200);
    await db().rotationConfig.deleteMany();
  });

  it("a limit is tightened without a confirmation, and loosened, lifted or deleted to its loosening after one alone", async () => {
    const id = await limit("export");
    const set = (change: object) => post(limitsDoor, token, { id, ...change });
    const remove = () => callDoor(limitDoor, "DELETE", { token, params: { id } });
    expect((await set({ maxRequests: 5 })).status).toBe(200);
    for (const looser of [{ maxRequests: 6 }, { windowMs: 60_000 }, { skipFailedRequests: true }, { enabled: false }])
      await waitsForOne(() => set(looser));
    for (const tighter of [
      { enabled: true, maxRequests: 2 },
      { skipFailedRequests: false, windowMs: 86_400_000 },
    ])
      expect((await set(tighter)).status).toBe(200);
    await waitsForOne(remove);
  });

  it("a deletion that loosens nothing, a new limit of no group, and a stricter one in the place of none take no confirmation", async () => {
    expect((await callDoor(limitDoor, "DELETE", { token, params: { id: await limit("export") } })).status).toBe(200);
    const create = (body: object) => post(limitsDoor, token, body);
    expect((await create({ name: "export", maxRequests: 2 })).status).toBe(200);
    const made = await create({ name: "partners", maxRequests: 2 });
    const { id } = made.json?.data as unknown as { id: string };
    expect((await create({ id, enabled: false })).status).toBe(200);
    await db().rateLimit.delete({ where: { name: "export" } });
    await waitsForOne(() => create({ name: "export", enabled: false }));
  });
});

describe("the access", () => {
  const change = (door: Parameters<typeof callDoor>[0], token: string, id: string) =>
    callDoor(door, "POST", { token, params: { id }, body: { reason: "a test" } });
  const isDisabled = async (id: string) => (await db().user.findUniqueOrThrow({ where: { id } })).disabledAt !== null;

  it("of an administrator is taken and given back with a recent confirmation alone", async () => {
    const [admin, other] = [await makeUser(db(), { role: "ADMIN" }), await makeUser(db(), { role: "ADMIN" })];
    const token = await makeSignIn(db(), admin);
    for (const [door, isTaken] of [
      [disableDoor, true],
      [enableDoor, false],
    ] as const) {
      await confirmedAgo(admin.id, LONG_AGO_MS);
      expect(await change(door, token, other.id)).toMatchObject(REFUSED);
      expect(await isDisabled(other.id)).toBe(!isTaken);
      await confirmedAgo(admin.id, 0);
      expect((await change(door, token, other.id)).status).toBe(200);
      expect(await isDisabled(other.id)).toBe(isTaken);
    }
  });

  it("of a user is taken at once, without a confirmation, and given back so", async () => {
    const admin = await makeUser(db(), { role: "ADMIN" });
    const [token, user] = [await makeSignIn(db(), admin), await makeUser(db())];
    await confirmedAgo(admin.id, LONG_AGO_MS);
    for (const door of [disableDoor, enableDoor]) expect((await change(door, token, user.id)).status).toBe(200);
  });
});

it("trading for paper accounts only is switched off after a confirmation alone, and on without one", async () => {
  const user = await makeUser(db());
  const token = await makeSignIn(db(), user);
  const { userId: _, ...saved } = await done<Record<string, unknown>>(preferencesDoor, "GET", { token });
  const save = (paperTradingOnly: boolean) =>
    callDoor(preferencesDoor, "PUT", { token, body: { ...saved, paperTradingOnly } });
  await confirmedAgo(user.id, LONG_AGO_MS);
  expect(await save(false)).toMatchObject(REFUSED);
  expect((await save(true)).status).toBe(200);
  await confirmedAgo(user.id, 0);
  expect((await save(false)).status).toBe(200);
  await confirmedAgo(user.id, LONG_AGO_MS);
  expect((await save(false)).status).toBe(200);
  expect((await save(true)).status).toBe(200);
});

describe("a confirmation", () => {
  const KEYS = { alpacaKey: `PK${"A".repeat(18)}`, alpacaSecret: "b".repeat(40) };
  const addKeys = (token: string) => post(accountsDoor, token, KEYS);
  const audits = (userId: string, eventType: string) =>
    db().auditEvent.count({ where: { subjectUserId: userId, eventType } });

  it("by password holds five minutes, for this sign-in alone, where no second factor is set up", async () => {
    const user = await makeUser(db());
    const [token, other] = [await makeSignIn(db(), user), await makeSignIn(db(), user)];
    await confirmedAgo(user.id, LONG_AGO_MS);
    expect(await addKeys(token)).toMatchObject(REFUSED);
    expect(await post(stepUpDoor, token, { password: "Wrong-Horse-1" })).toMatchObject({
      status: 400,
      json: { issues: [{ path: "password" }] },
    });
    expect(await addKeys(token)).toMatchObject(REFUSED);
    const { confirmedUntil } = await done<{ confirmedUntil: string }>(stepUpDoor, "POST", {
      token,
      body: { password: FACTORY_PASSWORD },
    });
    expect(Date.parse(confirmedUntil) - Date.now()).toBeGreaterThan(4 * 60_000);
    expect((await addKeys(token)).status).not.toBe(403);
    expect(await addKeys(other)).toMatchObject(REFUSED);
    expect(await done(securityDoor, "GET", { token })).toMatchObject({ confirmedUntil });
    expect([await audits(user.id, "STEP_UP_FAILED"), await audits(user.id, "IDENTITY_CONFIRMED")]).toEqual([1, 1]);
  });

  it("is not given by the password of a person with a second factor: a stolen token and a known password add no key", async () => {
    const { user, token, secret } = await personWithApp();
    await confirmedAgo(user.id, LONG_AGO_MS);
    expect(await post(stepUpDoor, token, { password: FACTORY_PASSWORD })).toMatchObject({ status: 400 });
    expect(await addKeys(token)).toMatchObject(REFUSED);
    // Nor by a detour: the sign-in that a changed password opens is confirmed as the one before it was.
    const changed = await done<{ token: string }>(changePasswordDoor, "PUT", {
      token,
      body: { email: user.email, currentPassword: FACTORY_PASSWORD, newPassword: "Leeward-77-anchors" },
    });
    expect(await addKeys(changed.token)).toMatchObject(REFUSED);
    expect((await post(stepUpDoor, changed.token, { code: codeNow(secret, 1) })).status).toBe(200);
    expect((await addKeys(changed.token)).status).not.toBe(403);
  });

  const guess = async (token: string, times: number, body: (n: number) => object) => {
    const statuses: number[] = [];
    for (let n = 0; n < times; n += 1) {
      const headers = { "x-forwarded-for": `10.77.${n}.1` };
      statuses.push((await callDoor(stepUpDoor, "POST", { token, body: body(n), headers })).status);
    }
    return statuses;
  };

  it("by code or recovery code holds each once", async () => {
    const { user, token, secret, recoveryCodes } = await personWithApp();
    const code = codeNow(secret, 1);
    expect((await post(stepUpDoor, token, { code })).status).toBe(200);
    const used = "This code, or a newer one, was already used. Wait for the next one that your app shows.";
    expect(await post(stepUpDoor, token, { code })).toMatchObject({ status: 400, json: { error: used } });
    const again = await guess(token, 16, () => ({ code }));
    expect(new Set(again), "which is no wrong guess").toEqual(new Set([400]));
    const [recoveryCode] = recoveryCodes;
    await confirmedAgo(user.id, LONG_AGO_MS);
    expect((await post(stepUpDoor, token, { recoveryCode })).status).toBe(200);
    expect((await post(stepUpDoor, token, { recoveryCode })).status).toBe(400);
    expect((await addKeys(token)).status).not.toBe(403);
  });

  it("by passkey takes the challenge that its own person was given, once", async () => {
    const user = await makeUser(db());
    const token = await makeSignIn(db(), user);
    const passkey = await addPasskey(token);
    const stranger = await makeSignIn(db(), await makeUser(db()));
    await addPasskey(stranger);
    const ask = async (bearer: string) =>
      (
        await done<{ passkey: { ticket: string; options: { challenge: string } } }>(optionsDoor, "POST", {
          token: bearer,
          body: {},
        })
      ).passkey;
    const theirs = await ask(stranger);
    const signedForOther = { ticket: theirs.ticket, answer: passkey.sign(theirs.options.challenge) };
    expect((await post(stepUpDoor, token, { passkey: signedForOther })).status).toBe(400);
    expect((await post(stepUpDoor, stranger, { passkey: signedForOther })).status).toBe(400);
    const { ticket, options } = await ask(token);
    const given = { passkey: { ticket, answer: passkey.sign(options.challenge) } };
    await confirmedAgo(user.id, LONG_AGO_MS);
    expect((await post(stepUpDoor, token, given)).status).toBe(200);
    expect((await addKeys(token)).status).not.toBe(403);
    expect((await post(stepUpDoor, token, given)).status).toBe(400);
  });

  const mails = (userId: string, template: string) => db().outbox.count({ where: { userId, template } });

  it("by password is guessed ten times in a quarter of an hour at most, from all addresses, and the owner is notified once", async () => {
    const user = await makeUser(db());
    const token = await makeSignIn(db(), user);
    const statuses = await guess(token, 12, (n) => ({ password: `Wrong-Horse-${n}` }));
    expect(statuses).toEqual([...Array<number>(10).fill(400), 429, 429]);
    expect(await audits(user.id, "STEP_UP_FAILED")).toBe(10);
    expect(await mails(user.id, "wrong-password")).toBe(1);
  });

  it("by code is guessed fifteen times an hour at most, from all addresses, and the owner is notified once", async () => {
    const { user, token, secret } = await personWithApp();
    const before = await mails(user.id, "system-alert");
    const right = new Set([-2, -1, 0, 1, 2].map((step) => codeNow(secret, step)));
    const wrong = Array.from({ length: 40 }, (_, n) => String(100_000 + n)).filter((code) => !right.has(code));
    const statuses = await guess(token, 17, (n) => ({ code: wrong[n] }));
    expect(statuses).toEqual([...Array<number>(15).fill(400), 429, 429]);
    expect(await audits(user.id, "STEP_UP_FAILED")).toBe(15);
    expect(await mails(user.id, "system-alert")).toBe(before + 1);
  });
});
