import { existsSync, readFileSync } from "node:fs";
import { Ajv, type ErrorObject } from "ajv";
import addFormatsModule from "ajv-formats";

type Json = Record<string, unknown>;
interface Operation {
  responses?: Record<string, Json>;
}
interface Document {
  paths: Record<string, Record<string, Operation>>;
  components: Record<string, Record<string, Json>>;
}

/** A place where the OpenAPI contradicts what was recorded from the broker: schema path suffix and why. */
export interface Allowed {
  path: RegExp;
  why: string;
}

const addFormats = addFormatsModule as unknown as (ajv: Ajv) => void;

function isObject(value: unknown): value is Json {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** OpenAPI 3.0 schemas as JSON schema: nullable becomes a type, references point into the definitions. */
function asJsonSchema(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(asJsonSchema);
  if (!isObject(value)) return value;
  const result: Json = {};
  for (const [key, inner] of Object.entries(value)) {
    if (["example", "examples", "xml", "discriminator", "externalDocs", "nullable"].includes(key)) continue;
    result[key] = key === "enum" ? inner : asJsonSchema(inner);
  }
  if (typeof result.$ref === "string" && value.nullable !== true) {
    return { $ref: result.$ref.replace("#/components/", "document#/components/") };
  }
  if (typeof result.$ref === "string") result.$ref = result.$ref.replace("#/components/", "document#/components/");
  if (typeof result.exclusiveMinimum === "boolean") delete result.exclusiveMinimum;
  if (typeof result.exclusiveMaximum === "boolean") delete result.exclusiveMaximum;
  return value.nullable === true ? { anyOf: [{ type: "null" }, result] } : result;
}

function load(file: string): Document {
  if (!existsSync(file))
    throw new Error(`${file} is missing: the broker's OpenAPI document is needed to check the answers`);
  return JSON.parse(readFileSync(file, "utf8")) as Document;
}

/** Every operation of an OpenAPI document: "GET /v2/orders/{order_id}". */
export function operationsOf(file: string): string[] {
  const methods = new Set(["get", "post", "put", "patch", "delete"]);
  return Object.entries(load(file).paths).flatMap(([template, operations]) =>
    Object.keys(operations)
      .filter((method) => methods.has(method))
      .map((method) => `${method.toUpperCase()} ${template}`),
  );
}

/**
 * Reads an OpenAPI document and returns the check of one answer: a list of what is wrong, empty when nothing is.
 * Refusals whose body the document leaves open are checked against its schema for errors, where it is named.
 */
export function answersOf(file: string, allowed: readonly Allowed[], errorSchema?: string) {
  const document = load(file);
  const ajv = new Ajv({ strict: false, allErrors: true, validateFormats: true });
  addFormats(ajv);
  for (const format of ["decimal", "float", "double", "int32", "int64", "uint32", "uint64"])
    ajv.addFormat(format, true);
  ajv.addSchema({ $id: "document", components: asJsonSchema(document.components) } as Json);

  const templates = Object.keys(document.paths).map((template) => ({
    template,
    // Literal segments win over parameters, as they have fewer.
    parameters: template.split("{").length,
    pattern: new RegExp(`^${template.replace(/[.]/g, "\\.").replace(/\{[^}]+\}/g, "[^/]+")}$`),
  }));
  templates.sort((a, b) => a.parameters - b.parameters);

  function schemaOf(method: string, path: string, status: number): Json | null {
    const found = templates.find(({ pattern }) => pattern.test(path));
    const operation = found === undefined ? undefined : document.paths[found.template]?.[method.toLowerCase()];
    if (operation === undefined) throw new Error(`the OpenAPI document has no ${method} ${path}`);
    let response: Json | undefined = operation.responses?.[String(status)];
    if (typeof response?.$ref === "string") {
      const [group, name] = response.$ref.replace("#/components/", "").split("/") as [string, string];
      response = document.components[group]?.[name];
    }
    const isRefusal = status >= 400 && errorSchema !== undefined;
    if (isRefusal && response?.content === undefined) return document.components.schemas?.[errorSchema] ?? null;
    if (response === undefined) return null;
    const content = (response.content as Record<string, { schema?: Json }> | undefined)?.["application/json"];
    return content?.schema ?? null;
  }

  return function wrongIn(method: string, path: string, status: number, body: unknown): string[] {
    const schema = schemaOf(method, path, status);
    if (schema === null) return status < 300 && body !== undefined ? [`${method} ${path} has no ${status} answer`] : [];
    const validate = ajv.compile(asJsonSchema(schema) as Json);
    if (validate(body)) return [];
    const errors = (validate.errors ?? []) as ErrorObject[];
    const lines = errors.map((error) => `${error.instancePath} ${error.message ?? ""} (${error.schemaPath})`);
    return lines.filter((line) => !allowed.some(({ path: fits }) => fits.test(line)));
  };
}
