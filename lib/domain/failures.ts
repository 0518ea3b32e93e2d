/**
 * One class, one table. Routes read `status`, jobs read `retry`. Adapters translate their library's
 * errors once, by status or code, never by message text.
 */
export const FAILURES = {
  invalid_input: { status: 400, retry: false },
  unauthenticated: { status: 401, retry: false },
  forbidden: { status: 403, retry: false },
  email_unverified: { status: 403, retry: false },
  step_up_required: { status: 403, retry: false },
  second_factor_required_of_admin: { status: 403, retry: false },
  not_found: { status: 404, retry: false },
  method_not_allowed: { status: 405, retry: false },
  timed_out: { status: 408, retry: true },
  conflict: { status: 409, retry: false },
  /** For a moment nothing can be done in the account: this call changed nothing there. An earlier one of the same request may still do so. */
  account_busy: { status: 409, retry: true },
  payload_too_large: { status: 413, retry: false },
  unsupported_media: { status: 415, retry: false },
  too_many_requests: { status: 429, retry: true },
  internal: { status: 500, retry: true },
  not_implemented: { status: 501, retry: false },
  broker_refused: { status: 502, retry: false },
  broker_unavailable: { status: 503, retry: true },
  unavailable: { status: 503, retry: true },
  /** More is asked than can be answered; said before the call is looked at (scripts/admission.mjs). */
  overloaded: { status: 503, retry: true },
} as const;

export type FailureCode = keyof typeof FAILURES;

export interface FieldIssue {
  path: string;
  message: string;
}

/** A failure with a sentence for the user. Its cause goes to the log and never leaves the server. */
export class Failure extends Error {
  readonly code: FailureCode;
  readonly issues: FieldIssue[] | undefined;
  readonly retryAfterMs: number | undefined;

  constructor(
    code: FailureCode,
    message: string,
    options: { issues?: FieldIssue[]; retryAfterMs?: number; cause?: unknown } = {},
  ) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = "Failure";
    this.code = code;
    this.issues = options.issues;
    this.retryAfterMs = options.retryAfterMs;
  }
}

export function failureStatus(code: FailureCode): number {
  return FAILURES[code].status;
}

export function isRetryable(error: unknown): boolean {
  return !(error instanceof Failure) || FAILURES[error.code].retry;
}
