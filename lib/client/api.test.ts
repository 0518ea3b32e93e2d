import { once } from "node:events";
import http from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import * as z from "zod";
import { endpoint } from "../contracts/endpoint.ts";
import type * as api from "./api.ts";
import type * as stepUp from "./step-up.ts";

const any = { access: "user", limit: "api", summary: "A test.", output: z.unknown() } as const;
const remove = endpoint({
  ...any,
  method: "DELETE",
  path: "/things/{id}",
  input: z.object({ id: z.string(), force: z.string().optional() }),
});
const list = endpoint({
  ...any,
  method: "GET",
  path: "/things",
  input: z.object({ symbol: z.string().optional(), side: z.string().optional() }),
});
const add = endpoint({ ...any, method: "POST", path: "/things", input: z.object({ name: z.string() }) });
const login = endpoint({ ...any, method: "POST", path: "/auth/login", input: z.object({}) });

interface Seen {
  method: string | undefined;
  url: string | undefined;
  authorization: string | undefined;
  body: string;
}

let base: string;
/** A page of its own for each test: a page that is leaving does not leave twice. */
let call: typeof api.call;
let CallError: typeof api.CallError;
let answerStepUp: typeof stepUp.answerStepUp;
let seen: Seen[] = [];
let answer: { status: number; body: string };
const stored = new Map<string, string>();
/** What the tab alone keeps. */
const ofTab = new Map<string, string>();
const left: string[] = [];

const server = http.createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on("data", (chunk: Buffer) => chunks.push(chunk));
  request.on("end", () => {
    const { method, url, headers } = request;
    seen.push({ method, url, authorization: headers.authorization, body: Buffer.concat(chunks).toString() });
    response.writeHead(answer.status).end(answer.body);
  });
});

const storageOf = (kept: Map<string, string>) => ({
  getItem: (key: string) => kept.get(key) ?? null,
  setItem: (key: string, value: string) => kept.set(key, value),
  removeItem: (key: string) => kept.delete(key),
});

