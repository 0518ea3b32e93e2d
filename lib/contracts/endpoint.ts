import type { z } from "zod";
import type { AccessTokenScopeName } from "../domain/enums.ts";
import type { PersonLimit } from "../domain/rate-limits.ts";

export type Access = "public" | "user" | "admin";
export type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";

/**
 * A promise across the wire, as a value. Path parameters ("/accounts/{id}"), query and body are one
 * `input`; schemas are strict, so an unknown field is an error. Answers are encoded through `output`:
 * a field that it does not name cannot leak.
 */
export interface Endpoint<I extends z.ZodType = z.ZodType, O extends z.ZodType = z.ZodType, A extends Access = Access> {
  readonly method: Method;
  /** Below /api/v1, with {parameters}. */
  readonly path: `/${string}`;
  readonly access: A;
  /** The limiter's group: which rate-limit row of the console counts this call. None: it must never be refused. */
  readonly limit: "auth" | "api" | "admin" | "export" | "none";
  /** A limit that counts the calls of each signed-in person, wherever they call from. */
  readonly perPerson?: PersonLimit;
  /**
   * Asks for a step-up: the caller confirmed in the last five minutes that it is them. "loosening": only where the call
   * loosens a protection, which its service finds out; what raises one never waits for it.
   */
  readonly stepUp?: true | "loosening";
  /**
   * Whether an access token opens the call, and with which scope: "STEER" for what steers trading without changing who gets in,
   * "NONE" for a read that tells of the sign-in's safety, of secrets or of how the person is reached. Where nothing is said, see `tokenScopeOf`.
   */
  readonly token?: "STEER" | "NONE";
  readonly summary: string;
  /** The body's type where it is not application/json. */
  readonly mediaType?: string;
  /** True where the fields stand in the address although the call is no read: a body is not looked at. */
  readonly isInAddress?: boolean;
  readonly input: I;
  readonly output: O;
  /** For files: the type of the bytes that the service answers in place of an envelope. */
  readonly downloadType?: "text/csv; charset=utf-8" | "application/zip" | "application/gzip";
  /** True for documents that other programs read: they stand in no envelope. */
  readonly isBare?: boolean;
}

export function endpoint<I extends z.ZodType, O extends z.ZodType, A extends Access>(
  definition: Endpoint<I, O, A>,
): Endpoint<I, O, A> {
  return definition;
}

/**
 * The scope that an access token needs for this call; null where none opens it. A read of the caller's own data is open unless its contract
 * closes it, a write is closed unless its contract opens it, and what asks for a step-up or for an administrator always is.
 */
export function tokenScopeOf({
  access,
  method,
  stepUp,
  token,
}: Pick<Endpoint, "access" | "method" | "stepUp" | "token">): AccessTokenScopeName | null {
  if (access !== "user" || stepUp === true || token === "NONE") return null;
  return token ?? (method === "GET" ? "READ" : null);
}

/** Where an endpoint is, with its types and without its schemas: all that a caller needs. */
export interface Call<E extends Endpoint> {
  readonly method: Method;
  readonly path: `/${string}`;
  /** Holds the types; there is never a value. */
  readonly of?: E;
}

/** What a service is handed (parsed), what a caller sends (before parsing), what a service gives back, what a caller gets. */
export type Received<E> = E extends Endpoint<infer I, z.ZodType> ? z.output<I> : never;
export type Sent<E> = E extends Endpoint<infer I, z.ZodType> ? z.input<I> : E extends Call<infer F> ? Sent<F> : never;
export type Given<E> = E extends Endpoint<z.ZodType, infer O> ? z.input<O> : never;
export type Answer<E> =
  E extends Endpoint<z.ZodType, infer O> ? z.output<O> : E extends Call<infer F> ? Answer<F> : never;
