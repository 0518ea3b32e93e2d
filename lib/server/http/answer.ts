import { createHash } from "node:crypto";
import type { Download } from "@/lib/contracts/download.ts";
import type { Endpoint, Given } from "@/lib/contracts/endpoint.ts";
import type { Envelope } from "@/lib/contracts/envelope.ts";
import { Failure, failureStatus } from "@/lib/domain/failures.ts";
import { isUnreachable } from "../db.ts";
import { env } from "../env.ts";
import { dataHeaders } from "./headers.ts";

/** Headers of every API response. Browsers and proxies keep none of them. */
function baseHeaders(requestId: string): Record<string, string> {
  return {
    ...dataHeaders(),
    "cache-control": "no-store",
    "content-type": "application/json; charset=utf-8",
    "x-content-type-options": "nosniff",
    "x-instance": env().INSTANCE_ID,
    "x-request-id": requestId,
  };
}

/** Encodes a service's answer through the contract: a field that the contract does not name is dropped. */
export function encode<E extends Endpoint>(endpoint: E, given: Given<E>): unknown {
  const encoded = endpoint.output.safeParse(given);
  if (!encoded.success)
    throw new Error(`${endpoint.method} ${endpoint.path} answers what its contract does not allow`, {
      cause: encoded.error,
    });
  return encoded.data;
}

export function succeed(request: Request, requestId: string, data: unknown, isBare = false): Response {
  const envelope: Envelope<unknown> = { success: true, data, error: null };
  const body = JSON.stringify(isBare ? data : envelope);
  const headers = baseHeaders(requestId);
  if (request.method !== "GET" && request.method !== "HEAD") return new Response(body, { headers });
  const tag = `"${createHash("sha256").update(body).digest("base64url").slice(0, 27)}"`;
  headers.etag = tag;
  if (knows(request, tag)) return new Response(null, { status: 304, headers });
  return new Response(body, { headers });
}

/** A file, streamed while it is made. Browsers download it, whatever its content is. */
export function sendFile(requestId: string, downloadType: string, { fileName, body }: Download): Response {
  if (!/^[a-z0-9][a-z0-9.-]*$/.test(fileName)) throw new Error(`"${fileName}" is no name for a download`);
  return new Response(body, {
    headers: {
      ...baseHeaders(requestId),
      "content-type": downloadType,
      "content-disposition": `attachment; filename="${fileName}"`,
    },
  });
}

function knows(request: Request, tag: string): boolean {
  const known = (request.headers.get("if-none-match") ?? "")
    .split(",")
    .map((entry) => entry.trim().replace(/^W\//, ""));
  return known.includes(tag);
}

/** Any error as a failure that may leave the server. */
export function asFailure(error: unknown): Failure {
  if (error instanceof Failure) return error;
  if (isUnreachable(error)) {
    return new Failure("unavailable", "The service is briefly unavailable. Please try again.", {
      retryAfterMs: 5_000,
      cause: error,
    });
  }
  return new Failure("internal", "Something went wrong on our side. Please try again.", { cause: error });
}

export function refuse(failure: Failure, requestId: string, extra: Record<string, string> = {}): Response {
  const envelope: Envelope<never> = {
    success: false,
    data: null,
    error: failure.message,
    code: failure.code,
    requestId,
    ...(failure.issues ? { issues: failure.issues } : {}),
  };
  const headers = { ...baseHeaders(requestId), ...extra };
  if (failure.retryAfterMs !== undefined) headers["retry-after"] = String(Math.ceil(failure.retryAfterMs / 1000));
  if (failure.code === "unauthenticated") headers["www-authenticate"] = "Bearer";
  return new Response(JSON.stringify(envelope), { status: failureStatus(failure.code), headers });
}
