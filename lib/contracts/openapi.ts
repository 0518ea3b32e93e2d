import * as z from "zod";
import { FAILURES, type FailureCode } from "../domain/failures.ts";
import type { Endpoint } from "./endpoint.ts";

export interface JsonSchema {
  [key: string]: unknown;
  /** Several where null is one of them. */
  type?: string | string[];
  properties?: Record<string, JsonSchema>;
  required?: string[];
  anyOf?: JsonSchema[];
}

interface Parameter {
  name: string;
  in: "path" | "query";
  required: boolean;
  schema: JsonSchema;
}

export interface Operation {
  operationId: string;
  tags: string[];
  summary: string;
  description: string;
  security: Record<string, string[]>[];
  parameters: Parameter[];
  requestBody?: { required: boolean; content: Record<string, { schema: JsonSchema }> };
  responses: Record<string, unknown>;
}

export interface ApiDocument {
  openapi: "3.1.0";
  info: { title: string; version: string; description: string };
  servers: { url: string }[];
  tags: { name: string }[];
  paths: Record<string, Record<string, Operation>>;
  components: { securitySchemes: Record<string, unknown>; schemas: Record<string, JsonSchema> };
}

/** What callers send ("input") or get ("output") through a contract's schema. */
export function schemaOf(schema: z.ZodType, io: "input" | "output"): JsonSchema {
  const { $schema, ...rest } = z.toJSONSchema(schema, { io, unrepresentable: "any" }) as JsonSchema;
  void $schema;
  return rest;
}

/** The first part of the path below "/": "admin", "trades". */
export const tagOf = ({ path }: Endpoint): string => path.split("/")[1] ?? "";

/** "POST /accounts/{id}/resume" → "postAccountsIdResume": a name that generators of clients can use. */
const operationIdOf = ({ method, path }: Endpoint): string =>
  method.toLowerCase() +
  path
    .split(/[^A-Za-z0-9]+/)
    .filter(Boolean)
    .map((part) => part.charAt(0).toUpperCase() + part.slice(1))
    .join("");

const pathParametersOf = ({ path }: Endpoint): string[] =>
  [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name ?? "");

/** An object with its fields; a choice between objects where the input has several forms. */
const formsOf = (schema: JsonSchema): JsonSchema[] => schema.anyOf ?? [schema];

function without(schema: JsonSchema, names: readonly string[]): JsonSchema {
  if (schema.anyOf) return { ...schema, anyOf: schema.anyOf.map((form) => without(form, names)) };
  const properties = Object.fromEntries(
    Object.entries(schema.properties ?? {}).filter(([name]) => !names.includes(name)),
  );
  const required = (schema.required ?? []).filter((name) => !names.includes(name));
  const { required: _, ...rest } = schema;
  return { ...rest, properties, ...(required.length > 0 ? { required } : {}) };
}

function parametersOf(endpoint: Endpoint, input: JsonSchema, hasBody: boolean): Parameter[] {
  const inPath = pathParametersOf(endpoint);
  const [form = {}] = formsOf(input);
  return Object.entries(form.properties ?? {})
    .filter(([name]) => !hasBody || inPath.includes(name))
    .map(([name, schema]) => ({
      name,
      in: inPath.includes(name) ? "path" : "query",
      required: inPath.includes(name) || (form.required ?? []).includes(name),
      schema,
    }));
}

function bodyOf(endpoint: Endpoint, input: JsonSchema): Operation["requestBody"] {
  const schema = without(input, pathParametersOf(endpoint));
  const hasFields = formsOf(schema).some(({ properties = {} }) => Object.keys(properties).length > 0);
  if (!hasFields) return undefined;
  const required = formsOf(schema).every((form) => (form.required ?? []).length > 0);
  return { required, content: { [endpoint.mediaType ?? "application/json"]: { schema } } };
}

const ACCESS = {
  public: "Open to everybody.",
  user: "For people who are signed in.",
  admin: "For administrators.",
} as const;

const STEP_UP = "The sign-in must have been confirmed within the last five minutes: else 403 step_up_required.";
const LOOSENING =
  "Where the call loosens a protection, the sign-in must have been confirmed within the last five minutes.";

