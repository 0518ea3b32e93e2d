import { expect, it } from "vitest";
import { HEADERS } from "@/scripts/headers.mjs";
import { problemsOf, type FuzzAnswer, type FuzzedStack, type Rule } from "./check-answer.ts";
import type { Door } from "./doors.ts";
import { plainRequest, type FuzzRequest } from "./request.ts";
import { runFuzz } from "./run.ts";

const door = (path: string, access: Door["access"]): Door => ({
  method: "GET",
  prefix: "/api/v1",
  path,
  access,
  fields: [],
  parameters: path.includes("{") ? ["id"] : [],
});

const stack: FuzzedStack = {
  doors: [door("/health", "public"), door("/trades/{id}", "user"), door("/admin/users", "admin")],
  origin: "http://127.0.0.1:3000",
  hasMarket: true,
  hasFixedHeaders: true,
  slowMs: 2_000,
  secrets: ["u8Zk3-a-key-of-this-installation"],
  canaries: { user: ["zq11aa"], others: ["zq22bb", "7f3e0c51-0000-4000-8000-000000000002"] },
};

const OTHER_ID = "7f3e0c51-0000-4000-8000-000000000002";
const asked = (path: string, more: Partial<FuzzRequest> = {}): FuzzRequest => ({ ...plainRequest(path), ...more });
const health = asked("/api/v1/health");
const trade = asked(`/api/v1/trades/${OTHER_ID}`, { principal: "user", idsOf: null });
const page = asked("/dashboard");

const fixed = Object.fromEntries(Object.entries(HEADERS).map(([name, value]) => [name.toLowerCase(), value]));
const headers = {
  ...fixed,
  "content-security-policy": "default-src 'none'; base-uri 'none'; frame-ancestors 'none'",
  "cache-control": "no-store",
  "content-type": "application/json; charset=utf-8",
  "x-request-id": "r-1",
  "x-instance": "web-1",
};
const { "x-request-id": _id, ...ofPage } = { ...headers, "content-type": "text/html; charset=utf-8" };
const answer = (status: number, body: unknown, more: Record<string, string> = {}): FuzzAnswer => ({
  status,
  headers: { ...headers, ...more },
  text: typeof body === "string" ? body : JSON.stringify(body),
  durationMs: 3,
});
const success = (data: unknown) => ({ success: true, data, error: null });
const failure = (error: string, code = "invalid_input") => ({
  success: false,
  data: null,
  error,
  code,
  requestId: "r-1",
});
const html = (text: string, more: Record<string, string> = {}): FuzzAnswer => ({
  status: 200,
  headers: { ...ofPage, ...more },
  text,
  durationMs: 3,
});
const without = (made: FuzzAnswer, ...names: string[]): FuzzAnswer => ({
  ...made,
  headers: Object.fromEntries(Object.entries(made.headers).filter(([name]) => !names.includes(name))),
});

const JWT = "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiI3ZjNlMGM1MSJ9.c2lnbmF0dXJlLW9mLXNvbWVib2R5";

const planted: [string, Rule, FuzzRequest, FuzzAnswer][] = [
  ["a stack in a file", "internals", trade, answer(200, "id\nError at run (/app/lib/a.ts:12:3)", { "content-disposition": "attachment" })],
  ["501 with a stack", "internals", health, answer(501, failure("x at f (web.js:1)", "not_implemented"))],
  ["500 in the envelope", "server-error", health, answer(500, failure("Something went wrong.", "internal"))],
  ["500 of no kind", "server-error", page, html("Internal Server Error", {})],
  ["303 to another site", "redirect-off-site", page, answer(303, "", { location: "https://evil.example/" })],
  ["307 to another site", "redirect-off-site", page, answer(307, "", { location: "//evil.example/dashboard" })],
  ["another person's address", "anothers-data", trade, answer(200, success({ email: "ZQ22BB01@example.com" }))],
  ["sealed keys", "secret", trade, answer(200, success({ sealedKeys: "{}" }))],
  ["a token", "secret", trade, answer(200, success({ note: JWT }))],
  ["a key of the installation", "secret", trade, answer(200, success({ note: "u8Zk3-a-key-of-this-installation" }))],
  ["200 without a sign-in on a user's route", "let-in", { ...trade, principal: "anonymous" }, answer(200, success({}))],
  ["200 to a user on an administrator's route", "let-in", asked("/api/v1/admin/users", { principal: "user" }), answer(200, success([]))],
  ["200 with an id of another person", "let-in", { ...trade, idsOf: "other" }, answer(200, success({ id: "x" }))],
  ["a page with a key's name", "secret", page, html("<p>MASTER_KEYS=1:abc</p>")],
  ["a column of the database", "database-text", trade, answer(400, failure('column "password" of relation "User" does not exist'))],
  ["a fault of SQL", "database-text", trade, answer(400, failure('syntax error at or near "x"'))],
  ["a cookie that is not ours", "foreign-cookie", health, answer(200, success({}), { "set-cookie": "sid=1; Path=/; HttpOnly; SameSite=Lax" })],
  ["a cookie for all hosts of a domain", "foreign-cookie", health, answer(200, success({}), { "set-cookie": "next-auth.session-token=1; Domain=example.com; HttpOnly; SameSite=Lax" })],
  ["a cookie that scripts may read", "foreign-cookie", health, answer(200, success({}), { "set-cookie": "next-auth.session-token=1; Path=/; SameSite=Lax" })],
  ["an answer for every origin", "cross-origin", health, answer(200, success({}), { "access-control-allow-origin": "*" })],
  ["no policy", "missing-header", page, without(html("<p>Hello</p>"), "content-security-policy")],
  ["no rule for frames", "missing-header", health, without(answer(200, success({})), "x-frame-options")],
  ["an answer that may be kept", "missing-header", trade, answer(200, success({}), { "cache-control": "public, max-age=60" })],
  ["data outside of the envelope", "envelope", health, answer(200, { ok: true })],
  ["a closed line", "closed", health, { status: 0, headers: {}, text: "", durationMs: 3 }],
  ["an answer after three seconds", "late", health, { ...answer(200, success({})), durationMs: 3_000 }],
]; // oxfmt-ignore
planted[3]![3] = { ...planted[3]![3], status: 500 };

