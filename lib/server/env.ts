import { readFileSync } from "node:fs";
import * as z from "zod";
import { FLAG_ENVIRONMENTS, LOG_LEVELS } from "@/lib/domain/enums.ts";

/** The only file that reads process.env. `.env.example` is checked against this schema by a test. */
const address = z.url({ protocol: /^https?$/ }).transform((url) => url.replace(/\/$/, ""));

/** The addresses of REDIS_URL: that of one server, or those of several nodes of a cluster with commas between. */
export const redisUrls = (text: string): string[] => text.split(/,(?=rediss?:\/\/)/);
const redisUrl = z.url({ protocol: /^rediss?$/, hostname: /^[^,]*$/ });
const REDIS_FORM = "Give redis://… or rediss://…, each node of a cluster in full.";

export const envSchema = z.object({
  NODE_ENV: z.enum(["development", "production", "test"]).default("production"),
  /** Postgres. */
  DATABASE_URL: z.url({ protocol: /^postgres(ql)?$/ }),
  DATABASE_POOL_SIZE: z.coerce.number().int().min(1).max(100).default(10),
  /** A read replica of it, for the rows of trades and reports that people download; absent: they are read from the database itself. */
  DATABASE_REPLICA_URL: z.url({ protocol: /^postgres(ql)?$/ }).optional(),
  /** Redis; several addresses: nodes of a Redis Cluster; absent: the queue runs on Postgres. */
  REDIS_URL: z
    .string()
    .refine((text) => redisUrls(text).every((url) => redisUrl.safeParse(url).success), REDIS_FORM)
    .refine(areOneCluster, "Nodes of a cluster have the same user, password and protocol, and no database but 0.")
    .optional(),
  /** Keys of the queue begin with this: installations that share a Redis do not meet. */
  QUEUE_PREFIX: z.string().min(1).default("tradewind"),
  /** Where people reach the product; links in mail begin with it. */
  APP_BASE_URL: address.default("http://127.0.0.1:3000"),
  /** Signs sign-in tokens: 64 characters or more, as hex or base64. Newest first: "<new>,<old>"; tokens of the old one hold on. */
  NEXTAUTH_SECRET: z
    .string()
    .refine((text) => text.split(",").every((secret) => secret.length >= 64), "Too short: 64 characters or more."),
  /** A sign-in without any call for this long ends; 12 hours after it began it ends in any case. */
  SESSION_IDLE_MINUTES: z.coerce.number().int().min(5).max(720).default(240),
  /** Master keys of sealed broker keys, newest first: "2:<base64 of 32 bytes>,1:<…>". */
  MASTER_KEYS: z
    .string()
    .regex(/^\d+:[A-Za-z0-9+/]{43}=(,\d+:[A-Za-z0-9+/]{43}=)*$/)
    .refine(hasEachVersionOnce, "Each master key needs a version of its own, from 1 on."),
  /** A file that holds the master keys instead of MASTER_KEYS, in the same form or one to a line. */
  MASTER_KEYS_FILE: z.string().optional(),
  /** Keys the audit chain's hashes: 32 bytes or more. */
  AUDIT_KEY: z.string().min(32),
  /** Signed heads of the audit chain are appended to this file; absent: to audit-heads.ndjson in DATA_DIR. */
  AUDIT_ANCHOR_FILE: z.string().optional(),
  /** How often a new head is signed and anchored. */
  AUDIT_ANCHOR_SECONDS: z.coerce.number().int().min(10).max(86_400).default(300),
  /** Outgoing mail; absent: mails stay in the outbox. */
  SMTP_URL: z.url({ protocol: /^smtps?$/ }).optional(),
  MAIL_FROM: z.string().default("Tradewind <no-reply@tradewind.example>"),
  SUPPORT_EMAIL: z.email().default("support@tradewind.example"),
  /** Where weaknesses are reported, for /.well-known/security.txt; absent: SUPPORT_EMAIL. */
  SECURITY_CONTACT: z
    .string()
    .regex(/^(mailto:[^\s@:/]+@[^\s@:/]+|https:\/\/[^\s]+)$/, "Give mailto:… or https://…")
    .optional(),
  /** Hosts ("host" or "host:port") that webhooks and pushes may reach though they are not public or speak http: for tests and private networks. */
  WEBHOOK_ALLOW_HOSTS: z
    .string()
    .regex(/^[a-z0-9.:[\],-]*$/, "Give host or host:port, lower case, with commas between.")
    .default("")
    .transform((text) => text.split(",").filter((host) => host !== "")),
  /** Signs web pushes (VAPID): 32 bytes, base64url. Absent: there are no pushes. */
  VAPID_PRIVATE_KEY: z
    .string()
    .regex(/^[A-Za-z0-9_-]{43}$/, "Give 32 bytes as base64url.")
    .optional(),
  /** Whom a push service may turn to; absent: SUPPORT_EMAIL. */
  VAPID_SUBJECT: z
    .string()
    .regex(/^(mailto:[^\s@:/]+@[^\s@:/]+|https:\/\/[^\s]+)$/, "Give mailto:… or https://…")
    .optional(),
  /** How many proxies of the operator stand in front of `scripts/web.mjs`: their X-Forwarded-For entries are believed. */
  TRUSTED_PROXIES: z.coerce.number().int().min(0).max(5).default(0),
  /** Ports of Prometheus metrics, of the web process and of the worker; absent: none. */
  WEB_METRICS_PORT: z.coerce.number().int().min(1).max(65_535).optional(),
  WORKER_METRICS_PORT: z.coerce.number().int().min(1).max(65_535).optional(),
  /** Where the metrics listen: they are for the operator's Prometheus alone. */
  METRICS_HOST: z.string().min(1).default("127.0.0.1"),
  /** Where OpenTelemetry traces go, by OTLP over HTTP: a collector, "/v1/traces" is added; absent: there are none. */
  OTEL_EXPORTER_OTLP_ENDPOINT: address.optional(),
  /** The same for traces alone, as it stands; it comes first. */
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: address.optional(),
  /** "name=value,…", a collector's token among them. Read by the exporter itself, as the two below are by the SDK. */
  OTEL_EXPORTER_OTLP_HEADERS: z.string().optional(),
  /** Absent: tradewind-web, tradewind-worker, tradewind-watchdog. */
  OTEL_SERVICE_NAME: z.string().min(1).max(100).optional(),
  OTEL_RESOURCE_ATTRIBUTES: z.string().optional(),
  /** Which traces are kept, and the share of them where the name ends in traceidratio. */
  OTEL_TRACES_SAMPLER: z
    .enum([
      "always_on",
      "always_off",
      "traceidratio",
      "parentbased_always_on",
      "parentbased_always_off",
      "parentbased_traceidratio",
    ])
    .default("parentbased_always_on"),
  OTEL_TRACES_SAMPLER_ARG: z.coerce.number().min(0).max(1).default(1),
  /** The first administrator, made at set-up when both are given and there is none. */
  ADMIN_EMAIL: z.email().optional(),
  ADMIN_PASSWORD: z.string().min(8).optional(),
  /** The practice market; absent: there is none. */
  EXCHANGE_URL: address.optional(),
  EXCHANGE_CONTROL_TOKEN: z.string().min(16).optional(),
  /** Alpaca. */
  ALPACA_PAPER_URL: address.default("https://paper-api.alpaca.markets"),
  ALPACA_LIVE_URL: address.default("https://api.alpaca.markets"),
  ALPACA_DATA_URL: address.default("https://data.alpaca.markets"),
  ALPACA_DATA_FEED: z.enum(["iex", "sip", "delayed_sip"]).default("iex"),
  /** This installation as an application at Alpaca, so that people connect accounts without keys; absent: they paste keys. */
  ALPACA_OAUTH_CLIENT_ID: z.string().optional(),
  ALPACA_OAUTH_CLIENT_SECRET: z.string().optional(),
  ALPACA_OAUTH_AUTHORIZE_URL: address.default("https://app.alpaca.markets/oauth/authorize"),
  ALPACA_OAUTH_TOKEN_URL: address.default("https://api.alpaca.markets/oauth/token"),
  /** Requests a minute that the data plan allows; reading history takes four fifths of them at most. */
  ALPACA_DATA_REQUESTS_PER_MINUTE: z.coerce.number().int().min(10).max(10_000).default(200),
  /** Keys for market data of the US market; absent: the US market is not screened. */
  ALPACA_DATA_KEY_ID: z.string().optional(),
  ALPACA_DATA_SECRET: z.string().optional(),
  /** Earnings calendar of the US market. */
  FINNHUB_TOKEN: z.string().optional(),
  /** Sectors of the US market; and its earnings calendar where FINNHUB_TOKEN is absent. */
  FMP_API_KEY: z.string().optional(),
  /** Calendar of coming reports of the US market where the two above are absent. */
  ALPHA_VANTAGE_KEY: z.string().optional(),
  /** Closes a day that Alpha Vantage is asked for, to compare them. Its free plan has 25 calls a day. */
  ALPHA_VANTAGE_CLOSES: z.coerce.number().int().min(0).max(500).default(0),
  /** Who answers for the requests to the SEC, which asks for an address: sectors and dates of results of the US market. Absent: it is not asked. */
  SEC_CONTACT: z.email().optional(),
  /** A language model that puts records into words beside the product's own writer; absent: there is none. */
  INSIGHT_PROVIDER: z.enum(["anthropic", "openai-compatible"]).optional(),
  INSIGHT_MODEL: z.string().min(1).max(100).optional(),
  INSIGHT_API_KEY: z.string().optional(),
  /** Where it answers, with its version: "http://127.0.0.1:11434/v1". Needed for openai-compatible. */
  INSIGHT_URL: address.optional(),
  /** Calls of the model for one person within a day. */
  INSIGHT_DAILY_CALLS: z.coerce.number().int().min(1).max(1_000).default(40),
  /** Where the vendors beside Alpaca answer. */
  FINNHUB_URL: address.default("https://finnhub.io"),
  FMP_URL: address.default("https://financialmodelingprep.com"),
  ALPHA_VANTAGE_URL: address.default("https://www.alphavantage.co"),
  CBOE_URL: address.default("https://cdn.cboe.com/api/global/us_indices/daily_prices"),
  FRED_URL: address.default("https://fred.stlouisfed.org"),
  SEC_URL: address.default("https://www.sec.gov"),
  SEC_DATA_URL: address.default("https://data.sec.gov"),
  /** Where the set-up keeps its data; the seed writes the demo sign-ins there. */
  DATA_DIR: z.string().optional(),
  /** 0: no demo users. */
  DEMO: z
    .enum(["0", "1"])
    .default("1")
    .transform((value) => value === "1"),
  /** Which environment's feature flags are in force here. */
  FLAG_ENVIRONMENT: z.enum(FLAG_ENVIRONMENTS).default("production"),
  /** A worker without a beat for this long counts as gone: the watchdog acts. The worker beats every 5 s. */
  WORKER_SILENCE_SECONDS: z.coerce.number().int().min(15).max(600).default(60),
  /** 1: this worker is a canary. It takes the accounts of the share that `npm run canary` sets, and nothing else. */
  CANARY: z
    .enum(["0", "1"])
    .default("0")
    .transform((value) => value === "1"),
  /** Decisions that did nothing are deleted after so many days; absent: they are kept for good. */
  DECISIONS_KEPT_DAYS: z.coerce.number().int().min(90).max(36_500).optional(),
  /** Names the running build and start, so that a health check is answered by the right process. */
  INSTANCE_ID: z.string().default("dev"),
  LOG_LEVEL: z.enum(LOG_LEVELS).default("info"),
  /** Names a crash point (lib/server/crash-point.ts). Refused in production. */
  CRASH_AT: z.string().optional(),
});

