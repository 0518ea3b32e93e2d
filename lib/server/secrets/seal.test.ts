import { beforeAll, expect, it } from "vitest";
import { Failure } from "@/lib/domain/failures.ts";
import { forgetEnv } from "../env.ts";
import { openKeys, sealKeys } from "./seal.ts";

const keys = { keyId: "PKTEST0123456789ABCD", secret: "canary-secret-of-the-sealing-test-0123456789" };
const binding = { userId: "user-1", accountId: "account-1", environment: "PAPER" as const };
const key = (byte: number) => Buffer.alloc(32, byte).toString("base64");

function useMasterKeys(text: string) {
  process.env.MASTER_KEYS = text;
  forgetEnv();
}

beforeAll(() => {
  process.env.DATABASE_URL ??= "postgres://nowhere/none";
  process.env.NEXTAUTH_SECRET ??= "s".repeat(64);
  process.env.AUDIT_KEY ??= "a".repeat(32);
  useMasterKeys(`1:${key(7)}`);
});

it("sealed keys open again for the row they were sealed for, and show nothing of the secret", () => {
  const sealed = sealKeys(keys, binding);
  expect(sealed).not.toContain(keys.secret);
  expect(sealed).not.toContain(keys.keyId);
  expect(openKeys(sealed, binding)).toEqual(keys);
});

it("the same keys never seal to the same text", () => {
  expect(new Set(Array.from({ length: 50 }, () => sealKeys(keys, binding))).size).toBe(50);
});

it.each([
  ["another user", { ...binding, userId: "user-2" }],
  ["another account", { ...binding, accountId: "account-2" }],
  ["the other environment", { ...binding, environment: "LIVE" as const }],
])("sealed keys do not open for %s", (_, other) => {
  const sealed = sealKeys(keys, binding);
  expect(() => openKeys(sealed, other)).toThrow(Failure);
});

it("no single changed bit opens, anywhere in the text", () => {
  const sealed = Buffer.from(sealKeys(keys, binding), "utf8");
  const opened: string[] = [];
  for (let index = 0; index < sealed.length; index += 1) {
    for (let bit = 0; bit < 8; bit += 1) {
      const flipped = Buffer.from(sealed);
      flipped.writeUInt8(flipped.readUInt8(index) ^ (1 << bit), index);
      try {
        openKeys(flipped.toString("utf8"), binding);
        opened.push(`byte ${index} bit ${bit}`);
      } catch (error) {
        expect(error).toBeInstanceOf(Failure);
      }
    }
  }
  expect(opened).toEqual([]);
});

it("after a new master key, old rows open, new rows use the new one, and a removed master key opens nothing (H9)", () => {
  const old = sealKeys(keys, binding);
  useMasterKeys(`2:${key(9)},1:${key(7)}`);
  const renewed = sealKeys(keys, binding);
  expect(openKeys(old, binding)).toEqual(keys);
  expect(JSON.parse(renewed)).toMatchObject({ kek: 2 });
  useMasterKeys(`2:${key(9)}`);
  expect(openKeys(renewed, binding)).toEqual(keys);
  expect(() => openKeys(old, binding)).toThrow(Failure);
  useMasterKeys(`1:${key(7)}`);
});

it("a failure to open tells nothing of the keys", () => {
  const sealed = sealKeys(keys, binding);
  try {
    openKeys(sealed.slice(0, -3), binding);
    expect.unreachable();
  } catch (error) {
    expect(String(error)).not.toContain(keys.secret);
    expect(String((error as Error).cause)).not.toContain(keys.secret);
  }
});
