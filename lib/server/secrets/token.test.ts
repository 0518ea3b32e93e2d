import { createHmac, randomUUID } from "node:crypto";
import fc from "fast-check";
import { beforeAll, expect, it } from "vitest";
import { env, forgetEnv } from "../env.ts";
import { newClaims, readToken, SIGN_IN_MS, writeToken } from "./token.ts";
import { useLeastEnv } from "@/lib/proof/fixtures/least-env.ts";

const at = new Date("2026-11-21T10:00:00.000Z");
const claims = newClaims({ userId: randomUUID(), jti: randomUUID(), tokenVersion: 0, at });

beforeAll(useLeastEnv);

const part = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url");
function forged(header: object, payload: object, algorithm = "sha256", secret = env().NEXTAUTH_SECRET) {
  const body = `${part(header)}.${part(payload)}`;
  return `${body}.${createHmac(algorithm, secret).update(body).digest("base64url")}`;
}
const HS256 = { alg: "HS256", typ: "JWT" };

it("a token holds for twelve hours and not a second longer", () => {
  const token = writeToken(claims);
  expect(readToken(token, at)).toEqual(claims);
  expect(readToken(token, new Date(at.getTime() + SIGN_IN_MS - 1_000))).toEqual(claims);
  expect(readToken(token, new Date(at.getTime() + SIGN_IN_MS))).toBeNull();
  expect(readToken(token, new Date(at.getTime() - 60_000))).toBeNull();
});

it("the same claims make the same token, so next-auth hands out the bearer's own", () => {
  expect(writeToken({ ...claims })).toBe(writeToken(claims));
});

it.each([
  ["no algorithm", () => `${part({ alg: "none", typ: "JWT" })}.${part(claims)}.`],
  ["no signature", () => `${part(HS256)}.${part(claims)}.`],
  ["algorithm HS512", () => forged({ alg: "HS512", typ: "JWT" }, claims, "sha512")],
  ["HS512 under an HS256 header", () => forged(HS256, claims, "sha512")],
  ["another type", () => forged({ alg: "HS256", typ: "at+jwt" }, claims)],
  ["an added header field", () => forged({ ...HS256, kid: "../../dev/null" }, claims)],
  ["another secret", () => forged(HS256, claims, "sha256", "x".repeat(64))],
  ["another issuer", () => forged(HS256, { ...claims, iss: "other" })],
  ["another audience", () => forged(HS256, { ...claims, aud: "other" })],
  ["another use", () => forged(HS256, { ...claims, use: "reset" })],
  ["no jti", () => forged(HS256, { ...claims, jti: undefined })],
  ["no exp", () => forged(HS256, { ...claims, exp: undefined })],
  ["exp as text", () => forged(HS256, { ...claims, exp: "9999999999" })],
  ["an added claim", () => forged(HS256, { ...claims, role: "ADMIN" })],
  ["four parts", () => `${writeToken(claims)}.x`],
  ["a trailing blank", () => `${writeToken(claims)} `],
  ["nothing", () => ""],
])("a token with %s is refused", (_, token) => {
  expect(readToken(token(), at)).toBeNull();
});

it("no changed character is accepted", () => {
  const token = writeToken(claims);
  fc.assert(
    fc.property(fc.nat(token.length - 1), fc.constantFrom(..."ABCabc019-_.="), (index, character) => {
      fc.pre(token[index] !== character);
      expect(readToken(token.slice(0, index) + character + token.slice(index + 1), at)).toBeNull();
    }),
    { numRuns: 5_000 },
  );
});

it("after the secret was exchanged earlier tokens stay valid until the old one is removed, and new ones need the new one", () => {
  const [before, next] = [env().NEXTAUTH_SECRET, "n".repeat(64)];
  const use = (text: string) => {
    process.env.NEXTAUTH_SECRET = text;
    forgetEnv();
  };
  const old = writeToken(claims);
  use(`${next},${before}`);
  const renewed = writeToken(claims);
  expect(readToken(old, at)).toEqual(claims);
  expect(readToken(forged(HS256, claims, "sha256", `${next},${before}`), at)).toBeNull();
  use(next);
  expect(readToken(renewed, at)).toEqual(claims);
  expect(readToken(old, at)).toBeNull();
  use(before);
});
