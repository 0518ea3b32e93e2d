import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { canonicalJson } from "./canonical.ts";

describe("canonical JSON (RFC 8785)", () => {
  it("writes the example of the standard", () => {
    const value = {
      numbers: [333333333.33333329, 1e30, 4.5, 2e-3, 0.000000000000000000000000001],
      string: '€$\u000F\nA\'B"\\\\"/',
      literals: [null, true, false],
    };
    expect(canonicalJson(value)).toBe(
      '{"literals":[null,true,false],"numbers":[333333333.3333333,1e+30,4.5,0.002,1e-27],"string":"€$\\u000f\\nA\'B\\"\\\\\\\\\\"/"}',
    );
  });

  it("sorts keys by UTF-16 code units", () => {
    expect(canonicalJson({ "€": 1, "\r": 2, "\uFB33": 3, "1": 4, "😀": 5, "\u0080": 6, ö: 7 })).toBe(
      '{"\\r":2,"1":4,"\u0080":6,"ö":7,"€":1,"😀":5,"\uFB33":3}',
    );
  });

  it("−0 is 0, and keys without a value are left out", () => {
    expect(canonicalJson({ a: -0, b: undefined })).toBe('{"a":0}');
  });

  it.each([
    ["NaN", Number.NaN],
    ["infinity", Number.POSITIVE_INFINITY],
    ["undefined", undefined],
    ["undefined in an array", [undefined]],
    ["a date", new Date(0)],
    ["a map", new Map()],
    ["a bigint", 1n],
    ["a function", () => 1],
    ["a lone surrogate", "\uD800"],
  ])("refuses %s", (_, value) => {
    expect(() => canonicalJson(value)).toThrow(TypeError);
  });

  it("is read back as the same value, and does not depend on the order of keys", () => {
    fc.assert(
      fc.property(fc.jsonValue({ noUnicodeString: false } as never), (value) => {
        const written = canonicalJson(value);
        expect(canonicalJson(JSON.parse(written))).toBe(written);
        expect(JSON.parse(written)).toEqual(JSON.parse(JSON.stringify(value)));
      }),
    );
    expect(canonicalJson({ b: 1, a: { d: 1, c: 2 } })).toBe(canonicalJson({ a: { c: 2, d: 1 }, b: 1 }));
  });
});
