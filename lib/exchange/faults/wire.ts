import type { IncomingMessage, ServerResponse } from "node:http";
import type { Arrival } from "../arrivals.ts";
import { wallMs } from "../arrivals.ts";
import type { Fault } from "../faults.ts";
import type { Reply } from "../http/router.ts";
import { sendReply } from "../http/send.ts";
import { kindsOf } from "./kinds.ts";

export const BEFORE = kindsOf("before");
export const AFTER = kindsOf("after");
export const ANSWER = kindsOf("answer");

/** One request in the hands of the faults. */
export interface Transfer {
  request: IncomingMessage;
  response: ServerResponse;
  headers: Record<string, string>;
  arrival: Arrival | null;
}

const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

const HTML_ERROR = (status: number) =>
  `<html>\r\n<head><title>${status}</title></head>\r\n<body><center><h1>${status}</h1></center><hr><center>nginx</center></body>\r\n</html>`;

const USUAL: Record<number, { code?: number; message: string }> = {
  401: { message: "unauthorized." },
  403: { message: "forbidden." },
  429: { code: 42910000, message: "rate limit exceeded" },
  500: { code: 50010000, message: "internal server error occurred" },
};

/** The refusal of a `status` fault, in the broker's words where none are given. */
export function refusalOf(fault: Fault, path: string, fallback: number): Reply {
  const status = fault.status ?? fallback;
  const isData = path.startsWith("/v2/stocks") || path.startsWith("/v1");
  const usual = isData && status === 429 ? { message: "too many requests." } : USUAL[status];
  const code = fault.code ?? usual?.code;
  const rate: Record<string, string> = {};
  if (fault.reset_in_s !== undefined) {
    rate["X-RateLimit-Limit"] = "200";
    rate["X-RateLimit-Remaining"] = "0";
    rate["X-RateLimit-Reset"] = String(Math.floor(Date.now() / 1000) + fault.reset_in_s);
  }
  const headers = { ...rate, ...fault.headers };
  if (fault.form === "html") return { status, body: HTML_ERROR(status), contentType: "text/html", headers };
  const message = fault.message ?? usual?.message ?? `scripted ${status}`;
  return { status, body: { ...(code !== undefined && { code }), message, ...fault.extras }, headers };
}

export function answer({ response, headers, arrival }: Transfer, reply: Reply): void {
  if (response.destroyed || response.headersSent) return;
  if (arrival !== null) {
    arrival.answered_status = reply.status;
    arrival.answered_wall_ms = wallMs();
  }
  sendReply(response, reply, headers);
}

/** Plays a fault that strikes before the request is served; `later` serves it. */
export async function playBefore(
  fault: Fault,
  transfer: Transfer,
  path: string,
  later: () => Promise<Reply>,
): Promise<void> {
  const { request } = transfer;
  switch (fault.kind) {
    case "hang":
      await pause(fault.ms ?? 30_000);
      request.socket.destroy();
      return;
    case "status":
      return answer(transfer, refusalOf(fault, path, 500));
    case "calendar_down":
      return answer(transfer, refusalOf(fault, path, 503));
    case "late_accept":
      request.socket.destroy();
      await pause(fault.ms ?? 1_000);
      await later();
      return;
    case "delay":
      await pause(fault.ms ?? 1_000);
      return answer(transfer, await later());
    case "slow_cancel":
      answer(transfer, path === "/v2/orders" ? { status: 207, body: [] } : { status: 204 });
      await pause(fault.ms ?? 1_000);
      await later();
      return;
    default:
      request.socket.destroy();
  }
}

const GARBAGE: Record<string, Reply> = {
  html: {
    status: 200,
    body: "<html><head><title>Welcome</title></head><body>ok</body></html>",
    contentType: "text/html",
  },
  empty: { status: 200, body: "", contentType: "application/json" },
  null: { status: 200, body: "null", contentType: "application/json" },
  text: { status: 200, body: '"ok"', contentType: "application/json" },
  list: { status: 200, body: "[[], 1]", contentType: "application/json" },
};

function textOf({ body }: Reply): Buffer {
  if (body === undefined) return Buffer.from("{}");
  return Buffer.from(typeof body === "string" ? body : JSON.stringify(body));
}

/** Half of the answer under a length that promises all of it; then the connection breaks. */
function sendHalf({ request, response, headers }: Transfer, reply: Reply): void {
  const whole = textOf(reply);
  response.writeHead(200, { "content-type": "application/json", "content-length": whole.length, ...headers });
  response.write(whole.subarray(0, Math.floor(whole.length / 2)), () => request.socket.destroy());
}

async function drip(fault: Fault, transfer: Transfer, reply: Reply): Promise<void> {
  const { response, headers, arrival } = transfer;
  const whole = textOf(reply);
  response.writeHead(reply.status, { "content-type": "application/json", "content-length": whole.length, ...headers });
  const size = fault.size ?? 1;
  for (let at = 0; at < whole.length && !response.destroyed; at += size) {
    response.write(whole.subarray(at, at + size));
    await pause(fault.ms ?? 5_000);
  }
  if (response.destroyed) return;
  response.end();
  if (arrival !== null) {
    arrival.answered_status = reply.status;
    arrival.answered_wall_ms = wallMs();
  }
}

/** Plays a fault that strikes when the request has been served: the answer is lost, late or something else. */
export async function playAfter(fault: Fault, transfer: Transfer, path: string, reply: Reply): Promise<void> {
  const { request } = transfer;
  switch (fault.kind) {
    case "hang_after_accept":
      await pause(fault.ms ?? 30_000);
      request.socket.destroy();
      return;
    case "status_after_accept":
      return answer(transfer, refusalOf(fault, path, 504));
    case "garbage_200":
      return answer(transfer, GARBAGE[fault.form ?? "html"] as Reply);
    case "truncated_200":
      return sendHalf(transfer, reply);
    case "drip":
      return drip(fault, transfer, reply);
    default:
      request.socket.destroy();
  }
}
