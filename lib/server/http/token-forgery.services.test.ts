/** Bearer tokens that we did not issue, at a route of the API. */
import { createHmac, createSign, generateKeyPairSync, randomUUID } from "node:crypto";
import fc from "fast-check";
import { beforeAll, expect, it } from "vitest";
import * as z from "zod";
import { endpoint } from "@/lib/contracts/endpoint.ts";
import { makeSignIn, makeUser, type MadeUser } from "@/prisma/factories.ts";
import { db } from "../db.ts";
import { env } from "../env.ts";
import { newClaims, readToken, writeToken, type TokenClaims } from "../secrets/token.ts";
import { defineRoute } from "./route.ts";

const door = defineRoute(
  endpoint({
    method: "GET",
    path: "/things",
    access: "admin",
    limit: "admin",
    summary: "For this test.",
    input: z.strictObject({}),
    output: z.object({ ok: z.literal(true) }),
  }),
  async () => ({ ok: true as const }),
);

/** Null: no header could carry it, so no client can send it. */
function send(authorization: string): Promise<Response> | null {
  try {
    const request = new Request("http://localhost/api/v1/things", { headers: { authorization } });
    return door(request, { params: Promise.resolve({}) });
  } catch {
    return null;
  }
}

let admin: MadeUser;
let other: MadeUser;
let token: string;
let claims: TokenClaims;
let claimsOfOther: TokenClaims;

beforeAll(async () => {
  admin = await makeUser(db(), { role: "ADMIN" });
  other = await makeUser(db());
  token = await makeSignIn(db(), admin);
  claims = read(token);
  claimsOfOther = read(await makeSignIn(db(), other));
});

function read(text: string): TokenClaims {
  const found = readToken(text, new Date());
  if (!found) throw new Error("a token of ours does not hold");
  return found;
}

const part = (value: unknown) =>
  Buffer.from(typeof value === "string" ? value : JSON.stringify(value)).toString("base64url");
/** The beginning of our own tokens: a forgery is refused for its content, not for its form. */
const ours = () => JSON.parse(Buffer.from(pieces()[0], "base64url").toString("utf8")) as Record<string, string>;
const secretOfOurs = () => env().NEXTAUTH_SECRET.split(",")[0] ?? "";
function signed(header: unknown, payload: unknown, { hash = "sha256", secret = secretOfOurs() } = {}): string {
  const body = `${part(header)}.${part(payload)}`;
  return `${body}.${createHmac(hash, secret).update(body).digest("base64url")}`;
}
const rsa = generateKeyPairSync("rsa", { modulusLength: 2048 });
function signedByRsa(): string {
  const body = `${part({ ...ours(), alg: "RS256" })}.${part(claims)}`;
  return `${body}.${createSign("sha256").update(body).sign(rsa.privateKey, "base64url")}`;
}
const pieces = () => token.split(".") as [string, string, string];
const nowS = () => Math.floor(Date.now() / 1000);

/** A caller's value in a claim that our own secret has signed: the worst case. */
const withClaims = (changed: Record<string, unknown>) => signed(ours(), { ...claims, ...changed });

