// Typed by index.d.mts. Plain JavaScript: it runs as it is, in Node and in browsers.
import createClient from "openapi-fetch";

/** What the server refused, or could not do. */
export class TradewindError extends Error {
  constructor(status, { error, code, requestId, issues } = {}, retryAfterMs = null) {
    super(error ?? `Tradewind answered with status ${status}.`);
    this.name = "TradewindError";
    this.status = status;
    this.code = code ?? null;
    this.requestId = requestId ?? null;
    this.issues = issues ?? [];
    this.retryAfterMs = retryAfterMs;
  }
}

export function createTradewind({ url, token, ...options }) {
  const headers = { ...options.headers, authorization: `Bearer ${token}` };
  return createClient({ ...options, baseUrl: `${url.replace(/\/+$/, "")}/api/v1`, headers });
}

export async function answerOf(call) {
  const { data, error, response } = await call.catch((cause) => {
    // Success without JSON: a page of what stands before Tradewind.
    throw cause instanceof SyntaxError ? new TradewindError(200) : cause;
  });
  if (data?.success === true) return data.data;
  const failure = typeof error?.error === "string" ? error : {};
  throw new TradewindError(response.status, failure, retryAfterOf(response));
}

/** The header as Tradewind writes it: seconds. */
function retryAfterOf({ headers }) {
  const seconds = Number(headers.get("retry-after") ?? Number.NaN);
  return Number.isFinite(seconds) ? seconds * 1000 : null;
}
