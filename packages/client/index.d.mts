import type { Client, ClientOptions } from "openapi-fetch";
import type { components, paths } from "./schema.js";

type Failure = components["schemas"]["Failure"];

/** Every call that an access token opens, by method and path: `tradewind.GET("/portfolio/positions")`. */
export type Tradewind = Client<paths>;

export interface TradewindOptions extends Omit<ClientOptions, "baseUrl" | "headers"> {
  /** Where the site is reached: "https://tradewind.example". */
  url: string;
  /** A personal access token: "twp_…". */
  token: string;
  headers?: Record<string, string>;
}

/** A client that calls with a personal access token. */
export function createTradewind(options: TradewindOptions): Tradewind;

/** What the server refused, or could not do. Its message is a sentence for a person. */
export class TradewindError extends Error {
  constructor(status: number, failure?: Partial<Failure>, retryAfterMs?: number | null);
  readonly status: number;
  /** "forbidden", "too_many_requests"; null where the answer was none of Tradewind's. */
  readonly code: Failure["code"] | null;
  /** Names the request in the server's logs. */
  readonly requestId: string | null;
  /** The fields that are wrong, where the input is. */
  readonly issues: NonNullable<Failure["issues"]>;
  /** How long to wait before the next try, of 429 and 503; null where nothing was said. */
  readonly retryAfterMs: number | null;
}

/** The data of an answer, out of its envelope; throws a `TradewindError` for any other answer. */
export function answerOf<Data>(
  call: Promise<{ data?: { success: true; data: Data } | undefined; error?: unknown; response: Response }>,
): Promise<Data>;
