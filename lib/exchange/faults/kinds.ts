import * as z from "zod";
import { Refusal, textOf } from "../book/refusal.ts";

const wallMs = z.number().min(0).max(86_400_000);

/** When, where and how often a fault strikes; every kind takes these. */
const MATCH = {
  /** HTTP method, any when absent. */
  method: z.enum(["GET", "POST", "PATCH", "PUT", "DELETE"]),
  /** The beginning of the path, or a pattern with * for anything; what is usual for the kind when absent. */
  path: z.string().startsWith("/"),
  /** Account number or id. */
  account: z.string().min(1),
  /** Strikes requests, orders and events of this symbol only. */
  symbol: z.string().min(1),
  /** A client order id, or a pattern with * for anything. */
  client_order_id: z.string().min(1),
  /** How often it strikes; 0 = until deleted. Absent: once, or until deleted for the kinds that stand. */
  count: z.int().min(0),
  /** Lets this many fitting occasions pass first. */
  skip: z.int().min(0),
  /** Strikes each fitting occasion with this probability, drawn from the seed. */
  probability: z.number().gt(0).max(1),
  seed: z.int().min(0),
  /** Wall milliseconds until it begins. */
  after_ms: wallMs,
  /** Minutes of market time until it begins. */
  after_minutes: z.number().min(0),
  /** Wall milliseconds after its beginning until it ends by itself. */
  for_ms: wallMs,
};

/** The options of all kinds of faults. */
const PARAMETERS = {
  /** Wall milliseconds: how late, how long, or between two bytes. */
  ms: wallMs,
  status: z.int().min(200).max(599),
  code: z.int(),
  message: z.string(),
  /** Further fields of a refusal's body. */
  extras: z.record(z.string(), z.unknown()),
  headers: z.record(z.string(), z.string()),
  /** Sends rate headers whose reset lies this many seconds ahead, or in the past. */
  reset_in_s: z.int(),
  form: z.string(),
  /** Names of fields, at any depth. */
  fields: z.array(z.string().min(1)).min(1),
  share: z.number().min(0).max(1),
  /** Bytes or events at a time. */
  size: z.int().min(1).max(100_000),
  /** trade_updates events of this name only. */
  event: z.string().min(1),
  pongs: z.boolean(),
  vendor: z.string().min(1),
  /** How far a price is off, below or above zero. */
  percent: z.number().gt(-100).max(1_000),
};

const match = z.object(MATCH).partial();
const parameters = z.object(PARAMETERS).partial();
type Parameter = keyof typeof PARAMETERS;

/** Where in a request's, an order's or an event's life the kind strikes. */
export type Stage = "before" | "access" | "reading" | "after" | "answer" | "venue" | "event" | "socket" | "once";

interface Kind {
  stage: Stage;
  /** Stands until it is deleted unless a count is given. */
  stands?: true;
  takes?: readonly Parameter[];
  needs?: readonly Parameter[];
  /** The first is the default. */
  forms?: readonly string[];
  on?: { method?: string; path?: string };
}

const REFUSAL: readonly Parameter[] = ["status", "code", "message", "extras", "headers", "reset_in_s", "form"];
const BODIES = ["json", "html"];

