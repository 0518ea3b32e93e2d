import { afterEach, beforeEach, expect, it } from "vitest";
import { forgetEnv } from "../env.ts";
import { clientAddress } from "./client-address.ts";

beforeEach(() => {
  process.env.DATABASE_URL ??= "postgres://nowhere/none";
  process.env.NEXTAUTH_SECRET ??= "s".repeat(64);
  process.env.AUDIT_KEY ??= "a".repeat(32);
  process.env.MASTER_KEYS ??= `1:${Buffer.alloc(32, 7).toString("base64")}`;
});
afterEach(() => {
  delete process.env.TRUSTED_PROXIES;
  forgetEnv();
});

it.each([
  ["0", "203.0.113.7", null],
  ["1", "203.0.113.7", "203.0.113.7"],
  ["1", "10.0.0.1, 203.0.113.7", "203.0.113.7"],
  ["2", "6.6.6.6, 203.0.113.7, 10.1.1.1", "203.0.113.7"],
  ["2", "203.0.113.7", null],
  ["1", "::ffff:203.0.113.7", "203.0.113.7"],
  ["1", "2001:db8::1", "2001:db8::1"],
  ["1", "not an address", null],
  ["1", "", null],
])("with %s trusted proxies, X-Forwarded-For %j is %j", (hops, header, expected) => {
  process.env.TRUSTED_PROXIES = hops;
  forgetEnv();
  expect(clientAddress(new Headers({ "x-forwarded-for": header }))).toBe(expected);
});
