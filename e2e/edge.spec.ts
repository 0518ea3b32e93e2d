import { randomUUID } from "node:crypto";
import http from "node:http";
import net from "node:net";
import { expect } from "@playwright/test";
import { run } from "./run.ts";
import { test } from "./test.ts";

interface Sent {
  method?: string;
  headers?: http.OutgoingHttpHeaders;
  body?: string;
}

interface Got {
  status: number;
  location: string | undefined;
  text: string;
}

const address = () => new URL(test.info().project.use.baseURL ?? "");

/** A request as it is written here: a browser, and Playwright's client, would tidy the path. */
function send(path: string, { method = "GET", headers = {}, body }: Sent = {}): Promise<Got> {
  const { hostname, port } = address();
  // As a browser's line: one that is to be closed is cut off with the rest of a long body unread, and its answer may be lost.
  const agent = new http.Agent({ keepAlive: true });
  return new Promise<Got>((resolve, reject) => {
    const request = http.request({ hostname, port, path, method, headers, agent }, (response) => {
      let text = "";
      response.setEncoding("utf8").on("data", (chunk: string) => (text += chunk));
      response.on("end", () =>
        resolve({ status: response.statusCode ?? 0, location: response.headers.location, text }),
      );
    });
    request.on("error", reject);
    request.end(body);
  }).finally(() => agent.destroy());
}

const CALL = "/api/v1/auth/me";
const PAGE = "/dashboard";
/** What only the signed-in get to see of either. */
const PROTECTED = /"success":true|DashboardScreen/;

const last = (path: string, instead: string) => path.replace(/\/(?=[^/]*$)/, instead);
const everyLetter = (path: string) => path.replace(/[a-z]/g, (letter) => `%${letter.charCodeAt(0).toString(16)}`);

const PATHS: readonly ((path: string) => string)[] = [
  (path) => path,
  (path) => `${path}/`,
  (path) => `${path}//`,
  (path) => `/${path}`,
  (path) => `///${path}`,
  (path) => path.replaceAll("/", "//"),
  (path) => last(path, "/./"),
  (path) => last(path, "/%2e/"),
  (path) => last(path, "/x/../"),
  (path) => last(path, "/x/%2e%2e/"),
  (path) => last(path, "/x/..%2f"),
  (path) => last(path, "/.;/"),
  (path) => `/x${last(path, "%2f")}`,
  (path) => `/x/..${last(path, "%252f")}`,
  (path) => `/${last(path, "\\")}`,
  (path) => `/${last(path, "%5c")}`,
  (path) => `\\${path}`,
  (path) => path.toUpperCase(),
  (path) => path.replace(/[a-z]/, (letter) => letter.toUpperCase()),
  (path) => `${path}.`,
  (path) => `${path}...`,
  (path) => `${path}%2e`,
  (path) => `${path}%20`,
  (path) => `${path}%00`,
  (path) => `${path}%0d%0a`,
  (path) => `${path}%ff`,
  (path) => `${path}%c0%af`,
  (path) => `${path}%`,
  (path) => `${path};x=1`,
  (path) => `${path}.rsc`,
  (path) => `${path}.segments/_tree.segment.rsc`,
  (path) => `${path}.json`,
  (path) => `${path}.html`,
  (path) => `${path}?_rsc=1`,
  (path) => `${path}?__nextDataReq=1`,
  (path) => `${path}?x-middleware-subrequest=proxy`,
  (path) => `${path}#x`,
  (path) => `/_next/data/x${path}.json`,
  (path) => `/_next/static/../..${path}`,
  (path) => `/_next/static/..%2f..${path}`,
  (path) => `/_next/image?url=${encodeURIComponent(path)}&w=64&q=75`,
  (path) => `/%2e%2e${path}`,
  (path) => `/en${path}`,
  everyLetter,
  (path) => `${address().origin}${path}`,
  (path) => `http://evil.example${path}`,
];

const rscHeaders = { rsc: "1", "next-url": PAGE };
const treeOf = (page: string) =>
  encodeURIComponent(
    JSON.stringify(["", { children: [page.slice(1), { children: ["__PAGE__", {}] }] }, null, "refetch"]),
  );
const elsewhere = { "x-forwarded-path": "/", "x-original-url": "/", "x-rewrite-url": "/", "x-forwarded-uri": "/" };