export type Env = z.output<typeof envSchema>;

function areOneCluster(text: string): boolean {
  const urls = redisUrls(text);
  if (urls.length === 1 || !urls.every((url) => URL.canParse(url))) return true;
  const signIn = ({ protocol, username, password }: URL) => `${protocol}//${username}:${password}`;
  const parsed = urls.map((url) => new URL(url));
  return new Set(parsed.map(signIn)).size === 1 && parsed.every(({ pathname }) => /^\/?0?$/.test(pathname));
}

function hasEachVersionOnce(text: string): boolean {
  const versions = text.split(",").map((entry) => Number(entry.slice(0, entry.indexOf(":"))));
  return versions.every((version) => version >= 1) && new Set(versions).size === versions.length;
}

let cached: Env | undefined;

/** Parsed at first use, so that a build needs no environment. Fails with every problem named. */
export function env(): Env {
  if (cached) return cached;
  const present = withKeysOfFile(Object.fromEntries(Object.entries(process.env).filter(([, value]) => value !== "")));
  const parsed = envSchema.safeParse(present);
  const problems = parsed.success
    ? [
        ...placeholdersIn(parsed.data).map((name) => `${name}: this is the placeholder of .env.example`),
        ...(isProxyUnnamed(parsed.data) ? [PROXY_UNNAMED] : []),
        ...missingForInsight(parsed.data),
        ...(isOAuthHalf(parsed.data) ? [OAUTH_HALF] : []),
      ]
    : parsed.error.issues.map((issue) => `${issue.path.join(".")}: ${issue.message}`);
  if (!parsed.success || problems.length > 0)
    throw new Error(`The environment is not complete:\n${problems.map((line) => `  ${line}`).join("\n")}`);
  cached = parsed.data;
  return cached;
}

