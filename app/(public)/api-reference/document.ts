import { apiDocument } from "@/lib/contracts/api-document.ts";
import type { Operation } from "@/lib/contracts/openapi.ts";

export interface Call {
  method: string;
  path: string;
  operation: Operation;
}

/** The calls below each first part of their path, in the order of the alphabet. */
export function callsByGroup(): Map<string, Call[]> {
  const { tags, paths } = apiDocument();
  const groups = new Map<string, Call[]>(tags.map(({ name }) => [name, []]));
  for (const [path, methods] of Object.entries(paths))
    for (const [method, operation] of Object.entries(methods))
      groups.get(operation.tags[0] ?? "")?.push({ method: method.toUpperCase(), path, operation });
  for (const calls of groups.values()) calls.sort((a, b) => a.path.localeCompare(b.path));
  return groups;
}
