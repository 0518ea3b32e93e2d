import { addressOfRead } from "@/lib/client/api.ts";
import type { Call, Endpoint, Sent } from "@/lib/contracts/endpoint.ts";
import type { Read } from "@/lib/server/http/prefetch.ts";
import type { Handler } from "@/lib/server/http/route.ts";

/** The routes of one path. */
interface Routes {
  GET: Handler;
}

/** A read that a screen makes, with the routes that answer it. */
export function read<E extends Endpoint>({ GET }: Routes, endpoint: E | Call<E>, input: Sent<E>): Read {
  const given = (input ?? {}) as Record<string, string>;
  const names = [...endpoint.path.matchAll(/\{(\w+)\}/g)].map(([, name = ""]) => name);
  return {
    path: endpoint.path,
    input: given,
    address: addressOfRead<E>(endpoint, input),
    parameters: Object.fromEntries(names.map((name) => [name, given[name] ?? ""])),
    handler: GET,
  };
}