/** Fails where the file cannot be read, and where the keys are given twice: it would be unclear which ones count. */
function withKeysOfFile(present: Record<string, string | undefined>): Record<string, string | undefined> {
  const { MASTER_KEYS, MASTER_KEYS_FILE } = present;
  if (MASTER_KEYS_FILE === undefined) return present;
  if (MASTER_KEYS !== undefined)
    throw new Error("The environment is not complete:\n  MASTER_KEYS: give MASTER_KEYS or MASTER_KEYS_FILE, not both");
  try {
    const lines = readFileSync(MASTER_KEYS_FILE, "utf8").split(/[\s,]+/);
    return { ...present, MASTER_KEYS: lines.filter((line) => line !== "").join(",") };
  } catch (cause) {
    throw new Error("The environment is not complete:\n  MASTER_KEYS_FILE: the file cannot be read", { cause });
  }
}

/** Secrets of one character repeated, as the example file shows them: in production they would be public. */
function placeholdersIn({ NODE_ENV, NEXTAUTH_SECRET, MASTER_KEYS, AUDIT_KEY }: Env): string[] {
  if (NODE_ENV !== "production") return [];
  const isPlaceholder = (secret: string) => /^(.)\1*=?$/.test(secret);
  const isOneByte = (key: string) => new Set(Buffer.from(key, "base64")).size === 1;
  const masterKeys = MASTER_KEYS.split(",").map((entry) => entry.slice(entry.indexOf(":") + 1));
  return [
    ...(NEXTAUTH_SECRET.split(",").some(isPlaceholder) ? ["NEXTAUTH_SECRET"] : []),
    ...(masterKeys.some((key) => isPlaceholder(key) || isOneByte(key)) ? ["MASTER_KEYS"] : []),
    ...(isPlaceholder(AUDIT_KEY) ? ["AUDIT_KEY"] : []),
  ];
}

