import { type ChildProcess, fork, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createInterface } from "node:readline";
import { benchClock } from "./exchange-clock.ts";
import { fixtureTape } from "../lib/proof/market/fixture-tape.ts";
import type { LoadOrder, LoadReport } from "./exchange-load.ts";
import { benchMinutes } from "./exchange-minutes.ts";

/**
 * What the paper exchange carries on one core: `npm run bench:exchange`. Exchange, constant peer and load generator are
 * processes of their own; both servers are asked at the same moments, so that the peer shows what the machine itself costs.
 * BENCH_SECONDS, BENCH_RPS, BENCH_ACCOUNTS, BENCH_SPEED, BENCH_DATABASE_URL and EXCHANGE_TAPE change the run.
 */
const number = (name: string, fallback: number) => Number(process.env[name] ?? fallback);
const seconds = number("BENCH_SECONDS", 60);
const requestsPerSecond = number("BENCH_RPS", 150);
const accountCount = number("BENCH_ACCOUNTS", 1_000);
const speed = number("BENCH_SPEED", 60);
const tape = process.env.EXCHANGE_TAPE ?? fixtureTape();
const TOKEN = "bench";
const HELD = 4;

/** Whatever ends this program ends its children. */
const children: ChildProcess[] = [];
process.on("exit", () => {
  for (const child of children) child.kill("SIGKILL");
});

function started(args: string[], env: Record<string, string>): ChildProcess {
  const child = spawn(process.execPath, args, {
    env: { ...process.env, ...env },
    stdio: ["ignore", "pipe", "inherit"],
  });
  children.push(child);
  return child;
}

async function lineOf(child: ChildProcess, pattern: RegExp): Promise<string> {
  for await (const line of createInterface({ input: child.stdout! })) {
    const found = pattern.exec(line)?.[1];
    if (found !== undefined) return found;
  }
  throw new Error("a server of the benchmark did not start");
}

/** CPU seconds that a process has used; null where the system does not tell. */
function cpuSeconds({ pid }: ChildProcess): number | null {
  const file = `/proc/${pid}/stat`;
  if (!existsSync(file)) return null;
  const fields = readFileSync(file, "utf8").split(") ")[1]!.split(" ");
  return (Number(fields[11]) + Number(fields[12])) / 100;
}

function startedExchange(env: Record<string, string>): ChildProcess {
  return started([...(process.env.BENCH_EXCHANGE_ARGS ?? "--import tsx").split(" "), "workers/exchange.ts"], {
    EXCHANGE_PORT: "0",
    EXCHANGE_CONTROL_TOKEN: TOKEN,
    EXCHANGE_SPEED: String(speed),
    EXCHANGE_DATABASE_URL: process.env.BENCH_DATABASE_URL ?? "",
    EXCHANGE_TAPE: tape,
    ...env,
  });
}

const portOf = async (child: ChildProcess) => Number(await lineOf(child, /listens on \S+:(\d+)/));

if (process.argv.includes("--clock")) {
  const exchanges = await Promise.all(
    [true, false].map(async (skipClosed) => {
      const market = { EXCHANGE_TAPE: "", EXCHANGE_DATABASE_URL: "", EXCHANGE_SKIP_CLOSED: skipClosed ? "1" : "0" };
      const port = await portOf(startedExchange(market));
      const url = `http://127.0.0.1:${port}/_control/clock`;
      const headers = { "x-control-token": TOKEN, "content-type": "application/json" };
      return {
        skipClosed,
        command: async (body: object) =>
          (await (await fetch(url, { method: "POST", headers, body: JSON.stringify(body) })).json()) as {
            now: string;
            leftOutSeconds: number;
          },
      };
    }),
  );
  const isMet = await benchClock(exchanges, number("BENCH_SECONDS", 20));
  console.log(isMet ? "market time is within 2 % of speed times wall time" : "market time is OFF by more than 2 %");
  process.exit(isMet ? 0 : 1);
}

const exchange = startedExchange({});
const peer = started(["--import", "tsx", "bench/exchange-peer.ts"], {});
const exchangePort = await portOf(exchange);
const peerPort = Number(await lineOf(peer, /^(\d+)$/));

async function call<T>(method: string, path: string, body?: unknown, keys: Record<string, string> = {}): Promise<T> {
  const headers = { "x-control-token": TOKEN, "content-type": "application/json", ...keys };
  const init = { method, headers, ...(body !== undefined && { body: JSON.stringify(body) }) };
  return (await (await fetch(`http://127.0.0.1:${exchangePort}${path}`, init)).json()) as T;
}

