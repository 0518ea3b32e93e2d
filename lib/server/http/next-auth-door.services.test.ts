import { expect, it } from "vitest";
import { db } from "../db.ts";
import { nextAuthDoor } from "./next-auth-door.ts";

let passed: string[] = [];
let answer = () => new Response("{}");
const door = nextAuthDoor((request) => {
  passed.push(`${request.method} ${new URL(request.url).pathname}`);
  return Promise.resolve(answer());
});

async function ask(address: string, init: RequestInit = {}) {
  passed = [];
  const request = new Request(`http://127.0.0.1:3000/api/auth/${address}`, init);
  const nextauth = new URL(request.url).pathname.replace("/api/auth/", "").split("/");
  const response = await door[request.method as "GET"](request, { params: Promise.resolve({ nextauth }) });
  const json = (await response.json().catch(() => null)) as { code?: string } | null;
  return { status: response.status, code: json?.code, isPassed: passed.length > 0 };
}
const form = (body: string): RequestInit => ({
  method: "POST",
  body,
  headers: { "content-type": "application/x-www-form-urlencoded" },
});
const REFUSED = { status: 400, code: "invalid_input", isPassed: false };

it.each([
  "csrf",
  "providers",
  "session",
  "signin",
  "signin?callbackUrl=/dashboard",
  "session?callbackUrl=https://a.example/",
])("GET %s is passed on", async (address) => expect(await ask(address)).toMatchObject({ status: 200, isPassed: true }));

it.each([
  "error?error=x",
  "_log",
  "verify-request",
  "signin/credentials",
  "callback",
  "callback/email",
  "__proto__",
  "constructor",
])("%s is not served", async (address) => {
  const nothing = { status: 404, code: "not_found", isPassed: false };
  expect(await ask(address)).toEqual(nothing);
  expect(await ask(address, form("a=b"))).toEqual(nothing);
});

it("another method than the one that is served answers 405", async () => {
  const refused = { status: 405, code: "method_not_allowed", isPassed: false };
  expect(await ask("callback/credentials")).toEqual(refused);
  expect(await ask("session", form("a=b"))).toEqual(refused);
  expect(await ask("signout", { method: "DELETE" })).toEqual(refused);
});

it("line ends and control characters are refused in query, form and cookie, also beside a cookie that cannot be read", async () => {
  for (const bad of ["x%0d%0ay", "%1b[2J", "%00", "%c2%85", "%e2%80%a8"]) {
    expect(await ask(`signin?error=${bad}`), bad).toEqual(REFUSED);
    expect(await ask("signout", form(`csrfToken=${bad}`)), bad).toEqual(REFUSED);
    const cookie = `other=%zz; next-auth.csrf-token=${bad}`;
    expect(await ask("session", { headers: { cookie } }), bad).toEqual(REFUSED);
  }
  expect(await ask("session?a=%zz")).toEqual(REFUSED);
  expect(await ask("session", { headers: { cookie: "other=%zz" } })).toMatchObject({ isPassed: true });
  // Cookies of other programs on this host are theirs.
  for (const cookie of ["other_app=a%0Ab", "other_app=a%0Ab; next-auth.csrf-token=fine", "my-next-auth.x=%00"])
    expect(await ask("session", { headers: { cookie } }), cookie).toMatchObject({ isPassed: true });
  for (const prefix of ["__Secure-", "__Host-", ""]) {
    const cookie = `other_app=a%0Ab; ${prefix}next-auth.csrf-token=a%0Ab`;
    expect(await ask("session", { headers: { cookie } }), cookie).toEqual(REFUSED);
  }
});

it("a callbackUrl that is no address, at which next-auth would fail, is refused", async () => {
  for (const bad of ["__proto__", "javascript:alert(1)", "%2525", "ftp://a.example/"]) {
    expect(await ask(`session?callbackUrl=${bad}`), bad).toEqual(REFUSED);
    for (const name of ["next-auth.callback-url", "__Secure-next-auth.callback-url"])
      expect(await ask("csrf", { headers: { cookie: `a=b; ${name}=${bad}` } }), bad).toEqual(REFUSED);
  }
});

it("a form alone is read, of 64 KB at most", async () => {
  const json = { method: "POST", body: "{}", headers: { "content-type": "application/json" } };
  expect(await ask("signout", json)).toMatchObject({ status: 415, isPassed: false });
  expect(await ask("signout", form(`a=${"b".repeat(70_000)}`))).toMatchObject({ status: 413, isPassed: false });
  expect(await ask("signout", form("csrfToken=abc&json=true"))).toMatchObject({ status: 200, isPassed: true });
});

it("a fault inside is answered as one of ours, without its words", async () => {
  for (const failing of [
    () => new Response("secret words", { status: 500 }),
    () => Promise.reject(new Error("secret words")) as never,
  ]) {
    answer = failing;
    expect(await ask("session")).toMatchObject({ status: 500, code: "internal" });
  }
  answer = () => new Response("{}");
});

it("no answer of next-auth's is kept by a browser or a proxy, whatever it says of itself, and its cookies stay", async () => {
  answer = () =>
    new Response("{}", { headers: { "cache-control": "public, max-age=60", "set-cookie": "next-auth.csrf-token=1" } });
  const response = await door.GET(new Request("http://127.0.0.1:3000/api/auth/csrf"), {
    params: Promise.resolve({ nextauth: ["csrf"] }),
  });
  answer = () => new Response("{}");
  expect(Object.fromEntries(response.headers)).toMatchObject({
    "cache-control": "no-store",
    "set-cookie": "next-auth.csrf-token=1",
  });
});

it("calls are counted, and refused in the envelope beyond the limit of the API", async () => {
  // A row counts within five seconds of its change.
  const limit = { maxRequests: 1, windowMs: 60_000, enabled: true };
  await db().rateLimit.upsert({ where: { name: "api" }, create: { name: "api", ...limit }, update: limit });
  const isRefused = async () => (await ask("session")).status === 429;
  await expect.poll(isRefused, { timeout: 30_000, interval: 5 }).toBe(true);
  expect(await ask("session")).toEqual({ status: 429, code: "too_many_requests", isPassed: false });
});
