import { readdirSync } from "node:fs";
import path from "node:path";
import type { Endpoint } from "@/lib/contracts/endpoint.ts";
import type { Handler } from "@/lib/server/http/route.ts";

/** A handler that a route file exports; without an endpoint it may only refuse. */
export interface Exported {
  /** Below /api/v1, with {parameters}: from the folder, not from the contract. */
  address: string;
  method: string;
  handler: Handler;
  endpoint: Endpoint | undefined;
}

const ROOT = path.resolve(import.meta.dirname, "../../../app/api/v1");

/** Whatever the route files export, found by walking the tree: a new file needs no entry anywhere. */
export async function exportedHandlers(): Promise<Exported[]> {
  const files = readdirSync(ROOT, { recursive: true, encoding: "utf8" }).filter(
    (file) => path.basename(file) === "route.ts",
  );
  const found: Exported[] = [];
  for (const file of files.sort()) {
    const door = (await import(path.join(ROOT, file))) as Record<string, unknown>;
    const address = `/${path.dirname(file).split(path.sep).join("/")}`.replace(/\[([^\]]+)\]/g, "{$1}");
    for (const [method, handler] of Object.entries(door)) {
      if (typeof handler !== "function") continue;
      found.push({
        address,
        method,
        handler: handler as Handler,
        endpoint: (handler as { endpoint?: Endpoint }).endpoint,
      });
    }
  }
  return found;
}

export type Served = Exported & { endpoint: Endpoint };

export const isServed = (exported: Exported): exported is Served => exported.endpoint !== undefined;

export const lineOf = ({ method, address }: Pick<Exported, "method" | "address">) => `${method} ${address}`;

/** The names in braces: "/accounts/{id}" has id. */
export const parametersOf = ({ path: address }: Endpoint): string[] =>
  [...address.matchAll(/\{(\w+)\}/g)].map(([, name = ""]) => name);

/** What stands before a parameter: of "/admin/users/{id}" it is "users". */
export function nounBefore({ path: address }: Endpoint, parameter: string): string {
  const steps = address.split("/");
  return steps[steps.indexOf(`{${parameter}}`) - 1] ?? "";
}
