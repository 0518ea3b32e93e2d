import { isIP } from "node:net";
import fc from "fast-check";
import { afterEach, beforeEach, expect, it } from "vitest";
import { networkOf } from "@/lib/domain/network-of.ts";
import { forgetEnv } from "../env.ts";
import { clientAddress, parseAddress } from "./client-address.ts";

beforeEach(() => {
  process.env.DATABASE_URL ??= "postgres://nowhere/none";
  process.env.NEXTAUTH_SECRET ??= "s".repeat(64);
  process.env.AUDIT_KEY ??= "a".repeat(32);
  process.env.MASTER_KEYS ??= `1:${Buffer.alloc(32, 7).toString("base64")}`;
});
afterEach(() => {
  delete process.env.TRUSTED_PROXIES;
  delete (globalThis as { tradewindFrontHeader?: string }).tradewindFrontHeader;
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

it.each([
  ["0", "6.6.6.6", "203.0.113.7", "203.0.113.7"],
  ["0", undefined, "::ffff:127.0.0.1", "127.0.0.1"],
  ["1", "6.6.6.6, 203.0.113.7", "10.0.0.1", "203.0.113.7"],
  ["1", undefined, "10.0.0.1", null],
  ["2", "6.6.6.6, 203.0.113.7, 10.0.0.2", "10.0.0.1", "203.0.113.7"],
])(
  "behind the front server with %s proxies, %j said and a connection from %s, the caller is %s",
  (proxies, said, connection, expected) => {
    process.env.TRUSTED_PROXIES = proxies;
    forgetEnv();
    (globalThis as { tradewindFrontHeader?: string }).tradewindFrontHeader = "x-front-test";
    const headers = new Headers({ "x-front-test": [...(said ? [said] : []), connection].join(", ") });
    // Next writes this header itself where a caller sends none: it is not asked.
    headers.set("x-forwarded-for", "9.9.9.9");
    expect(clientAddress(headers)).toBe(expected);
  },
);

it.each([
  ["74.9.9.9:20001", "74.9.9.9"],
  ["[2001:db8::1]:443", "2001:db8::1"],
  ["[2001:DB8:0::1]", "2001:db8::1"],
  ["::FFFF:1.2.3.4", "1.2.3.4"],
  ["0:0:0:0:0:ffff:1.2.3.4", "1.2.3.4"],
  ["0000:0000:0000:0000:0000:FFFF:0102:0304", "1.2.3.4"],
  ["[::ffff:1.2.3.4]:80", "1.2.3.4"],
  ["64:ff9b::1.2.3.4", "1.2.3.4"],
  ["fe80::1%eth0", "fe80::1"],
  [" 1.2.3.4 ", "1.2.3.4"],
  ["1.2.3.4:", null],
  ["1.2.3.4:123456", null],
  ["01.2.3.4", null],
  ["1.2.3", null],
  ["[1.2.3.4]:80", null],
  ["2001:db8::1:99999", null],
  ["[::1", null],
  ["unknown", null],
  ["_hidden", null],
  ["", null],
])("the address written %j is %s", (written, address) => {
  expect(parseAddress(written)).toBe(address);
});

const v4 = fc.ipV4();
const v6 = fc.ipV6();

it("every spelling of an address is one address and one network, whatever port stands behind it", () => {
  fc.assert(
    fc.property(v4, fc.integer({ min: 1, max: 65_535 }), (address, port) => {
      const [high, low] = [0, 2].map((at) => {
        const [one = 0, other = 0] = address.split(".").slice(at).map(Number);
        return ((one << 8) | other).toString(16);
      });
      for (const written of [
        address,
        `${address}:${port}`,
        `::ffff:${address}`,
        `[::FFFF:${high}:${low}]:${port}`,
        `0:0:0:0:0:ffff:${address}`,
      ])
        expect(parseAddress(written)).toBe(address);
    }),
  );
  fc.assert(
    fc.property(v6, fc.integer({ min: 1, max: 65_535 }), (address, port) => {
      const parsed = parseAddress(address);
      expect(parsed).not.toBeNull();
      for (const written of [address.toUpperCase(), `[${address}]`, `[${address}]:${port}`, `${address}%eth0`])
        expect(parseAddress(written)).toBe(parsed);
      expect(parseAddress(parsed ?? "")).toBe(parsed);
    }),
  );
});

it("of 20,000 made-up texts each is an address in its one spelling or none, and each address has a network", () => {
  const text = fc.oneof(
    fc.string(),
    fc.string({ unit: fc.constantFrom(..."0123456789abcdefABCDEF.:[]% ,/"), maxLength: 45 }),
    fc.tuple(fc.oneof(v4, v6), fc.string({ maxLength: 4 })).map(([address, tail]) => address + tail),
    fc.tuple(fc.string({ maxLength: 3 }), fc.oneof(v4, v6)).map(([head, address]) => head + address),
  );
  fc.assert(
    fc.property(text, (written) => {
      const address = parseAddress(written);
      if (address === null) return;
      expect(isIP(address)).not.toBe(0);
      expect(parseAddress(address)).toBe(address);
      if (!address.startsWith("127.") && address !== "::1") expect(networkOf(address)).toMatch(/^[\da-f.:]+\/(24|64)$/);
    }),
    { numRuns: 20_000 },
  );
});