function descriptionOf({ access, stepUp, limit }: Endpoint): string {
  const confirmed = stepUp === true ? [STEP_UP] : stepUp === "loosening" ? [LOOSENING] : [];
  const counted = limit === "none" ? [] : [`Counted by the rate limits of the group "${limit}".`];
  return [ACCESS[access], ...confirmed, ...counted].join(" ");
}

const NEEDS_SIGN_IN: FailureCode[] = ["unauthenticated", "forbidden"];
const ALWAYS: FailureCode[] = ["invalid_input", "too_many_requests", "internal", "unavailable"];

function failuresOf(endpoint: Endpoint): Record<string, unknown> {
  const codes = [
    ...ALWAYS,
    ...(endpoint.access === "public" ? [] : NEEDS_SIGN_IN),
    ...(pathParametersOf(endpoint).length > 0 ? (["not_found"] as const) : []),
    ...(endpoint.method === "GET" ? [] : (["conflict", "payload_too_large", "unsupported_media"] as const)),
  ];
  const answer = { description: "Refused or failed.", content: json({ $ref: "#/components/schemas/Failure" }) };
  return Object.fromEntries([
    ...codes.map((code) => [String(FAILURES[code].status), answer] as const),
    ["default", answer],
  ]);
}

const json = (schema: JsonSchema) => ({ "application/json": { schema } });

/** What stands around every answer that is no file and no document. */
const inEnvelope = (data: JsonSchema): JsonSchema => ({
  type: "object",
  properties: { success: { const: true }, data, error: { type: "null" } },
  required: ["success", "data", "error"],
});

function successOf({ isDownload, isBare, output }: Endpoint): unknown {
  if (isDownload) return { description: "A file.", content: { "application/octet-stream": {} } };
  const data = schemaOf(output, "output");
  return { description: "Done.", content: json(isBare ? data : inEnvelope(data)) };
}

function operationOf(endpoint: Endpoint): Operation {
  const hasBody = endpoint.method !== "GET";
  const input = schemaOf(endpoint.input, "input");
  const requestBody = hasBody ? bodyOf(endpoint, input) : undefined;
  return {
    operationId: operationIdOf(endpoint),
    tags: [tagOf(endpoint)],
    summary: endpoint.summary,
    description: descriptionOf(endpoint),
    security: endpoint.access === "public" ? [] : [{ signIn: [] }],
    parameters: parametersOf(endpoint, input, hasBody),
    ...(requestBody ? { requestBody } : {}),
    responses: { "200": successOf(endpoint), ...failuresOf(endpoint) },
  };
}

const FAILURE: JsonSchema = {
  type: "object",
  properties: {
    success: { const: false },
    data: { type: "null" },
    error: { type: "string", description: "A sentence for a person." },
    code: { type: "string", enum: Object.keys(FAILURES) },
    requestId: { type: "string", description: "Names the request in the logs." },
    issues: {
      type: "array",
      description: "The fields that are wrong, where the input is.",
      items: {
        type: "object",
        properties: { path: { type: "string" }, message: { type: "string" } },
        required: ["path", "message"],
      },
    },
  },
  required: ["success", "data", "error", "code", "requestId"],
};

/** Raised when calls change in a way that callers have to follow. */
const VERSION = "1";

/** The OpenAPI 3.1 document of these endpoints. Money is a JSON number of USD, an instant ISO 8601 text in UTC. */
export function apiDocumentOf(endpoints: readonly Endpoint[]): ApiDocument {
  const paths: ApiDocument["paths"] = {};
  for (const endpoint of endpoints)
    (paths[endpoint.path] ??= {})[endpoint.method.toLowerCase()] = operationOf(endpoint);
  return {
    openapi: "3.1.0",
    info: {
      title: "Tradewind",
      version: VERSION,
      description:
        "Every call of Tradewind. Answers stand in an envelope: `success`, `data`, `error`. Amounts are JSON numbers of USD, instants are ISO 8601 in UTC. The instants of an account are its market's time, which on the practice market is not the time of day. What a caller may not see is answered as not found.",
    },
    servers: [{ url: "/api/v1" }],
    tags: [...new Set(endpoints.map(tagOf))].sort().map((name) => ({ name })),
    paths,
    components: {
      securitySchemes: {
        signIn: { type: "http", scheme: "bearer", description: "The token that POST /auth/login answers with." },
      },
      schemas: { Failure: FAILURE },
    },
  };
}
