import type { IncomingMessage } from "node:http";
import { Refusal } from "../book/refusal.ts";
import { requestUrl } from "./request-url.ts";

const BODY_MAX = 1_000_000;

/** JSON; where forms are taken, a form as its parameters. */
export async function readBody(request: IncomingMessage, takesForms: boolean): Promise<unknown> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > BODY_MAX) throw new Refusal(413, 41310000, "request body is too large");
    chunks.push(chunk);
  }
  const isForm =
    takesForms && request.headers["content-type"]?.startsWith("application/x-www-form-urlencoded") === true;
  if (isForm) return new URLSearchParams(Buffer.concat(chunks).toString("utf8"));
  if (size === 0) return undefined;
  try {
    return JSON.parse(Buffer.concat(chunks).toString("utf8")) as unknown;
  } catch {
    throw new Refusal(400, 40010000, "request body format is invalid");
  }
}

export function urlOf(request: IncomingMessage): URL {
  try {
    return requestUrl(request.url);
  } catch {
    throw new Refusal(400, 40010000, "request path is invalid");
  }
}
