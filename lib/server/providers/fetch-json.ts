import type { z } from "zod";
import { Failure } from "@/lib/domain/failures.ts";
import type { ProviderName } from "@/lib/domain/providers.ts";
import { timedCall } from "./provider-calls.ts";

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

const counted = <T>({ vendor, countedAs = vendor, operation }: VendorCall, work: () => Promise<T>): Promise<T> =>
  timedCall({ provider: countedAs, operation }, work);

/** A vendor's JSON in the form that we know; another form is no answer. Timed and counted. */
export function readJson<S extends z.ZodType>(
  call: VendorCall,
  schema: S,
  url: URL,
  options: FetchOptions = {},
): Promise<z.output<S>> {
  return counted(call, async () => readAs(call.vendor, schema, await fetchJson(call.vendor, url, options)));
}

/** A vendor's text, read by `read`. Timed and counted. */
export function readText<T>(call: VendorCall, url: URL, read: (text: string) => T): Promise<T> {
  return counted(call, async () => read(await fetchText(call.vendor, url)));
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
    if (response.ok) return await boundedText(response);
  } catch (cause) {
    throw new Failure("unavailable", `${provider} cannot be reached right now.`, { cause });
  }
  await response.body?.cancel();
  throw new Failure("unavailable", `${provider} answered with status ${response.status}.`, {
    cause: { path: url.pathname, status: response.status },
  });
}

/** Far above any true answer; what is longer is not read to its end. */
const MOST_BYTES = 64 * 1024 * 1024;

async function boundedText(response: Response): Promise<string> {
  const parts: Buffer[] = [];
  let bytes = 0;
  for await (const part of response.body ?? []) {
    bytes += (part as Uint8Array).byteLength;
    if (bytes > MOST_BYTES) throw new Error(`the answer is longer than ${MOST_BYTES} bytes`);
    parts.push(Buffer.from(part as Uint8Array));
  }
  return Buffer.concat(parts).toString("utf8");
}

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
