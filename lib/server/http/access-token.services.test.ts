/** Which access tokens let a call in, and what a call by one leaves untouched. */
import { createHash, randomBytes, randomUUID } from "node:crypto";
import { beforeEach, describe, expect, it } from "vitest";
import * as z from "zod";
import { endpoint, type Endpoint } from "@/lib/contracts/endpoint.ts";
import { MINUTE_MS } from "@/lib/domain/time.ts";
import { callDoor, type CallResult } from "@/lib/proof/call-door.ts";
import { textsInPostgres } from "@/lib/proof/fixtures/canary.ts";
import { makeAccessToken, makeSignIn, makeUser, type MadeUser } from "@/prisma/factories.ts";
import { db } from "../db.ts";
import { defineMethods, defineRoute } from "./route.ts";
import { sessionCookie } from "./session.ts";

const AGO = (minutes: number) => new Date(Date.now() - minutes * MINUTE_MS);
const REFUSED = { status: 401, json: { code: "unauthenticated", error: "Please sign in." } };

const shown = z.object({ userId: z.string(), role: z.string(), signInId: z.string().nullable() });
/** A door of its own, so that what is tested is the door alone. */
function door(rules: Partial<Pick<Endpoint, "access" | "method" | "stepUp" | "token">> = {}) {
  const promised = endpoint({
    method: "GET",
    path: "/door",
    access: "user" as const,
    limit: "none",
    summary: "For this test.",
    input: z.strictObject({}),
    output: shown,
    ...rules,
  } as Endpoint<z.ZodObject, typeof shown, "user">);
  return defineMethods(
    defineRoute(promised, async ({ actor: { userId, role, signInId } }) => ({ userId, role, signInId })),
  );
}
const call = (token: string, rules: Parameters<typeof door>[0] = {}): Promise<CallResult> =>
  callDoor(door(rules), rules.method ?? "GET", { token });
const stored = (userId: string) => db().accessToken.findFirstOrThrow({ where: { userId } });

let user: MadeUser;
beforeEach(async () => {
  user = await makeUser(db());
});

describe("a token that holds", () => {
  it("lets its own person in, without a sign-in behind", async () => {
    const token = await makeAccessToken(db(), user);
    expect(token).toMatch(/^twp_[\w-]{43}$/);
    expect((await call(token)).json?.data).toEqual({ userId: user.id, role: "USER", signInId: null });
  });

  it("never has an administrator's powers, not even an administrator's own", async () => {
    const admin = await makeUser(db(), { role: "ADMIN" });
    const token = await makeAccessToken(db(), admin, { scope: "STEER" });
    expect((await call(token)).json?.data).toMatchObject({ userId: admin.id, role: "USER" });
    for (const method of ["GET", "POST"] as const)
      expect(await call(token, { access: "admin", method })).toMatchObject({
        status: 403,
        json: { code: "forbidden" },
      });
  });

  it("opens what its scope says, and says why it does not open the rest", async () => {
    const [read, steer] = [
      await makeAccessToken(db(), user, { scope: "READ" }),
      await makeAccessToken(db(), user, { scope: "STEER" }),
    ];
    const closed = { status: 403, json: { code: "forbidden", error: expect.stringContaining("do not open this") } };
    const onlyReads = { status: 403, json: { code: "forbidden", error: expect.stringContaining("may only read") } };
    const opens = { status: 200 };
    for (const [rules, byRead, bySteer] of [
      [{}, opens, opens],
      [{ token: "NONE" }, closed, closed],
      [{ stepUp: true }, closed, closed],
      [{ method: "POST" }, closed, closed],
      [{ method: "POST", token: "STEER" }, onlyReads, opens],
      [{ method: "POST", token: "STEER", stepUp: true }, closed, closed],
    ] as const) {
      expect(await call(read, rules), JSON.stringify(rules)).toMatchObject(byRead);
      expect(await call(steer, rules), JSON.stringify(rules)).toMatchObject(bySteer);
    }
  });

  it("notes its use once a minute, and touches no sign-in of its person", async () => {
    await makeSignIn(db(), user, AGO(30));
    await db().signIn.updateMany({ where: { userId: user.id }, data: { lastSeenAt: AGO(10), confirmedAt: AGO(10) } });
    const before = await db().signIn.findMany({ where: { userId: user.id } });
    const token = await makeAccessToken(db(), user);
    expect((await stored(user.id)).lastUsedAt).toBeNull();
    await call(token);
    const first = (await stored(user.id)).lastUsedAt;
    expect(first?.getTime()).toBeGreaterThan(AGO(1).getTime());
    await call(token);
    expect((await stored(user.id)).lastUsedAt).toEqual(first);
    await db().accessToken.updateMany({ where: { userId: user.id }, data: { lastUsedAt: AGO(2) } });
    await call(token);
    expect((await stored(user.id)).lastUsedAt?.getTime()).toBeGreaterThan(AGO(1).getTime());
    expect(await db().signIn.findMany({ where: { userId: user.id } })).toEqual(before);
  });

  it("stands nowhere in the database but as a hash", async () => {
    const token = await makeAccessToken(db(), user);
    await call(token);
    const texts = await textsInPostgres();
    const hash = createHash("sha256").update(token).digest("hex");
    expect(texts.some((text) => text.includes(hash))).toBe(true);
    for (const shape of [token, token.slice(4), Buffer.from(token).toString("hex")])
      expect(texts.filter((text) => text.includes(shape))).toEqual([]);
  });
});

