import http from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { useLeastEnv } from "@/lib/proof/fixtures/least-env.ts";
import { postOutside, postTo } from "./post.ts";
import { NOT_PUBLIC, targetProblem } from "./target.ts";

type Answer = (request: http.IncomingMessage, response: http.ServerResponse) => void;
const seen: { url: string; headers: http.IncomingHttpHeaders; body: string }[] = [];
let answer: Answer;
const server = http.createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on("data", (chunk: Buffer) => chunks.push(chunk));
  request.on("end", () => {
    seen.push({ url: request.url ?? "", headers: request.headers, body: Buffer.concat(chunks).toString("utf8") });
    answer(request, response);
  });
});
let port = 0;

beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  port = (server.address() as AddressInfo).port;
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});
beforeEach(() => {
  seen.length = 0;
  answer = (_, response) => response.writeHead(204).end();
  allow("");
});

function allow(hosts: string): void {
  process.env.WEBHOOK_ALLOW_HOSTS = hosts;
  useLeastEnv();
}
const post = (url: string, options: Parameters<typeof postOutside>[1] = {}) =>
  postOutside({ url, headers: { "content-type": "application/json" }, body: "{}" }, options);
const allowed = () => allow(`127.0.0.1:${port}`);

describe("addresses that are refused without a look at DNS", () => {
  it.each([
    "http://hooks.example.com/",
    "ftp://hooks.example.com/",
    "file:///etc/passwd",
    "javascript:alert(1)",
    "https://user:secret@hooks.example.com/",
    "https://user@hooks.example.com/",
    "https://hooks.example.com:22/",
    "https://hooks.example.com:6379/",
    "https://localhost/",
    "https://intranet/",
    "https://hooks.example.com./",
    "https://127.0.0.1/",
    "https://2130706433/",
    "https://0x7f.1/",
    "https://0177.0.0.1/",
    "https://[::1]/",
    "https://[::ffff:127.0.0.1]/",
    "https://[64:ff9b::7f00:1]/",
    "https://169.254.169.254/latest/meta-data/",
    "hooks.example.com",
    "",
    `https://hooks.example.com/${"x".repeat(2_000)}`,
  ])("%s", (url) => expect(targetProblem(url)).not.toBeNull());

  it.each([
    "https://hooks.example.com/a?b=c",
    "https://hooks.example.com:8443/",
    "https://1.1.1.1/",
    "https://[2606:4700::1]/",
  ])("%s is not refused", (url) => expect(targetProblem(url)).toBeNull());
});

describe("what a name leads to", () => {
  it("refuses a name with one address that is not public, whatever the others are, and connects nowhere", async () => {
    for (const address of ["127.0.0.1", "10.0.0.1", "169.254.169.254", "::1", "::ffff:127.0.0.1", "fd00:ec2::254"]) {
      const resolve = () => Promise.resolve(["1.1.1.1", address]);
      expect(await post("https://hooks.example.com/", { resolve })).toEqual({ kind: "failed", cause: NOT_PUBLIC });
    }
    expect(seen).toEqual([]);
  });

  it("an unknown name is answered like one of another network", async () => {
    const resolve = () => Promise.reject(new Error("ENOTFOUND"));
    expect(await post("https://hooks.example.com/", { resolve })).toEqual({ kind: "failed", cause: NOT_PUBLIC });
  });

  it("a name that changes after the check changes nothing: it is asked once, and the connection goes to what was checked", async () => {
    const answers = [["192.0.2.1"], ["127.0.0.1"]];
    let asked = 0;
    const resolve = () => Promise.resolve(answers[asked++] ?? []);
    await post("https://rebound.example.com/", { resolve });
    expect(asked).toBe(1);
    // The name of this target resolves nowhere at all.
    const url = new URL(`http://rebound.invalid:${port}/hook?x=1`);
    const target = { url, host: url.hostname, addresses: ["127.0.0.1"] };
    const sent = { url: url.href, headers: {}, body: "{}" };
    expect(await postTo(target, "127.0.0.1", sent, AbortSignal.timeout(5_000))).toMatchObject({ status: 204 });
    expect(seen).toMatchObject([{ url: "/hook?x=1", headers: { host: `rebound.invalid:${port}` }, body: "{}" }]);
  });

  it("DNS that does not answer uses up the same patience as a server that does not", async () => {
    const resolve = () => new Promise<string[]>(() => undefined);
    expect(await post("https://hooks.example.com/", { resolve, timeoutMs: 50 })).toEqual({
      kind: "failed",
      cause: "timed out",
    });
  });
});

describe("a host that the operator allowed", () => {
  it("gets the body, and nothing of ours beside it", async () => {
    allowed();
    expect(await post(`http://127.0.0.1:${port}/hook`)).toEqual({ kind: "answered", status: 204, retryAfter: null });
    expect(Object.keys(seen[0]?.headers ?? {}).sort()).toEqual([
      "connection",
      "content-length",
      "content-type",
      "host",
    ]);
  });

  it("is allowed with this port alone", async () => {
    allowed();
    expect(targetProblem("http://127.0.0.1:9/")).not.toBeNull();
    expect(targetProblem(`http://127.0.0.2:${port}/`)).not.toBeNull();
  });

  it("is not followed to where it redirects", async () => {
    allowed();
    answer = (_, response) => response.writeHead(307, { location: `http://127.0.0.1:${port}/other` }).end();
    expect(await post(`http://127.0.0.1:${port}/hook`)).toMatchObject({ kind: "answered", status: 307 });
    expect(seen.map(({ url }) => url)).toEqual(["/hook"]);
  });

  it("may say more than is read: the answer is cut off and counts", async () => {
    allowed();
    answer = (_, response) => {
      response.writeHead(200);
      const more = () => response.destroyed || (response.write(Buffer.alloc(16_384)), setImmediate(more));
      more();
    };
    expect(await post(`http://127.0.0.1:${port}/`)).toMatchObject({ kind: "answered", status: 200 });
  });

  it.each([
    ["never answers", () => undefined],
    ["answers and never ends", (_: unknown, response: http.ServerResponse) => void response.writeHead(200).write("x")],
  ])("that %s is left after the time for an attempt", async (what, say) => {
    allowed();
    answer = say;
    const outcome = await post(`http://127.0.0.1:${port}/`, { timeoutMs: 150 });
    if (what === "never answers") expect(outcome).toEqual({ kind: "failed", cause: "timed out" });
    else expect(outcome).toMatchObject({ kind: "answered", status: 200 });
  });

  it.each([
    ["hangs up", (request: http.IncomingMessage) => void request.socket.destroy(), "connection lost"],
    ["speaks no HTTP", (request: http.IncomingMessage) => void request.socket.end("SSH-2.0\r\n"), "answer is not HTTP"],
  ])("that %s is described in our words", async (_, say, cause) => {
    allowed();
    answer = say;
    expect(await post(`http://127.0.0.1:${port}/`)).toEqual({ kind: "failed", cause });
  });

  it.each([
    ["and keeps the line", () => undefined],
    ["and closes it", (request: http.IncomingMessage) => void request.socket.end()],
  ])("that changes the protocol %s has answered 101, and the attempt ends", async (_, then) => {
    allowed();
    answer = (request) => {
      request.socket.write("HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n");
      then(request);
    };
    expect(await post(`http://127.0.0.1:${port}/`)).toEqual({ kind: "answered", status: 101, retryAfter: null });
  });

  it("that no server listens is said in our words", async () => {
    allow("127.0.0.1");
    expect(await post("http://127.0.0.1:9/")).toEqual({ kind: "failed", cause: "connection refused" });
  });
});
