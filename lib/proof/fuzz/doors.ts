import { readdirSync } from "node:fs";
import path from "node:path";
import * as z from "zod";
import type { Access, Endpoint } from "@/lib/contracts/endpoint.ts";

/** What the fuzzer knows of an address: where it is, who may call it, and what its fields look like. */
export interface Door {
  method: string;
  /** "/api/v1", "/api/auth", or nothing for a page. */
  prefix: string;
  /** Below the prefix, with {parameters}. */
  path: string;
  access: Access;
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

const parametersIn = (address: string) => [...address.matchAll(/\{(\w+)\}/g)].map(([, name = ""]) => name);

export function doorOf({ method, path: address, access, input }: Endpoint): Door {
  const schema = z.toJSONSchema(input, { io: "input", unrepresentable: "any" }) as Schema;
  return {
    method,
    prefix: "/api/v1",
    path: address,
    access,
    fields: Object.entries(schema.properties ?? {}).map(([name, of]) => [name, JSON.stringify(sample(name, of))]),
    parameters: parametersIn(address),
  };
}

const publicDoor = (method: string, prefix: string, address: string, fields: Door["fields"]): Door => ({
  method,
  prefix,
  path: address,
  access: "public",
  fields,
  parameters: parametersIn(address),
});

const text = (value: string) => JSON.stringify(value);
const PAGE_FIELDS: Door["fields"] = [
  ["token", text("0123456789012345678901234567890123456789012")],
  ["next", text("/dashboard")],
  ["callbackUrl", text("https://example.com/")],
  ["tab", text("open")],
  ["cursor", text("x")],
];

/** Every page, found by walking the tree; a guarded one answers strangers with its empty frame. */
export function pageDoors(root = path.resolve(import.meta.dirname, "../../../app")): Door[] {
  return readdirSync(root, { recursive: true, encoding: "utf8" })
    .filter((file) => path.basename(file) === "page.tsx" && !file.includes("[..."))
    .sort()
    .map((file) => {
      const segments = path.dirname(file).split(path.sep);
      const own = segments.filter((segment) => segment !== "." && !segment.startsWith("("));
      return publicDoor("GET", "", `/${own.join("/").replaceAll(/\[(\w+)\]/g, "{$1}")}`, PAGE_FIELDS);
    });
}

const SIGN_IN: Door["fields"] = [
  ["email", text("fuzz@example.com")],
  ["password", text("Fuzzy-Horse-1")],
  ["csrfToken", text("0".repeat(64))],
  ["callbackUrl", text("/dashboard")],
  ["json", text("true")],
];

/** Addresses of next-auth: those that are served, and some that are not. */
export const AUTH_DOORS: Door[] = [
  ...["csrf", "providers", "session", "signin"].map((name) => publicDoor("GET", "/api/auth", `/${name}`, PAGE_FIELDS)),
  ...["callback/credentials", "signout"].map((name) => publicDoor("POST", "/api/auth", `/${name}`, SIGN_IN)),
  ...["_log", "callback/{provider}", "signin/{provider}"].map((name) =>
    publicDoor("POST", "/api/auth", `/${name}`, SIGN_IN),
  ),
  ...["error", "verify-request", "signout", "callback/{provider}"].map((name) =>
    publicDoor("GET", "/api/auth", `/${name}`, PAGE_FIELDS),
  ),
];

/** The door that a request meets, whatever it was made from. */
export function doorAt(doors: Door[], method: string, pathname: string): Door | undefined {
  const segments = pathname.split("/");
  const fits = doors.filter((door) => {
    const own = `${door.prefix}${door.path}`.split("/");
    if (own.length !== segments.length) return false;
    return own.every((name, at) => (name.startsWith("{") ? segments[at] !== "" : name === segments[at]));
  });
  // The folder that names an address comes before one that takes any, whatever methods it has.
  const isNamed = fits.some(({ parameters }) => parameters.length === 0);
  const asked = method === "HEAD" ? "GET" : method;
  return fits.find((door) => door.method === asked && (!isNamed || door.parameters.length === 0));
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
