/** Access tokens as their owner makes, lists and revokes them, and what ends them. */
import { randomUUID } from "node:crypto";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { accessTokensApi } from "@/lib/contracts/access-tokens.ts";
import type { Answer } from "@/lib/contracts/endpoint.ts";
import { auditText } from "@/lib/domain/audit-events.ts";
import type { AuditFacts } from "@/lib/domain/audit-phrases.ts";
import { DAY_MS, MINUTE_MS } from "@/lib/domain/time.ts";
import { db } from "@/lib/server/db.ts";
import { forgetEnv } from "@/lib/server/env.ts";
import { emailToken, tokenHash } from "@/lib/server/secrets/email-token.ts";
import { callDoor } from "@/lib/proof/call-door.ts";
import { listenToOutput, textsInPostgres } from "@/lib/proof/fixtures/canary.ts";
import { done } from "@/lib/proof/fixtures/second-factor.ts";
import { unpack } from "@/lib/proof/unpack.ts";
import { FACTORY_PASSWORD, makeAccount, makeSignIn, makeUser, type MadeUser } from "@/prisma/factories.ts";
import * as accountDoor from "../accounts/[id]/route.ts";
import * as endSignInsDoor from "../admin/users/[id]/end-sign-ins/route.ts";
import * as pauseDoor from "../automation/pause/route.ts";
import * as summaryDoor from "../portfolio/summary/route.ts";
import * as preferencesDoor from "../preferences/trading/route.ts";
import * as exportDoor from "../users/me/export/route.ts";
import * as tokenDoor from "./access-tokens/[id]/route.ts";
import * as tokensDoor from "./access-tokens/route.ts";
import * as changePasswordDoor from "./change-password/route.ts";
import * as meDoor from "./me/route.ts";
import * as resetDoor from "./reset-password/route.ts";
import * as endOthersDoor from "./sign-ins/end-others/route.ts";

type Made = Answer<typeof accessTokensApi.make>;
type Listed = Answer<typeof accessTokensApi.list>;

const NEW_PASSWORD = "Leeward-77-anchors";
const output: string[] = [];
let user: MadeUser;
let signIn: string;

beforeEach(async () => {
  Object.assign(process.env, { LOG_LEVEL: "debug", TRUSTED_PROXIES: "1", APP_BASE_URL: "http://localhost:3000" });
  forgetEnv();
  user = await makeUser(db());
  signIn = await makeSignIn(db(), user);
});
afterEach(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
});

const make = (body: object = {}, token = signIn) =>
  done<Made>(tokensDoor, "POST", { token, body: { name: "Spreadsheet", scope: "READ", ...body } });
const list = (token = signIn) => done<Listed>(tokensDoor, "GET", { token });
const statusOf = async (secret: string) => (await callDoor(pauseDoor, "GET", { token: secret })).status;
const audits = (eventType: string) =>
  db().auditEvent.findMany({ where: { subjectUserId: user.id, eventType }, orderBy: { seq: "asc" } });

