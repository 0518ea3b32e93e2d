/** A request that the exchange refuses, in the broker's envelope. */
export class Refusal extends Error {
  readonly status: number;
  readonly code: number;
  readonly extras: Record<string, unknown>;

  constructor(status: number, code: number, message: string, extras: Record<string, unknown> = {}) {
    super(message);
    this.name = "Refusal";
    this.status = status;
    this.code = code;
    this.extras = extras;
  }
}

/** What is malformed, where the broker's document has 400 for it. */
export function badRequest(message: string): Refusal {
  return new Refusal(400, 40010000, message);
}

/** A parameter that is missing or cannot be read. */
export function invalid(message: string): Refusal {
  return new Refusal(422, 40010001, message);
}

/** Parameters that can be read but not served. */
export function unprocessable(message: string): Refusal {
  return new Refusal(422, 42210000, message);
}

export function forbidden(message: string, extras: Record<string, unknown> = {}): Refusal {
  return new Refusal(403, 40310000, message, extras);
}

export function notFound(message: string): Refusal {
  return new Refusal(404, 40410000, message);
}

/** A value of a request as its refusal names it. An object may hold a `toString` of its own that is no function. */
export const textOf = (value: unknown): string =>
  typeof value === "object" && value !== null ? JSON.stringify(value) : String(value);
