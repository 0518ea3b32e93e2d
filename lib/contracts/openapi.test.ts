import { Validator } from "@seriousme/openapi-schema-validator";
import { beforeAll, describe, expect, it } from "vitest";
import * as z from "zod";
import { FAILURES, type FailureCode } from "@/lib/domain/failures.ts";
import { allEndpoints } from "./api.ts";
import { tokenScopeOf } from "./endpoint.ts";
import { type ApiDocument, apiDocumentOf, type JsonSchema, type Operation } from "./openapi.ts";

let document: ApiDocument;
beforeAll(() => {
  document = apiDocumentOf(allEndpoints);
});

const operations = (): [string, Operation][] =>
  Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]): [string, Operation] => [
      `${method.toUpperCase()} ${path}`,
      operation,
    ]),
  );

it("describes every call of the API, and no other", () => {
  expect(
    operations()
      .map(([line]) => line)
      .sort(),
  ).toEqual(allEndpoints.map(({ method, path }) => `${method} ${path}`).sort());
});

it("names each call once, in letters and digits that any language can use", () => {
  const names = operations().map(([, { operationId }]) => operationId);
  expect(new Set(names).size).toBe(names.length);
  for (const name of names) expect(name).toMatch(/^[a-z][A-Za-z0-9]*$/);
});

interface Definition {
  in?: z.ZodType;
  out?: z.ZodType;
  innerType?: z.ZodType;
  options?: z.ZodType[];
}

/** The fields of an input, of every form that it has, read from the schema itself. */
function fieldsOf(schema: z.ZodType): string[] {
  if (schema instanceof z.ZodObject) return Object.keys(schema.shape);
  const { in: input, out, innerType, options = [] } = schema.def as unknown as Definition;
  const inner = input instanceof z.ZodTransform ? out : (input ?? innerType);
  return [...new Set([...options, ...(inner ? [inner] : [])].flatMap(fieldsOf))];
}

/** Every file that is answered, with the type that its answer says. */
const FILES: Record<string, string> = {
  "GET /trades/export": "text/csv; charset=utf-8",
  "GET /admin/all-trades/export": "text/csv; charset=utf-8",
  "GET /users/me/export": "application/zip",
  "GET /logs/export": "application/zip",
  "GET /admin/audit/export": "application/gzip",
};

describe.each(allEndpoints.map((endpoint) => [`${endpoint.method} ${endpoint.path}`, endpoint] as const))(
  "%s is described with",
  (_, endpoint) => {
    const operation = () => document.paths[endpoint.path]?.[endpoint.method.toLowerCase()] as Operation;
    type Described = { description: string; content: Record<string, { schema?: JsonSchema }> };
    const answers = () => operation().responses as Record<string, Described>;

    it("a summary: one sentence of its own", () => {
      const { summary, description } = operation();
      expect(summary).toMatch(/^[A-Z\d].{8,}[.?]$|^reports\.zip: .+\.$/s);
      expect(allEndpoints.filter((one) => one.summary === summary)).toHaveLength(1);
      expect(description).not.toBe("");
    });

    it("its input: every field that it takes, in the path, the query or the body", () => {
      const { parameters, requestBody } = operation();
      const body = Object.values(requestBody?.content ?? {}).map(({ schema }) => schema);
      const forms = body.flatMap((schema) => schema.anyOf ?? schema.oneOf ?? [schema]);
      const told = [
        ...parameters.map(({ name }) => name),
        ...forms.flatMap((form) => Object.keys(form.properties ?? {})),
      ];
      expect([...new Set(told)].sort()).toEqual(fieldsOf(endpoint.input).sort());
      for (const { schema } of parameters) expect(Object.keys(schema)).not.toEqual([]);
      if (endpoint.method === "GET" || endpoint.method === "DELETE") expect(requestBody).toBeUndefined();
    });

    it("its output: a file, or fields in the envelope", () => {
      const content = answers()["200"]?.content ?? {};
      const file = FILES[`${endpoint.method} ${endpoint.path}`];
      if (file !== undefined) return expect(content).toEqual({ [file]: {} });
      const schema = content["application/json"]?.schema;
      const data = endpoint.isBare ? schema : schema?.properties?.["data"];
      expect(data?.type ?? data?.anyOf ?? data?.oneOf).toBeDefined();
    });

    it("its errors: each status by its codes, in the envelope of failures", () => {
      const { access, method, path, stepUp } = endpoint;
      const failures = Object.entries(answers()).filter(([status]) => status !== "200");
      for (const [, { content }] of failures)
        expect(content["application/json"]?.schema).toEqual({ $ref: "#/components/schemas/Failure" });
      const told = failures.flatMap(([status, { description }]) =>
        status === "default"
          ? []
          : description
              .replace(".", "")
              .split(", ")
              .map((code) => [code, status]),
      );
      expect(told.filter(([code = "", status]) => String(FAILURES[code as FailureCode].status) !== status)).toEqual([]);
      const codes = told.map(([code]) => code);
      expect(codes).toEqual(expect.arrayContaining(["invalid_input", "internal", "unavailable"]));
      expect(codes.includes("unauthenticated")).toBe(access !== "public");
      expect(codes.includes("forbidden")).toBe(access !== "public");
      expect(codes.includes("step_up_required")).toBe(stepUp !== undefined);
      expect(codes.includes("not_found")).toBe(path.includes("{"));
      expect(codes.includes("conflict")).toBe(method !== "GET");
    });

    it("its scope: open to all callers, to a sign-in, or to an access token too", () => {
      const scope = tokenScopeOf(endpoint);
      const tokens = scope === null ? [] : [{ accessToken: [scope] }];
      expect(operation().security).toEqual(endpoint.access === "public" ? [] : [{ signIn: [] }, ...tokens]);
      const told = /Open to access tokens with the scope (READ or )?STEER\./.exec(operation().description);
      expect(told?.[0] ?? null).toBe(
        scope && `Open to access tokens with the scope ${scope === "READ" ? "READ or STEER" : "STEER"}.`,
      );
      expect(operation().description.includes("Closed to access tokens.")).toBe(
        endpoint.access !== "public" && scope === null,
      );
    });
  },
);

