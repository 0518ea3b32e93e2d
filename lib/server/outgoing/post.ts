import http from "node:http";
import https from "node:https";
import { isIP } from "node:net";
import { checkTarget, TargetRefused, type CheckedTarget, type Resolve } from "./target.ts";

/** From the first question to DNS to the end of the answer. */
const TIMEOUT_MS = 10_000;
/** Of an answer's body, which is thrown away. */
const BODY_MAX = 64 * 1024;

export interface OutgoingPost {
  url: string;
  headers: Record<string, string>;
  body: Buffer | string;
}

export type PostOutcome =
  | { kind: "answered"; status: number; retryAfter: string | null }
  | { kind: "failed"; cause: string };

export interface PostOptions {
  resolve?: Resolve;
  timeoutMs?: number;
}

/**
 * Posts to an address that a person gave. Connects to the addresses that were checked and to no others, follows no redirect,
 * sends nothing of ours beside what is given, and keeps nothing of the answer but its status. Never throws.
 */
export async function postOutside(post: OutgoingPost, options: PostOptions = {}): Promise<PostOutcome> {
  const signal = AbortSignal.timeout(options.timeoutMs ?? TIMEOUT_MS);
  try {
    const target = await within(signal, checkTarget(post.url, options.resolve));
    for (const [index, address] of target.addresses.entries()) {
      try {
        return await postTo(target, address, post, signal);
      } catch (error) {
        if (!isUnreached(error) || index === target.addresses.length - 1) throw error;
      }
    }
    return { kind: "failed", cause: "no address" };
  } catch (error) {
    return { kind: "failed", cause: signal.aborted ? "timed out" : causeOf(error) };
  }
}

/** Nothing was sent: another address of the same host may be tried. */
const isUnreached = (error: unknown) => UNREACHED.has((error as { code?: string }).code ?? "");
const UNREACHED = new Set(["ECONNREFUSED", "EHOSTUNREACH", "ENETUNREACH", "EADDRNOTAVAIL"]);

function within<T>(signal: AbortSignal, work: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    signal.addEventListener("abort", () => reject(new Error("timed out")), { once: true });
    work.then(resolve, reject);
  });
}

/** Connects to this address, whatever the name resolves to by now. */
export function postTo(
  { url, host }: CheckedTarget,
  address: string,
  { headers, body }: OutgoingPost,
  signal: AbortSignal,
): Promise<PostOutcome> {
  const { request } = url.protocol === "https:" ? https : http;
  return new Promise((resolve, reject) => {
    let answered: PostOutcome | null = null;
    const sending = request(
      {
        host: address,
        port: url.port === "" ? (url.protocol === "https:" ? 443 : 80) : Number(url.port),
        path: `${url.pathname}${url.search}`,
        method: "POST",
        // The certificate is the name's, not the address's.
        ...(isIP(host) === 0 ? { servername: host } : {}),
        headers: { ...headers, host: url.host, "content-length": String(Buffer.byteLength(body)) },
        agent: false,
        signal,
      },
      (response) => {
        const { statusCode: status = 0 } = response;
        const retryAfter = response.headers["retry-after"] ?? null;
        const outcome: PostOutcome = { kind: "answered", status, retryAfter };
        answered = outcome;
        let received = 0;
        response.on("data", (chunk: Buffer) => {
          received += chunk.length;
          if (received > BODY_MAX) response.destroy();
        });
        // Its status is the answer, however the rest of it ends.
        response.on("error", () => undefined);
        response.on("close", () => resolve(outcome));
      },
    );
    const settle = (error: Error) => (answered === null ? reject(error) : resolve(answered));
    // 101: what follows would be no HTTP, and Node emits no response.
    sending.on("upgrade", ({ statusCode: status = 101 }, socket) => {
      socket.destroy();
      resolve({ kind: "answered", status, retryAfter: null });
    });
    sending.on("error", settle);
    sending.on("close", () => settle(new Error("closed without an answer")));
    // Whatever the other side does, an attempt ends: others' deliveries wait for it.
    signal.addEventListener("abort", () => settle(new Error("timed out")), { once: true });
    sending.end(body);
  });
}

/** What went wrong, from a list of our own: an error's text may name addresses of this network. */
function causeOf(error: unknown): string {
  if (error instanceof TargetRefused) return error.message;
  const { code = "" } = error as { code?: string };
  if (code === "ECONNREFUSED") return "connection refused";
  if (UNREACHED.has(code)) return "no connection";
  if (code === "ECONNRESET" || code === "EPIPE") return "connection lost";
  if (/CERT|TLS|SSL|SELF_SIGNED|ALTNAME|UNABLE_TO/.test(code)) return "certificate not accepted";
  return code.startsWith("HPE_") ? "answer is not HTTP" : "not sent";
}
