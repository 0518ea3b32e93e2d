import { beforeAll, expect, it } from "vitest";
import { forgetEnv } from "./env.ts";
import { createLog } from "./log.ts";

beforeAll(() => {
  process.env.DATABASE_URL ??= "postgres://nowhere/none";
  process.env.NEXTAUTH_SECRET ??= "s".repeat(64);
  process.env.AUDIT_KEY ??= "a".repeat(32);
  process.env.MASTER_KEYS ??= `1:${Buffer.alloc(32, 7).toString("base64")}`;
  forgetEnv();
});

function logged(write: (log: ReturnType<typeof createLog>) => void): string[] {
  const lines: string[] = [];
  write(createLog("test", { write: (line) => void lines.push(line) }));
  return lines;
}

const SECRETS = [
  "PKCANARY0123456789AB",
  "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJ4In0.c2ln",
  "$argon2id$v=19$m=19456,t=2,p=1$c2FsdA$aGFzaA",
  "Zk3vX9qLm2Nw8RtYc5Hb1Jd7Fs4Gp6Ea0UoKiVxQ",
  "ada@example.com",
];

it("keys, tokens, hashes and addresses do not reach a line, in whatever field or error they hide", () => {
  const cause = new Error(`inner ${SECRETS.join(" ")}`);
  const lines = logged((log) =>
    log.error(
      {
        reason: SECRETS.join(" "),
        error: new Error(`outer ${SECRETS.join(" ")}`, { cause }),
        issues: SECRETS.map((message) => ({ message })),
      },
      `went wrong: ${SECRETS.join(" ")}`,
    ),
  );
  expect(lines).toHaveLength(1);
  for (const secret of SECRETS) expect(lines[0]).not.toContain(secret);
  expect(lines[0]).toContain("went wrong");
});

it("the value of a field nobody allowed is dropped, its name is kept", () => {
  const [line = ""] = logged((log) => log.info({ requestId: "r-1", passwordOfTheUser: "hunter2" }, "x"));
  expect(line).not.toContain("hunter2");
  expect(JSON.parse(line)).toMatchObject({ requestId: "r-1", dropped: ["passwordOfTheUser"], msg: "x", name: "test" });
});

it("line breaks and control characters cannot make a second line", () => {
  const lines = logged((log) => log.info({ reason: 'a\n{"level":60}\r\u001b[31m' }, "b\n{}\u001b[0m"));
  expect(lines).toHaveLength(1);
  expect(lines[0]?.trimEnd()).not.toMatch(/[\n\r\u001b]/);
});

it("a uuid and a client order id stay readable", () => {
  const fields = { requestId: "0192f0c1-2b3c-7d4e-8f90-a1b2c3d4e5f6", clientOrderId: "tw-20200203-abcdef12-0-1" };
  expect(JSON.parse(logged((log) => log.info(fields, "x"))[0] ?? "")).toMatchObject(fields);
});
