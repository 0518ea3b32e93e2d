import { cookies, headers } from "next/headers";
import type { PrefetchedAnswer } from "@/lib/contracts/prefetched.ts";
import { admission } from "../admission.ts";
import { env } from "../env.ts";
import { addressHeaders, clientAddress } from "./client-address.ts";
import type { Handler } from "./route.ts";
import { sessionCookie } from "./session.ts";
import { spendForDocument } from "./spend-limit.ts";

/** A read of the API that a page's screen makes as soon as it is there, and the handler that answers it. */
export interface Read {
  /** Of the contract, below /api/v1. */
  readonly path: string;
  readonly input: object;
  /** What the browser would ask for. */
  readonly address: string;
  readonly parameters: Record<string, string>;
  readonly handler: Handler;
}

/** A document waits no longer than this for an answer: its screen asks for what is missing. */
const PATIENCE_MS = 1500;

/**
 * The answers to these reads, for the document of a page. Each goes through its own handler as a call of the browser would, with the
 * token that is the cookie's value: the same refusals, the same encoding. Of the limit of calls they take one point together, because the
 * screen asks for them again. An answer that is refused, fails or takes too long is left out; all are while reads wait for each
 * other. A page that the router opens in the browser gets none: its screen asks while the page is on its way.
 */
export async function prefetch(reads: readonly Read[]): Promise<PrefetchedAnswer[]> {
  const asked = await headers();
  const destination = asked.get("sec-fetch-dest");
  // Not told by a browser at an address without TLS.
  if ((destination !== null && destination !== "document") || admission().isBusy) return [];
  const token = (await cookies()).get(sessionCookie().name)?.value;
  if (token === undefined) return [];
  const requests = reads.map(({ address }) => requestOf(address, token, asked));
  try {
    await spendForDocument(clientAddress(asked), requests);
  } catch {
    // Refused by a limit: the page asks by itself, and is told.
    return [];
  }
  const answers = await Promise.all(
    reads.map((read, place) => answerWithin(PATIENCE_MS, read, requests[place] as Request)),
  );
  return answers.filter((answer) => answer !== null);
}

function requestOf(address: string, token: string, asked: Headers): Request {
  const carried = new Headers({ authorization: `Bearer ${token}` });
  for (const name of ["user-agent", ...addressHeaders()]) {
    const value = asked.get(name);
    if (value !== null) carried.set(name, value);
  }
  return new Request(new URL(address, env().APP_BASE_URL), { headers: carried });
}

async function answerWithin(patienceMs: number, read: Read, request: Request): Promise<PrefetchedAnswer | null> {
  let timer: NodeJS.Timeout | undefined;
  const isLate = new Promise<null>((resolve) => (timer = setTimeout(() => resolve(null), patienceMs)));
  try {
    return await Promise.race([answerOf(read, request), isLate]);
  } finally {
    clearTimeout(timer);
  }
}

async function answerOf(
  { path, input, parameters, handler }: Read,
  request: Request,
): Promise<PrefetchedAnswer | null> {
  const response = await handler(request, { params: Promise.resolve(parameters) });
  if (!response.ok) return null;
  const { data } = (await response.json()) as { data: unknown };
  return { path, input, data };
}
