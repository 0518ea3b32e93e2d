import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import http from "node:http";
import { loadavg } from "node:os";
import type { AddressInfo } from "node:net";
import { Client } from "pg";
import type { Run } from "@/e2e/run.ts";

/**
 * Dashboards that poll, and three times as many: `npm run bench:load`. It asks the stack that runs (RUN_FILE names another's
 * run.json), which must believe one proxy, as each dashboard comes from an address of its own: `TRUSTED_PROXIES=1 npm start`.
 * Calls go out at fixed times whether earlier ones are answered or not, and each is timed from when it was due. SECONDS is the
 * length of each part (60), RATE the calls a second (150: that many come from some 140 open dashboards). The same rate to a handler of plain Node is the floor.
 * Writes the same figures to .data/bench-load.json. Nothing fails on a slow machine.
 */
const { RUN_FILE = ".data/run.json", SECONDS = "60", RATE = "150" } = process.env;
const seconds = Number(SECONDS);
const rate = Number(RATE);
const OVERLOAD = 3;
/** Recovered: a second without a refusal whose 99th percentile is below the aim. */
const AIM_P99_MS = 250;

/** What an open dashboard asks for, and how often in a minute. */
const POLLS: Record<string, number> = {
  "/portfolio/summary": 12,
  "/portfolio/positions": 12,
  "/automation/heartbeat": 12,
  "/trades?limit=1": 12,
  "/insight/today": 4,
  "/automation/market": 4,
  "/accounts": 2,
  "/notifications": 2,
  "/automation/pause": 2,
  "/portfolio/equity": 2,
  "/performance/markers": 1,
  "/insight/daily": 1,
};
/** A minute of it, spread evenly: each call stands where its share of the minute is over. */
const MINUTE = Object.entries(POLLS)
  .flatMap(([path, times]) => Array.from({ length: times }, (_, index) => ({ path, at: (index + 0.5) / times })))
  .sort((a, b) => a.at - b.at)
  .map(({ path }) => path);

interface Answer {
  /** ms since the start of the part at which it was due */
  dueMs: number;
  tookMs: number;
  status: number;
}

const agent = new http.Agent({ keepAlive: true, maxSockets: 1_000 });
const addressOf = (index: number) => `10.${(index >> 8) & 255}.${index & 255}.7`;

function ask(
  base: string,
  path: string,
  options: { method?: string; token?: string; from?: number; body?: string } = {},
) {
  const { method = "GET", token, from = 0, body } = options;
  const headers: http.OutgoingHttpHeaders = { "x-forwarded-for": addressOf(from) };
  if (token !== undefined) headers["authorization"] = `Bearer ${token}`;
  if (body !== undefined) headers["content-type"] = "application/json";
  return new Promise<{ status: number; text: string }>((resolve) => {
    const request = http.request(`${base}${path}`, { method, headers, agent }, (response) => {
      let text = "";
      response.setEncoding("utf8").on("data", (chunk: string) => (text += chunk));
      response.on("end", () => resolve({ status: response.statusCode ?? 0, text }));
    });
    request.on("error", () => resolve({ status: 0, text: "" }));
    request.end(body);
  });
}

type Call = (index: number) => Promise<{ status: number }>;

/** So many calls a second for so long, each at its time. */
async function part(perSecond: number, forSeconds: number, call: Call): Promise<Answer[]> {
  const answers: Answer[] = [];
  const open: Promise<void>[] = [];
  const start = performance.now();
  for (let index = 0; index < perSecond * forSeconds; index += 1) {
    const dueMs = (index * 1000) / perSecond;
    const early = dueMs - (performance.now() - start);
    if (early > 1) await new Promise((resolve) => setTimeout(resolve, early));
    open.push(
      call(index).then(({ status }) => void answers.push({ dueMs, tookMs: performance.now() - start - dueMs, status })),
    );
  }
  await Promise.all(open);
  return answers;
}

function percentile(sorted: number[], share: number): number | null {
  const value = sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))];
  return value === undefined ? null : Math.round(value);
}

const times = (answers: Answer[]) => answers.map(({ tookMs }) => tookMs).sort((a, b) => a - b);

