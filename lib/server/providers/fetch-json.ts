import { setTimeout as delay } from "node:timers/promises";
import type { z } from "zod";
import { Failure } from "@/lib/domain/failures.ts";
import type { ProviderName } from "@/lib/domain/providers.ts";
import { noteOutcome, passCircuit } from "./circuit.ts";
import { faultOf, timedCall } from "./provider-calls.ts";
import { AnswerTooLong, readBounded } from "../read-bounded.ts";

/** One call of a vendor's interface. */
export interface VendorCall {
  /** Whose interface it is, for sentences. */
  vendor: ProviderName;
  /** The address that answers instead of the vendor: the practice market implements the vendors' interfaces. */
  countedAs?: ProviderName | undefined;
  operation: string;
}

interface FetchOptions {
  headers?: Record<string, string>;
  timeoutMs?: number;
}

/** A read that met no answer or an error of the server is made again, once. A refusal or a timeout is not retried. */
const ATTEMPTS = 2;
const RETRY_AFTER_MS = 150;
const PASSING_STATUSES = [500, 502, 503, 504];
const USED_UP = 429;

/** One read of a vendor: through its circuit, each attempt timed and counted. */
async function attempted<T>(
  { vendor, countedAs = vendor, operation }: VendorCall,
  url: URL,
  work: () => Promise<T>,
): Promise<T> {
  passCircuit(vendor, url);
  for (let attempt = 1; ; attempt += 1) {
    try {
      const answer = await timedCall({ provider: countedAs, operation }, work);
      noteOutcome(vendor, url, true);
      return answer;
    } catch (error) {
      const { error: fault, status } = faultOf(error);
      const isPassing = fault === "unreachable" || PASSING_STATUSES.includes(status);
      if (isPassing && attempt < ATTEMPTS) {
        await delay(RETRY_AFTER_MS);
        continue;
      }
      noteOutcome(vendor, url, !(isPassing || fault === "timeout" || status === USED_UP));
      throw error;
    }
  }
}

/** A vendor's JSON in the form that we know; another form is no answer. */
export function readJson<S extends z.ZodType>(
  call: VendorCall,
  schema: S,
  url: URL,
  options: FetchOptions = {},
): Promise<z.output<S>> {
  return attempted(call, url, async () => readAs(call.vendor, schema, await fetchJson(call.vendor, url, options)));
}

/** A vendor's text, read by `read`. */
export function readText<T>(call: VendorCall, url: URL, read: (text: string) => T): Promise<T> {
  return attempted(call, url, async () => read(await fetchText(call.vendor, url)));
}

/** One GET of a vendor. Anything but a 2xx in time is `unavailable`; the vendor's own words stay in the cause. */
async function fetchText(provider: string, url: URL, options: FetchOptions = {}): Promise<string> {
  let response: Response;
  try {
    response = await fetch(url, {
      headers: options.headers ?? {},
      signal: AbortSignal.timeout(options.timeoutMs ?? 15_000),
      redirect: "error",
    });
    if (response.ok) return (await readBounded(response, MOST_BYTES)).toString("utf8");
  } catch (cause) {
    if (cause instanceof AnswerTooLong)
      throw new Failure("unavailable", `${provider} answered with more than it ever could.`, { cause: "too long" });
    throw new Failure("unavailable", `${provider} cannot be reached right now.`, { cause });
  }
  await response.body?.cancel();
  throw new Failure("unavailable", `${provider} answered with status ${response.status}.`, {
    cause: { path: url.pathname, status: response.status },
  });
}

/** Far above any true answer; what is longer is not read to its end. */
const MOST_BYTES = 64 * 1024 * 1024;

async function fetchJson(provider: string, url: URL, options: FetchOptions = {}): Promise<unknown> {
  const body = await fetchText(provider, url, options);
  try {
    return JSON.parse(body) as unknown;
  } catch (cause) {
    throw new Failure("unavailable", `${provider} answered with something that is not JSON.`, { cause });
  }
}

function readAs<S extends z.ZodType>(provider: string, schema: S, body: unknown): z.output<S> {
  const read = schema.safeParse(body);
  if (read.success) return read.data;
  throw new Failure("unavailable", `${provider} answered in a form that is not known.`, { cause: read.error });
}

/** The base with a path below it and a query; undefined values are left out. */
export function urlOf(base: string, path: string, query: Record<string, string | number | undefined> = {}): URL {
  const url = new URL(base.replace(/\/$/, "") + path);
  for (const [key, value] of Object.entries(query)) if (value !== undefined) url.searchParams.set(key, String(value));
  return url;
}