const FORGED: Record<string, () => string> = {
  "algorithm none": () => `${part({ ...ours(), alg: "none" })}.${part(claims)}.`,
  "algorithm None, spelt otherwise": () => `${part({ ...ours(), alg: "nOnE" })}.${part(claims)}.`,
  "algorithm none with our signature": () => `${part({ ...ours(), alg: "none" })}.${pieces()[1]}.${pieces()[2]}`,
  "no signature": () => `${pieces()[0]}.${pieces()[1]}.`,
  "no third part": () => `${pieces()[0]}.${pieces()[1]}`,
  "algorithm HS384": () => signed({ ...ours(), alg: "HS384" }, claims, { hash: "sha384" }),
  "algorithm HS512": () => signed({ ...ours(), alg: "HS512" }, claims, { hash: "sha512" }),
  "HS512 under our header": () => signed(ours(), claims, { hash: "sha512" }),
  "algorithm RS256 by a key of their own": signedByRsa,
  "RS256's public key as our secret": () =>
    signed(ours(), claims, { secret: rsa.publicKey.export({ type: "spki", format: "pem" }).toString() }),
  "a key of their own in the header": () =>
    signed({ ...ours(), jwk: rsa.publicKey.export({ format: "jwk" }) }, claims, { secret: "theirs" }),
  "a key id that reads a file": () => signed({ ...ours(), kid: "../../../../dev/null" }, claims, { secret: "" }),
  "a key id that asks a database": () =>
    signed({ ...ours(), kid: "x' union select 'secret" }, claims, { secret: "secret" }),
  "a key address": () => signed({ ...ours(), jku: "https://example.com/keys" }, claims),
  "header fields in another order": () => signed(Object.fromEntries(Object.entries(ours()).reverse()), claims),
  "a critical extension": () => signed({ ...ours(), crit: ["exp"] }, claims),
  "the secret of another installation": () => signed(ours(), claims, { secret: "other-installation-".repeat(8) }),
  "an empty secret": () => signed(ours(), claims, { secret: "" }),
  "another issuer": () => withClaims({ iss: "https://example.com" }),
  "another audience": () => withClaims({ aud: "tradewind-admin" }),
  "a list of audiences": () => withClaims({ aud: [claims.aud] }),
  "another type": () => signed({ ...ours(), typ: "at+jwt" }, claims),
  "another use": () => withClaims({ use: "reset-password" }),
  "an end in the past": () => withClaims({ iat: nowS() - 90_000, nbf: nowS() - 90_000, exp: nowS() - 1 }),
  "a beginning in the future": () => withClaims({ nbf: nowS() + 60 }),
  "no end": () => withClaims({ exp: undefined }),
  "an end that is text": () => withClaims({ exp: String(claims.exp) }),
  "no sign-in": () => withClaims({ jti: undefined }),
  "a sign-in that never was": () => withClaims({ jti: randomUUID() }),
  "the sign-in of another user": () => withClaims({ jti: claimsOfOther.jti }),
  "the person of another sign-in": () => signed(ours(), { ...claimsOfOther, sub: admin.id }),
  "an older token version": () => withClaims({ ver: claims.ver - 1 }),
  "a role of their own": () => signed(ours(), { ...claimsOfOther, role: "ADMIN" }),
  "a claim twice": () => signed(ours(), `${JSON.stringify(claimsOfOther).slice(0, -1)},"sub":"${admin.id}"}`),
  "the claims of another user under our signature": () => `${pieces()[0]}.${part(claimsOfOther)}.${pieces()[2]}`,
  "a payload that is no JSON": () => signed(ours(), "not json"),
  "a payload that is null": () => signed(ours(), null),
  "a payload that is a list": () => signed(ours(), [claims]),
  "a fourth part": () => `${token}.${pieces()[2]}`,
  "a lost last character": () => token.slice(0, -1),
  "a lost half": () => token.slice(0, token.length >> 1),
  "padding behind it": () => `${token}=`,
  "base64 instead of base64url": () => token.replaceAll("-", "+").replaceAll("_", "/").replace(/(.)$/, "$1="),
  "an encoded dot": () => token.replaceAll(".", "%2e"),
  "letters that look alike": () => `${token.slice(0, -1)}\u00e9`,
  "a blank inside": () => `${token.slice(0, 20)} ${token.slice(20)}`,
  "a tab behind it": () => `${token}\t.`,
  "two tokens": () => `${token},${token}`,
  "a megabyte": () => `${pieces()[0]}.${"A".repeat(1_000_000)}.${pieces()[2]}`,
  "the token's own hash": () => createHmac("sha256", secretOfOurs()).update(token).digest("hex"),
  "nothing at all": () => "",
};

it("the token that these are made from opens the door", async () => {
  expect((await send(`Bearer ${token}`))?.status).toBe(200);
});

