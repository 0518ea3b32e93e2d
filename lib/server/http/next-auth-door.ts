import { NextRequest } from "next/server";
import { Failure } from "@/lib/domain/failures.ts";
import { env } from "../env.ts";
import { createLog } from "../log.ts";
import { asFailure } from "./answer.ts";
import { clientAddress } from "./client-address.ts";
import { readCapped } from "./read-input.ts";
import type { Handler } from "./route.ts";
import { serveFailure, serveAnonymous } from "./serve.ts";
import { settle, spendLimit } from "./spend-limit.ts";

/** What the product uses of next-auth. Its pages, its log and whatever a new version adds are not served. */
const SERVED = {
  GET: ["csrf", "providers", "session", "signin"],
  POST: ["callback/credentials", "signout"],
} as const;
const METHODS = ["GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS"] as const;
/** What a header or a line of a log would obey. */

const CONTROL = /[\u0000-\u001f\u007f-\u009f\u2028\u2029]/;
/** Cookies that next-auth reads; those of other programs on this host are none of ours. */
const ITS_COOKIE = /^\s*(?:__(?:Secure|Host)-)?next-auth\./;
const CALLBACK_COOKIE = /^\s*(?:__Secure-)?next-auth\.callback-url=(.*)$/;
const BODY_MAX_MS = 15_000;

const log = createLog("next-auth");

/**
 * Next-auth's routes under the rules of our own: a list of what is served, the limits, refusals in the envelope and no answer that tells of a
 * fault. Next-auth reads input on its own terms and copies it into headers and logs, so what it is given is looked at before.
 */
export function nextAuthDoor(handler: Handler): Record<(typeof METHODS)[number], Handler> {
  const serve: Handler = async (request, parameters) => {
    const address = await addressOf(parameters);
    const served = METHODS.filter((method) => (SERVED as Record<string, readonly string[]>)[method]?.includes(address));
    if (served.length === 0)
      return serveAnonymous(request, new Failure("not_found", "There is nothing at this address."));
    if (!served.includes(request.method as (typeof METHODS)[number])) {
      const failure = new Failure("method_not_allowed", `This address does not answer ${request.method}.`);
      return serveAnonymous(request, failure, { allow: served.join(", ") });
    }
    return withinLimits(request, () => answered(request, (usable) => handler(usable, parameters)));
  };
  return Object.fromEntries(METHODS.map((method) => [method, serve])) as Record<(typeof METHODS)[number], Handler>;
}

async function addressOf({ params }: Parameters<Handler>[1]): Promise<string> {
  return [(await params)?.nextauth ?? []].flat().join("/");
}

async function withinLimits(request: Request, work: () => Promise<Response>): Promise<Response> {
  try {
    const points = await spendLimit("api", clientAddress(request.headers));
    const response = await work();
    await settle(points, response.status);
    return response;
  } catch (error) {
    return serveFailure(asFailure(error));
  }
}

async function answered(request: Request, handle: (usable: Request) => Promise<Response>): Promise<Response> {
  try {
    const response = await handle(await usableOf(request));
    if (response.status < 500) return unkept(response);
    throw new Error(`next-auth answered ${response.status}`);
  } catch (error) {
    const failure = asFailure(error);
    if (failure.code === "internal")
      log.error("next-auth.failed", { code: failure.code, err: failure.cause ?? failure });
    return serveFailure(failure);
  }
}

/** Next-auth says so of the session only. */
function unkept(response: Response): Response {
  const headers = new Headers(response.headers);
  headers.set("cache-control", "no-store");
  return new Response(response.body, { status: response.status, headers });
}

/** The request with its body read: a copy of a body that is too long could not be aborted alone. */
async function usableOf(request: Request): Promise<Request> {
  const { headers } = request;
  const type = (headers.get("content-type") ?? "").toLowerCase();
  if (type.includes("json") || type.includes("multipart"))
    throw new Failure("unsupported_media", "Send the request body as a form.");
  const body = request.method === "POST" ? (await readCapped(request, BODY_MAX_MS)).toString("utf8") : "";
  const { search, searchParams } = new URL(request.url);
  const sent = (headers.get("cookie") ?? "").split(";").filter((cookie) => ITS_COOKIE.test(cookie));
  const cookies = sent.map((cookie) => decoded("cookie", cookie));
  for (const [name, text] of [
    ["query", decoded("query", search.replaceAll("+", " "))],
    ["body", type.startsWith("text/plain") ? "" : decoded("body", body.replaceAll("+", " "))],
    ...cookies.map((cookie) => ["cookie", cookie] as const),
  ] as const)
    if (CONTROL.test(text))
      throw new Failure("invalid_input", `The ${name} of the request holds characters that cannot be used.`);
  const kept = cookies.map((cookie) => CALLBACK_COOKIE.exec(cookie)?.[1] ?? "");
  // Next-auth fails at others, though none of them is ever followed.
  if ([...searchParams.getAll("callbackUrl"), ...kept].some((text) => text !== "" && !isAddress(text)))
    throw new Failure("invalid_input", "The callbackUrl of the request is no address.");
  return request.method === "POST" ? new NextRequest(request.url, { method: "POST", headers, body }) : request;
}

function isAddress(text: string): boolean {
  const base = text.startsWith("/") ? env().APP_BASE_URL : undefined;
  return URL.canParse(text, base) && /^https?:$/.test(new URL(text, base).protocol);
}

function decoded(name: string, text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    // Next-auth passes over it.
    if (name === "cookie") return "";
    throw new Failure("invalid_input", `The ${name} of the request cannot be read.`);
  }
}
