import net, { type AddressInfo } from "node:net";
import http from "node:http";
import next from "next";
import { afterAll, beforeAll, expect, it } from "vitest";
import { handOnAddress, nextOptions, readTarget, refusalOf, refuse, TIMEOUTS } from "./web-edge.mjs";

it.each([
  ["GET", "/api/v1/trades?symbol=%zz", null],
  ["GET", "/", null],
  ["DELETE", "/api/v1/accounts/%c3%a9%20", null],
  ["OPTIONS", "*", 400],
  ["GET", "/api/v1/%", 400],
  ["GET", "/api/v1/trades/%c0%ae", 400],
  ["GET", "/%ed%a0%80", 400],
  ["TRACE", "/api/v1/trades", 405],
  ["CONNECT", "example.com:443", 405],
  ["PROPFIND", "/", 405],
  ["POST", "/api/auth/signout", null],
  ["POST", "/dashboard", 405],
  ["PUT", "/", 405],
  ["OPTIONS", "/decisions", 405],
  ["OPTIONS", "/api/v1/trades", null],
])("of %s %s the edge says %s", (method, url, status) => {
  expect(refusalOf({ method, url })?.status ?? null).toBe(status);
});

it.each([
  ["http://evil.example/admin/operations?x=1", "/admin/operations?x=1"],
  ["HTTPS://u:p@evil.example:8443", "/"],
  ["http://evil.example?x=1", "/?x=1"],
  ["/next?to=http://evil.example/", "/next?to=http://evil.example/"],
  ["//evil.example/x", "//evil.example/x"],
  ["*", "*"],
])("of the target %s the path %s counts, and no host", (url, target) => {
  const request = { url };
  readTarget(request);
  expect(request.url).toBe(target);
});

it("a server action is refused at the edge, wherever it is sent: there are none", () => {
  const headers = { "next-action": "7f3a" };
  expect(refusalOf({ method: "GET", url: "/dashboard", headers })?.status).toBe(400);
  expect(refusalOf({ method: "POST", url: "/api/v1/auth/login", headers })?.status).toBe(400);
});

const server = http.createServer(TIMEOUTS, (request, response) => {
  const refusal = refusalOf({ method: request.method ?? "", url: request.url ?? "" });
  if (refusal) refuse(refusal, response);
  else response.end("passed");
});
beforeAll(() => new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve)));
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

it("a line that rests is kept for longer than proxies keep theirs", async () => {
  const { port } = server.address() as AddressInfo;
  const agent = new http.Agent({ keepAlive: true });
  const response = await new Promise<http.IncomingMessage>((resolve, reject) =>
    http.get({ port, path: "/", agent }, resolve).on("error", reject),
  );
  expect(response.headers).toMatchObject({ connection: "keep-alive", "keep-alive": "timeout=65" });
  agent.destroy();
});

it("what the edge refuses is answered in the envelope, and the line is closed", async () => {
  const { port } = server.address() as AddressInfo;
  const response = await new Promise<http.IncomingMessage>((resolve, reject) =>
    http.get({ port, path: "/api/v1/%", agent: new http.Agent({ keepAlive: true }) }, resolve).on("error", reject),
  );
  const chunks: Buffer[] = [];
  for await (const chunk of response) chunks.push(chunk as Buffer);
  expect(response.statusCode).toBe(400);
  expect(response.headers).toMatchObject({
    connection: "close",
    "cache-control": "no-store",
    "x-frame-options": "DENY",
    "content-security-policy": "default-src 'none'; base-uri 'none'; frame-ancestors 'none'",
  });
  expect(JSON.parse(Buffer.concat(chunks).toString())).toEqual({
    success: false,
    data: null,
    error: "This address cannot be read.",
    code: "invalid_input",
    requestId: response.headers["x-request-id"],
  });
});

it("a line that sends half a header is closed soon after its ten seconds, not at Node's next half minute", async () => {
  const { port } = server.address() as AddressInfo;
  const line = net.connect(port, "127.0.0.1");
  const startedAt = performance.now();
  line.write("GET / HTTP/1.1\r\nHost: x\r\nX-Slow: ");
  line.resume();
  await new Promise((resolve) => line.once("close", resolve));
  expect(performance.now() - startedAt).toBeGreaterThan(9_000);
  expect(performance.now() - startedAt).toBeLessThan(20_000);
}, 40_000);

it("a request that asks for an upgrade passes the edge as any other, also after the first one has reached Next", async () => {
  const app = next(nextOptions({ hostname: "127.0.0.1", port: 0 }));
  // Of Next only the way in which it takes part in a server counts here: it is not prepared, since nothing is built.
  const answer = (_: http.IncomingMessage, response: http.ServerResponse) => response.end("passed");
  Object.assign(app, { init: { requestHandler: answer, upgradeHandler: () => undefined } });
  const handle = app.getRequestHandler();
  const edge = http.createServer(TIMEOUTS, (request, response) => {
    const refusal = refusalOf({ method: request.method ?? "", url: request.url ?? "" });
    if (refusal) refuse(refusal, response);
    else void handle(request, response);
  });
  await new Promise<void>((resolve) => edge.listen(0, "127.0.0.1", resolve));
  const { port } = edge.address() as AddressInfo;
  await fetch(`http://127.0.0.1:${port}/`);
  const statusOf = async (line: string) => {
    const socket = net.connect(port, "127.0.0.1").setEncoding("utf8");
    socket.write(`${line} HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n`);
    const text = await new Promise<string>((resolve) => socket.once("data", resolve));
    socket.destroy();
    return Number(text.split(" ")[1]);
  };
  expect(await statusOf("GET //x/y")).toBe(200);
  expect(await statusOf("TRACE /x")).toBe(405);
  edge.closeAllConnections();
  edge.close();
});

it("the front server hands on what proxies said and where the connection came from, under a name that no caller knows", async () => {
  const seen: http.IncomingHttpHeaders[] = [];
  const front = http.createServer((request, response) => {
    handOnAddress(request);
    seen.push(request.headers);
    response.end();
  });
  await new Promise<void>((resolve) => front.listen(0, "127.0.0.1", resolve));
  const { port } = front.address() as AddressInfo;
  const name = (globalThis as { tradewindFrontHeader?: string }).tradewindFrontHeader ?? "";
  expect(name).toMatch(/^x-front-[0-9a-f]{24}$/);
  for (const headers of [{}, { "x-forwarded-for": "203.0.113.7" }, { [name]: "6.6.6.6" }])
    await fetch(`http://127.0.0.1:${port}/`, { headers });
  expect(seen.map((headers) => headers[name])).toEqual(["127.0.0.1", "203.0.113.7, 127.0.0.1", "127.0.0.1"]);
  front.closeAllConnections();
  front.close();
});
