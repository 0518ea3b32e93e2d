import { Validator } from "@seriousme/openapi-schema-validator";
import { beforeAll, expect, it } from "vitest";
import { allEndpoints } from "./api.ts";
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

it("says which calls are open, and asks for a sign-in at all others", () => {
  for (const endpoint of allEndpoints) {
    const operation = document.paths[endpoint.path]?.[endpoint.method.toLowerCase()];
    expect(operation?.security).toEqual(endpoint.access === "public" ? [] : [{ signIn: [] }]);
  }
});

it("has every parameter of a path, each required", () => {
  for (const [line, { parameters }] of operations()) {
    const wanted = [...line.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
    const inPath = parameters.filter((parameter) => parameter.in === "path");
    expect({ line, names: inPath.map(({ name }) => name).sort() }).toEqual({ line, names: wanted.sort() });
    expect(inPath.every(({ required }) => required)).toBe(true);
  }
});

/** Fields that hold what is not ours: their values are any JSON. */
const OPEN = /\.(clientExtensionResults|eventData|data\.additionalProperties|fields\.default)/;

it("leaves no field without a type", () => {
  const untyped: string[] = [];
  const walk = (schema: unknown, at: string) => {
    if (typeof schema !== "object" || schema === null || (Array.isArray(schema) && schema.length === 0)) return;
    const entries = Object.entries(schema as JsonSchema);
    if (entries.length === 0 && !/\.(properties|default)$|octet-stream$/.test(at) && !OPEN.test(at)) untyped.push(at);
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
