import type { ServerResponse } from "node:http";
import type { Refusal } from "../book/refusal.ts";
import type { Reply } from "./router.ts";

/** Writes an answer, unless the caller is gone or has been answered. */
export function sendReply(response: ServerResponse, reply: Reply, headers: Record<string, string>): void {
  if (response.destroyed || response.headersSent) return;
  const isText = reply.contentType !== undefined;
  const body = reply.body === undefined ? undefined : isText ? String(reply.body) : JSON.stringify(reply.body);
  const type: Record<string, string> =
    body === undefined ? {} : { "content-type": reply.contentType ?? "application/json; charset=utf-8" };
  response.writeHead(reply.status, { ...type, ...headers, ...reply.headers });
  response.end(body);
}

export function refusalReply(error: Refusal): Reply {
  // The data side refuses without a code.
  const code = error.code === 0 ? {} : { code: error.code };
  return { status: error.status, body: { ...code, message: error.message, ...error.extras } };
}
