import { beforeAll, expect, it } from "vitest";
import { forgetEnv } from "@/lib/server/env.ts";
import { fuzzParsers, parsers } from "./parsers.ts";

/** The long version: npm run prove -- parsers. */
const INPUTS = Number(process.env.PARSER_INPUTS ?? 10_000);
const SEED = Number(process.env.TEST_SEED ?? 20_261_123);

beforeAll(() => {
  process.env.DATABASE_URL ??= "postgres://nowhere/none";
  process.env.NEXTAUTH_SECRET ??= "s".repeat(64);
  process.env.AUDIT_KEY ??= "a".repeat(32);
  process.env.MASTER_KEYS ??= `1:${Buffer.alloc(32, 7).toString("base64")}`;
  forgetEnv();
});

it("every parser takes its own samples", async () => {
  for (const { name, samples, parse } of parsers())
    for (const sample of samples) {
      // What an endpoint needs beyond a value for each field is for tests of its own to know.
      if (/^[A-Z]+ \//.test(name)) continue;
      expect(await parse(sample), name).not.toBeNull();
    }
});

it(`of ${INPUTS} texts (seed ${SEED}) each is read or refused, and none that was signed elsewhere is taken`, async () => {
  const report = await fuzzParsers(INPUTS, SEED);
  expect(report.faults).toEqual([]);
  expect(report.inputs).toBe(INPUTS);
  // Some were taken: parsers that refuse everything would prove nothing.
  expect(report.accepted).toBeGreaterThan(INPUTS / 100);
}, 3_600_000);
