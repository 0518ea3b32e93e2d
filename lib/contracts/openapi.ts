import * as z from "zod";
import { FAILURES, type FailureCode } from "../domain/failures.ts";
import { tokenScopeOf, type Endpoint } from "./endpoint.ts";

export interface JsonSchema {
  [key: string]: unknown;
  /** Several where null is one of them. */
  type?: string | string[];
  properties?: Record<string, JsonSchema>;
  required?: string[];
  anyOf?: JsonSchema[];
  oneOf?: JsonSchema[];
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
const formsOf = (schema: JsonSchema): JsonSchema[] => schema.anyOf ?? schema.oneOf ?? [schema];

function without(schema: JsonSchema, names: readonly string[]): JsonSchema {
  for (const choice of ["anyOf", "oneOf"] as const)
    if (schema[choice]) return { ...schema, [choice]: schema[choice].map((form) => without(form, names)) };
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
  public: "Open to everyone.",
  user: "For people who are signed in.",
  admin: "For administrators.",
} as const;

const STEP_UP = "The sign-in must have been confirmed within the last five minutes: else 403 step_up_required.";
const LOOSENING =
  "Where the call loosens a protection, the sign-in must have been confirmed within the last five minutes.";

const TOKENS = {
  READ: "Open to access tokens with the scope READ or STEER.",
  STEER: "Open to access tokens with the scope STEER.",
  none: "Closed to access tokens.",
} as const;

function descriptionOf(endpoint: Endpoint): string {
  const { access, stepUp, limit } = endpoint;
  const tokens = access === "public" ? [] : [TOKENS[tokenScopeOf(endpoint) ?? "none"]];
  const confirmed = stepUp === true ? [STEP_UP] : stepUp === "loosening" ? [LOOSENING] : [];
  const counted = limit === "none" ? [] : [`Counted by the rate limits of the group "${limit}".`];
  return [ACCESS[access], ...tokens, ...confirmed, ...counted].join(" ");
}

/** Who may call: a sign-in where one is needed, or an access token with the scope that is named. */
function securityOf(endpoint: Endpoint): Operation["security"] {
  if (endpoint.access === "public") return [];
  const scope = tokenScopeOf(endpoint);
  return [{ signIn: [] }, ...(scope === null ? [] : [{ accessToken: [scope] }])];
}

const ALWAYS: FailureCode[] = ["invalid_input", "internal", "unavailable"];
const NEEDS_SIGN_IN: FailureCode[] = ["unauthenticated", "forbidden", "email_unverified"];
const CHANGES: FailureCode[] = ["conflict", "payload_too_large", "unsupported_media"];

/** The codes that a caller has to expect; a service may refuse with others, which `default` stands for. */
function failureCodesOf(endpoint: Endpoint): FailureCode[] {
  const { access, limit, method, perPerson, stepUp } = endpoint;
  return [
    ...ALWAYS,
    ...(method === "GET" ? (["overloaded"] as const) : CHANGES),
    ...(perPerson === "manual-orders" ? (["account_busy"] as const) : []),
    ...(limit === "none" && perPerson === undefined ? [] : (["too_many_requests"] as const)),
    ...(access === "public" ? [] : NEEDS_SIGN_IN),
    ...(access === "admin" ? (["second_factor_required_of_admin"] as const) : []),
    ...(stepUp === undefined ? [] : (["step_up_required"] as const)),
    ...(pathParametersOf(endpoint).length > 0 ? (["not_found"] as const) : []),
  ];
}

function failuresOf(endpoint: Endpoint): Record<string, unknown> {
  const content = json({ $ref: "#/components/schemas/Failure" });
  const codes = new Map<string, FailureCode[]>();
  for (const code of failureCodesOf(endpoint)) {
    const status = String(FAILURES[code].status);
    codes.set(status, [...(codes.get(status) ?? []), code]);
  }
  const known = [...codes].map(([status, ofStatus]) => [status, { description: `${ofStatus.join(", ")}.`, content }]);
  return { ...Object.fromEntries(known), default: { description: "Refused or failed.", content } };
}

const json = (schema: JsonSchema) => ({ "application/json": { schema } });

/** What stands around every answer that is no file and no document. */
const inEnvelope = (data: JsonSchema): JsonSchema => ({
  type: "object",
  properties: { success: { const: true }, data, error: { type: "null" } },
  required: ["success", "data", "error"],
});

function successOf({ downloadType, isBare, output }: Endpoint): unknown {
  if (downloadType !== undefined) return { description: "A file.", content: { [downloadType]: {} } };
  const data = schemaOf(output, "output");
  return { description: "Done.", content: json(isBare ? data : inEnvelope(data)) };
}

function operationOf(endpoint: Endpoint): Operation {
  const { method, isInAddress } = endpoint;
  const hasBody = method !== "GET" && method !== "DELETE" && isInAddress !== true;
  const input = schemaOf(endpoint.input, "input");
  const requestBody = hasBody ? bodyOf(endpoint, input) : undefined;
  return {
    operationId: operationIdOf(endpoint),
    tags: [tagOf(endpoint)],
    summary: endpoint.summary,
    description: descriptionOf(endpoint),
    security: securityOf(endpoint),
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
        "Every call of Tradewind. Every answer is an object with `success`, `data` and `error`. Amounts are JSON numbers in US dollars, times are ISO 8601 in UTC. The times of an account are in its market's time; the practice market has its own clock. What a caller may not see is answered as not found.",
    },
    servers: [{ url: "/api/v1" }],
    tags: [...new Set(endpoints.map(tagOf))].sort().map((name) => ({ name })),
    paths,
    components: {
      securitySchemes: {
        signIn: { type: "http", scheme: "bearer", description: "The token that POST /auth/login returns." },
        accessToken: {
          type: "http",
          scheme: "bearer",
          bearerFormat: "twp_…",
          description:
            "A personal access token, made on the security page. The scope READ reads your own data, STEER includes READ and also controls trading. No token has an administrator's powers or replaces a confirmation (step-up).",
        },
      },
      schemas: { Failure: FAILURE },
    },
  };
}
