import http from "node:http";
import net from "node:net";
import { unpack } from "../unpack.ts";
import { bodyBytes, targetOf, type FuzzRequest, type Principal } from "./request.ts";
import type { FuzzAnswer } from "./check-answer.ts";

/** Longer than any answer may take, so that a hanging one is seen as slow and not waited for forever. */
const PATIENCE_MS = 10_000;
/** A server that is waiting for the rest of a request says nothing: after this the fuzzer continues. */
const RAW_PATIENCE_MS = 400;
const BYTES_MAX = 5_000_000;
/** A validating proxy tells all that is wrong in one header. */
const HEADER_BYTES_MAX = 1_000_000;

export type Tokens = Record<Exclude<Principal, "anonymous">, string>;
export type Send = (request: FuzzRequest) => Promise<FuzzAnswer>;

/** Over real HTTP, on lines that are kept open as a browser keeps them. */
export function senderTo(base: URL, tokens: Tokens, linesAtOnce: number): { send: Send; close: () => void } {
  const agent = new http.Agent({ keepAlive: true, maxSockets: linesAtOnce });
  return {
    send: (request) => (request.raw ? sendRaw(base, request.raw) : sendParts(base, agent, request, tokens)),
    close: () => agent.destroy(),
  };
}

function sendParts(base: URL, agent: http.Agent, request: FuzzRequest, tokens: Tokens): Promise<FuzzAnswer> {
  const body = bodyBytes(request);
  const headers: string[] = ["host", base.host, ...request.headers.flat()];
  if (request.principal !== "anonymous") {
    const token = tokens[request.principal];
    // Pages and next-auth know their caller by the cookie, which authorises no call of the API.
    if (request.path.startsWith("/api/v1/")) headers.push("authorization", `Bearer ${token}`);
    else headers.push("cookie", `next-auth.session-token=${token}`);
  }
  if (body) headers.push("content-length", String(body.length));
  const startedAt = performance.now();
  return new Promise((resolve) => {
    const end = (status: number, given: http.IncomingHttpHeaders, text: string) =>
      resolve({ status, headers: flat(given), text, durationMs: performance.now() - startedAt });
    const call = http.request(
      {
        ...{ host: base.hostname, port: base.port, agent, maxHeaderSize: HEADER_BYTES_MAX },
        ...{ method: request.method, path: targetOf(request), headers },
      },
      (response) => {
        const chunks: Buffer[] = [];
        let size = 0;
        response.on("data", (chunk: Buffer) => {
          size += chunk.length;
          if (size <= BYTES_MAX) chunks.push(chunk);
        });
        response.on("end", () => {
          const whole = Buffer.concat(chunks);
          end(response.statusCode ?? 0, response.headers, size <= BYTES_MAX ? unpack(whole) : whole.toString());
        });
        response.on("error", () => end(0, {}, ""));
      },
    );
    call.setTimeout(PATIENCE_MS, () => call.destroy());
    call.on("error", () => end(0, {}, ""));
    call.end(body ?? undefined);
  });
}

const flat = (headers: http.IncomingHttpHeaders): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, [value ?? ""].flat().join(", ")]));

/** Only the first answer on the line is looked at; how long the line stays open says nothing. */
function sendRaw(base: URL, raw: Buffer): Promise<FuzzAnswer> {
  const startedAt = performance.now();
  return new Promise((resolve) => {
    let received = "";
    let answeredAt: number | null = null;
    const socket = net.connect({ host: base.hostname, port: Number(base.port) }, () => socket.write(raw));
    const done = () => {
      clearTimeout(patience);
      socket.destroy();
      resolve({ ...readRaw(received), durationMs: (answeredAt ?? startedAt) - startedAt });
    };
    const patience = setTimeout(done, RAW_PATIENCE_MS);
    socket.on("data", (chunk) => {
      answeredAt ??= performance.now();
      if (received.length < BYTES_MAX) received += chunk.toString("latin1");
    });
    socket.on("error", done);
    socket.on("close", done);
  });
}

/** Of the first answer on a line; its body may be chunked, and be followed by other answers. */
function readRaw(received: string): Omit<FuzzAnswer, "durationMs"> {
  const status = Number(/^HTTP\/1\.[01] (\d{3})/.exec(received)?.[1] ?? 0);
  const headers: Record<string, string> = {};
  const [head = ""] = received.split("\r\n\r\n", 1);
  for (const [, name = "", value = ""] of head.matchAll(/^([\w-]+): ([^\r]*)/gm)) {
    const known = headers[name.toLowerCase()];
    headers[name.toLowerCase()] = known === undefined ? value : `${known}, ${value}`;
  }
  return { status, headers, text: received };
}
