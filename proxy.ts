import { randomBytes } from "node:crypto";
import { NextResponse, type NextRequest } from "next/server";
import { pageHeaders } from "@/lib/server/http/headers.ts";

/** Gives every page its headers and decides nothing: who may see what is decided where it is shown. */
export function proxy(request: NextRequest): NextResponse {
  const nonce = randomBytes(16).toString("base64");
  const headers = pageHeaders(nonce);
  const passedOn = new Headers(request.headers);
  passedOn.set("x-nonce", nonce); // for the root layout
  passedOn.set("x-search", request.nextUrl.search); // for the guard, which sends a stranger back to all of the address
  passedOn.set("content-security-policy", headers["content-security-policy"]); // Next reads its scripts' nonce there
  const response = NextResponse.next({ request: { headers: passedOn } });
  for (const [name, value] of Object.entries(headers)) response.headers.set(name, value);
  return response;
}

/** Calls of the API carry their own headers, and their bodies are not held here; built files need none. */
export const config = { matcher: "/((?!api/v1/|_next/static/).*)" };
