import { beforeAll, expect, it } from "vitest";
import { Failure } from "@/lib/domain/failures.ts";
import { forgetEnv } from "../env.ts";
import { openKeys, resealKeys, sealKeys } from "./seal.ts";
import { newSubjectKey, openPersonal, openSubjectKey, resealSubjectKey, sealPersonal } from "./subject-key.ts";

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

/** Each bit of the text is flipped once; what opens all the same is named. */
function opensWithAnyBitFlipped(text: string, open: (flipped: string) => unknown): string[] {
  const sealed = Buffer.from(text, "utf8");
  const opened: string[] = [];
  for (let index = 0; index < sealed.length; index += 1) {
    for (let bit = 0; bit < 8; bit += 1) {
      const flipped = Buffer.from(sealed);
      flipped.writeUInt8(flipped.readUInt8(index) ^ (1 << bit), index);
      try {
        open(flipped.toString("utf8"));
        opened.push(`byte ${index} bit ${bit}`);
      } catch (error) {
        expect(error).toBeInstanceOf(Error);
      }
    }
  }
  return opened;
}

it("no single changed bit opens, anywhere in any sealed text, and none is put under another master key", () => {
  const sealed = sealKeys(keys, binding);
  expect(opensWithAnyBitFlipped(sealed, (flipped) => openKeys(flipped, binding))).toEqual([]);
  const subjectKey = newSubjectKey("user-1");
  expect(opensWithAnyBitFlipped(subjectKey, (flipped) => openSubjectKey(flipped, "user-1"))).toEqual([]);
  expect(opensWithAnyBitFlipped(subjectKey, (flipped) => resealSubjectKey(flipped, "user-1"))).toEqual([]);
  const key = openSubjectKey(subjectKey, "user-1");
  const personal = sealPersonal(key, "canary of a person", "user-1", "audit|7");
  expect(personal).not.toContain("canary");
  expect(openPersonal(key, personal, "user-1", "audit|7")).toBe("canary of a person");
  expect(opensWithAnyBitFlipped(personal, (flipped) => openPersonal(key, flipped, "user-1", "audit|7"))).toEqual([]);
});

it("a person's key and what it seals open for that person and that place alone", () => {
  const sealedKey = newSubjectKey("user-1");
  const key = openSubjectKey(sealedKey, "user-1");
  expect(() => openSubjectKey(sealedKey, "user-2")).toThrow();
  const personal = sealPersonal(key, "x", "user-1", "audit|7");
  expect(() => openPersonal(key, personal, "user-2", "audit|7")).toThrow();
  expect(() => openPersonal(key, personal, "user-1", "audit|8")).toThrow();
  expect(() =>
    openPersonal(openSubjectKey(newSubjectKey("user-1"), "user-1"), personal, "user-1", "audit|7"),
  ).toThrow();
});

it("putting a row's key under a new master key leaves its contents as they are, and needs the old one", () => {
  const sealed = sealKeys(keys, binding);
  const subjectKey = newSubjectKey("user-1");
  const inside = openSubjectKey(subjectKey, "user-1").toString("hex");
  useMasterKeys(`2:${key(9)},1:${key(7)}`);
  const [resealed, resealedKey] = [resealKeys(sealed, binding.accountId), resealSubjectKey(subjectKey, "user-1")];
  expect(JSON.parse(resealed)).toMatchObject({ v: 1, kek: 2, keys: (JSON.parse(sealed) as { keys: object }).keys });
  expect(() => resealKeys(sealed, "account-2")).toThrow();
  useMasterKeys(`2:${key(9)}`);
  expect(openKeys(resealed, binding)).toEqual(keys);
  expect(openSubjectKey(resealedKey, "user-1").toString("hex")).toBe(inside);
  expect(() => resealKeys(sealed, binding.accountId)).toThrow("master key 1 is not here");
  useMasterKeys(`1:${key(7)}`);
});

// The long run: `npm run prove -- seals` (a million IVs).
const SEALS = Number(process.env.SEALS ?? 10_000);

it(`no IV is used twice in ${2 * SEALS} of them`, { timeout: 600_000 }, () => {
  const ivs = new Set<string>();
  for (let n = 0; n < SEALS; n += 1) {
    const { dek, keys: part } = JSON.parse(sealKeys(keys, binding)) as Record<"dek" | "keys", { iv: string }>;
    ivs.add(dek.iv).add(part.iv);
  }
  expect(ivs.size).toBe(2 * SEALS);
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

it("a failure to open reveals nothing of the keys", () => {
  const sealed = sealKeys(keys, binding);
  let failure: unknown;
  try {
    openKeys(sealed.slice(0, -3), binding);
  } catch (error) {
    failure = error;
  }
  if (!(failure instanceof Error)) throw new Error("a damaged text was opened");
  expect(`${failure} ${String(failure.cause)}`).not.toContain(keys.secret);
});
