import { spawn } from "node:child_process";
import { once } from "node:events";
import { readdirSync } from "node:fs";
import http from "node:http";
import net from "node:net";
import path from "node:path";
import { expect } from "@playwright/test";
import { isWhole } from "./axe.ts";
import { run, type Run } from "./run.ts";
import { test } from "./test.ts";

/** Text that would be a line of its own, an order to a terminal, or the end of a header. */
const MARK = "planted-7f3a";
const FORGED = `{"level":50,"name":"worker","msg":"${MARK}"}`;
const HOSTILE = [`x\r\n${FORGED}\u001b[2J`, `\n${FORGED}\n`, `x\u2028${FORGED}\u0085`, `%0d%0a${FORGED}`, `__proto__`];

let origin: string;
let said = "";
let web: ReturnType<typeof spawn>;

/** In another database of the same Redis: what is spent here is not missing elsewhere. */
const ownLimits = (url = "") => (url === "" ? {} : { REDIS_URL: Object.assign(new URL(url), { pathname: "/5" }).href });

test.beforeAll(async () => {
  const { internal } = run() as Run & { internal: { env: Record<string, string> } };
  const free = net.createServer().listen(0, "127.0.0.1");
  await once(free, "listening");
  const { port } = free.address() as net.AddressInfo;
  await new Promise((resolve) => free.close(resolve));
  origin = `http://127.0.0.1:${port}`;
  web = spawn(process.execPath, ["scripts/web.mjs", String(port), "127.0.0.1"], {
    env: {
      ...process.env,
      ...internal.env,
      ...ownLimits(internal.env.REDIS_URL),
      NEXT_DIST_DIR: ".data/test-build/next",
    },
    stdio: ["ignore", "pipe", "pipe"],
  });
  for (const stream of [web.stdout!, web.stderr!]) stream.on("data", (chunk: Buffer) => (said += chunk.toString()));
  const isUp = () =>
    fetch(`${origin}/api/v1/health/live`).then(
      ({ ok }) => ok,
      () => false,
    );
  await expect.poll(isUp, { timeout: 60_000 }).toBe(true);
});
test.afterAll(async () => {
  const ended = once(web, "close");
  web.kill("SIGTERM");
  await ended;
});

interface Sent {
  method?: string;
  headers?: http.OutgoingHttpHeaders;
  body?: string;
}
/** Past fetch, which would refuse or mend what is sent. Zero for a line that was closed without an answer. */
const send = (address: string, { method = "GET", headers = {}, body }: Sent = {}): Promise<number> =>
  new Promise((resolve) => {
    const request = http.request(origin, { method, path: address, headers, insecureHTTPParser: true }, (response) => {
      response.resume();
      response.on("end", () => resolve(response.statusCode ?? 0));
    });
    request.on("error", () => resolve(0));
    request.end(body);
  });

/** Every address that a file of `app` stands for, with the hostile text where a parameter is. */
function addresses(file: "route.ts" | "page.tsx"): string[] {
  return readdirSync("app", { recursive: true, encoding: "utf8" })
    .filter((name) => path.basename(name) === file)
    .map((name) => `/${path.dirname(name)}`.replace(/\/\([a-z]+\)/g, "").replace("/.", "/"))
    .filter((address) => !address.includes("[[") && !address.includes("[..."));
}
const filled = (address: string, text: string) => address.replace(/\[[^\]]+\]/g, encodeURIComponent(text));

const NEXT_AUTH = [
  "error",
  "_log",
  "session",
  "csrf",
  "providers",
  "signin",
  "signin/credentials",
  "signout",
  "callback/credentials",
  "verify-request",
  "nothing",
];