function figures(answers: Answer[]) {
  const served = times(answers.filter(({ status }) => status === 200));
  const shed = times(answers.filter(({ status }) => status === 503));
  return {
    calls: answers.length,
    served: served.length,
    p50: percentile(served, 0.5),
    p99: percentile(served, 0.99),
    shed: shed.length,
    shedP99: percentile(shed, 0.99),
    other: answers.length - served.length - shed.length,
  };
}

/** ms until the first second that is served well, and all after it; null where there is none. */
function recoveryMs(answers: Answer[], forSeconds: number): number | null {
  const isWell = (second: number) => {
    const { shed, other, p99 } = figures(answers.filter(({ dueMs }) => Math.floor(dueMs / 1000) === second));
    return shed === 0 && other === 0 && p99 !== null && p99 <= AIM_P99_MS;
  };
  const bad = Array.from({ length: forSeconds }, (_, second) => second).filter((second) => !isWell(second));
  const last = bad.at(-1);
  if (last === undefined) return 0;
  return last === forSeconds - 1 ? null : (last + 1) * 1000;
}

async function floor(): Promise<ReturnType<typeof figures>> {
  const server = http.createServer((_, response) => response.end('{"success":true,"data":{},"error":null}'));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const answers = await part(rate, Math.min(10, seconds), (index) =>
    ask(`http://127.0.0.1:${port}`, "/", { from: index }),
  );
  server.close();
  return figures(answers);
}

const run = JSON.parse(readFileSync(RUN_FILE, "utf8")) as Run & { internal: { databaseUrl: string } };
const api = `${run.url}/api/v1`;
const signedIn = await ask(api, "/auth/login", { method: "POST", body: JSON.stringify(run.demo.trader) });
const { token } = (JSON.parse(signedIn.text) as { data: { token: string } }).data;
const poll: Call = (index) => ask(api, MINUTE[index % MINUTE.length] ?? "", { token, from: index % 500 });

/** While reads are shed, a person pauses automation once a second. */
async function pauses(forSeconds: number): Promise<Answer[]> {
  return part(1, forSeconds, (index) =>
    ask(api, "/automation/pause", { method: "POST", token, body: "{}", from: 600 + index }),
  );
}

const rows: Record<string, ReturnType<typeof figures>> = {};
const show = (name: string, row: ReturnType<typeof figures>) => {
  rows[name] = row;
  const { calls, served, p50, p99, shed, shedP99, other } = row;
  console.log(
    `${name.padEnd(28)} ${calls} calls, served ${served} (p50 ${p50} ms, p99 ${p99} ms), shed ${shed} (p99 ${shedP99} ms), other ${other}`,
  );
};

/** One person asks for all dashboards here, and a person has a limit: it is off meanwhile, for the whole stack. */
async function withoutLimitOfPersons(work: () => Promise<void>): Promise<void> {
  const database = new Client({ connectionString: run.internal.databaseUrl });
  await database.connect();
  const set = (enabled: boolean) =>
    database.query(`update "RateLimit" set "enabled" = $1 where "name" = 'api' and "enabled" <> $1`, [enabled]);
  const { rowCount } = await set(false);
  try {
    await work();
  } finally {
    if (rowCount) await set(true);
    await database.end();
  }
}

let recovered: number | null = null;
await withoutLimitOfPersons(async () => {
  await part(20, 5, poll); // warms up, and lasts longer than limits are remembered
  show("floor: plain Node", await floor());
  show(`${rate} a second`, figures(await part(rate, seconds, poll)));
  const [overload, paused] = await Promise.all([part(rate * OVERLOAD, seconds, poll), pauses(seconds)]);
  show(`${rate * OVERLOAD} a second`, figures(overload));
  show("pauses meanwhile", figures(paused));
  const after = await part(rate, Math.min(20, seconds), poll);
  show("afterwards", figures(after));
  recovered = recoveryMs(after, Math.min(20, seconds));
  console.log(`recovered after ${recovered ?? "more than the time watched"}${recovered === null ? "" : " ms"}`);
  await ask(api, "/automation/resume", { method: "POST", token, body: "{}" });
});
mkdirSync(".data", { recursive: true });
writeFileSync(".data/bench-load.json", JSON.stringify({ load: loadavg(), rate, seconds, rows, recovered }, null, 2));
agent.destroy();