it("defines the two ways to call that its operations name", () => {
  const named = operations().flatMap(([, { security }]) => security.flatMap((way) => Object.keys(way)));
  expect([...new Set(named)].sort()).toEqual(Object.keys(document.components.securitySchemes).sort());
});

it("has every parameter of a path, each required", () => {
  expect(operations().some(([line]) => line.includes("{"))).toBe(true);
  for (const [line, { parameters }] of operations()) {
    const wanted = [...line.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
    const inPath = parameters.filter((parameter) => parameter.in === "path");
    expect({ line, names: inPath.map(({ name }) => name).sort() }).toEqual({ line, names: wanted.sort() });
    expect(inPath.every(({ required }) => required)).toBe(true);
  }
});

/** Fields that hold what is not ours: their values are any JSON. */
const OPEN = /\.(clientExtensionResults|eventData|data\.additionalProperties|fields\.default)/;

/** Places that hold no schema: files, and objects that may be empty. */
const isFree = (at: string) =>
  OPEN.test(at) || /\.(properties|default)$/.test(at) || Object.values(FILES).some((type) => at.endsWith(`.${type}`));

it("leaves no field without a type", () => {
  const untyped: string[] = [];
  const walk = (schema: unknown, at: string) => {
    if (typeof schema !== "object" || schema === null || (Array.isArray(schema) && schema.length === 0)) return;
    const entries = Object.entries(schema as JsonSchema);
    if (entries.length === 0 && !isFree(at)) untyped.push(at);
    for (const [key, value] of entries) walk(value, `${at}.${key}`);
  };
  for (const [line, { parameters, requestBody, responses }] of operations())
    walk({ parameters: parameters.map(({ schema }) => schema), requestBody, responses }, line);
  expect(untyped).toEqual([]);
});

it("takes money as a number and answers it as one, and instants as text", () => {
  const order = document.paths["/trades/{id}"]?.["get"];
  const text = JSON.stringify(order?.responses["200"]);
  expect(text).toContain('"totalValue":{"type":"number"');
  expect(text).toContain('"createdAt":{"type":"string","format":"date-time"');
});

it("is valid by the schema of OpenAPI 3.1, references included", async () => {
  const validator = new Validator();
  const { valid, errors } = await validator.validate(structuredClone(document) as unknown as Record<string, unknown>);
  expect(errors).toBeUndefined();
  expect(valid).toBe(true);
  expect(validator.version).toBe("3.1");
});

it("asks no validator for the remainder of two doubles: most refuse 0.3 in steps of 0.1", () => {
  const [step] = JSON.stringify(document).match(/"multipleOf":[^,}]*\./) ?? [];
  expect(step).toBeUndefined();
});