/** Behind a proxy that is not named all people share its address: what one of them does would be refused to all. */
const isProxyUnnamed = ({ APP_BASE_URL, TRUSTED_PROXIES }: Env) =>
  APP_BASE_URL.startsWith("https://") && TRUSTED_PROXIES === 0;
const PROXY_UNNAMED =
  "TRUSTED_PROXIES: an https APP_BASE_URL means that a proxy with TLS stands in front. Say how many there are (1 for one), otherwise callers cannot be distinguished";

/** What a model needs that is named and not set. */
function missingForInsight({ INSIGHT_PROVIDER, INSIGHT_MODEL, INSIGHT_API_KEY, INSIGHT_URL }: Env): string[] {
  if (INSIGHT_PROVIDER === undefined) return [];
  return [
    ...(INSIGHT_MODEL === undefined ? ["INSIGHT_MODEL: name the model of INSIGHT_PROVIDER"] : []),
    ...(INSIGHT_PROVIDER === "anthropic" && INSIGHT_API_KEY === undefined
      ? ["INSIGHT_API_KEY: anthropic asks for one"]
      : []),
    ...(INSIGHT_PROVIDER === "openai-compatible" && INSIGHT_URL === undefined
      ? ["INSIGHT_URL: say where the openai-compatible model answers"]
      : []),
  ];
}
const isOAuthHalf = ({ ALPACA_OAUTH_CLIENT_ID, ALPACA_OAUTH_CLIENT_SECRET }: Env) =>
  (ALPACA_OAUTH_CLIENT_ID === undefined) !== (ALPACA_OAUTH_CLIENT_SECRET === undefined);
const OAUTH_HALF = "ALPACA_OAUTH_CLIENT_ID, ALPACA_OAUTH_CLIENT_SECRET: give both, or neither";

/** Tests that change the environment forget the old reading. */
export function forgetEnv(): void {
  cached = undefined;
}
