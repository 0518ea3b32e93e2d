/** Named faults of the settings a program starts with: docs/faults.md. */
import { readFileSync } from "node:fs";
import { afterEach, beforeEach, expect, it } from "vitest";
import { env, forgetEnv } from "./env.ts";

const SOUND = {
  NODE_ENV: "production",
  DATABASE_URL: "postgresql://a:b@127.0.0.1/x",
  NEXTAUTH_SECRET: "a-secret-of-the-boot-matrix-".repeat(3),
  MASTER_KEYS: `2:${Buffer.from("a-master-key-of-the-boot-matrix!").toString("base64")}`,
  AUDIT_KEY: "an-audit-key-of-the-boot-matrix-01",
};

const before = { ...process.env };
const boot = (changed: Record<string, string | undefined>) => {
  for (const [name, value] of Object.entries({ ...SOUND, ...changed }))
    if (value === undefined) delete process.env[name];
    else process.env[name] = value;
  forgetEnv();
  return env();
};
const restore = () => {
  for (const name of Object.keys(process.env)) if (!(name in before)) delete process.env[name];
  Object.assign(process.env, before);
  forgetEnv();
};
beforeEach(restore);
afterEach(restore);

it("with sound settings a program starts", () => {
  expect(boot({})).toMatchObject({ NODE_ENV: "production" });
});

it("who sets no NODE_ENV runs in production: the example's keys are refused there, too", () => {
  expect(boot({ NODE_ENV: undefined })).toMatchObject({ NODE_ENV: "production" });
  expect(() => boot({ NODE_ENV: undefined, AUDIT_KEY: "0".repeat(32) })).toThrow(/AUDIT_KEY: this is the placeholder/);
});

const BAD: [name: string, fault: string, value: string | undefined][] = [
  ["DATABASE_URL", "is missing", undefined],
  ["DATABASE_URL", "is empty", ""],
  ["DATABASE_URL", "is of another database", "mysql://a:b@127.0.0.1/x"],
  ["NEXTAUTH_SECRET", "is missing", undefined],
  ["NEXTAUTH_SECRET", "is empty", ""],
  ["NEXTAUTH_SECRET", "is short", "canary-secret"],
  ["NEXTAUTH_SECRET", "is the example's", "0".repeat(64)],
  ["MASTER_KEYS", "is missing", undefined],
  ["MASTER_KEYS", "is empty", ""],
  ["MASTER_KEYS", "has no version", Buffer.alloc(32, 5).toString("base64")],
  ["MASTER_KEYS", "is short", "1:Y2FuYXJ5LXNlY3JldA=="],
  ["MASTER_KEYS", "is the example's", `1:${"A".repeat(43)}=`],
  ["MASTER_KEYS", "holds the example's among others", `${SOUND.MASTER_KEYS},1:${"A".repeat(43)}=`],
  ["AUDIT_KEY", "is missing", undefined],
  ["AUDIT_KEY", "is empty", ""],
  ["AUDIT_KEY", "is short", "canary-secret"],
  ["AUDIT_KEY", "is the example's", "0".repeat(32)],
  ["NODE_ENV", "is unknown", "staging"],
  ["LOG_LEVEL", "is unknown", "verbose"],
  ["EXCHANGE_CONTROL_TOKEN", "is short", "canary-secret"],
  ["ALPACA_PAPER_URL", "is no address", "paper"],
  ["TRUSTED_PROXIES", "trusts every hop", "99"],
];

it.each(BAD)(
  "%s that %s: the program does not start, names the setting and shows no secret (H10)",
  (name, _, value) => {
    const start = () => boot({ [name]: value });
    expect(start).toThrow(/^The environment is not complete:/);
    expect(start).toThrow(new RegExp(`^ {2}${name}: `, "m"));
    for (const secret of ["canary-secret", SOUND.NEXTAUTH_SECRET, SOUND.AUDIT_KEY])
      expect(start).not.toThrow(new RegExp(secret));
  },
);

it("an https address without the number of its proxies does not start, and the message says what to set; with it, or on http, all is well", () => {
  const secure = { APP_BASE_URL: "https://tradewind.example" };
  for (const unnamed of [{}, { TRUSTED_PROXIES: "0" }]) {
    expect(() => boot({ ...secure, ...unnamed })).toThrow(/^ {2}TRUSTED_PROXIES: .*proxy with TLS.*Say how many/m);
    restore();
  }
  expect(boot({ ...secure, TRUSTED_PROXIES: "1" }).TRUSTED_PROXIES).toBe(1);
  expect(boot({ APP_BASE_URL: "http://127.0.0.1:3000", TRUSTED_PROXIES: "0" }).TRUSTED_PROXIES).toBe(0);
});

it("the secrets that .env.example shows open nothing in production (H10)", () => {
  const shown = [
    ...readFileSync(".env.example", "utf8").matchAll(/^# (NEXTAUTH_SECRET|MASTER_KEYS|AUDIT_KEY)=(.+)$/gm),
  ];
  expect(shown.map(([, name]) => name).sort()).toEqual(["AUDIT_KEY", "MASTER_KEYS", "NEXTAUTH_SECRET"]);
  for (const [, name = "", value = ""] of shown) expect(() => boot({ [name]: value })).toThrow(`${name}: `);
});
