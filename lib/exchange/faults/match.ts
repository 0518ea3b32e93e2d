import { type FaultInput, kindOf } from "./kinds.ts";

/** What a request, an order or an event is about; a fault that names an account or symbol strikes only where it is known. */
export interface Subject {
  accountId?: string | undefined;
  accountNumber?: string | undefined;
  symbols?: readonly string[] | undefined;
  clientOrderId?: string | undefined;
  event?: string | undefined;
}

const patterns = new Map<string, RegExp>();
const PATTERNS_MAX = 1_000;

function patternOf(text: string): RegExp {
  let pattern = patterns.get(text);
  if (pattern === undefined) {
    const parts = text.split("*").map((part) => part.replace(/[.+?^${}()|[\]\\]/g, "\\$&"));
    pattern = new RegExp(`^${parts.join(".*")}$`);
    if (patterns.size >= PATTERNS_MAX) patterns.clear();
    patterns.set(text, pattern);
  }
  return pattern;
}

function fitsPath(wanted: string, path: string): boolean {
  return wanted.includes("*") ? patternOf(wanted).test(path) : path.startsWith(wanted);
}

/** Whether a fault is meant for this occasion, leaving aside how often and when. */
export function fitsFault(fault: FaultInput, method: string, path: string, subject: Subject): boolean {
  const { on, stage } = kindOf(fault.kind);
  const wantedMethod = fault.method ?? on?.method;
  if (wantedMethod !== undefined && wantedMethod !== method) return false;
  const wantedPath = fault.path ?? on?.path;
  // Events and sockets have one path of their own.
  if (wantedPath !== undefined && stage !== "event" && !fitsPath(wantedPath, path)) return false;
  if (fault.vendor !== undefined && !path.startsWith(`/vendors/${fault.vendor}/`)) return false;
  if (fault.account !== undefined && fault.account !== subject.accountId && fault.account !== subject.accountNumber)
    return false;
  if (fault.symbol !== undefined && subject.symbols?.includes(fault.symbol) !== true) return false;
  if (fault.event !== undefined && fault.event !== subject.event) return false;
  if (fault.client_order_id === undefined) return true;
  return subject.clientOrderId !== undefined && patternOf(fault.client_order_id).test(subject.clientOrderId);
}
