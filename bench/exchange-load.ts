import { Agent, request } from "node:http";
import WebSocket from "ws";
import { randomFrom } from "./timing.ts";

/**
 * The load generator, a process of its own: opens a trade_updates socket for every account, then asks at a fixed rate whatever
 * happens, and measures each answer from the moment it was due. Told by one JSON message of its parent, answers with another.
 */
export interface LoadOrder {
  exchangePort: number;
  peerPort: number;
  accounts: { key_id: string; secret: string }[];
  symbols: string[];
  requestsPerSecond: number;
  warmUpSeconds: number;
  seconds: number;
  seed: number;
}

export interface LoadReport {
  /** Milliseconds, by kind of request; "peer" is the constant answer. */
  latencies: Record<string, number[]>;
  failures: Record<string, number>;
  sockets: number;
  events: number;
}

interface Ask {
  kind: string;
  method: string;
  path: string;
  body?: string;
}

const agent = new Agent({ keepAlive: true, maxSockets: 512 });

function ask(port: number, { method, path, body }: Ask, headers: Record<string, string>): Promise<number> {
  return new Promise((resolve) => {
    const sent = request({ host: "127.0.0.1", port, method, path, agent, headers }, (answer) => {
      answer.resume();
      answer.on("end", () => resolve(answer.statusCode ?? 0));
    });
    sent.on("error", () => resolve(0));
    sent.end(body);
  });
}

/** What a dashboard and a trading cycle ask for: a quarter each of account and market data, a tenth orders. */
function mixOf(random: () => number, symbols: readonly string[]): Ask {
  const any = () => symbols[Math.floor(random() * symbols.length)]!;
  const some = (count: number) => Array.from({ length: count }, any).join(",");
  const draw = random();
  if (draw < 0.25) return { kind: "account", method: "GET", path: "/v2/account" };
  if (draw < 0.45) return { kind: "positions", method: "GET", path: "/v2/positions" };
  if (draw < 0.6) return { kind: "orders", method: "GET", path: "/v2/orders?status=all&limit=100&nested=true" };
  if (draw < 0.8) return { kind: "quotes", method: "GET", path: `/v2/stocks/quotes/latest?symbols=${some(20)}` };
  if (draw < 0.9)
    return {
      kind: "bars",
      method: "GET",
      path: `/v2/stocks/bars?symbols=${some(5)}&timeframe=1Day&limit=500&start=2019-03-01`,
    };
  const isLimit = random() < 0.5;
  const price = isLimit ? { type: "limit", limit_price: "1.00" } : { type: "market" };
  const order = { symbol: any(), side: "buy", qty: "1", time_in_force: "day", ...price };
  return { kind: "order", method: "POST", path: "/v2/orders", body: JSON.stringify(order) };
}

async function openSockets(order: LoadOrder, onEvent: () => void): Promise<WebSocket[]> {
  const sockets: WebSocket[] = [];
  for (let from = 0; from < order.accounts.length; from += 50) {
    const batch = order.accounts.slice(from, from + 50).map(
      ({ key_id, secret }) =>
        new Promise<WebSocket>((resolve, reject) => {
          const socket = new WebSocket(`ws://127.0.0.1:${order.exchangePort}/stream`);
          socket.on("error", reject);
          socket.on("open", () => {
            socket.send(JSON.stringify({ action: "authenticate", data: { key_id, secret_key: secret } }));
            socket.send(JSON.stringify({ action: "listen", data: { streams: ["trade_updates"] } }));
          });
          socket.on("message", (raw: Buffer) => {
            if (raw.includes("listening")) resolve(socket);
            else onEvent();
          });
        }),
    );
    sockets.push(...(await Promise.all(batch)));
  }
  return sockets;
}

async function run(order: LoadOrder): Promise<LoadReport> {
  const report: LoadReport = { latencies: {}, failures: {}, sockets: 0, events: 0 };
  const sockets = await openSockets(order, () => (report.events += 1));
  report.sockets = sockets.length;
  const random = randomFrom(order.seed);
  const everyMs = 1_000 / order.requestsPerSecond;
  const count = Math.round((order.warmUpSeconds + order.seconds) * order.requestsPerSecond);
  const warmUp = order.warmUpSeconds * order.requestsPerSecond;
  const startedAt = performance.now();
  const open: Promise<void>[] = [];

  async function timed(port: number, what: Ask, headers: Record<string, string>, isCounted: boolean): Promise<void> {
    const from = performance.now();
    const status = await ask(port, what, headers);
    if (!isCounted) return;
    (report.latencies[what.kind] ??= []).push(performance.now() - from);
    if (status < 200 || status >= 300) {
      const key = `${what.kind} ${status}`;
      report.failures[key] = (report.failures[key] ?? 0) + 1;
    }
  }

  for (let i = 0; i < count; i += 1) {
    const waitMs = startedAt + i * everyMs - performance.now();
    if (waitMs > 0) await new Promise((resolve) => setTimeout(resolve, waitMs));
    const account = order.accounts[Math.floor(random() * order.accounts.length)]!;
    const keys = { "APCA-API-KEY-ID": account.key_id, "APCA-API-SECRET-KEY": account.secret };
    const headers = { ...keys, "content-type": "application/json" };
    open.push(timed(order.exchangePort, mixOf(random, order.symbols), headers, i >= warmUp));
    open.push(timed(order.peerPort, { kind: "peer", method: "GET", path: "/" }, headers, i >= warmUp));
  }
  await Promise.all(open);
  for (const socket of sockets) socket.terminate();
  agent.destroy();
  return report;
}

process.once("message", (order: LoadOrder) => {
  void run(order).then((report) => process.send?.(report, () => process.disconnect()));
});
