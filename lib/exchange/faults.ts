import { randomUUID } from "node:crypto";

export const FAULT_KINDS = [
  "drop_before_accept",
  "drop_after_accept",
  "late_accept",
  "hang",
  "status",
  "status_after_accept",
  "garbage_200",
  "lookup_lag",
  "uniqueness_off",
  "duplicate_events",
  "mute_stream",
] as const;
export type FaultKind = (typeof FAULT_KINDS)[number];

export interface FaultInput {
  kind: FaultKind;
  /** HTTP method, any when absent. */
  method?: string | undefined;
  /** The beginning of the path, or a pattern with * for anything; any trading or data path when absent. */
  path?: string | undefined;
  /** How often it strikes; absent = once, 0 = until deleted. Standing kinds (lookup_lag, uniqueness_off, duplicate_events, mute_stream) stand until deleted when absent. */
  count?: number | undefined;
  /** late_accept, hang and lookup_lag: wall milliseconds. */
  ms?: number | undefined;
  /** status and status_after_accept. */
  status?: number | undefined;
  headers?: Record<string, string> | undefined;
}

export interface Fault extends FaultInput {
  id: string;
  left: number;
  struck: number;
}

const STANDING: ReadonlySet<FaultKind> = new Set(["lookup_lag", "uniqueness_off", "duplicate_events", "mute_stream"]);

export interface Faults {
  add(input: FaultInput): Fault;
  remove(id?: string): number;
  list(): Fault[];
  /** The first fault of one of the kinds that fits the request; using it up counts. */
  strike(kinds: readonly FaultKind[], method: string, path: string): Fault | undefined;
}

function fits(fault: Fault, method: string, path: string): boolean {
  if (fault.method !== undefined && fault.method.toUpperCase() !== method) return false;
  if (fault.path === undefined) return true;
  if (!fault.path.includes("*")) return path.startsWith(fault.path);
  const pattern = fault.path.split("*").map((part) => part.replace(/[.+?^${}()|[\]\\]/g, "\\$&"));
  return new RegExp(`^${pattern.join(".*")}$`).test(path);
}

/** Scripted misbehaviour, in the order it was asked for. */
export function createFaults(): Faults {
  let faults: Fault[] = [];
  return {
    add(input) {
      const count = input.count ?? (STANDING.has(input.kind) ? 0 : 1);
      const fault: Fault = { ...input, id: randomUUID(), left: count === 0 ? Infinity : count, struck: 0 };
      faults.push(fault);
      return fault;
    },
    remove(id) {
      const before = faults.length;
      faults = id === undefined ? [] : faults.filter((fault) => fault.id !== id);
      return before - faults.length;
    },
    list: () => faults,
    strike(kinds, method, path) {
      const fault = faults.find((f) => f.left > 0 && kinds.includes(f.kind) && fits(f, method, path));
      if (fault === undefined) return undefined;
      fault.left -= 1;
      fault.struck += 1;
      return fault;
    },
  };
}
