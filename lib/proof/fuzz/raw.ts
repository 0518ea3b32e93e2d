import type { Door } from "./doors.ts";

/** Bytes that are hardly HTTP: what a socket may carry and a client library never sends. */
export function rawRequests(door: Door, host: string): Buffer[] {
  const target = `${door.prefix}${door.path}`.replaceAll(/[{}]/g, "");
  const head = (...lines: string[]) => [...lines, "", ""].join("\r\n");
  const post = `POST ${target} HTTP/1.1`;
  const hosted = `Host: ${host}`;
  const json = "Content-Type: application/json";
  const close = "Connection: close";
  const get = head(`GET ${target} HTTP/1.1`, hosted);
  const last = head(`GET ${target} HTTP/1.1`, hosted, close);
  return [
    // Lengths that lie.
    head(post, hosted, json, close, "Content-Length: 5") + '{"a":1,"b":2}',
    head(post, hosted, json, "Content-Length: -1"),
    head(post, hosted, json, "Content-Length: 99999999999999999999") + "{}",
    head(post, hosted, json, "Content-Length: 0x10") + "{}",
    head(post, hosted, json, close, "Content-Length: 2", "Content-Length: 3") + "{} ",
    head(post, hosted, json, "Content-Length: 2, 2") + "{}",
    // Chunks that are none.
    head(post, hosted, json, "Transfer-Encoding: chunked") + "zz\r\n{}\r\n0\r\n\r\n",
    head(post, hosted, json, "Transfer-Encoding: chunked") + "ffffffffffffffff\r\n{}",
    head(post, hosted, json, "Transfer-Encoding: chunked") + "-1\r\n{}\r\n",
    head(post, hosted, json, close, "Transfer-Encoding: chunked") + '2;ext="\0"\r\n{}\r\n0\r\n\r\n',
    head(post, hosted, json, close, "Transfer-Encoding: chunked") + "2\r\n{}\r\n0\r\nTrailer: x\r\n\r\n",
    head(post, hosted, json, "Transfer-Encoding: chunked", "Content-Length: 2") + "{}",
    head(post, hosted, json, "Transfer-Encoding: identity, chunked, chunked") + "2\r\n{}\r\n0\r\n\r\n",
    head(post, hosted, json, "Transfer-Encoding: xchunked") + "{}",
    // Request lines.
    `GET ${target}\r\n\r\n`,
    head(`GET ${target} HTTP/9.9`, hosted),
    head(`GET ${target} HTTP/1.0`),
    head(`GET ${target} HTTP/1.1`),
    head(`MADEUP ${target} HTTP/1.1`, hosted),
    head(`get ${target} HTTP/1.1`, hosted),
    head(`CONNECT example.com:443 HTTP/1.1`, hosted),
    head(`TRACE ${target} HTTP/1.1`, hosted, close),
    head(`GET http://example.com${target} HTTP/1.1`, hosted, close),
    head(`GET ${target}?${"a".repeat(20_000)} HTTP/1.1`, hosted, close),
    head(`GET ${target} HTTP/1.1 extra`, hosted),
    head(`GET\t${target}\tHTTP/1.1`, hosted),
    head(`GET ${target}\0 HTTP/1.1`, hosted),
    head(`GET * HTTP/1.1`, hosted, close),
    head(`OPTIONS * HTTP/1.1`, hosted, close),
    // Headers.
    `GET ${target} HTTP/1.1\nHost: ${host}\nConnection: close\n\n`,
    head(`GET ${target} HTTP/1.1`, hosted, "X-A: b\r\n continued", close),
    head(`GET ${target} HTTP/1.1`, hosted, "Bad Header: x"),
    head(`GET ${target} HTTP/1.1`, hosted, ": x"),
    head(`GET ${target} HTTP/1.1`, hosted, "X-A: a\0b"),
    head(`GET ${target} HTTP/1.1`, hosted, "X-A: a\rSet-Cookie: injected=1"),
    head(`GET ${target} HTTP/1.1`, "Host: evil.example", hosted, close),
    head(`GET ${target} HTTP/1.1`, hosted, `X-A: ${"a".repeat(70_000)}`, close),
    head(`GET ${target} HTTP/1.1`, hosted, ...Array.from({ length: 1_500 }, (_, n) => `X-${n}: ${n}`), close),
    head(`GET ${target} HTTP/1.1`, hosted, "Authorization: Bearer a\u00e9\u00ff", close),
    head(`GET ${target} HTTP/1.1`, hosted, "Upgrade: websocket", "Connection: Upgrade", "Sec-WebSocket-Key: x"),
    head(
      `GET ${target} HTTP/1.1`,
      hosted,
      "Upgrade: h2c",
      "HTTP2-Settings: AAMAAABkAAQ",
      "Connection: Upgrade, HTTP2-Settings",
    ),
    head(post, hosted, json, "Expect: 100-continue", close, "Content-Length: 2") + "{}",
    head(post, hosted, json, "Expect: 200-maybe", close, "Content-Length: 2") + "{}",
    // One after the other on one line.
    get + get + last,
    get + "garbage\r\n\r\n",
    head(post, hosted, json, "Content-Length: 2") + "{}" + last,
    "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
    "\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03",
    "\0\0\0\0",
    "\r\n\r\n\r\n",
  ].map((bytes) => Buffer.from(bytes, "latin1"));
}
