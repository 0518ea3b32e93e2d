import * as z from "zod";
import type { Endpoint } from "@/lib/contracts/endpoint.ts";

/** What the fuzzer knows of an endpoint: where it is, and what its fields look like. */
export interface Door {
  method: string;
  /** With {parameters}. */
  path: string;
  isDownload: boolean;
  /** Names and a valid value, as JSON; parameters of the path among them. */
  fields: [name: string, json: string][];
  parameters: string[];
}

interface Schema {
  type?: string | string[];
  enum?: unknown[];
  const?: unknown;
  anyOf?: Schema[];
  oneOf?: Schema[];
  format?: string;
  properties?: Record<string, Schema>;
  items?: Schema;
  minimum?: number;
  default?: unknown;
}

export function doorOf({ method, path, input, isDownload = false }: Endpoint): Door {
  const schema = z.toJSONSchema(input, { io: "input", unrepresentable: "any" }) as Schema;
  return {
    method,
    path,
    isDownload,
    fields: Object.entries(schema.properties ?? {}).map(([name, of]) => [name, JSON.stringify(sample(name, of))]),
    parameters: [...path.matchAll(/\{(\w+)\}/g)].map(([, name = ""]) => name),
  };
}

/** By name where the schema does not say what a good value is. */
const BY_NAME: Record<string, unknown> = {
  email: "fuzz@example.com",
  password: "Fuzzy-Horse-1",
  currentPassword: "Fuzzy-Horse-1",
  newPassword: "Fuzzy-Horse-2",
  firstName: "Fuzz",
  lastName: "Er",
  token: "0123456789012345678901234567890123456789012",
  symbol: "AAPL",
  startDate: "2020-01-02",
  endDate: "2020-02-03",
  limit: 50,
  id: "0192f0c1-2b3c-7d4e-8f90-a1b2c3d4e5f6",
};

function sample(name: string, schema: Schema): unknown {
  if (Object.hasOwn(BY_NAME, name)) return BY_NAME[name];
  if (schema.default !== undefined) return schema.default;
  if (schema.const !== undefined) return schema.const;
  if (schema.enum) return schema.enum[0];
  const choice = schema.anyOf?.[0] ?? schema.oneOf?.[0];
  if (choice) return sample(name, choice);
  switch (Array.isArray(schema.type) ? schema.type[0] : schema.type) {
    case "boolean":
      return true;
    case "number":
    case "integer":
      return schema.minimum ?? 1;
    case "array":
      return [];
    case "object":
      return Object.fromEntries(Object.entries(schema.properties ?? {}).map(([key, of]) => [key, sample(key, of)]));
    default:
      return schema.format === "uuid" ? BY_NAME.id : "x";
  }
}