it.each(planted)("%s is named by the rule %s and by no other", (_, rule, request, given) => {
  expect(problemsOf(request, given, stack).map((problem) => problem.rule)).toEqual([rule]);
});

it.each<[string, FuzzRequest, FuzzAnswer]>([
  ["a success", health, answer(200, success({ status: "ok" }))],
  ["a refusal that repeats what was sent", asked("/api/v1/health", { query: ["passwordHash=1"] }), answer(400, failure('"passwordHash" is not known.'))],
  ["an id that the caller sent", trade, answer(404, failure(`There is no trade ${OTHER_ID}.`, "not_found"))],
  ["the caller's own data", trade, answer(200, success({ name: "ZQ11AA07" }))],
  ["all users' data to an administrator", asked("/api/v1/admin/users", { principal: "admin" }), answer(200, success([{ name: "ZQ22BB01" }]))],
  ["401 without a sign-in", { ...trade, principal: "anonymous" }, answer(401, failure("Please sign in.", "unauthenticated"))],
  ["a limit, for any caller", { ...trade, principal: "anonymous" }, answer(429, failure("Later.", "too_many_requests"))],
  ["a redirect to a page", page, answer(303, "", { location: "/auth?next=%2Fdashboard" })],
  ["a redirect to the own address", page, answer(307, "", { location: "http://127.0.0.1:3000/auth" })],
  ["a page", page, html("<p>Hello</p>", { "content-security-policy": "default-src 'self'; script-src 'self' 'nonce-x'; base-uri 'none'; frame-ancestors 'none'" })],
  ["a sign-in's cookies", health, answer(200, success({}), { "set-cookie": `next-auth.session-token=${JWT}; Path=/; Expires=Mon, 23 Nov 2026 10:00:00 GMT; HttpOnly; SameSite=Lax, next-auth.csrf-token=1; Path=/; HttpOnly; SameSite=Lax` })],
  ["503 with a time to retry", trade, answer(503, failure("Later.", "unavailable"), { "retry-after": "5" })],
  ["400 of the server itself, to what is no request", asked("/x", { mayEndAtServer: true }), { status: 400, headers: {}, text: "", durationMs: 1 }],
])("%s is nothing wrong", (_, request, given) => {
  expect(problemsOf(request, given, stack)).toEqual([]);
}); // oxfmt-ignore

const fuzz = (send: (request: FuzzRequest) => FuzzAnswer) =>
  runFuzz(
    { doors: stack.doors, host: "127.0.0.1", isHarmless: true, hasRaw: false, ids: new Map() },
    async (request) => send(request),
    { ...stack, seed: 7, requests: 300, lines: 1 },
  );
const later = answer(503, failure("Later.", "unavailable"), { "retry-after": "5" });

it("a stack that only says to retry later is found, though each answer is valid", async () => {
  const { findings, shed } = await fuzz(() => later);
  expect(shed).toBeGreaterThan(99);
  expect(new Set(findings.map(({ rule }) => rule))).toEqual(new Set(["unavailable"]));
});

it("one address that only says to retry later is found among others that answer", async () => {
  const { findings } = await fuzz(({ path, principal }) => {
    if (path.startsWith("/api/v1/trades/")) return later;
    const isShut = path === "/api/v1/admin/users" && principal !== "admin";
    return isShut
      ? answer(
          principal === "anonymous" ? 401 : 403,
          failure("No.", principal === "anonymous" ? "unauthenticated" : "forbidden"),
        )
      : answer(200, success({}));
  });
  expect(findings.map(({ rule, text }) => `${rule}: ${text}`)).toEqual([
    "unavailable: GET /api/v1/trades/{id} said 15 times to retry later, and nothing else",
  ]);
});
