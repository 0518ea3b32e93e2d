import { FAILURES, type FailureCode } from "@/lib/domain/failures.ts";
import type { FuzzRequest } from "./request.ts";

export interface FuzzAnswer {
  /** 0: the line was closed without an answer. */
  status: number;
  headers: Record<string, string>;
  text: string;
  durationMs: number;
}

export interface FuzzedStack {
  /** Without a market and a worker, calls that need one answer 503 and name no time. */
  hasMarket: boolean;
  /** An answer that takes longer is a fault. */
  slowMs: number;
}

/** What must never stand in an answer: how the server is made, and what a header of ours never says. */
const TELLTALE = /\bat [^\n]*\.(?:ts|m?js):\d+|node_modules|Prisma|ECONN|\$argon2|select "|insert into/i;

/** What is wrong with an answer, as a sentence; null: nothing. */
export function problemOf(request: FuzzRequest, answer: FuzzAnswer, stack: FuzzedStack): string | null {
  const { status, headers, text, durationMs } = answer;
  if (durationMs > stack.slowMs) return `it took ${Math.round(durationMs)} ms`;
  if (/injected/.test(headers["set-cookie"] ?? "")) return "a header of the request came back as one of ours";
  if (status === 0) return request.mayEndAtServer ? null : "the line was closed without an answer";
  // A link that a person follows ends on a page.
  if (status === 303 && headers.location !== undefined) return null;
  if (headers["x-request-id"] === undefined) {
    if (!request.mayEndAtServer) return `${status} is no answer of ours`;
    return status >= 500 && status !== 501 ? `the server itself answered ${status}` : null;
  }
  if (isShed(answer, stack)) return null;
  if (status >= 500 && status !== 501) return `it answered ${status}: ${text.slice(0, 200)}`;
  if (TELLTALE.test(text)) return `the answer tells how the server is made: ${text.slice(0, 200)}`;
  if (request.method === "HEAD" || status === 304) return null;
  if (headers["content-disposition"] !== undefined) return null;
  return problemOfEnvelope(answer);
}

/** Told to come back later, or what is not there: no fault, and counted apart. */
export function isShed({ status, headers, text }: FuzzAnswer, { hasMarket }: Pick<FuzzedStack, "hasMarket">): boolean {
  // HEAD has no body to look into.
  if (status !== 503 || (text !== "" && !text.includes('"success":false'))) return false;
  return headers["retry-after"] !== undefined || !hasMarket;
}

function problemOfEnvelope({ status, headers, text }: FuzzAnswer): string | null {
  let envelope: Record<string, unknown>;
  try {
    envelope = JSON.parse(text) as Record<string, unknown>;
  } catch {
    return `${status} without JSON: ${text.slice(0, 200)}`;
  }
  if (status < 300)
    return envelope.success === true && envelope.error === null && "data" in envelope
      ? null
      : `${status} outside of the envelope: ${text.slice(0, 200)}`;
  const { success, data, error, code, requestId } = envelope;
  const isFailure = success === false && data === null && typeof error === "string" && error !== "";
  if (!isFailure || requestId !== headers["x-request-id"])
    return `${status} outside of the envelope: ${text.slice(0, 200)}`;
  const known = typeof code === "string" && Object.hasOwn(FAILURES, code) ? FAILURES[code as FailureCode] : null;
  return known?.status === status ? null : `${status} does not go with the code ${String(code)}`;
}