test("whatever is sent to any door, every line of the web process is one JSON object and none is the sender's", async () => {
  test.setTimeout(300_000);
  const form = { "content-type": "application/x-www-form-urlencoded" };
  const statuses = new Map<string, number>();
  const routes = addresses("route.ts").filter((one) => one.startsWith("/api/v1/"));
  const pages = [...addresses("page.tsx"), "/nothing-here"];
  const note = async (what: string, sending: Promise<number>) => void statuses.set(what, await sending);
  // Each address gets two of the texts in turn; all of them by `npm run prove -- pages`.
  const isSent = (nth: number, which: number) => isWhole() || (nth + which) % HOSTILE.length < 2;
  const given = (all: readonly string[], which: number) => all.filter((_, nth) => isSent(nth, which));
  for (const [which, text] of HOSTILE.entries()) {
    const query = new URLSearchParams({
      error: text,
      callbackUrl: text,
      code: text,
      level: "error",
      [text]: "1",
    }).toString();
    for (const action of given(NEXT_AUTH, which)) {
      const address = `/api/auth/${action}`;
      await note(`GET ${address} ${text}`, send(`${address}?${query}`));
      await note(`POST ${address} ${text}`, send(address, { method: "POST", headers: form, body: query }));
      const cookie = `next-auth.callback-url=${encodeURIComponent(text)}; next-auth.csrf-token=${encodeURIComponent(text)}`;
      await note(`cookie ${address} ${text}`, send(address, { headers: { cookie } }));
      await note(
        `JSON ${address} ${text}`,
        send(address, { method: "POST", headers: { "content-type": "application/json" }, body: text }),
      );
    }
    for (const address of given(routes, which)) {
      const json = { "content-type": "application/json", authorization: `Bearer ${encodeURIComponent(text)}` };
      await note(`GET ${address} ${text}`, send(`${filled(address, text)}?${query}`, { headers: json }));
      const body = JSON.stringify({ email: text, reason: text, [text]: text });
      await note(`POST ${address} ${text}`, send(filled(address, text), { method: "POST", headers: json, body }));
    }
    for (const address of given(pages, which)) {
      const page = filled(address, text);
      await note(`GET ${address} ${text}`, send(`${page}?${query}`));
      const action = { "next-action": encodeURIComponent(text), "next-router-state-tree": encodeURIComponent(text) };
      await note(
        `action ${address} ${text}`,
        send(page, { method: "POST", headers: { ...action, ...form }, body: query }),
      );
      const multipart = { "content-type": "multipart/form-data; boundary=x" };
      const part = `--x\r\ncontent-disposition: form-data; name="$ACTION_ID_${MARK}"\r\n\r\n${text}\r\n--x--\r\n`;
      await note(`form ${address} ${text}`, send(page, { method: "POST", headers: multipart, body: part }));
      await note(
        `segment ${address} ${text}`,
        send(page, { headers: { rsc: "1", "next-router-segment-prefetch": encodeURIComponent(text), ...action } }),
      );
    }
  }
  expect(statuses.size).toBeGreaterThan(1_000);
  expect([...statuses].filter(([, status]) => status >= 500 && status !== 503)).toEqual([]);

  const lines = said.split("\n").filter((line) => line !== "");
  expect(lines.length).toBeGreaterThan(0);
  const parsed = lines.map((line) => {
    try {
      return JSON.parse(line) as { level?: number; time?: string; name?: string; msg?: string };
    } catch {
      return { line };
    }
  });
  expect(parsed.filter((line) => "line" in line)).toEqual([]);
  for (const line of parsed) {
    expect(line).toMatchObject({ level: expect.any(Number), time: expect.any(String), msg: expect.any(String) });
    expect(["web", "next-auth", "queue"]).toContain((line as { name: string }).name);
  }

  expect(said.replaceAll("\n", "")).not.toMatch(/[\u0000-\u001f\u007f-\u009f\u2028\u2029]/);
});

test("of next-auth only what the product uses is served, within the limits and the envelope", async () => {
  const at = (action: string, init?: RequestInit) =>
    fetch(`${origin}/api/auth/${action}`, { redirect: "manual", ...init });
  for (const action of ["session", "csrf", "providers"]) expect((await at(action)).status, action).toBe(200);
  expect((await at("signin")).status).toBe(302);
  for (const action of ["error", "_log", "verify-request", "signin/credentials", "callback/email", "nothing"])
    for (const method of ["GET", "POST"]) {
      const response = await at(action, { method });
      expect({ action, method, status: response.status }).toEqual({ action, method, status: 404 });
      expect(await response.json()).toMatchObject({ success: false, code: "not_found" });
    }
  for (const [method, action] of [
    ["GET", "callback/credentials"],
    ["POST", "session"],
    ["DELETE", "signout"],
  ] as const)
    expect((await at(action, { method })).status, `${method} ${action}`).toBe(405);
  const forged = await at("signin?callbackUrl=x%0d%0aset-cookie:%20a=b");
  expect(forged.status).toBe(400);
  expect(await forged.json()).toMatchObject({ success: false, code: "invalid_input" });
});
