import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { decode, encode, encodedList } from "./msgpack.ts";

const hex = (value: unknown) => encode(value).toString("hex");

describe("MessagePack", () => {
  it("is written as the specification says", () => {
    expect(hex([{ T: "success", n: 1 }])).toBe("9182a154a773756363657373a16e01");
    expect(["", null, true, false, -1, 127, 128, 255, 256, 65_536].map(hex)).toEqual([
      "a0",
      "c0",
      "c3",
      "c2",
      "ff",
      "7f",
      "cc80",
      "ccff",
      "cd0100",
      "ce00010000",
    ]);
    expect(hex(1.5)).toBe("cb3ff8000000000000");
    expect(hex(-129)).toBe("d1ff7f");
    // Timestamps of 32 bits for whole seconds, of 64 bits for milliseconds.
    expect(hex(new Date("2024-03-04T14:31:00Z"))).toBe("d6ff65e5db24");
    expect(hex(new Date("2024-03-04T14:31:00.250Z"))).toBe("d7ff3b9aca0065e5db24");
  });

  it("is decoded as it was, whatever was written", () => {
    const key = fc.string().filter((name) => name !== "__proto__");
    const value = fc.letrec((tie) => ({
      any: fc.oneof(
        { maxDepth: 3 },
        fc.constant(null),
        fc.boolean(),
        fc.integer(),
        fc.maxSafeInteger(),
        fc.string(),
        fc.double({ noNaN: true }).filter((n) => !Object.is(n, -0)),
        fc.array(tie("any"), { maxLength: 20 }),
        fc.dictionary(key, tie("any"), { noNullPrototype: true }),
      ),
    })).any;
    const comesBack = (given: unknown) => {
      expect(decode(encode(given))).toEqual(given);
    };
    fc.assert(fc.property(value, comesBack), { numRuns: 200 });
    const long = "x".repeat(70_000);
    expect(decode(encode([long, Array(20).fill(long.slice(0, 300))]))).toEqual([
      long,
      Array(20).fill(long.slice(0, 300)),
    ]);
    expect(decode(encodedList([encode(1), encode("a")]))).toEqual([1, "a"]);
  });

  it("is refused when cut off, followed by a tail, too deep, or of an unknown kind", () => {
    const whole = encode({ action: "auth", key: "k" });
    for (let length = 0; length < whole.length; length += 1) expect(() => decode(whole.subarray(0, length))).toThrow();
    expect(() => decode(Buffer.concat([whole, Buffer.from([0])]))).toThrow();
    expect(() => decode(Buffer.alloc(400_000, 0x91))).toThrow();
    expect(() => decode(Buffer.from([0xd4, 0x05, 0x00]))).toThrow();
    expect(() => decode(Buffer.from([0xdd, 0xff, 0xff, 0xff, 0xff]))).toThrow();
  });
});
