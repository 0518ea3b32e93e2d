import type { CredentialsConfig } from "next-auth/providers/credentials";
import type { JWT } from "next-auth/jwt";
import { expect, it } from "vitest";
import { POST as logIn } from "@/app/api/v1/auth/login/route.ts";
import { FACTORY_PASSWORD, makeSignIn, makeUser } from "@/prisma/factories.ts";
import { db } from "../db.ts";
import { forgetEnv } from "../env.ts";
import { authOptions, withDeviceMark } from "./next-auth.ts";

const options = () => authOptions(logIn);
const decode = (token: string) => options().jwt?.decode?.({ token, secret: "unused" });
const encode = (token: JWT) => options().jwt?.encode?.({ token, secret: "unused" });

/** The credentials provider keeps what it was given under `options`. */
async function authorize(
  email: unknown,
  password: unknown,
  headers: Record<string, string> = {},
  onMarked?: (cookie: string) => void,
) {
  const { providers } = authOptions(logIn, onMarked);
  const [provider] = providers as unknown as [{ options: Pick<CredentialsConfig, "authorize"> }];
  return provider.options.authorize({ email, password } as Record<never, string>, {
    headers,
    body: {},
    query: {},
    method: "POST",
  });
}

it("next-auth reads the bearer token, and writes the very same one again", async () => {
  const user = await makeUser(db());
  const token = await makeSignIn(db(), user);
  const decoded = await decode(token);
  expect(decoded).toMatchObject({
    claims: { sub: user.id },
    signedIn: { id: user.id, email: user.email, role: "USER", emailVerified: true },
  });
  expect(await encode(decoded as JWT)).toBe(token);
});

it("a cookie of an ended sign-in signs no user in, and neither does one of next-auth's own making", async () => {
  const user = await makeUser(db());
  const token = await makeSignIn(db(), user);
  await db().signIn.updateMany({ where: { userId: user.id }, data: { revokedAt: new Date() } });
  expect(await decode(token)).toBeNull();
  expect(await decode("eyJhbGciOiJkaXIiLCJlbmMiOiJBMjU2R0NNIn0..a.b.c")).toBeNull();
});

it("a sign-in through next-auth is the sign-in of the API: the same checks, a row of its own", async () => {
  const user = await makeUser(db());
  const unverified = await makeUser(db(), { isVerified: false });
  expect(await authorize(user.email, FACTORY_PASSWORD)).toMatchObject({ id: user.id, claims: { sub: user.id } });
  expect(await db().signIn.count({ where: { userId: user.id } })).toBe(1);
  expect(await authorize(user.email, "Wrong-Horse-1")).toBeNull();
  expect(await authorize(unverified.email, FACTORY_PASSWORD)).toBeNull();
  expect(await authorize({ $ne: 1 }, undefined)).toBeNull();
});

it("who has a second factor does not sign in through next-auth, which asks for none", async () => {
  const user = await makeUser(db());
  await db().totpFactor.create({
    data: { userId: user.id, sealedSecret: "sealed", confirmedAt: new Date(), lastStep: 1n },
  });
  expect(await authorize(user.email, FACTORY_PASSWORD)).toBeNull();
  expect(await db().signIn.count({ where: { userId: user.id } })).toBe(0);
});

it("guesses through next-auth are counted with those through the API; a device that a sign-in there has marked gets in all the same", async () => {
  process.env.TRUSTED_PROXIES = "1";
  forgetEnv();
  const user = await makeUser(db());
  const marks: string[] = [];
  const home = { "x-forwarded-for": "198.51.100.7" };
  expect(await authorize(user.email, FACTORY_PASSWORD, home, (cookie) => marks.push(cookie))).not.toBeNull();
  expect(marks).toHaveLength(1);
  const foreign = { "x-forwarded-for": "203.0.113.7" };
  for (let n = 0; n < 10; n += 1) expect(await authorize(user.email, "Wrong-Horse-1", foreign)).toBeNull();
  expect(await authorize(user.email, FACTORY_PASSWORD, foreign)).toBeNull();
  const cookie = marks[0]?.split(";")[0] ?? "";
  expect(await authorize(user.email, FACTORY_PASSWORD, { ...foreign, cookie })).not.toBeNull();
});

it("next-auth's answer carries the cookie that marks the device", async () => {
  const answer = await withDeviceMark(async (onMarked) => {
    onMarked("tradewind.device=x; Path=/api");
    return new Response(null, { headers: { "set-cookie": "next-auth.session-token=y" } });
  });
  expect(answer.headers.getSetCookie()).toEqual(["next-auth.session-token=y", "tradewind.device=x; Path=/api"]);
});

it("signing out at next-auth ends the token", async () => {
  const user = await makeUser(db());
  const token = await makeSignIn(db(), user);
  await options().events?.signOut?.({ token: (await decode(token)) as JWT } as never);
  expect(await decode(token)).toBeNull();
});
