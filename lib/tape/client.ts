import { Failure } from "@/lib/domain/failures.ts";

/** Attempts at one call, and the longest wait between two. */
const ATTEMPTS = 7;
const WAIT_AT_MOST_MS = 70_000;
const TIMEOUT_MS = 60_000;

export interface ClientOptions {
  callsPerMinute: number;
  say(line: string): void;
  pause(ms: number): Promise<void>;
}

export interface Client {
  /** The body of a 200; waits its turn, and tries again what may go better another time. */
  text(vendor: string, url: URL, headers?: Record<string, string>): Promise<string>;
  json(vendor: string, url: URL, headers?: Record<string, string>): Promise<unknown>;
}

/** How long the answer asks us to wait: `Retry-After`, or the moment at which the limit is reset. */
function askedWaitMs(headers: Headers): number | null {
  const after = headers.get("retry-after");
  if (after !== null && Number.isFinite(Number(after))) return Number(after) * 1000;
  const reset = headers.get("x-ratelimit-reset");
  if (reset !== null && Number.isFinite(Number(reset))) return Math.max(0, Number(reset) * 1000 - Date.now());
  return null;
}

type Outcome = { body: string } | { waitMs: number | null; why: string };

async function attempt(vendor: string, url: URL, headers: Record<string, string>): Promise<Outcome> {
  let response: Response;
  try {
    response = await fetch(url, { headers, signal: AbortSignal.timeout(TIMEOUT_MS), redirect: "error" });
    if (response.status === 200) return { body: await response.text() };
  } catch (error) {
    return { waitMs: null, why: error instanceof Error ? error.message : String(error) };
  }
  const said = (await response.text().catch(() => "")).slice(0, 300);
  const { status } = response;
  if (status === 401 || status === 403)
    throw new Failure("invalid_input", `${vendor} refuses the keys or the plan (${status}): ${said}`);
  if (status !== 408 && status !== 425 && status !== 429 && status < 500)
    throw new Failure("unavailable", `${vendor} answered ${url.pathname} with ${status}: ${said}`);
  return { waitMs: status === 429 || status === 503 ? askedWaitMs(response.headers) : null, why: `status ${status}` };
}

/** Calls one after another, never more a minute than allowed, with patience for limits and hiccups. */
export function createClient({ callsPerMinute, say, pause }: ClientOptions): Client {
  const betweenMs = 60_000 / callsPerMinute;
  let freeAt = 0;

  async function text(vendor: string, url: URL, headers: Record<string, string> = {}): Promise<string> {
    for (let tried = 1; ; tried += 1) {
      const now = performance.now();
      if (freeAt > now) await pause(freeAt - now);
      freeAt = Math.max(now, freeAt) + betweenMs;
      const outcome = await attempt(vendor, url, headers);
      if ("body" in outcome) return outcome.body;
      if (tried === ATTEMPTS) throw new Failure("unavailable", `${vendor} cannot be reached: ${outcome.why}.`);
      const waitMs = Math.min(WAIT_AT_MOST_MS, outcome.waitMs ?? 1_000 * 2 ** (tried - 1));
      say(`${vendor}: ${outcome.why}; trying again in ${Math.ceil(waitMs / 1000)} s`);
      await pause(waitMs);
    }
  }

  return {
    text,
    async json(vendor, url, headers) {
      const body = await text(vendor, url, headers);
      try {
        return JSON.parse(body) as unknown;
      } catch (cause) {
        throw new Failure("unavailable", `${vendor} answered with something that is not JSON.`, { cause });
      }
    },
  };
}

/** The base with a path below it and a query; undefined values are left out. */
export function urlOf(base: string, path: string, query: Record<string, string | number | undefined> = {}): URL {
  const url = new URL(base + path);
  for (const [key, value] of Object.entries(query)) if (value !== undefined) url.searchParams.set(key, String(value));
  return url;
}
