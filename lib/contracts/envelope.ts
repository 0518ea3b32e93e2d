import type { FieldIssue } from "../domain/failures.ts";

/** Every answer of /api/v1. */
export type Envelope<T> =
  | { success: true; data: T; error: null }
  | {
      success: false;
      data: null;
      /** A sentence for a person. */
      error: string;
      code: string;
      requestId: string;
      issues?: FieldIssue[];
    };
