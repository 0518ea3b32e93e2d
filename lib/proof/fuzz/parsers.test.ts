import { beforeAll, expect, it } from "vitest";
import { fuzzParsers, parsers } from "./parsers.ts";
import { useLeastEnv } from "../fixtures/least-env.ts";

/** The long version: npm run prove -- parsers. */
const INPUTS = Number(process.env.PARSER_INPUTS ?? 10_000);
const SEED = Number(process.env.TEST_SEED ?? 20_261_123);

beforeAll(useLeastEnv);

it("every parser takes its own samples", async () => {
  // What an endpoint needs beyond a value for each field is for tests of its own to know.
  const ofTexts = parsers().filter(({ name }) => !/^[A-Z]+ \//.test(name));
  expect(ofTexts.length).toBeGreaterThan(0);
  for (const { name, samples, parse } of ofTexts) {
    expect(samples.length, name).toBeGreaterThan(0);
    for (const sample of samples) expect(await parse(sample), name).not.toBeNull();
  }
});

it(`of ${INPUTS} texts (seed ${SEED}) each is read or refused, and none that was signed elsewhere is taken`, async () => {
  const report = await fuzzParsers(INPUTS, SEED);
  expect(report.faults).toEqual([]);
  expect(report.inputs).toBe(INPUTS);
  // Some were taken: parsers that refuse everything would prove nothing.
  expect(report.accepted).toBeGreaterThan(INPUTS / 100);
}, 3_600_000);