describe("the same 401 as a bad sign-in's answers", () => {
  const bytes = () => randomBytes(32).toString("base64url");
  it.each<[string, (token: string) => string]>([
    ["an unknown token", () => `twp_${bytes()}`],
    ["a token cut short by a character", (token) => token.slice(0, -1)],
    ["a token with a character more", (token) => `${token}A`],
    ["a token with one other character", (token) => `${token.slice(0, -1)}${token.endsWith("A") ? "B" : "A"}`],
    ["a token in other letters", (token) => `twp_${token.slice(4).toUpperCase()}`],
    ["the beginning alone", () => "twp_"],
    ["a token without its beginning", (token) => token.slice(4)],
    ["the hash itself", (token) => `twp_${createHash("sha256").update(token).digest("hex")}`],
    ["the row's id", () => `twp_${randomUUID()}`],
    ["a very long text", () => `twp_${"a".repeat(8_000)}`],
  ])("%s", async (_, forge) => {
    const token = await makeAccessToken(db(), user);
    expect(await call(forge(token))).toMatchObject(REFUSED);
    expect((await call("not.a.token")).json?.error).toBe(REFUSED.json.error);
    expect((await call(token)).status).toBe(200);
  });

  it.each<[string, () => Promise<string>]>([
    ["an expired token", () => makeAccessToken(db(), user, { createdAt: AGO(20), expiresAt: AGO(1) })],
    ["a revoked token", () => makeAccessToken(db(), user, { revokedAt: AGO(1) })],
    ["a token older than the last change of password", () => makeAccessToken(db(), { ...user, tokenVersion: -1 })],
    [
      "a disabled person's",
      async () => makeAccessToken(db(), await makeUser(db(), { role: "ADMIN", disabledAt: new Date() })),
    ],
  ])("%s, at an open and at a closed door", async (_, make) => {
    const token = await make();
    expect(await call(token)).toMatchObject(REFUSED);
    expect(await call(token, { token: "NONE" })).toMatchObject(REFUSED);
    expect(await call(token, { method: "POST" })).toMatchObject(REFUSED);
  });

  it("and an unverified person's gets what their sign-in gets", async () => {
    const unverified = await makeUser(db(), { isVerified: false });
    const token = await makeAccessToken(db(), unverified);
    expect(await call(token)).toMatchObject({ status: 403, json: { code: "email_unverified" } });
  });

  it("a token in a cookie or in the address is not seen", async () => {
    const token = await makeAccessToken(db(), user);
    for (const headers of [
      { cookie: `${sessionCookie().name}=${token}` },
      { cookie: `auth_token=${token}` },
      { authorization: token },
      { authorization: `Basic ${Buffer.from(`${token}:`).toString("base64")}` },
      { authorization: `Token ${token}` },
      { "x-api-key": token },
    ] as Record<string, string>[])
      expect(await callDoor(door(), "GET", { headers })).toMatchObject(REFUSED);
    for (const query of [`token=${token}`, `access_token=${token}`])
      expect(await callDoor(door(), "GET", { query })).toMatchObject(REFUSED);
  });
});
