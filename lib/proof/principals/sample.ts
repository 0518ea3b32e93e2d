import { randomUUID } from "node:crypto";
import * as z from "zod";
import type { Endpoint } from "@/lib/contracts/endpoint.ts";

export type Sample = Record<string, unknown>;

/**
 * What cannot be found by trying: inputs whose fields depend on each other. By "METHOD /path"; the fields given here
 * are added to (or replace) the ones found.
 */
const BY_HAND: Record<string, () => Sample> = {
  // Versions that there are: the first policy is stored with the first call.
  "GET /admin/policy/diff": () => ({ from: "2.9.0", to: "2.9.0" }),
  "POST /admin/policy/versions": () => ({ from: "2.9.0" }),
  // Codes and answers of a passkey have a shape of their own; these are wrong ones.
  "POST /auth/second-factor": () => ({ code: "000000" }),
  "POST /auth/step-up": () => ({ code: "000000" }),
  "POST /auth/totp/confirm": () => ({ code: "000000" }),
  "POST /auth/passkeys": () => ({ passkey: WRONG_PASSKEY }),
  // A time zone has a name that no field's schema gives.
  "PUT /preferences/quiet-hours": () => ({ quietHours: { from: 1_320, to: 420, timeZone: "UTC" } }),
  // Has the shape of a browser's keys; its point is on no curve.
  "POST /notifications/push": () => ({
    endpoint: "https://push.example.com/one",
    keys: { p256dh: "A".repeat(87), auth: "A".repeat(22) },
  }),
};

/** Has the shape of what a browser answers, and holds nothing. */
const WRONG_PASSKEY = {
  id: "AAAA",
  rawId: "AAAA",
  type: "public-key",
  response: { clientDataJSON: "AAAA", attestationObject: "AAAA" },
};

/** Values that some field or other takes; the first that its schema accepts is the sample. */
const candidates = (): unknown[] => [
  randomUUID(),
  `sample-${randomUUID()}@example.com`,
  "Windward-42-sails",
  "AAPL",
  "a sample",
  "2026-11-20",
  "2026-11-20T15:00:00.000Z",
  "https://example.com",
  "1.0.0",
  "1",
  "0.5",
  1,
  2,
  5,
  10,
  50,
  100,
  1_000,
  60_000,
  0.5,
  0,
  -1,
  false,
  true,
  null,
  "",
  [],
  {},
];

interface Definition {
  type: string;
  in?: z.ZodType;
  innerType?: z.ZodType;
  element?: z.ZodType;
  options?: z.ZodType[];
}

const definitionOf = (schema: z.ZodType) => schema.def as unknown as Definition;

/** The object inside: of a preprocessed, refined or optional one too. */
export function objectIn(schema: z.ZodType): z.ZodObject | null {
  if (schema instanceof z.ZodObject) return schema;
  const { in: input, innerType, options } = definitionOf(schema);
  const inner = (input instanceof z.ZodTransform ? undefined : input) ?? innerType ?? options?.[0];
  if (inner) return objectIn(inner);
  const { out } = schema.def as unknown as { out?: z.ZodType };
  return out ? objectIn(out) : null;
}

const isOptional = (schema: z.ZodType) => schema.safeParse(undefined).success;

/** Values that the schema itself names: the members of an enumeration, the bounds of a number. */
function namedBy(schema: z.ZodType): unknown[] {
  const described = z.toJSONSchema(schema, { io: "input", unrepresentable: "any" }) as {
    enum?: unknown[];
    const?: unknown;
    minimum?: number;
    maximum?: number;
    anyOf?: { enum?: unknown[]; const?: unknown }[];
  };
  const bounds = [described.minimum, described.maximum].filter((bound) => bound !== undefined);
  const members = [described, ...(described.anyOf ?? [])].flatMap((one) => [
    ...(one.enum ?? []),
    ...("const" in one ? [one.const] : []),
  ]);
  return [...members, ...bounds];
}

function valueOf(schema: z.ZodType): unknown {
  const object = objectIn(schema);
  if (object) return fieldsOf(object);
  if (schema instanceof z.ZodArray) {
    const list = [valueOf(schema.element as z.ZodType)];
    if (schema.safeParse(list).success) return list;
  }
  return [...namedBy(schema), ...candidates()].find((value) => schema.safeParse(value).success);
}

/** Only what has to be there: a field that may be left out is left out. */
function fieldsOf(object: z.ZodObject): Sample {
  return Object.fromEntries(
    fieldsIn(object)
      .filter(([, field]) => !isOptional(field))
      .map(([name, field]) => [name, valueOf(field)]),
  );
}

const fieldsIn = (object: z.ZodObject) => Object.entries(object.shape) as [string, z.ZodType][];

/** What fields that may be left out hold, each alone, then all together: some inputs want one of several. */
function additions(object: z.ZodObject): Sample[] {
  const optional = fieldsIn(object)
    .filter(([, field]) => isOptional(field))
    .map(([name, field]) => ({ [name]: valueOf(withoutAbsence(field)) }));
  return [{}, ...optional, Object.assign({}, ...optional) as Sample];
}

function withoutAbsence(field: z.ZodType): z.ZodType {
  const { type, innerType } = definitionOf(field);
  return innerType && ["optional", "default", "prefault"].includes(type) ? withoutAbsence(innerType) : field;
}

/** An input that the endpoint's own schema accepts, made anew each time. Throws a sentence for the one who adds an endpoint. */
export function sampleOf(endpoint: Endpoint): Sample {
  const line = `${endpoint.method} ${endpoint.path}`;
  const object = objectIn(endpoint.input);
  const found = { ...(object ? fieldsOf(object) : {}), ...BY_HAND[line]?.() };
  const tried = (object ? additions(object) : [{}]).map((more) => ({ ...more, ...found }));
  const sample = tried.find((one) => endpoint.input.safeParse(one).success);
  if (sample) return sample;
  const [issue] = endpoint.input.safeParse(found).error?.issues ?? [];
  throw new Error(
    `No valid input for "${line}" could be found: ${issue?.path.join(".") ?? ""} ${issue?.message ?? ""} ` +
      "Give one in BY_HAND of lib/proof/principals/sample.ts, so that this route is tried as every principal.",
  );
}

interface IdField {
  name: string;
  noun: string;
  valueOf: (id: string) => unknown;
}

/** Fields outside the path that take ids, optional ones too: "accountId" names accounts, "ids" what the path is about. */
export function idFieldsOf(endpoint: Endpoint, parameters: string[]): IdField[] {
  const object = objectIn(endpoint.input);
  const about = endpoint.path.split("/").find((step) => step !== "" && step !== "admin") ?? "";
  return (object ? fieldsIn(object) : [])
    .filter(([name]) => !parameters.includes(name) && /(^id|Id)s?$/.test(name))
    .flatMap(([name, field]) => {
      const noun = /^ids?$/.test(name) ? about : `${name.replace(/Ids?$/, "")}s`;
      const asIs = (id: string): unknown => id;
      const asList = (id: string): unknown => [id];
      const valueOf = [asIs, asList].find((shape) => field.safeParse(shape(randomUUID())).success);
      return valueOf ? [{ name, noun, valueOf }] : [];
    });
}
