import fc from "fast-check";
import { afterEach, beforeAll, expect, it, vi } from "vitest";
import { Failure } from "@/lib/domain/failures.ts";
import { createLog } from "./log.ts";
import { LOG_EVENTS, type Log, type LogEventName } from "./log-events.ts";
import { logRarely } from "./log-rarely.ts";
import { useLeastEnv } from "@/lib/proof/fixtures/least-env.ts";

beforeAll(useLeastEnv);

function logged(write: (log: ReturnType<typeof createLog>) => void): string[] {
  const lines: string[] = [];
  write(createLog("test", { write: (line) => void lines.push(line) }));
  return lines;
}

/** What a cast gets past the compiler. */
const careless = (log: Log, level: keyof Log) => log[level] as (event: LogEventName, fields: object) => void;

/** The way a text stands in a line. */
const asJson = (text: string) => JSON.stringify(text).slice(1, -1);

const SECRETS = [
  "PKCANARY0123456789AB",
  "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJ4In0.c2ln",
  "$argon2id$v=19$m=19456,t=2,p=1$c2FsdA$aGFzaA",
  "Zk3vX9qLm2Nw8RtYc5Hb1Jd7Fs4Gp6Ea0UoKiVxQ",
  "ada@example.com",
  "Ada.O'Hara+news@mail.example.co.uk",
  '"ada.lovelace"@example.com',
  "åda@exämple.com",
  "AK0123456789CANARYZZ",
  "aB3_xY-7kLmN0pQrStUvWxYz1234567890_-AbCdEfG",
  "f".repeat(64) + "0123456789abcdef".repeat(4),
  "eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJpc3MiOiJ0cmFkZXdpbmQifQ.",
  // Access tokens: whole, without a capital or a digit, and cut off.
  "twp_Zk3vX9qLm2Nw8RtYc5Hb1Jd7Fs4Gp6Ea0UoKiVxQ_-w",
  `twp_${"a".repeat(43)}`,
  "twp_Zk3vX9qL",
];

it("keys, tokens, hashes and addresses do not reach a line, in whatever field or error they hide", () => {
  const cause = new Error(`inner ${SECRETS.join(" ")}`);
  const lines = logged((log) =>
    log.error("request.refused", {
      requestId: "r-1",
      method: "GET",
      path: `/x ${SECRETS.join(" ")}`,
      status: 503,
      code: "unavailable",
      durationMs: 1,
      reason: SECRETS.join(" "),
      err: new Error(`outer ${SECRETS.join(" ")}`, { cause }),
    }),
  );
  expect(lines).toHaveLength(1);
  for (const secret of SECRETS) expect(lines[0]).not.toContain(asJson(secret));
  expect(lines[0]).toContain("outer");
});

it("a field that the event does not declare does not compile, not even in a spread", () => {
  const more = { accountId: "a-1", password: "hunter2" };
  logged((log) => {
    // @ts-expect-error: not declared
    log.info("account.deleted", { accountId: "a-1", password: "hunter2" });
    // @ts-expect-error: not declared, in a spread
    log.info("account.deleted", { ...more });
    // @ts-expect-error: declared and missing
    log.info("account.deleted", {});
    // @ts-expect-error: no such event
    log.info("account.vanished", { accountId: "a-1" });
  });
});

it("events have dotted names, and no field has the name of a secret", () => {
  for (const [name, { message, fields }] of Object.entries(LOG_EVENTS)) {
    expect(name).toMatch(/^[a-z]+(-[a-z]+)*\.[a-z]+(-[a-z]+)*$/);
    expect(message).not.toBe("");
    for (const field of fields) expect(field).not.toMatch(/pass|secret|token|key|hash|mail$|address|name$/i);
  }
});

it("the value of a field that the event does not declare is dropped, its name is kept", () => {
  const [line = ""] = logged((log) =>
    careless(log, "info")("queue.switched", { state: "active", passwordOfTheUser: "hunter2" }),
  );
  expect(line).not.toContain("hunter2");
  expect(JSON.parse(line)).toMatchObject({
    event: "queue.switched",
    state: "active",
    dropped: ["passwordOfTheUser"],
    msg: "job queue switched",
    name: "test",
  });
});

it("line breaks and control characters cannot make a second line", () => {
  const lines = logged((log) => log.error("entries.blocked", { reason: 'a\n{"level":60}\r\u001b[31m' }));
  expect(lines).toHaveLength(1);
  expect(lines[0]?.trimEnd()).not.toMatch(/[\n\r\u001b]/);
});

it("a uuid and a client order id stay readable", () => {
  const fields = { accountId: "0192f0c1-2b3c-7d4e-8f90-a1b2c3d4e5f6", clientOrderId: "tw-20200203-abcdef12-0-1" };
  const [line = ""] = logged((log) =>
    log.warn("unknown-order.closed", { ...fields, reason: "support: cancelled", count: 1 }),
  );
  expect(JSON.parse(line)).toMatchObject(fields);
});

/** What a log viewer, a terminal or a log shipper would obey instead of show. */
const OBEYED = /[\u0000-\u001f\u007f-\u009f\u2028\u2029\u200e\u200f\u202a-\u202e\u2066-\u2069]/;
const HOSTILE = [
  "\r\n",
  '\n{"level":60,"msg":"forged"}',
  "\u001b[2J\u001b[31m",
  "\u009b31m",
  "\u2028",
  "\u202e",
  "\u0000",
  "\u007f",
  '"}',
  '","level":60,"x":"',
  "%n%s",
  "${jndi:ldap://x}",
  "\\",
  "\ud800",
];