describe("making one", () => {
  it("answers the token once, and lists it by its name and its end", async () => {
    const { accessToken, secret } = await make({ name: "  Spreadsheet  ", scope: "STEER", expiresInDays: 7 });
    expect(secret).toMatch(/^twp_[\w-]{43}$/);
    expect(accessToken).toMatchObject({ name: "Spreadsheet", scope: "STEER", lastFour: secret.slice(-4) });
    expect(accessToken.lastUsedAt).toBeNull();
    const held = Date.parse(String(accessToken.expiresAt)) - Date.parse(String(accessToken.createdAt));
    expect(held).toBe(7 * DAY_MS);
    expect(await statusOf(secret)).toBe(200);
    const listed = await list();
    expect(listed).toMatchObject([{ id: accessToken.id, name: "Spreadsheet", lastFour: secret.slice(-4) }]);
    expect(listed[0]?.lastUsedAt).not.toBeNull();
    expect(JSON.stringify(listed)).not.toMatch(/twp_|tokenHash|tokenVersion/);
    expect(await list(await makeSignIn(db(), await makeUser(db())))).toEqual([]);
  });

  it("holds for ninety days unless another of four terms is chosen", async () => {
    for (const [chosen, days] of [[{}, 90], ...[7, 30, 90, 365].map((n) => [{ expiresInDays: n }, n])] as [
      object,
      number,
    ][]) {
      const { accessToken } = await make(chosen);
      expect(Date.parse(String(accessToken.expiresAt)) - Date.parse(String(accessToken.createdAt))).toBe(days * DAY_MS);
    }
    for (const [body, path] of [
      [{ expiresInDays: 8 }, "expiresInDays"],
      [{ expiresInDays: null }, "expiresInDays"],
      [{ name: "   " }, "name"],
      [{ name: "x".repeat(61) }, "name"],
      [{ scope: "ADMIN" }, "scope"],
    ] as const)
      expect(
        await callDoor(tokensDoor, "POST", { token: signIn, body: { name: "A", scope: "READ", ...body } }),
      ).toMatchObject({ status: 400, json: { issues: [{ path }] } });
  });

  it("tells the owner in the pages and by mail, and keeps it in the trail", async () => {
    const { accessToken, secret } = await make({ scope: "STEER" });
    const [notice] = await db().notification.findMany({ where: { userId: user.id, kind: "SECURITY" } });
    expect(notice).toMatchObject({ title: "An access token was made" });
    expect(notice?.text).toContain(`“Spreadsheet”, which ends in ${secret.slice(-4)}`);
    expect(notice?.text).toContain("control trading, for 90 days");
    const mails = await db().outbox.findMany({ where: { userId: user.id, template: "system-alert" } });
    expect(mails).toHaveLength(1);
    // The profile, notifications and sign-ins are closed to every token.
    expect(JSON.stringify(mails[0]?.props)).toContain(
      "It may read your accounts, positions, trades, decisions, results, backtests and trading preferences, and the automation's state and log, and control trading, for ",
    );
    const [event] = await audits("ACCESS_TOKEN_MADE");
    expect(event?.data).toEqual({ tokenId: accessToken.id, end: secret.slice(-4), scope: "STEER", expiresInDays: 90 });
    expect(auditText("ACCESS_TOKEN_MADE", event?.data as AuditFacts)).toBe(
      `Made an access token that may read and control trading: …${secret.slice(-4)}`,
    );
  });

  it("asks for a step-up, and no token makes another or revokes one", async () => {
    const { accessToken, secret } = await make({ scope: "STEER" });
    await db().signIn.updateMany({
      where: { userId: user.id },
      data: { confirmedAt: new Date(Date.now() - 6 * MINUTE_MS) },
    });
    const body = { name: "Another", scope: "READ" };
    expect(await callDoor(tokensDoor, "POST", { token: signIn, body })).toMatchObject({
      status: 403,
      json: { code: "step_up_required" },
    });
    const closed = { status: 403, json: { code: "forbidden" } };
    expect(await callDoor(tokensDoor, "POST", { token: secret, body })).toMatchObject(closed);
    expect(await callDoor(tokensDoor, "GET", { token: secret })).toMatchObject(closed);
    expect(await callDoor(tokenDoor, "DELETE", { token: secret, params: { id: accessToken.id } })).toMatchObject(
      closed,
    );
    expect(await db().accessToken.count({ where: { userId: user.id, revokedAt: null } })).toBe(1);
  });

  it("stops at ten that hold, also when twelve are asked for at once", async () => {
    const body = { name: "Many", scope: "READ" };
    const answers = await Promise.all(
      Array.from({ length: 12 }, () => callDoor(tokensDoor, "POST", { token: signIn, body })),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([...Array<number>(10).fill(200), 409, 409]);
    expect(answers.find(({ status }) => status === 409)?.json?.error).toBe(
      "You have 10 access tokens, which is the maximum. Revoke one first.",
    );
    const [first, second] = await list();
    await done(tokenDoor, "DELETE", { token: signIn, params: { id: String(first?.id) } });
    await db().accessToken.update({
      where: { id: String(second?.id) },
      data: { createdAt: new Date(Date.now() - DAY_MS), expiresAt: new Date(Date.now() - 1) },
    });
    await make();
    await make();
    expect((await callDoor(tokensDoor, "POST", { token: signIn, body })).status).toBe(409);
  });

  it("leaves the token in clear nowhere: not in a row, a mail, a log line or a later answer", async () => {
    listenToOutput(output);
    const { secret } = await make();
    expect(await statusOf(secret)).toBe(200);
    expect((await callDoor(meDoor, "GET", { token: secret })).status).toBe(403);
    const exported = await exportDoor.GET(
      new Request("http://localhost/api/v1/users/me/export", { headers: { authorization: `Bearer ${signIn}` } }),
      { params: Promise.resolve({}) },
    );
    const file = unpack(Buffer.from(await exported.arrayBuffer()));
    const later = JSON.stringify(await list());
    const rows = await textsInPostgres();
    for (const shape of [secret, secret.slice(4), Buffer.from(secret).toString("base64").replace(/=+$/, "")])
      for (const [place, texts] of Object.entries({ rows, output, file: [file], later: [later] }))
        expect({ place, found: texts.filter((text) => text.includes(shape)) }).toEqual({ place, found: [] });
    expect(file).toContain("Spreadsheet,READ");
  });
});

describe("what ends one", () => {
  it("revoking: at once, once, and with an entry in the trail", async () => {
    const { accessToken, secret } = await make();
    const { secret: other } = await make({ name: "Other" });
    const params = { id: accessToken.id };
    await done(tokenDoor, "DELETE", { token: signIn, params });
    expect([await statusOf(secret), await statusOf(other)]).toEqual([401, 200]);
    await done(tokenDoor, "DELETE", { token: signIn, params });
    expect(await audits("ACCESS_TOKEN_REVOKED")).toMatchObject([
      { data: { tokenId: params.id, end: secret.slice(-4) } },
    ]);
    expect((await list()).map(({ name }) => name)).toEqual(["Other"]);
  });

  it("another person's stays: it is not found", async () => {
    const { accessToken, secret } = await make();
    const stranger = await makeSignIn(db(), await makeUser(db(), { role: "ADMIN" }));
    for (const id of [accessToken.id, randomUUID()])
      expect((await callDoor(tokenDoor, "DELETE", { token: stranger, params: { id } })).status).toBe(404);
    expect(await statusOf(secret)).toBe(200);
  });

  it("its term", async () => {
    const { secret } = await make({ expiresInDays: 7 });
    const end = (await db().accessToken.findFirstOrThrow({ where: { userId: user.id } })).expiresAt;
    vi.useFakeTimers({ toFake: ["Date"], now: end.getTime() - 1_000 });
    expect(await statusOf(secret)).toBe(200);
    vi.setSystemTime(end);
    expect(await statusOf(secret)).toBe(401);
  });

  it.each<[string, () => Promise<unknown>]>([
    [
      "a changed password",
      () =>
        done(changePasswordDoor, "PUT", {
          token: signIn,
          body: { email: user.email, currentPassword: FACTORY_PASSWORD, newPassword: NEW_PASSWORD },
        }),
    ],
    [
      "a password that was reset",
      async () => {
        const id = randomUUID();
        const token = emailToken("RESET_PASSWORD", id);
        const link = { id, kind: "RESET_PASSWORD", tokenHash: tokenHash(token) } as const;
        await db().emailToken.create({
          data: { ...link, userId: user.id, expiresAt: new Date(Date.now() + MINUTE_MS) },
        });
        await done(resetDoor, "POST", { body: { token, newPassword: NEW_PASSWORD } });
      },
    ],
    [
      "an administrator who ends all sign-ins",
      async () => {
        const token = await makeSignIn(db(), await makeUser(db(), { role: "ADMIN" }));
        await done(endSignInsDoor, "POST", { token, params: { id: user.id }, body: { reason: "a test" } });
      },
    ],
    ["deletion", () => db().user.delete({ where: { id: user.id } })],
  ])("%s", async (_, happen) => {
    const { secret } = await make();
    expect(await statusOf(secret)).toBe(200);
    await happen();
    expect(await statusOf(secret)).toBe(401);
  });

  it("not the end of other sign-ins, which a token is none of", async () => {
    const { secret } = await make();
    await done(endOthersDoor, "POST", { token: signIn, body: {} });
    expect(await statusOf(secret)).toBe(200);
  });
});

describe("what one does", () => {
  it("is named in the trail by the end of the token", async () => {
    const { id } = await makeAccount(db(), user.id);
    const { accessToken, secret } = await make({ scope: "STEER" });
    await done(pauseDoor, "POST", { token: secret, body: { reason: "too hot" } });
    await done(accountDoor, "PATCH", { token: secret, params: { id }, body: { status: "PAUSED" } });
    for (const eventType of ["AUTOMATION_PAUSED", "ACCOUNT_PAUSED"]) {
      const [event] = await audits(eventType);
      const facts = event?.data as AuditFacts;
      expect(facts).toMatchObject({ accessTokenId: accessToken.id, accessTokenEnd: secret.slice(-4) });
      expect(auditText(eventType, facts)).toMatch(new RegExp(` \\(by the access token …${secret.slice(-4)}\\)$`));
    }
    await done(pauseDoor, "POST", { token: signIn, body: {} });
    expect((await db().user.findUniqueOrThrow({ where: { id: user.id } })).automationPausedAt).not.toBeNull();
  });

  it("reads with READ and steers with STEER alone", async () => {
    const { secret: read } = await make();
    const { secret: steer } = await make({ scope: "STEER" });
    for (const token of [read, steer]) expect((await callDoor(summaryDoor, "GET", { token })).status).toBe(200);
    const pause = async (token: string) => (await callDoor(pauseDoor, "POST", { token, body: {} })).status;
    expect(await pause(read)).toBe(403);
    expect((await db().user.findUniqueOrThrow({ where: { id: user.id } })).automationPausedAt).toBeNull();
    expect(await pause(steer)).toBe(200);
  });

  it("saves trading preferences with STEER, and loosens no protection by it", async () => {
    const { secret: token } = await make({ scope: "STEER" });
    const { userId: _, ...saved } = await done<Record<string, unknown>>(preferencesDoor, "GET", { token });
    expect(saved).toMatchObject({ paperTradingOnly: true });
    const body = { ...saved, maxPositions: 4 };
    await done(preferencesDoor, "PUT", { token, body });
    expect(await callDoor(preferencesDoor, "PUT", { token, body: { ...body, paperTradingOnly: false } })).toMatchObject(
      { status: 403, json: { code: "forbidden", error: expect.stringContaining("may not loosen") } },
    );
    expect(await done(preferencesDoor, "GET", { token })).toMatchObject({ maxPositions: 4, paperTradingOnly: true });
    const [event] = await audits("TRADING_PREFERENCES_CHANGED");
    expect(auditText("TRADING_PREFERENCES_CHANGED", event?.data as AuditFacts)).toMatch(
      /^Changed trading preferences: max positions \(by the access token/,
    );
  });
});