/** Every kind of fault that the exchange can be asked to make. */
const KINDS = {
  // The request is never served.
  drop_before_accept: { stage: "before" },
  hang: { stage: "before", takes: ["ms"] },
  status: { stage: "before", takes: REFUSAL, forms: BODIES },
  // The request is served, but when or how the caller learns of it is another matter.
  late_accept: { stage: "before", takes: ["ms"] },
  delay: { stage: "before", takes: ["ms"] },
  slow_cancel: { stage: "before", takes: ["ms"], on: { method: "DELETE", path: "/v2/orders" } },
  drop_after_accept: { stage: "after" },
  hang_after_accept: { stage: "after", takes: ["ms"] },
  status_after_accept: { stage: "after", takes: REFUSAL, forms: BODIES },
  garbage_200: { stage: "after", takes: ["form"], forms: ["html", "empty", "null", "text", "list"] },
  truncated_200: { stage: "after" },
  drip: { stage: "after", takes: ["ms", "size"] },
  // The answer says something else.
  wrong_types: { stage: "answer", takes: ["fields", "share"] },
  missing_fields: { stage: "answer", takes: ["fields"], needs: ["fields"] },
  extra_fields: { stage: "answer" },
  unknown_status: { stage: "answer", takes: ["message"], on: { path: "/v2/orders" } },
  skewed_date: { stage: "answer", stands: true, takes: ["ms", "form"], needs: ["ms"], forms: ["ahead", "behind"] },
  nan_bars: {
    stage: "answer",
    takes: ["form", "fields"],
    forms: ["nan", "null", "text", "zero", "negative", "huge"],
    on: { method: "GET", path: "/v2/stocks/*bars*" },
  },
  missing_bars: {
    stage: "answer",
    takes: ["form", "share"],
    forms: ["last", "symbols", "some"],
    on: { method: "GET", path: "/v2/stocks/*bars*" },
  },
  disordered_bars: {
    stage: "answer",
    takes: ["form"],
    forms: ["duplicate", "reversed", "future"],
    on: { method: "GET", path: "/v2/stocks/*bars*" },
  },
  vendor_garbage: {
    stage: "answer",
    takes: ["vendor", "form", "size"],
    forms: ["html", "empty", "truncated", "wrong_types", "limit_note", "stale", "huge"],
    on: { path: "/vendors/" },
  },
  deviating_prices: {
    stage: "answer",
    stands: true,
    takes: ["vendor", "percent", "form"],
    needs: ["percent"],
    forms: ["all", "close", "quote"],
    on: { method: "GET", path: "/vendors/" },
  },
  calendar_down: { stage: "before", stands: true, takes: REFUSAL, forms: BODIES, on: { path: "/v*/calendar*" } },
  // Faults of an account's answers and permissions.
  keys_revoked: { stage: "access", stands: true, takes: ["status"] },
  account_blocked: {
    stage: "access",
    stands: true,
    takes: ["form"],
    forms: ["account_blocked", "trading_blocked", "trade_suspended_by_user"],
  },
  replace_rejected: {
    stage: "access",
    takes: ["form"],
    forms: ["refused", "later"],
    on: { method: "PATCH", path: "/v2/orders/" },
  },
  stale_positions: { stage: "reading", stands: true },
  lookup_lag: { stage: "reading", stands: true, takes: ["ms", "form"], forms: ["client_id", "lists"] },
  // What becomes of an order.
  uniqueness_off: { stage: "venue", stands: true },
  partial_fills: { stage: "venue", stands: true, takes: ["share"] },
  halted_symbol: { stage: "venue", stands: true, takes: ["form"], forms: ["rest", "refuse", "cancel"] },
  rejected_by_venue: { stage: "venue" },
  cancel_loses: {
    stage: "venue",
    takes: ["form"],
    forms: ["accepted", "refused"],
    on: { method: "DELETE", path: "/v2/orders" },
  },
  // Faults of the trade_updates stream.
  duplicate_events: { stage: "event", stands: true, takes: ["event"] },
  missing_events: { stage: "event", stands: true, takes: ["event"] },
  mute_stream: { stage: "event", stands: true },
  late_events: { stage: "event", stands: true, takes: ["event", "ms"] },
  reordered_events: { stage: "event", stands: true, takes: ["event", "size", "ms"] },
  garbage_events: { stage: "event", takes: ["event", "form"], forms: ["text", "wrong_types", "unknown_event"] },
  mute_socket: { stage: "socket", stands: true, takes: ["pongs"] },
  auth_silence: { stage: "socket", stands: true },
  auth_refused: { stage: "socket", stands: true },
  hung_upgrade: { stage: "socket", takes: ["ms"] },
  refused_upgrade: { stage: "socket", takes: ["status"] },
  cut_stream: { stage: "once" },
} as const satisfies Record<string, Kind>;

export type FaultKind = keyof typeof KINDS;

export const FAULT_KINDS = Object.keys(KINDS) as FaultKind[];

export type FaultInput = { kind: FaultKind } & z.input<typeof match> & z.input<typeof parameters>;

export function kindOf(kind: FaultKind): Kind {
  return KINDS[kind];
}

export const kindsOf = (stage: Stage): FaultKind[] => FAULT_KINDS.filter((kind) => kindOf(kind).stage === stage);

function refuse(message: string): never {
  throw new Refusal(400, 40010000, message);
}

/** A fault as asked for, or a refusal that names what is wrong with it. */
export function readFault(input: unknown): FaultInput {
  if (typeof input !== "object" || input === null || Array.isArray(input)) refuse("a fault is an object with a kind");
  const { kind, ...rest } = input as { kind?: unknown };
  const name = FAULT_KINDS.find((known) => known === kind);
  if (name === undefined) refuse(`unknown fault: ${textOf(kind)}; one of ${FAULT_KINDS.join(", ")}`);
  const { takes = [], needs = [], forms = [] }: Kind = KINDS[name];
  // What is undefined was not said.
  const said = Object.fromEntries(Object.entries(rest).filter(([, value]) => value !== undefined));
  for (const field of Object.keys(said)) {
    const isKnown = Object.hasOwn(MATCH, field) || takes.includes(field as Parameter);
    if (!isKnown) refuse(`${name} does not take ${field}; it takes ${[...takes, ...Object.keys(MATCH)].join(", ")}`);
  }
  for (const field of needs) if (!Object.hasOwn(said, field)) refuse(`${name} needs ${field}`);
  const read = z.object({ ...match.shape, ...parameters.shape }).safeParse(said);
  if (!read.success) {
    const issue = read.error.issues[0];
    refuse(`${name}: ${issue?.path.join(".") ?? ""}: ${issue?.message ?? "invalid"}`);
  }
  const fault = read.data;
  if (fault.form !== undefined && !forms.includes(fault.form))
    refuse(`${name}: form must be one of ${forms.join(", ")}, not ${fault.form}`);
  if (fault.after_ms !== undefined && fault.after_minutes !== undefined)
    refuse(`${name}: only one of after_ms and after_minutes`);
  return { kind: name, ...fault };
}
