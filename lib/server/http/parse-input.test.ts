import { expect, it } from "vitest";
import * as z from "zod";
import { endpoint } from "@/lib/contracts/endpoint.ts";
import { Failure } from "@/lib/domain/failures.ts";
import { parseInput } from "./parse-input.ts";

const things = endpoint({
  method: "POST",
  path: "/things",
  access: "public",
  limit: "api",
  summary: "For this test.",
  input: z.strictObject({
    all: z.literal(true),
    side: z.enum(["BUY", "SELL"]).optional(),
    limit: z.coerce.number().int().min(1).max(2000).optional(),
    name: z.string().min(2).max(80).optional(),
    tags: z.array(z.string()).max(3).optional(),
    on: z.boolean().optional(),
    id: z.uuid().optional(),
    own: z.string().max(1, "Enter a shorter text.").optional(),
  }),
  output: z.object({}),
});

function refusalOf(input: object): string {
  try {
    parseInput(things, input);
  } catch (error) {
    if (error instanceof Failure) return error.message;
    throw error;
  }
  return "taken";
}

it.each<[object, string]>([
  [{ all: true, side: "BUY", limit: "5" }, "taken"],
  [{}, '"all" is required.'],
  [{ all: false }, '"all" must be true.'],
  [{ all: true, side: "HOLD" }, '"side" must be one of BUY, SELL.'],
  [{ all: true, side: "" }, '"side" must be one of BUY, SELL.'],
  [{ all: true, limit: "2001" }, '"limit" must be 2,000 or less.'],
  [{ all: true, limit: "0" }, '"limit" must be 1 or more.'],
  [{ all: true, limit: "1.5" }, '"limit" must be a whole number.'],
  [{ all: true, limit: "x" }, '"limit" must be a number.'],
  [{ all: true, name: "A" }, '"name" must be 2 characters or more.'],
  [{ all: true, name: 5 }, '"name" must be a text.'],
  [{ all: true, tags: ["a", "b", "c", "d"] }, '"tags" must be 3 entries or less.'],
  [{ all: true, tags: [1] }, '"tags.0" must be a text.'],
  [{ all: true, on: "yes" }, '"on" must be true or false.'],
  [{ all: true, id: "x" }, '"id" does not have the form that it must have.'],
  [[], "The input must be an object."],
  [{ all: true, own: "ab" }, "Enter a shorter text."],
])("a refusal of %j is a sentence for a person", (input, text) => expect(refusalOf(input)).toBe(text));