const HEADERS: readonly http.OutgoingHttpHeaders[] = [
  { "x-middleware-subrequest": "proxy:proxy:proxy:proxy:proxy" },
  { "x-middleware-subrequest": "src/middleware:src/middleware:src/middleware", "x-middleware-subrequest-id": "1" },
  { "x-middleware-next": "1" },
  { "x-middleware-rewrite": "/api/v1/health/live" },
  { "x-middleware-invoke": "1", "x-invoke-path": "/api/v1/health/live", "x-invoke-status": "200" },
  { "x-matched-path": "/learn-more" },
  { "x-nextjs-data": "1" },
  { "x-now-route-matches": "1=x" },
  { "x-prerender-revalidate": "1" },
  { "x-http-method-override": "OPTIONS" },
  { "next-resume": "1" },
  rscHeaders,
  { ...rscHeaders, "next-router-state-tree": treeOf(PAGE) },
  { ...rscHeaders, "next-router-state-tree": "%5B" },
  { ...rscHeaders, "next-router-prefetch": "1", "next-router-segment-prefetch": "/_tree" },
  elsewhere,
  {
    "x-forwarded-for": "127.0.0.1",
    "x-real-ip": "127.0.0.1",
    "x-forwarded-host": "localhost",
    "x-forwarded-proto": "https",
  },
  { authorization: "Bearer null" },
  { authorization: "Basic YWRtaW46YWRtaW4=" },
  { cookie: "next-auth.session-token=x; __Secure-next-auth.session-token=x; auth_token=x" },
];

/** The answers on the way of a client that follows what stays on this server. */
async function walk(path: string, sent: Sent): Promise<Got[]> {
  const got = [await send(path, sent)];
  for (let next = got[0]?.location; next?.startsWith("/") && got.length < 5; next = got.at(-1)?.location) {
    got.push(await send(next, sent));
  }
  return got;
}

test("the marks of protected answers are there for those who are signed in", async ({ request }) => {
  const { email, password } = run().demo.trader;
  const signedIn = await request.post("/api/v1/auth/login", { data: { email, password } });
  const { data } = (await signedIn.json()) as { data: { token: string } };
  const me = await request.get(CALL, { headers: { authorization: `Bearer ${data.token}` } });
  expect(await me.text()).toMatch(PROTECTED);
  expect(await (await request.get(PAGE)).text()).toMatch(PROTECTED);
});

test(`${PATHS.length} ways to write a path lead nobody in, and break nothing`, async () => {
  for (const path of [CALL, PAGE].flatMap((protectedPath) => PATHS.map((write) => write(protectedPath)))) {
    const got = await walk(path, {});
    for (const { text, status } of got) {
      expect(text, path).not.toMatch(PROTECTED);
      expect(status, path).toBeLessThan(500);
    }
    if (path.includes(CALL)) expect(got[0]?.status, path).not.toBe(200);
  }
});

test(`${HEADERS.length} sets of headers lead nobody in`, async () => {
  for (const headers of HEADERS) {
    for (const { text } of await walk(PAGE, { headers })) expect(text, JSON.stringify(headers)).not.toMatch(PROTECTED);
    const call = (await walk(CALL, { headers })).at(-1);
    expect({ headers, status: call?.status }).toEqual({ headers, status: 401 });
  }
});

const part = (name: string, value: string) =>
  `--x\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`;
const CHUNK = JSON.stringify({
  then: "$1:__proto__:then",
  status: "resolved_model",
  reason: -1,
  value: '{"then":"$B0"}',
  _response: {
    _prefix: "throw Object.assign(new Error('ran'), {digest: 'ran'})//",
    _formData: { get: "$1:constructor:constructor" },
  },
});

test("server actions, which this product has none of, are refused with whatever body", async () => {
  const id = "0".repeat(42);
  const form = { "content-type": "multipart/form-data; boundary=x" };
  const text = { "content-type": "text/plain;charset=UTF-8" };
  const calls: Sent[] = [
    { headers: { "next-action": id, ...text }, body: "[]" },
    { headers: { "next-action": "../../etc", ...text }, body: '["$F1"]' },
    { headers: { "next-action": id, ...text }, body: `[${"[".repeat(20_000)}` },
    { headers: { "next-action": id, ...form }, body: `${part("0", CHUNK)}${part("1", '"$@0"')}--x--\r\n` },
    { headers: { "next-action": id, ...form }, body: `${part("0", '["$K1"]')}--x--\r\n` },
    { headers: form, body: `${part(`$ACTION_ID_${id}`, "")}--x--\r\n` },
    { headers: form, body: `${part("$ACTION_REF_1", "")}${part("$ACTION_1:0", CHUNK)}--x--\r\n` },
    { headers: { ...form, "next-action": "" }, body: "--x" },
  ];
  for (const path of [PAGE, "/auth", "/"]) {
    for (const call of calls) {
      const got = await send(path, { method: "POST", ...call });
      const what = `${path} ${JSON.stringify(call).slice(0, 120)}`;
      expect(got.text, what).not.toMatch(PROTECTED);
      expect(got.text, what).not.toContain('"digest":"ran"');
      expect({ what, isClientsFault: got.status >= 400 && got.status < 500 }).toEqual({ what, isClientsFault: true });
    }
  }
});

