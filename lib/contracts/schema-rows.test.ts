import { expect, it } from "vitest";
import * as z from "zod";
import { moneyOut } from "./codecs.ts";
import { schemaOf } from "./openapi.ts";
import { rowsOf } from "./schema-rows.ts";

const told = (schema: z.ZodType, io: "input" | "output" = "output") =>
  rowsOf(schemaOf(schema, io)).map(({ path, type, isRequired }) => `${path}${isRequired ? "" : "?"}: ${type}`);

it("tells each field with its path, type and bounds, parents before their parts", () => {
  const schema = z.object({
    side: z.enum(["BUY", "SELL"]),
    at: z.iso.datetime(),
    price: moneyOut.nullable(),
    points: z.array(z.object({ equity: moneyOut, note: z.string().max(20).optional() })),
    trip: z.object({ id: z.uuid() }).nullable(),
  });
  expect(told(schema)).toEqual([
    "side: one of BUY, SELL",
    "at: instant",
    "price: number or null",
    "points: list of object",
    "points[].equity: number",
    "points[].note?: text, … to 20 characters",
    "trip: object or null",
    "trip.id: id",
  ]);
});

it("tells the fields of every form of an input once", () => {
  const schema = z.union([
    z.strictObject({ code: z.string() }),
    z.strictObject({ passkey: z.object({ id: z.string() }) }),
  ]);
  expect(told(schema, "input")).toEqual(["code: text", "passkey: object", "passkey.id: text"]);
});

it("tells the fields of forms that one field tells apart", () => {
  const schema = z.discriminatedUnion("kind", [
    z.strictObject({ kind: z.literal("speed"), speed: z.number() }),
    z.strictObject({ kind: z.literal("pause") }),
  ]);
  expect(told(schema, "input")).toEqual(['kind: "speed" or "pause"', "speed: number"]);
});
