import { errors } from "@alpacahq/alpaca-trade-api";
import { Failure } from "@/lib/domain/failures.ts";
import { sendClass } from "@/lib/domain/protocol/answer.ts";
import { throttleWaitMs } from "@/lib/domain/protocol/mark.ts";
import type { CancelOutcome, SubmitOutcome } from "./broker.ts";

/** What a failed call to the SDK was, by status and code. The SDK throws more than its own error classes. */
export type BrokerError =
  | { kind: "answered"; status: number; code: string | null; message: string; retryAfterMs: number | null }
  | { kind: "unanswered"; message: string };

export function describeError(error: unknown): BrokerError {
  if (error instanceof errors.ApiError) {
    const code = typeof error.code === "number" || typeof error.code === "string" ? String(error.code) : null;
    return {
      kind: "answered",
      status: error.status,
      code,
      message: error.message.slice(0, 300),
      retryAfterMs: error.retryAfterMs ?? null,
    };
  }
  const cause = error instanceof Error && error.cause instanceof Error ? `: ${error.cause.message}` : "";
  const reason = error instanceof Error ? `${error.name}: ${error.message}${cause}` : String(error);
  return { kind: "unanswered", message: reason.slice(0, 300) };
}

/** 401, and 403 without a code, speak of the keys; 403 with a code speaks of the request. */
function isAboutKeys(error: BrokerError): boolean {
  return error.kind === "answered" && (error.status === 401 || (error.status === 403 && error.code === null));
}

export function isNotFound(error: unknown): boolean {
  const described = describeError(error);
  return described.kind === "answered" && described.status === 404 && described.code !== null;
}

export function readFailure(error: unknown): Failure {
  if (error instanceof Failure) return error;
  const described = describeError(error);
  if (isAboutKeys(described)) return new Failure("broker_refused", "The broker refused these keys.", { cause: error });
  if (described.kind === "answered" && described.retryAfterMs !== null && [429, 503].includes(described.status))
    return new Failure("broker_unavailable", "The broker asks to wait.", {
      cause: error,
      retryAfterMs: described.retryAfterMs,
    });
  return new Failure("broker_unavailable", "The broker cannot be reached at the moment.", { cause: error });
}

/** 40010001 is also every other missing or malformed parameter: the caller has to look before it believes in a duplicate. */
export function mayBeDuplicate(error: unknown): boolean {
  const described = describeError(error);
  return described.kind === "answered" && sendClass(described.status, described.code, false) === "duplicate";
}

/**
 * How long a throttled caller waits: to the broker's reset, a second more, and a little chance, so that the
 * accounts of a host do not retry in step. Bounded, whatever the header says.
 */
export function waitAfterThrottle(resetInMs: number | null, random: () => number = Math.random): number {
  return throttleWaitMs(resetInMs ?? 0, random());
}

/** The wait of a 429 answer; null for anything else. */
export function throttleOf(error: unknown): number | null {
  const described = describeError(error);
  return described.kind === "answered" && described.status === 429 ? waitAfterThrottle(described.retryAfterMs) : null;
}

/** Only what the broker said itself, with a code, proves that there is no order. Everything else is unknown. */
export function submitFailure(error: unknown): SubmitOutcome {
  const described = describeError(error);
  if (described.kind === "unanswered") return { kind: "unknown", cause: described.message };
  const { status, code, message, retryAfterMs } = described;
  switch (sendClass(status, code, false)) {
    case "keys_refused":
      return { kind: "keys_refused", message };
    case "throttled":
      return { kind: "throttled", retryAfterMs: waitAfterThrottle(retryAfterMs) };
    // Whether the id is taken is looked up by the caller; a malformed parameter has the same code.
    case "duplicate":
    case "rejected":
      return { kind: "rejected", code: code ?? "", message };
    case "accepted":
    case "unknown":
      return { kind: "unknown", cause: `HTTP ${status}: ${message}` };
  }
}

export function cancelFailure(error: unknown): CancelOutcome {
  const described = describeError(error);
  if (described.kind === "answered" && described.code !== null) {
    if (described.status === 404) return { kind: "not_found" };
    if (described.status === 422) return { kind: "not_cancelable" };
  }
  return { kind: "failed", cause: described.message };
}