type Account = LoadOrder["accounts"][number];
const keysOf = ({ key_id, secret }: Account) => ({ "APCA-API-KEY-ID": key_id, "APCA-API-SECRET-KEY": secret });

/** Accounts with a few positions and a bracket that rests. */
async function furnish(): Promise<{ accounts: Account[]; symbols: string[] }> {
  await call("POST", "/_control/clock", { paused: true });
  const accounts: Account[] = [];
  while (accounts.length < accountCount)
    accounts.push(
      ...(await Promise.all(Array.from({ length: 50 }, () => call<Account>("POST", "/_control/accounts", {})))),
    );
  const listed = await call<{ symbol: string }[]>("GET", "/v2/assets", undefined, keysOf(accounts[0]!));
  const symbols = listed.map(({ symbol }) => symbol);
  for (let from = 0; from < accounts.length; from += 25) {
    const orders = accounts.slice(from, from + 25).flatMap((account, i) =>
      Array.from({ length: HELD }, (_, j) => {
        const symbol = symbols[((from + i) * HELD + j) % symbols.length];
        const exits = {
          order_class: "bracket",
          take_profit: { limit_price: "90000.00" },
          stop_loss: { stop_price: "0.50" },
        };
        const order = { symbol, side: "buy", qty: "5", type: "market", time_in_force: "gtc", ...(j === 0 && exits) };
        return call("POST", "/v2/orders", order, keysOf(account));
      }),
    );
    await Promise.all(orders);
  }
  await call("POST", "/_control/clock", { paused: false });
  return { accounts, symbols };
}

const { accounts, symbols } = await furnish();
console.log(
  `${accounts.length} accounts, ${symbols.length} symbols, ${speed}x, ${requestsPerSecond} requests/s for ${seconds} s`,
);
const load = fork("bench/exchange-load.ts", { execArgv: ["--import", "tsx"] });
children.push(load);
const order: LoadOrder = {
  exchangePort,
  peerPort,
  accounts,
  symbols,
  requestsPerSecond,
  warmUpSeconds: 10,
  seconds,
  seed: 7,
};
const cpuBefore = cpuSeconds(exchange);
const sentAt = performance.now();
load.send(order);
const [report] = (await once(load, "message")) as [LoadReport];
const cpuAfter = cpuSeconds(exchange);
const cpuShare =
  cpuBefore === null || cpuAfter === null ? null : (cpuAfter - cpuBefore) / ((performance.now() - sentAt) / 1000);

const { now } = await call<{ now: string }>("GET", "/_control/status");
exchange.kill("SIGTERM");
await once(exchange, "exit");

const at = (sorted: number[], share: number) =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
const rows = Object.entries({
  "all of the exchange": Object.entries(report.latencies).flatMap(([kind, list]) => (kind === "peer" ? [] : list)),
  ...report.latencies,
}).map(([what, list]) => {
  const sorted = [...list].sort((a, b) => a - b);
  return { what, count: sorted.length, p50: at(sorted, 0.5), p99: at(sorted, 0.99), max: sorted.at(-1) ?? 0 };
});
for (const { what, count, p50, p99, max } of rows)
  console.log(
    `${what.padEnd(22)} ${String(count).padStart(6)}   p50 ${p50.toFixed(2)}   p99 ${p99.toFixed(2)}   max ${max.toFixed(1)} ms`,
  );
console.log(
  `${report.sockets} sockets, ${report.events} events; market time ${now}; not 2xx: ${JSON.stringify(report.failures)}`,
);
if (cpuShare !== null) console.log(`the exchange used ${(cpuShare * 100).toFixed(0)} % of a core`);

const minutes = await benchMinutes(accountCount, tape, process.env.BENCH_DATABASE_URL ?? null);
const { p50, p99, max } = minutes.minuteMs;
console.log(
  `CPU of a market minute with ${minutes.openOrders} open orders: p50 ${p50.toFixed(1)}, p99 ${p99.toFixed(1)}, max ${max.toFixed(1)} ms; closing ${minutes.closeMs.toFixed(0)}, opening with its first minute ${minutes.openMs.toFixed(0)} ms`,
);
mkdirSync(".data", { recursive: true });
writeFileSync(
  ".data/bench-exchange.json",
  `${JSON.stringify({ node: process.version, speed, requestsPerSecond, seconds, rows, cpuShare, minutes }, null, 2)}\n`,
);
process.exit(0);
