import type { JsonSchema } from "./openapi.ts";

/** One field of an input or answer, for a person to read. */
export interface SchemaRow {
  /** "points[].equity" */
  path: string;
  /** "number", "one of BUY, SELL", "text or null" */
  type: string;
  isRequired: boolean;
}

const NAMES: Record<string, string> = {
  string: "text",
  integer: "whole number",
  number: "number",
  boolean: "true or false",
  object: "object",
  array: "list",
  null: "null",
};

const FORMATS: Record<string, string> = {
  "date-time": "instant",
  date: "date",
  uuid: "id",
  email: "email",
  uri: "URL",
};

const isNull = ({ type }: JsonSchema) => type === "null";
const itemsOf = ({ items }: JsonSchema) => (items ?? {}) as JsonSchema;

function boundsOf({ minimum, maximum, minLength, maxLength }: JsonSchema): string {
  const bound = (low: unknown, high: unknown, unit: string) => {
    const [from, to] = [low, high].map((value) => (typeof value === "number" && Math.abs(value) < 9e15 ? value : null));
    if (from == null && to == null) return "";
    return `, ${from ?? "…"} to ${to ?? "…"}${unit}`;
  };
  return bound(minimum, maximum, "") || bound(minLength, maxLength, " characters");
}

/** The forms of a value that has several. */
const choiceOf = ({ anyOf, oneOf }: JsonSchema) => anyOf ?? oneOf;

function typeOf(schema: JsonSchema): string {
  const forms = choiceOf(schema);
  if (forms) return [...new Set(forms.map(typeOf))].join(" or ");
  if (Array.isArray(schema["enum"])) return `one of ${schema["enum"].join(", ")}`;
  if ("const" in schema) return JSON.stringify(schema["const"]);
  if (schema.type === "array") return `list of ${typeOf(itemsOf(schema))}`;
  if (Array.isArray(schema.type)) return schema.type.map((type) => typeOf({ ...schema, type })).join(" or ");
  const name = isNull(schema) ? undefined : FORMATS[String(schema["format"])];
  return (name ?? NAMES[schema.type ?? ""] ?? "any JSON") + boundsOf(schema);
}

/** The objects in which further fields lie: behind "or null" and inside of lists. */
function insideOf(schema: JsonSchema, path: string): { schema: JsonSchema; path: string }[] {
  const forms = choiceOf(schema);
  if (forms) return forms.filter((form) => !isNull(form)).flatMap((form) => insideOf(form, path));
  if (schema.type === "array") return insideOf(itemsOf(schema), `${path}[]`);
  return schema.properties ? [{ schema, path }] : [];
}

/** Every field of a schema with its path, parents before their parts; a field of several forms stands once. */
export function rowsOf(schema: JsonSchema, path = ""): SchemaRow[] {
  const rows = insideOf(schema, path).flatMap(({ schema: form, path: at }) =>
    Object.entries(form.properties ?? {}).flatMap(([name, field]) => {
      const here = at === "" ? name : `${at}.${name}`;
      const row = { path: here, type: typeOf(field), isRequired: (form.required ?? []).includes(name) };
      return [row, ...rowsOf(field, here)];
    }),
  );
  const byPath = new Map<string, SchemaRow>();
  for (const row of rows) {
    const types = byPath.get(row.path)?.type.split(" or ") ?? [];
    byPath.set(row.path, { ...row, type: [...new Set([...types, row.type])].join(" or ") });
  }
  return [...byPath.values()];
}
