import { randomBytes } from "node:crypto";
import { expect, it } from "vitest";
import { Failure } from "@/lib/domain/failures.ts";
import { checkDummyPassword, DUMMY_HASH, hashPassword, isPassword } from "./password.ts";

it("a password is stored as argon2id with 19 MiB, two passes and one lane", async () => {
  const stored = await hashPassword("Correct-Horse-1");
  expect(stored).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
  expect(await isPassword("Correct-Horse-1", stored)).toBe(true);
  expect(await isPassword("Correct-Horse-2", stored)).toBe(false);
});

it("the same letters in another Unicode form are the same password", async () => {
  const stored = await hashPassword("Caf\u00e9-Pass-1");
  expect(await isPassword("Cafe\u0301-Pass-1", stored)).toBe(true);
});

it("an unknown address costs a check of the same parameters as a known one, and no guess matches it", async () => {
  const parameters = (stored: string) => stored.split("$").slice(1, 4);
  expect(parameters(DUMMY_HASH)).toEqual(parameters(await hashPassword("Correct-Horse-1")));
  for (const guess of ["", "nobody", randomBytes(24).toString("base64")])
    expect(await checkDummyPassword(guess)).toBe(false);
});

it("of 40 at once, 22 are served and 18 are told to retry", async () => {
  const outcomes = await Promise.allSettled(Array.from({ length: 40 }, () => hashPassword("Correct-Horse-1")));
  const refused = outcomes.filter((o) => o.status === "rejected");
  expect(refused).toHaveLength(18);
  for (const { reason } of refused as PromiseRejectedResult[])
    expect(reason).toMatchObject({ code: "unavailable", retryAfterMs: 2_000 });
  expect(refused.every((o) => (o as PromiseRejectedResult).reason instanceof Failure)).toBe(true);
  expect(await hashPassword("Correct-Horse-1")).toContain("argon2id");
});
