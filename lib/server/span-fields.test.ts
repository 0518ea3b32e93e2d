import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Prisma } from "@/lib/generated/prisma/client.ts";
import { allEndpoints } from "@/lib/contracts/api.ts";
import { jobs } from "@/lib/contracts/jobs.ts";
import { INTENT_PURPOSES, MARKETS, SIDES } from "@/lib/domain/enums.ts";
import { Failure, FAILURES, type FailureCode } from "@/lib/domain/failures.ts";
import { PROVIDERS } from "@/lib/domain/providers.ts";
import { attributesOf, errorField, SPAN_FIELDS, titleOf, type SpanAbout, type SpanFields } from "./span-fields.ts";

const NAMES = Object.keys(SPAN_FIELDS) as (keyof SpanFields)[];
/** What a cast gets past the compiler. */
const careless = (fields: Record<string, unknown>) => attributesOf(fields as Partial<SpanFields>);

const NEVER: [what: string, value: string][] = [
  ["a key of the broker", "PKCANARY0123456789AB"],
  ["a secret", "Zk3vX9qLm2Nw8RtYc5Hb1Jd7Fs4Gp6Ea0UoKiVxQ"],
  ["an access token", `twp_${"a".repeat(43)}`],
  ["a sign-in token", "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJ4In0.c2ln"],
  ["a hash", "f".repeat(64)],
  ["an address", "ada@example.com"],
  ["an IP address", "203.0.113.7"],
  ["a path with an id", "/api/v1/trades/0198c0de-0000-7000-8000-000000000001"],
  ["a path with a number", "/api/v1/trades/12345"],
  ["a path with a symbol", "/api/v1/symbols/AAPL"],
  ["a query", "/api/v1/trades?symbol=AAPL"],
  ["a URL", "https://ada:secret@broker.example/v2/orders"],
  ["a body", '{"email":"ada@example.com"}'],
  ["an amount", "$5,998.68"],
  ["a message", "The password of Ada is wrong."],
  ["two lines", "submit\nsecret"],
  ["nothing", ""],
];

describe.each(NEVER)("%s", (_, value) => {
  it.each(NAMES)("does not get into a span as its %s, nor into its name", (name) => {
    expect(attributesOf({ [name]: value } as Partial<SpanFields>)).toEqual({});
    for (const about of ["request", "job", "broker", "provider", "order", "step", "transaction"] satisfies SpanAbout[])
      expect(titleOf(about, attributesOf({ [name]: value } as Partial<SpanFields>))).not.toContain(
        value || "undefined",
      );
  });
});

it("an id is an id of a request alone, which the product makes itself", () => {
  const id = "0198c0de-0000-7000-8000-000000000001";
  expect(NAMES.filter((name) => Object.keys(careless({ [name]: id })).length > 0)).toEqual(["requestId"]);
});

it("a field that is none, an object and a getter of the prototype are left out", () => {
  expect(careless({ userId: "ada", email: "ada@example.com", constructor: "x", toString: "x" })).toEqual({});
  expect(careless({ job: { toString: () => "mail" }, status: Number.NaN, attempt: null, step: ["decide"] })).toEqual(
    {},
  );
});

it("no word is as long as a key: 21 characters in one piece do not come out, whatever they are", () => {
  const piece = fc.stringMatching(/^[a-z0-9]{21,64}$/);
  const shaped = fc.oneof(
    piece,
    piece.map((text) => `job ${text}`),
    piece.map((text) => text.toUpperCase()),
  );
  fc.assert(
    fc.property(fc.constantFrom(...NAMES), shaped, (name, text) => {
      expect(careless({ [name]: text })).toEqual({});
    }),
  );
});

it("what the product says of its own work is kept", () => {
  expect(allEndpoints.length).toBeGreaterThan(100);
  for (const { method, path } of allEndpoints) {
    const kept = attributesOf({ method, route: `/api/v1${path}` });
    expect(titleOf("request", kept)).toBe(`${method} /api/v1${path}`);
  }
  for (const { name } of Object.values(jobs)) expect(titleOf("job", attributesOf({ job: name }))).toBe(`job ${name}`);
  for (const market of MARKETS) expect(attributesOf({ market })).toEqual({ "tradewind.market": market });
  for (const provider of PROVIDERS) expect(Object.values(attributesOf({ provider }))).toEqual([provider]);
  for (const side of SIDES) expect(Object.values(attributesOf({ side }))).toEqual([side]);
  for (const purpose of INTENT_PURPOSES) expect(Object.values(attributesOf({ purpose }))).toEqual([purpose]);
  for (const error of Object.keys(FAILURES)) expect(attributesOf({ error })).toEqual({ "error.type": error });
});

it("an error is named by its code or its class, never by its words", () => {
  for (const code of Object.keys(FAILURES) as FailureCode[])
    expect(errorField(new Failure(code, "ada@example.com"))).toBe(code);
  expect(errorField(new TypeError("ada@example.com"))).toBe("TypeError");
  const known = new Prisma.PrismaClientKnownRequestError("ada@example.com", { code: "P2002", clientVersion: "7" });
  expect(errorField(known)).toBe("PrismaClientKnownRequestError");
  expect(errorField(Object.assign(new Error("x"), { name: "ada@example.com" }))).toBe("error");
  expect(errorField("ada@example.com")).toBe("error");
});
