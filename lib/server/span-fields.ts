import type { Method } from "@/lib/contracts/endpoint.ts";
import { INTENT_PURPOSES, MARKETS, SIDES, type MarketName, type SideName } from "@/lib/domain/enums.ts";
import { Failure } from "@/lib/domain/failures.ts";
import { PROVIDERS, type ProviderName } from "@/lib/domain/providers.ts";

/**
 * Everything that may stand in a span. A trace leaves the installation, so there is no field for a person, an account, an order, an amount,
 * an address, a query or a message of an error, and none that takes free text.
 */
export interface SpanFields {
  method: Method;
  /** The template of a path, never the path: "/api/v1/trades/{id}". */
  route: string;
  requestId: string;
  /** HTTP status. */
  status: number;
  job: string;
  attempt: number;
  market: MarketName;
  provider: ProviderName;
  operation: string;
  /** The broker's own code of a refusal. */
  brokerCode: string;
  side: SideName;
  purpose: (typeof INTENT_PURPOSES)[number];
  step: string;
  /** How work ended, in a word of ours: the status of an intent, the kind of an answer. */
  outcome: string;
  /** The code of a failure, or the class of an error. */
  error: string;
}

interface Field {
  attribute: string;
  accepts: (value: string | number) => boolean;
}

const like = (pattern: RegExp) => (value: string | number) => typeof value === "string" && pattern.test(value);
const oneOf = (values: readonly string[]) => (value: string | number) => values.includes(String(value));
const within = (least: number, most: number) => (value: string | number) =>
  typeof value === "number" && Number.isInteger(value) && value >= least && value <= most;

/** Words of our own code: job-name, SUBMITTING, dailyBars, broker_unavailable. Too short for a key, and never an address. */
const WORD = /^(?=.{1,40}$)[a-z]{1,20}\d?([-_ ][a-z0-9]{1,20})*$/;
const CAPITALS = /^(?=.{1,40}$)[A-Z]{1,20}(_[A-Z]{1,20})*$/;
const CAMEL = /^(?=.{1,40}$)[a-z]{1,20}([A-Z][a-z0-9]{1,20})*$/;
const ERROR_CLASS = /^(?=.{1,60}$)([A-Z][a-z]+)*(Error|Exception|Failure)$/;
const anyOf =
  (...patterns: RegExp[]) =>
  (value: string | number) =>
    patterns.some((pattern) => like(pattern)(value));

/** The names of OpenTelemetry's conventions where they have one. */
export const SPAN_FIELDS: Record<keyof SpanFields, Field> = {
  method: { attribute: "http.request.method", accepts: oneOf(["GET", "POST", "PUT", "PATCH", "DELETE"]) },
  route: {
    attribute: "http.route",
    accepts: like(/^\/api\/v1(\/([a-z]+[a-z0-9]{0,3}(-[a-z]+)*(\.json)?|\{[a-zA-Z]+\}))+$/),
  },
  requestId: { attribute: "tradewind.request.id", accepts: like(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/) },
  status: { attribute: "http.response.status_code", accepts: within(100, 599) },
  job: { attribute: "tradewind.job.name", accepts: like(WORD) },
  attempt: { attribute: "tradewind.job.attempt", accepts: within(1, 1_000) },
  market: { attribute: "tradewind.market", accepts: oneOf(MARKETS) },
  provider: { attribute: "tradewind.provider", accepts: oneOf(PROVIDERS) },
  operation: { attribute: "tradewind.operation", accepts: anyOf(WORD, CAMEL) },
  brokerCode: { attribute: "tradewind.broker.code", accepts: like(/^\d{1,9}$/) },
  side: { attribute: "tradewind.order.side", accepts: oneOf(SIDES) },
  purpose: { attribute: "tradewind.order.purpose", accepts: oneOf(INTENT_PURPOSES) },
  step: { attribute: "tradewind.step", accepts: like(WORD) },
  outcome: { attribute: "tradewind.outcome", accepts: anyOf(WORD, CAPITALS) },
  error: { attribute: "error.type", accepts: anyOf(WORD, ERROR_CLASS) },
};

export type Attributes = Record<string, string | number>;

/** The attributes of a span. What is not one of its fields, or does not look like one, is left out. */
export function attributesOf(fields: Partial<SpanFields>): Attributes {
  const kept: Attributes = {};
  for (const [name, value] of Object.entries(fields) as [string, unknown][]) {
    const field = Object.hasOwn(SPAN_FIELDS, name) ? SPAN_FIELDS[name as keyof SpanFields] : undefined;
    if (field === undefined || (typeof value !== "string" && typeof value !== "number")) continue;
    if (field.accepts(value)) kept[field.attribute] = value;
  }
  return kept;
}

/** What a thrown error is, without its words: they may hold anything. */
export function errorField(error: unknown): string {
  if (error instanceof Failure) return error.code;
  return error instanceof Error && ERROR_CLASS.test(error.name) ? error.name : "error";
}

/** Spans by what they are about: what they are called, and what has to be said of them at their beginning. */
export interface Begun {
  request: Pick<SpanFields, "method" | "route" | "requestId">;
  job: Pick<SpanFields, "job" | "attempt"> & Partial<Pick<SpanFields, "market">>;
  broker: Pick<SpanFields, "operation">;
  provider: Pick<SpanFields, "provider" | "operation">;
  order: Pick<SpanFields, "side" | "purpose">;
  step: Pick<SpanFields, "step">;
  transaction: Record<never, never>;
}
export type SpanAbout = keyof Begun;

/** Which of the fields, as they were kept, name a span: "GET /api/v1/trades", "broker submit". */
const TITLES: Record<SpanAbout, readonly [prefix: string, ...fields: (keyof SpanFields)[]]> = {
  request: ["", "method", "route"],
  job: ["job", "job"],
  broker: ["broker", "operation"],
  provider: ["provider", "provider", "operation"],
  order: ["order"],
  step: ["", "step"],
  transaction: ["database transaction"],
};

/** Made of kept attributes alone, so that nothing gets out by a name. */
export function titleOf(about: SpanAbout, attributes: Attributes): string {
  const [prefix, ...fields] = TITLES[about];
  const words = fields.map((field) => attributes[SPAN_FIELDS[field].attribute]);
  return [prefix, ...words].filter((word) => word !== undefined && word !== "").join(" ") || about;
}