beforeAll(async () => {
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}/api/v1`;
  vi.stubGlobal("window", {
    localStorage: storageOf(stored),
    sessionStorage: storageOf(ofTab),
    location: { pathname: "/trade-history", search: "?side=BUY", assign: (address: string) => left.push(address) },
  });
});

afterAll(() => {
  server.close();
  vi.unstubAllGlobals();
});

beforeEach(async () => {
  vi.resetModules();
  ({ call, CallError } = await import("./api.ts"));
  ({ answerStepUp } = await import("./step-up.ts"));
  seen = [];
  left.length = 0;
  stored.clear();
  ofTab.clear();
  answer = { status: 200, body: JSON.stringify({ success: true, data: { ok: 1 }, error: null }) };
});

const refused = (status: number, error: string) => {
  answer = {
    status,
    body: JSON.stringify({
      success: false,
      data: null,
      error,
      code: "x",
      requestId: "r",
      issues: [{ path: "name", message: "No." }],
    }),
  };
};

describe("a call", () => {
  it("fills path parameters and leaves out what is blank; the rest of a GET or DELETE is the query", async () => {
    await call(remove, { id: "a/b", force: "yes" }, { base });
    await call(list, { symbol: "BRK.B", side: "" }, { base });
    expect(seen.map(({ method, url }) => `${method} ${url}`)).toEqual([
      "DELETE /api/v1/things/a%2Fb?force=yes",
      "GET /api/v1/things?symbol=BRK.B",
    ]);
  });

  it("sends other inputs as JSON, with the stored token, and resolves with the data", async () => {
    stored.set("auth_token", "t0ken");
    expect(await call(add, { name: "one" }, { base })).toEqual({ ok: 1 });
    expect(seen[0]).toMatchObject({ authorization: "Bearer t0ken", body: '{"name":"one"}' });
  });

  it("throws the server's sentence with status, code and issues", async () => {
    refused(409, "Taken.");
    await expect(call(add, { name: "one" }, { base })).rejects.toMatchObject({
      name: "CallError",
      status: 409,
      code: "x",
      message: "Taken.",
      issues: [{ path: "name", message: "No." }],
    });
  });

  it("takes an empty answer for the specified failure, and an HTML page for a failure too", async () => {
    answer = { status: 200, body: "" };
    await expect(call(list, {}, { base })).rejects.toThrow("Empty response");
    for (const body of ["<h1>Bad gateway</h1>", "null", "[]", '{"ok":1}']) {
      answer = { status: 502, body };
      await expect(call(list, {}, { base }), body).rejects.toMatchObject({
        status: 502,
        code: "unreadable",
        message: "Tradewind cannot answer right now. Try again in a moment.",
      });
    }
  });

  it.each([
    [{ success: false, error: "No." }, "No."],
    [{ success: false, error: { message: "Nested." } }, "Nested."],
    [{ error: "No envelope." }, "No envelope."],
    [{ success: false }, ""],
    [{ success: false, error: { code: 7 }, issues: "none" }, ""],
  ])("finds the server's sentence in %j", async (body, message) => {
    answer = { status: 400, body: JSON.stringify(body) };
    await expect(call(list, {}, { base })).rejects.toMatchObject({ status: 400, message, issues: [] });
  });

  it("says that the server could not be reached", async () => {
    const error = await call(list, {}, { base: "http://127.0.0.1:1" }).catch((failure: unknown) => failure);
    expect(error).toBeInstanceOf(CallError);
    expect(error).toMatchObject({ status: 0, code: "unreachable" });
  });
});

describe("a 401", () => {
  beforeEach(() => {
    stored.set("auth_token", "old");
    refused(401, "Please sign in.");
  });

  it("clears the tokens, remembers the page and leaves for /auth, once", async () => {
    stored.set("auth_tokens", "obsolete");
    await expect(call(list, {}, { base })).rejects.toMatchObject({ status: 401 });
    expect(left).toEqual(["/auth"]);
    expect([...stored]).toEqual([["intended_route", "/trade-history?side=BUY"]]);
    expect([...ofTab], "the sign-in page says why").toEqual([["auth_notice", "ended"]]);
  });

  it("of calls side by side, and of polls while the page is leaving, redirects once", async () => {
    const calls = [call(list, {}, { base }), call(list, {}, { base })];
    for (const { status } of await Promise.allSettled(calls)) expect(status).toBe("rejected");
    await expect(call(list, {}, { base })).rejects.toMatchObject({ status: 401 });
    expect(left).toEqual(["/auth"]);
  });

  it("leads away again where the person kept the page with its unsaved input", async () => {
    await expect(call(list, {}, { base })).rejects.toMatchObject({ status: 401 });
    vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 31_000 });
    try {
      await expect(call(list, {}, { base })).rejects.toMatchObject({ status: 401 });
      await expect(call(list, {}, { base })).rejects.toMatchObject({ status: 401 });
    } finally {
      vi.useRealTimers();
    }
    expect(left).toEqual(["/auth", "/auth"]);
    expect([...stored]).toEqual([["intended_route", "/trade-history?side=BUY"]]);
  });

  it("of the login is an answer like any other", async () => {
    await expect(call(login, {}, { base })).rejects.toMatchObject({ status: 401 });
    expect(left).toEqual([]);
    expect(stored.get("auth_token")).toBe("old");
  });

  it("of a request that an older sign-in made does not end the newer one", async () => {
    const late = call(list, {}, { base });
    stored.set("auth_token", "new");
    await expect(late).rejects.toMatchObject({ status: 401 });
    expect(left).toEqual([]);
    expect(stored.get("auth_token")).toBe("new");
  });
});

describe("a call that needs a fresh confirmation", () => {
  const accepted = JSON.stringify({ success: true, data: { ok: 1 }, error: null });
  const needsStepUp = () => {
    const error = "Confirm that it is you to continue.";
    const body = { success: false, data: null, error, code: "step_up_required", requestId: "r" };
    answer = { status: 403, body: JSON.stringify(body) };
  };
  /** A person who confirms, or cancels. */
  const person = (isConfirming: boolean) =>
    vi.fn(async () => {
      if (isConfirming) answer = { status: 200, body: accepted };
      return isConfirming;
    });

  it("is repeated with the same input after the person confirmed", async () => {
    needsStepUp();
    const asked = person(true);
    answerStepUp(asked);
    expect(await call(add, { name: "one" }, { base })).toEqual({ ok: 1 });
    expect(asked).toHaveBeenCalledTimes(1);
    expect(seen.map(({ body }) => body)).toEqual(['{"name":"one"}', '{"name":"one"}']);
  });

  it("is repeated once: a second refusal is shown and asks no more", async () => {
    needsStepUp();
    const asked = vi.fn(async () => true);
    answerStepUp(asked);
    await expect(call(add, { name: "one" }, { base })).rejects.toMatchObject({ code: "step_up_required" });
    expect(asked).toHaveBeenCalledTimes(1);
    expect(seen).toHaveLength(2);
  });

  it("is not repeated where the person cancels, and says that nothing was done", async () => {
    needsStepUp();
    answerStepUp(person(false));
    await expect(call(add, { name: "one" }, { base })).rejects.toThrow(
      "You did not confirm that it is you, so nothing was changed.",
    );
    expect(seen).toHaveLength(1);
  });

  it("shares one question with the calls that are refused beside it, and asks anew afterwards", async () => {
    needsStepUp();
    const asked = vi.fn(async () => {
      // A person is slower than the answers to what the page asked at once.
      await vi.waitFor(() => expect(seen.length).toBeGreaterThanOrEqual(3));
      answer = { status: 200, body: accepted };
      return true;
    });
    answerStepUp(asked);
    expect(await Promise.all([1, 2, 3].map((each) => call(add, { name: `${each}` }, { base })))).toHaveLength(3);
    expect(asked).toHaveBeenCalledTimes(1);
    needsStepUp();
    await call(add, { name: "later" }, { base });
    expect(asked).toHaveBeenCalledTimes(2);
  });

  it("is refused with the server's sentence where no part of the page can ask", async () => {
    needsStepUp();
    answerStepUp(person(true))();
    await expect(call(add, { name: "one" }, { base })).rejects.toThrow("Confirm that it is you to continue.");
    expect(seen).toHaveLength(1);
  });

  it("asks for a file in the same way", async () => {
    vi.stubEnv("NEXT_PUBLIC_API_BASE", base);
    vi.resetModules();
    const { callForFile } = await import("./api.ts");
    ({ answerStepUp } = await import("./step-up.ts"));
    needsStepUp();
    const asked = person(true);
    answerStepUp(asked);
    const { content } = await callForFile(list, {});
    expect(await content.text()).toBe(accepted);
    expect(asked).toHaveBeenCalledTimes(1);
    vi.unstubAllEnvs();
  });
});