const JSON_TYPE = { "content-type": "application/json" };
const padded = (bytes: number) => JSON.stringify({ email: "a".repeat(bytes) });
const LOGIN = "/api/v1/auth/login";

const REFUSED: readonly [string, string, Sent, number][] = [
  ["more than 64 KB", LOGIN, { method: "POST", headers: JSON_TYPE, body: padded(66_000) }, 413],
  ["5 MB", LOGIN, { method: "POST", headers: JSON_TYPE, body: padded(5_000_000) }, 413],
  [
    "5 MB in chunks",
    LOGIN,
    { method: "POST", headers: { ...JSON_TYPE, "transfer-encoding": "chunked" }, body: padded(5_000_000) },
    413,
  ],
  [
    "5 MB to next-auth",
    "/api/auth/callback/credentials",
    { method: "POST", body: `email=${"a".repeat(5_000_000)}` },
    413,
  ],
  ["broken JSON", LOGIN, { method: "POST", headers: JSON_TYPE, body: '{"email":' }, 400],
  [
    "broken JSON to next-auth",
    "/api/auth/callback/credentials",
    { method: "POST", headers: JSON_TYPE, body: "{" },
    415,
  ],
  [
    "a form",
    LOGIN,
    { method: "POST", headers: { "content-type": "application/x-www-form-urlencoded" }, body: "email=a" },
    415,
  ],
  [
    "compressed bytes",
    LOGIN,
    { method: "POST", headers: { ...JSON_TYPE, "content-encoding": "gzip" }, body: "\x1f\x8b\x08" },
    400,
  ],
  [
    "another alphabet",
    LOGIN,
    { method: "POST", headers: JSON_TYPE, body: Buffer.from("{}", "utf16le").toString("latin1") },
    400,
  ],
  [
    "an unknown field",
    LOGIN,
    { method: "POST", headers: JSON_TYPE, body: '{"email":"a@b.co","password":"x","role":"ADMIN"}' },
    400,
  ],
  [
    "a prototype",
    LOGIN,
    { method: "POST", headers: JSON_TYPE, body: '{"email":"a@b.co","password":"x","__proto__":{}}' },
    400,
  ],
  [
    "the same name in query and body",
    `${LOGIN}?email=c@d.co`,
    { method: "POST", headers: JSON_TYPE, body: '{"email":"a@b.co","password":"x"}' },
    400,
  ],
  ["a method of no use", "/api/v1/auth/me", { method: "PATCH" }, 405],
  [
    "a preflight",
    LOGIN,
    { method: "OPTIONS", headers: { origin: "http://evil.example", "access-control-request-method": "POST" } },
    405,
  ],
];

test.describe("refused by the running server as by the handlers:", () => {
  for (const [what, path, sent, status] of REFUSED) {
    test(what, async () => {
      const got = await send(path, sent);
      expect(got.status).toBe(status);
      expect(JSON.parse(got.text)).toMatchObject({ success: false, data: null });
    });
  }

  test("lists that are too long, and a name twice, for the signed-in too", async ({ request }) => {
    const signedIn = await request.post(LOGIN, { data: run().demo.trader });
    const { data } = (await signedIn.json()) as { data: { token: string } };
    const headers = { authorization: `Bearer ${data.token}` };
    for (const query of [
      "limit=201",
      "limit=-1",
      "limit=1&limit=2",
      "limit[]=1",
      "limit=1;limit=2",
      "symbol=A&symbol=B",
      "userId=x",
    ]) {
      const got = await send(`/api/v1/trades?${query}`, { headers });
      expect({ query, status: got.status }).toEqual({ query, status: 400 });
    }
    expect((await send("/api/v1/trades?limit=200", { headers })).status).toBe(200);
  });
});

