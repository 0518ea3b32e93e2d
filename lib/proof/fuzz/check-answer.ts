import { allEndpoints } from "@/lib/contracts/api.ts";
import { FAILURES, type FailureCode } from "@/lib/domain/failures.ts";
import { HEADERS } from "@/scripts/headers.mjs";
import { doorAt, type Door } from "./doors.ts";
import { sentText, type FuzzRequest } from "./request.ts";
import { violationsOf } from "./validator.ts";

export interface FuzzAnswer {
  /** 0: the line was closed without an answer. */
  status: number;
  headers: Record<string, string>;
  /** The body; files unpacked. */
  text: string;
  durationMs: number;
}

export interface FuzzedStack {
  doors: Door[];
  /** Its own address: where a redirect may lead. */
  origin: string;
  /** Without a market and a worker, calls that need one answer 503 and name no time. */
  hasMarket: boolean;
  /** False for handlers that are called without Next, which adds the headers that are the same for every answer. */
  hasFixedHeaders: boolean;
  /** A validating proxy stands before it, which judges every answer. */
  hasValidator?: boolean;
  /** An answer that takes longer is a fault. */
  slowMs: number;
  /** What no answer may hold, for any caller: tokens of the run, hashes, keys. */
  secrets: string[];
  /** What only its owner and administrators may read. */
  canaries: Canaries;
}

/** Texts in lower case that stand in rows of people. */
export interface Canaries {
  /** Of the person who calls as "user". */
  user: string[];
  /** Of people other than this one. */
  others: string[];
}

/** What an answer can have wrong. The last one is found over many answers (`run.ts`), the one before by a validator (`validator.ts`). */
export type Rule =
  | "late"
  | "closed"
  | "server-error"
  | "internals"
  | "database-text"
  | "secret"
  | "anothers-data"
  | "let-in"
  | "redirect-off-site"
  | "foreign-cookie"
  | "cross-origin"
  | "missing-header"
  | "envelope"
  | "undescribed"
  | "unavailable";

export interface Problem {
  rule: Rule;
  /** A sentence for people. */
  text: string;
}

type Check = (request: FuzzRequest, answer: FuzzAnswer, stack: FuzzedStack) => string | null;

const INTERNALS = /\bat [^\n]*\.(?:ts|m?js):\d+|node_modules|Prisma\w*Error|prisma\.|ECONN[A-Z]+/;
const DATABASE_TEXT =
  /(?:column|relation|constraint|function|table) \\?"[^"]*"[^.]{0,60}(?:does not exist|violates)|violates [a-z-]+ constraint|syntax error at or near|invalid input syntax for|duplicate key value|permission denied for (?:table|schema)|current transaction is aborted|deadlock detected|could not serialize access|SQLSTATE|select \\?"|insert into \\?"/i;
const SECRET_NAMES =
  /\b(?:passwordHash|tokenHash|codeHash|sealed[A-Z]\w*|MASTER_KEYS|AUDIT_KEY|NEXTAUTH_SECRET|DATABASE_URL|REDIS_URL|SMTP_URL|EXCHANGE_CONTROL_TOKEN)\b/g;