it.each(Object.entries(FORGED))("a token with %s is refused", async (_, make) => {
  const forged = make();
  expect(forged).not.toBe(token);
  const answer = await send(`Bearer ${forged}`);
  if (answer === null) throw new Error("this test sends nothing: it would prove nothing");
  expect(answer.status).toBe(401);
  expect(await answer.json()).toMatchObject({ success: false, data: null, code: "unauthenticated" });
});

it.each([
  ["another scheme", () => `Basic ${token}`],
  ["no scheme", () => token],
  ["two schemes", () => `Bearer Bearer ${token}`],
  ["a scheme in a list", () => `Basic x, Bearer ${token}`],
  ["no blank", () => `Bearer${token}`],
])("a right token under %s is refused", async (_, header) => {
  expect((await send(header()))?.status).toBe(401);
});

const LETTERS = [..."ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_.=+/ %\u0000\u00e9\u{1f511}"];
const letter = fc.constantFrom(...LETTERS);
const place = fc.nat(2_000);
type Change = (text: string) => string;
const at = (text: string, index: number) => index % Math.max(1, text.length);
const claimNames = Object.keys(
  newClaims({ userId: randomUUID(), jti: randomUUID(), tokenVersion: 0, at: new Date(0) }),
);

const change: fc.Arbitrary<Change> = fc.oneof(
  fc.tuple(place, letter).map(
    ([p, c]): Change =>
      (t) =>
        t.slice(0, at(t, p)) + c + t.slice(at(t, p) + 1),
  ),
  fc.tuple(place, letter).map(
    ([p, c]): Change =>
      (t) =>
        t.slice(0, at(t, p)) + c + t.slice(at(t, p)),
  ),
  fc.tuple(place, fc.integer({ min: 1, max: 40 })).map(
    ([p, n]): Change =>
      (t) =>
        t.slice(0, at(t, p)) + t.slice(at(t, p) + n),
  ),
  fc.tuple(place, place).map(([a, b]): Change => (t) => {
    const [from, to] = [at(t, a), at(t, b)].sort((x, y) => x - y) as [number, number];
    return t.slice(0, from) + [...t.slice(from, to)].reverse().join("") + t.slice(to);
  }),
  fc.array(fc.nat(3), { minLength: 1, maxLength: 5 }).map((order): Change => (t) => {
    const parts = t.split(".");
    return order.map((index) => parts[index % parts.length]).join(".");
  }),
  fc.constantFrom<Change>(
    (t) => t.toLowerCase(),
    (t) => t.toUpperCase(),
    (t) => `${t} `,
    (t) => ` ${t}`,
    (t) => t.normalize("NFKD"),
    (t) => encodeURIComponent(t),
  ),
  // Other claims under the old signature.
  fc.tuple(fc.constantFrom(...claimNames), fc.jsonValue()).map(([name, value]): Change => (t) => {
    const [header = "", payload = "", signature = ""] = t.split(".");
    let held: unknown;
    try {
      held = JSON.parse(Buffer.from(payload, "base64url").toString("utf8"));
    } catch {
      held = {};
    }
    return `${header}.${part({ ...(held as object), [name]: value })}.${signature}`;
  }),
);

/** The long run: `npm run prove -- forgery`. */
const FORGED_TOKENS = Number(process.env.FORGED_TOKENS ?? 1_000);

it(`of ${FORGED_TOKENS} changed tokens none is accepted unless the changes undo each other`, () => {
  const now = new Date();
  const original = writeToken(claims);
  fc.assert(
    fc.property(fc.array(change, { minLength: 1, maxLength: 4 }), (changes) => {
      const mutant = changes.reduce((text, mutate) => mutate(text), original);
      const accepted = readToken(mutant, now);
      expect(accepted !== null).toBe(mutant === original);
    }),
    // A failure names its seed and the shrunk change.
    { numRuns: FORGED_TOKENS, verbose: 1 },
  );
});