/** Writes bytes as they are, and answers what came back before the server hung up. */
function raw(bytes: string): Promise<string> {
  const { hostname, port } = address();
  return new Promise((resolve) => {
    const socket = net.connect(Number(port), hostname, () => socket.end(bytes));
    let text = "";
    socket.setEncoding("utf8").on("data", (chunk: string) => (text += chunk));
    // A server that hangs up on bytes it has not read resets the line: after its answer, which is what is looked at.
    socket.on("error", () => undefined).on("close", () => resolve(text));
  });
}

test("a request that two servers could read in two ways is read by none", async () => {
  const start = `POST ${LOGIN} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n`;
  for (const rest of [
    "Content-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
    "Content-Length: 2\r\nContent-Length: 3\r\n\r\n{}",
    "Transfer-Encoding: chunked\r\nTransfer-Encoding: identity\r\n\r\n0\r\n\r\n",
    "Content-Length: +2\r\n\r\n{}",
    "Transfer-Encoding : chunked\r\n\r\n0\r\n\r\n",
    `X-Long: ${"a".repeat(20_000)}\r\nContent-Length: 0\r\n\r\n`,
  ]) {
    expect(await raw(`${start}${rest}`), rest.slice(0, 60)).toMatch(/^HTTP\/1\.1 4(00|31)/);
  }
});

test("200 clients who never finish what they send do not keep another from an answer", async () => {
  const { hostname, port } = address();
  const half = [
    "GET /auth HTTP/1.1\r\nHost: x\r\nX-Slow: ",
    `POST ${LOGIN} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{"email":"`,
    "POST /auth HTTP/1.1\r\nHost: x\r\nContent-Length: 100000\r\n\r\nx",
    `POST ${LOGIN} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\nff\r\n`,
  ];
  const sockets = Array.from({ length: 200 }, () => net.connect(Number(port), hostname));
  try {
    await Promise.all(
      sockets.map(
        (socket, index) =>
          new Promise<void>((resolve, reject) => {
            socket
              .on("error", reject)
              .on("connect", () => socket.write(half[index % half.length] ?? "", () => resolve()));
          }),
      ),
    );
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, index) => send(index % 2 === 0 ? "/api/v1/health/live" : "/learn-more")),
    );
    expect(answers.map(({ status }) => status)).toEqual(Array<number>(20).fill(200));
    expect(sockets.filter(({ destroyed }) => !destroyed).length, "they are still there").toBeGreaterThan(100);
  } finally {
    for (const socket of sockets) socket.destroy();
  }
});

test("whatever address a client claims, mails and redirects keep to the configured one", async () => {
  const lies: http.OutgoingHttpHeaders = {
    host: "evil.example",
    "x-forwarded-host": "evil.example",
    "x-forwarded-proto": "http",
    "x-forwarded-server": "evil.example",
    "x-host": "evil.example",
    forwarded: "host=evil.example",
    origin: "http://evil.example",
    referer: "http://evil.example/",
  };
  for (const path of [
    "/does-not-exist",
    "/dashboard/",
    "/api/auth/signin",
    "/api/auth/signin?callbackUrl=//evil.example",
  ]) {
    const got = await send(path, { headers: lies });
    expect(got.status, path).toBeGreaterThanOrEqual(300);
    expect(got.location ?? "", path).not.toContain("evil.example");
  }
  const email = `host-${randomUUID()}@tradewind.example`;
  const body = JSON.stringify({ email, password: "Windward-42-sails", firstName: "Hanna", lastName: "Host" });
  expect(
    (await send("/api/v1/auth/register", { method: "POST", headers: { ...lies, ...JSON_TYPE }, body })).status,
  ).toBe(200);
  const mails = async () => {
    const all = (await (await fetch(`${run().mailbox}/messages.json`)).json()) as {
      to: string[];
      links: string[];
      html: string;
    }[];
    return all.filter(({ to }) => to.includes(email));
  };
  // It leaves when the worker comes to it, which trades meanwhile.
  await expect.poll(async () => (await mails()).length, { message: "the mail arrives", timeout: 40_000 }).toBe(1);
  const [mail] = await mails();
  expect(JSON.stringify(mail)).not.toContain("evil.example");
  expect(mail?.links.some((link) => link.startsWith("http") && link.includes("/auth/verify-success?token="))).toBe(
    true,
  );
});