const SECRET_SHAPES =
  /\beyJ[\w-]{8,}\.eyJ[\w-]{8,}\.[\w-]{10,}|\$argon2i?d?\$|-----BEGIN [A-Z ]*PRIVATE KEY|\b(?:postgres(?:ql)?|rediss?|smtps?):\/\/[^\s"'<]*/g;
const COOKIES = /^(?:__Secure-|__Host-)?(?:next-auth\.(?:session-token|csrf-token|callback-url)|tradewind\.device)$/;

/** Whether the HTTP server itself may have refused the request before a handler was asked: its answers have no id. */
const isOfServer = ({ mayEndAtServer }: FuzzRequest, { headers }: FuzzAnswer) =>
  mayEndAtServer && headers["x-request-id"] === undefined;
const hasNoBody = ({ method }: FuzzRequest, { status }: FuzzAnswer) => method === "HEAD" || status === 304;

const CHECKS: [Rule, Check][] = [
  ["late", (_, { durationMs }, { slowMs }) => (durationMs > slowMs ? `it took ${Math.round(durationMs)} ms` : null)],
  [
    "closed",
    ({ mayEndAtServer }, { status }) =>
      status === 0 && !mayEndAtServer ? "the line was closed without an answer" : null,
  ],
  [
    "server-error",
    (_, answer, stack) =>
      answer.status >= 500 && answer.status !== 501 && !isShed(answer, stack)
        ? `it answered ${answer.status}: ${start(answer.text)}`
        : null,
  ],
  ["internals", (request, { text }) => foundIn(text, INTERNALS, request, "the answer tells how the server is made")],
  ["database-text", (request, { text }) => foundIn(text, DATABASE_TEXT, request, "the answer speaks for the database")],
  ["secret", problemOfSecrets],
  ["anothers-data", problemOfOwners],
  ["let-in", problemOfAccess],
  [
    "redirect-off-site",
    (_, { status, headers: { location } }, { origin }) =>
      location === undefined || (URL.canParse(location, origin) && new URL(location, origin).origin === origin)
        ? null
        : `${status} leads to ${location}`,
  ],
  ["foreign-cookie", (_, { headers }) => problemOfCookies(headers["set-cookie"] ?? "")],
  [
    "cross-origin",
    (_, { headers }) => {
      const name = Object.keys(headers).find((one) => one.startsWith("access-control-"));
      return name === undefined ? null : `${name}: ${headers[name]}`;
    },
  ],
  ["missing-header", problemOfHeaders],
  ["envelope", problemOfEnvelope],
];

/** Everything that is wrong with an answer, each under the rule that it breaks. */
export function problemsOf(request: FuzzRequest, answer: FuzzAnswer, stack: FuzzedStack): Problem[] {
  // A proxy adds headers and takes its time: what stands under the other rules is looked for without one.
  if (stack.hasValidator) return violationsOf(answer);
  return CHECKS.flatMap(([rule, check]) => {
    const text = check(request, answer, stack);
    return text === null ? [] : [{ rule, text }];
  });
}

/** Told to retry later, or what is not there: no fault once, and counted apart. */
export function isShed({ status, headers, text }: FuzzAnswer, { hasMarket }: Pick<FuzzedStack, "hasMarket">): boolean {
  // HEAD has no body to look into.
  if (status !== 503 || (text !== "" && !text.includes('"success":false'))) return false;
  return headers["retry-after"] !== undefined || !hasMarket || text === "" || isAbsentOutside(text);
}

/** An unreachable broker and a market without keys say nothing about the stack, nor when they will be there. */
export const isAbsentOutside = (text: string) =>
  text.includes('"code":"broker_unavailable"') || text.includes("market is not configured.");

const start = (text: string) => text.slice(0, 200);

/** The first match that is no repetition of what was sent. */
function foundIn(text: string, pattern: RegExp, request: FuzzRequest, sentence: string): string | null {
  const matches = [
    ...text.matchAll(new RegExp(pattern, pattern.flags.includes("g") ? pattern.flags : `${pattern.flags}g`)),
  ];
  if (matches.length === 0) return null;
  const sent = sentText(request);
  const match = matches.find(([found]) => !sent.includes(found));
  return match === undefined ? null : `${sentence}: ${start(text.slice(Math.max(0, match.index - 40)))}`;
}

/** Set-Cookie is left out: that is where a sign-in belongs. */
const saidIn = ({ headers, text }: FuzzAnswer) =>
  [...Object.entries(headers).flatMap(([name, value]) => (name === "set-cookie" ? [] : [value])), text].join("\n");

function problemOfSecrets(request: FuzzRequest, answer: FuzzAnswer, { secrets }: FuzzedStack): string | null {
  const said = saidIn(answer);
  const known = secrets.findIndex((secret) => said.includes(secret));
  if (known >= 0)
    return `the answer holds secret ${known} of the run: ${start(said.slice(said.indexOf(secrets[known]!)))}`;
  return (
    foundIn(said, SECRET_NAMES, request, "the answer names what is secret") ??
    foundIn(said, SECRET_SHAPES, request, "the answer holds what looks like a secret")
  );
}

function problemOfOwners(request: FuzzRequest, answer: FuzzAnswer, { canaries }: FuzzedStack): string | null {
  if (request.principal === "admin") return null;
  const low = `${Object.values(answer.headers).join("\n")}\n${answer.text}`.toLowerCase();
  const foreign = request.principal === "user" ? canaries.others : [...canaries.others, ...canaries.user];
  const found = foreign.filter((canary) => low.includes(canary));
  if (found.length === 0) return null;
  const sent = sentText(request).toLowerCase();
  const leaked = found.find((canary) => !sent.includes(canary));
  return leaked === undefined ? null : `the answer holds "${leaked}", which is another person's`;
}

/** What a handler may say before it asks who calls: the limits, and that it is too busy. */
const BEFORE_ACCESS = new Set([429, 503]);

function problemOfAccess(request: FuzzRequest, answer: FuzzAnswer, { doors }: FuzzedStack): string | null {
  const { principal, idsOf, method, raw } = request;
  const { status, headers } = answer;
  const door = raw ? undefined : doorAt(doors, method, request.path);
  if (!door || status === 0 || isOfServer(request, answer) || BEFORE_ACCESS.has(status)) return null;
  // Refused by scripts/web-edge.mjs, before a handler was asked.
  if (status >= 400 && headers["x-instance"] === undefined) return null;
  const due = principal === "anonymous" ? 401 : 403;
  const isShut =
    (principal === "anonymous" && door.access !== "public") || (principal === "user" && door.access === "admin");
  if (isShut) return status === due ? null : `${status} to ${principal}, where ${due} is due`;
  const isAnothers = principal === "user" && idsOf === "other" && door.access === "user";
  return isAnothers && status < 400 ? `${status} to a user with an id of another person` : null;
}

function problemOfCookies(cookies: string): string | null {
  // A date in a cookie holds a comma, too.
  for (const cookie of cookies === "" ? [] : cookies.split(/, (?=[^;=\s]+=)/)) {
    const [pair = "", ...attributes] = cookie.split(";").map((part) => part.trim());
    const names = attributes.map((attribute) => attribute.toLowerCase());
    const isOurs = COOKIES.test(pair.split("=", 1)[0] ?? "");
    const isKept = names.includes("httponly") && names.some((name) => /^samesite=(?:lax|strict)$/.test(name));
    if (!isOurs || !isKept || names.some((name) => name.startsWith("domain")))
      return `the answer sets ${start(cookie)}`;
  }
  return null;
}

function problemOfHeaders(request: FuzzRequest, answer: FuzzAnswer, stack: FuzzedStack): string | null {
  const { status, headers } = answer;
  // Redirects that tidy an address, and what the server says to what is no request, hold nothing.
  if (status === 0 || request.raw || isOfServer(request, answer)) return null;
  const fixed = stack.hasFixedHeaders ? Object.keys(HEADERS).map((name) => name.toLowerCase()) : [];
  const missing = [...fixed, "x-content-type-options", "content-security-policy"].filter(
    (name) => headers[name] === undefined,
  );
  if (missing.length > 0) return `${status} without ${missing.join(", ")}`;
  if (!/\bno-store\b/.test(headers["cache-control"] ?? ""))
    return `${status} may be kept: cache-control is ${headers["cache-control"] ?? "missing"}`;
  const policy = headers["content-security-policy"] ?? "";
  const isStrict = policy.includes("frame-ancestors 'none'") && policy.includes("base-uri 'none'");
  const isOpen = /script-src[^;]*'unsafe|default-src \*|script-src[^;]* \*/.test(policy);
  return isStrict && !isOpen ? null : `${status} with the policy ${policy}`;
}

/** Documents stand in no envelope. */
const isBare = ({ path }: FuzzRequest) =>
  allEndpoints.some((endpoint) => endpoint.isBare === true && path === `/api/v1${endpoint.path}`);

function problemOfEnvelope(request: FuzzRequest, answer: FuzzAnswer, stack: FuzzedStack): string | null {
  const { status, headers, text } = answer;
  if (status === 0 || request.raw || hasNoBody(request, answer) || isShed(answer, stack)) return null;
  // Where a redirect leads, and faults of the server, are looked at by rules of their own.
  if ((status >= 300 && status < 400) || (status >= 500 && status !== 501)) return null;
  const isOfApi = request.path.startsWith("/api/v1/");
  if (headers["x-request-id"] === undefined) {
    return isOfApi && !request.mayEndAtServer ? `${status} is no answer of ours` : null;
  }
  if (headers["content-disposition"] !== undefined) return null;
  if (status < 300 && isBare(request)) return null;
  let envelope: Record<string, unknown>;
  try {
    envelope = JSON.parse(text) as Record<string, unknown>;
  } catch {
    return `${status} without JSON: ${start(text)}`;
  }
  if (status < 300)
    return envelope.success === true && envelope.error === null && "data" in envelope
      ? null
      : `${status} outside of the envelope: ${start(text)}`;
  const { success, data, error, code, requestId } = envelope;
  const isFailure = success === false && data === null && typeof error === "string" && error !== "";
  if (!isFailure || requestId !== headers["x-request-id"]) return `${status} outside of the envelope: ${start(text)}`;
  const known = typeof code === "string" && Object.hasOwn(FAILURES, code) ? FAILURES[code as FailureCode] : null;
  return known?.status === status ? null : `${status} does not go with the code ${String(code)}`;
}