const noise = fc.array(
  fc.oneof(fc.string({ unit: "binary", maxLength: 20 }), fc.constantFrom(...HOSTILE, ...SECRETS)),
  {
    maxLength: 8,
  },
);
const text = noise.map((parts) => parts.join(" "));

it("whatever is logged is one line of JSON with our fields, and nothing in it is obeyed or secret", () => {
  const value = fc.letrec((tie) => ({
    any: fc.oneof(
      { depthSize: "small" },
      text,
      fc.anything(),
      fc.dictionary(fc.oneof(text, fc.constantFrom("reason", "err", "issues", "cause")), tie("any"), { maxKeys: 4 }),
      text.map((message) => Object.assign(new Error(message), { name: message, code: message })),
    ),
  })).any;
  const fields = fc.dictionary(
    fc.oneof(text, fc.constantFrom("reason", "err", "path", "event", "level", "time", "msg")),
    value,
  );
  fc.assert(
    fc.property(fields, (given) => {
      const lines = logged((log) => careless(log, "warn")("request.refused", given));
      expect(lines).toHaveLength(1);
      const line = lines[0]!;
      expect(line.endsWith("\n")).toBe(true);
      expect(line.slice(0, -1)).not.toMatch(OBEYED);
      for (const secret of SECRETS) expect(line).not.toContain(asJson(secret));
      expect(JSON.parse(line)).toMatchObject({ name: "test", event: "request.refused" });
    }),
    { numRuns: 1_500 },
  );
});

it("a secret behind a long text is not cut in two and left in sight", () => {
  for (const secret of SECRETS)
    for (const before of [3_990, 3_995, 4_000 - secret.length + 1]) {
      const [line = ""] = logged((log) =>
        log.error("entries.blocked", { reason: `${"x ".repeat(before / 2)}${secret}` }),
      );
      expect(line).not.toContain(secret.slice(0, 12));
    }
});

it("a value with a million fields makes a short line, soon", () => {
  const many = Object.fromEntries(Array.from({ length: 100_000 }, (_, n) => [`field${n}`, "x"]));
  const [line = ""] = logged((log) =>
    careless(log, "error")("entries.blocked", { ...many, reason: "y@".repeat(500_000) }),
  );
  expect(line.length).toBeLessThan(20_000);
});

const named = (name: string, message: string, fields: object = {}) =>
  Object.assign(new Error(message), { name, ...fields });
const refused = () => named("Error", "connect ECONNREFUSED 127.0.0.1:6379", { code: "ECONNREFUSED" });

it.each([
  ["a connection refused", refused()],
  ["the same on every address of a host", new AggregateError([refused(), refused()])],
  ["a fetch that found no server", new TypeError("fetch failed", { cause: refused() })],
  ["a full disk, told by Redis", named("ReplyError", "MISCONF Redis is configured to save RDB snapshots")],
  ["a full disk, told by Postgres", named("error", "could not extend file", { code: "53100" })],
  ["a timeout", named("TimeoutError", "The operation was aborted due to timeout")],
  ["a connection that ioredis closed", new Error("Connection is closed.")],
  [
    "an unreachable node of a cluster",
    new Error("Too many Cluster redirections. Last error: Error: Connection is closed."),
  ],
  ["an unavailable service", new Failure("unavailable", "Not now.", { cause: new Error("502 Bad Gateway") })],
])("%s is expected: it is logged without a stack", (_, err) => {
  const [line = ""] = logged((log) => log.warn("queue.read-failed", { err }));
  expect(JSON.parse(line)).toMatchObject({ err: { message: err.message } });
  expect(line).not.toContain('"stack"');
});

it.each([
  ["a mistake in the code", new TypeError("x is not a function")],
  ["a command that Redis does not know", named("ReplyError", "ERR unknown command")],
  ["a failure of our own", new Failure("internal", "Something went wrong.")],
  [
    "a mistake behind a failure that is expected",
    new Failure("unavailable", "Not now.", { cause: new TypeError("x is null") }),
  ],
])("%s keeps its stack", (_, err) => {
  const [line = ""] = logged((log) => log.error("worker.crashed", { err }));
  expect(line).toContain('"stack"');
});

afterEach(() => vi.useRealTimers());

it("a run of like failures is one line a minute, and the next line counts those before it", () => {
  vi.useFakeTimers({ toFake: ["performance"] });
  const lines = logged((log) => {
    for (let i = 0; i < 6_000; i += 1) {
      logRarely(log, "warn", "queue.errored", { job: "mail", err: refused() });
      vi.advanceTimersByTime(20);
    }
    logRarely(log, "error", "task.failed", { task: "beat", err: refused() });
    logRarely(log, "error", "task.failed", { task: "pulse", err: refused() }, "pulse");
  });
  const said = lines.map((line) => JSON.parse(line) as { event: string; count: number });
  expect(said.map(({ event, count }) => [event, count])).toEqual([
    ["queue.errored", 1],
    ["queue.errored", 3_000],
    ["task.failed", 1],
    ["task.failed", 1],
  ]);
});
