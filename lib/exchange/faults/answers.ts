import type { Fault } from "../faults.ts";
import type { Reply } from "../http/router.ts";
import { randomOf, seedOf, type Random } from "../market/seeded.ts";
import { spoiledBars } from "./bars.ts";

type Json = Record<string, unknown>;

function isObject(value: unknown): value is Json {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The answer's JSON as a copy that can be changed; undefined where it is not JSON. */
function jsonOf(reply: Reply): unknown {
  if (reply.body === undefined) return undefined;
  if (reply.contentType === undefined) return JSON.parse(JSON.stringify(reply.body)) as unknown;
  return reply.contentType.startsWith("application/json") ? (JSON.parse(String(reply.body)) as unknown) : undefined;
}

/** A copy of a JSON value in which every object has been through a change, the inner ones first. */
function mapObjects(value: unknown, change: (object: Json) => Json): unknown {
  if (Array.isArray(value)) return value.map((item) => mapObjects(item, change));
  if (!isObject(value)) return value;
  return change(Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, mapObjects(inner, change)])));
}

/** A value of another type. */
function twisted(value: unknown): unknown {
  if (typeof value === "string") return value !== "" && Number.isFinite(Number(value)) ? { value } : 17;
  if (typeof value === "number") return `about ${value}`;
  if (typeof value === "boolean") return value ? "maybe" : 0;
  if (value === null) return [];
  return Array.isArray(value) ? { list: value } : "[object Object]";
}

function twistedFields(object: Json, fault: Fault, random: Random): Json {
  const { fields, share = 1 } = fault;
  const isChosen = (key: string) => (fields === undefined ? random() < share : fields.includes(key));
  return Object.fromEntries(
    Object.entries(object).map(([key, value]) => [key, isChosen(key) ? twisted(value) : value]),
  );
}

function withoutFields(object: Json, fields: readonly string[]): Json {
  return Object.fromEntries(Object.entries(object).filter(([key]) => !fields.includes(key)));
}

const LIMIT_NOTE = { Information: "Thank you for your interest. The standard rate limit is 25 requests per day." };

/** What a vendor on a bad day sends. */
function vendorGarbage(reply: Reply, fault: Fault): Reply {
  const text = reply.contentType === undefined ? JSON.stringify(reply.body ?? null) : String(reply.body ?? "");
  const type = reply.contentType ?? "application/json; charset=utf-8";
  const size = fault.size ?? 10;
  const as = (body: string, contentType = type): Reply => ({ status: 200, body, contentType });
  if (fault.form === "empty") return as("");
  if (fault.form === "truncated") return as(text.slice(0, Math.floor(text.length / 2)));
  if (fault.form === "limit_note") return as(JSON.stringify(LIMIT_NOTE), "application/json");
  if (fault.form === "huge") return as(`[${'{"deep":['.repeat(500)}0${"]}".repeat(500)}${",[]".repeat(size * 1_000)}]`);
  if (fault.form === "wrong_types" || fault.form === "stale") {
    const json = jsonOf(reply);
    if (fault.form === "wrong_types")
      return json === undefined
        ? as(text.replace(/[0-9.]+/g, "n/a"))
        : {
            status: 200,
            body: mapObjects(json, (object) => twistedFields(object, { ...fault, fields: undefined }, () => 0)),
          };
    if (json === undefined) return as(`${text.trimEnd().split("\n").slice(0, -size).join("\n")}\n`);
    const shorten = (object: Json): Json =>
      Object.fromEntries(
        Object.entries(object).map(([key, value]) => [key, Array.isArray(value) ? value.slice(0, -size) : value]),
      );
    return { status: 200, body: Array.isArray(json) ? json.slice(0, -size) : mapObjects(json, shorten) };
  }
  return as("<html><head><title>Sorry</title></head><body>We will be right back.</body></html>", "text/html");
}

/** Fields of the vendors' answers that hold an earlier close, and those that hold the price of now. */
const CLOSE_FIELDS = ["pc", "previousClose", "08. previous close"];
const QUOTE_FIELDS = ["c", "h", "l", "o", "price", "open", "dayHigh", "dayLow", "05. price"];

/** The prices of a vendor's answer off by a percentage; of the named symbol alone where rows name theirs. */
function deviating(json: unknown, { percent = 0, form, symbol }: Fault): unknown {
  const fields = [...(form === "quote" ? [] : CLOSE_FIELDS), ...(form === "close" ? [] : QUOTE_FIELDS)];
  const off = (value: unknown) => {
    if (typeof value === "number") return Math.round(value * (1 + percent / 100) * 10_000) / 10_000;
    return typeof value === "string" ? (Number(value) * (1 + percent / 100)).toFixed(4) : value;
  };
  return mapObjects(json, (object) => {
    const named = object.symbol ?? object["01. symbol"];
    if (symbol !== undefined && typeof named === "string" && named.replaceAll("-", ".") !== symbol) return object;
    return Object.fromEntries(
      Object.entries(object).map(([key, value]) => [key, fields.includes(key) ? off(value) : value]),
    );
  });
}

/** The answer as a fault changes it. The same fault makes the same of the same answer. */
export function spoiledAnswer(reply: Reply, fault: Fault, nowMs: number): Reply {
  if (fault.kind === "skewed_date") {
    const shift = (fault.form === "behind" ? -1 : 1) * (fault.ms ?? 0);
    return { ...reply, headers: { ...reply.headers, Date: new Date(Date.now() + shift).toUTCString() } };
  }
  if (fault.kind === "vendor_garbage") return vendorGarbage(reply, fault);
  const json = jsonOf(reply);
  if (json === undefined || reply.status >= 300) return reply;
  const random = randomOf(seedOf(fault.seed ?? 0, fault.kind, fault.struck));
  const withBody = (body: unknown): Reply => ({
    status: reply.status,
    ...(reply.headers && { headers: reply.headers }),
    body,
  });
  switch (fault.kind) {
    case "deviating_prices":
      return withBody(deviating(json, fault));
    case "wrong_types":
      return withBody(mapObjects(json, (object) => twistedFields(object, fault, random)));
    case "missing_fields":
      return withBody(mapObjects(json, (object) => withoutFields(object, fault.fields ?? [])));
    case "extra_fields":
      return withBody(
        mapObjects(json, (object) => ({
          ...object,
          introduced_last_night: { nested: [1, "two", null] },

          constructor_note: "\u0000\uFFFF",
        })),
      );
    case "unknown_status":
      return withBody(
        mapObjects(json, (object) =>
          "status" in object && "client_order_id" in object
            ? { ...object, status: fault.message ?? "pending_review" }
            : object,
        ),
      );
    case "nan_bars":
    case "missing_bars":
    case "disordered_bars":
      return { ...withBody(undefined), body: spoiledBars(json, fault, random, nowMs), contentType: "application/json" };
    default:
      return reply;
  }
}
