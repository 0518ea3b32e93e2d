import { Failure } from "@/lib/domain/failures.ts";
import type { Handler } from "./route.ts";
import { serveNobody } from "./serve.ts";

const BODY_MAX_BYTES = 64 * 1024;

/** Around next-auth's routes, which read bodies on their own terms and fail at broken JSON: a form is all they are sent. */
export function formsOnly(handler: Handler): Handler {
  return async (request, parameters) => {
    const failure = refusal(request.headers);
    return failure ? serveNobody(request, failure) : handler(request, parameters);
  };
}

function refusal(headers: Headers): Failure | null {
  const length = Number(headers.get("content-length") ?? 0);
  if (length > BODY_MAX_BYTES) return new Failure("payload_too_large", "The request body may have 64 KB at most.");
  const type = headers.get("content-type") ?? "";
  return type.toLowerCase().includes("json")
    ? new Failure("unsupported_media", "Send the request body as a form.")
    : null;
}
