import { Failure } from "@/lib/domain/failures.ts";

interface FetchOptions {
  headers?: Record<string, string>;
  timeoutMs?: number;
}

/** One timed GET of a vendor. Anything but a 2xx in time is `unavailable`; the vendor's own words stay in the cause. */
export async function fetchText(provider: string, url: URL, options: FetchOptions = {}): Promise<string> {
  let response: Response;
  try {
    response = await fetch(url, {
      headers: options.headers ?? {},
      signal: AbortSignal.timeout(options.timeoutMs ?? 15_000),
      redirect: "error",
    });
    if (response.ok) return await response.text();
  } catch (cause) {
    throw new Failure("unavailable", `${provider} cannot be reached right now.`, { cause });
  }
  await response.body?.cancel();
  throw new Failure("unavailable", `${provider} answered with status ${response.status}.`, {
    cause: { path: url.pathname, status: response.status },
  });
}

export async function fetchJson(provider: string, url: URL, options: FetchOptions = {}): Promise<unknown> {
  const body = await fetchText(provider, url, options);
  try {
    return JSON.parse(body) as unknown;
  } catch (cause) {
    throw new Failure("unavailable", `${provider} answered with something that is not JSON.`, { cause });
  }
}

/** The base with a path below it and a query; undefined values are left out. */
export function urlOf(base: string, path: string, query: Record<string, string | number | undefined> = {}): URL {
  const url = new URL(base.replace(/\/$/, "") + path);
  for (const [key, value] of Object.entries(query)) if (value !== undefined) url.searchParams.set(key, String(value));
  return url;
}
