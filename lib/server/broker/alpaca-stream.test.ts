import http from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { WebSocketServer, type WebSocket } from "ws";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { followTradeUpdates } from "./alpaca-stream.ts";
import type { Subscription } from "./broker.ts";

let server: http.Server;
let sockets: WebSocketServer;
let following: Subscription | undefined;
let connections: { raw: Socket; socket: WebSocket }[] = [];
let isRefusing = false;
const states: string[] = [];
let ready = 0;
let refused = 0;

beforeEach(async () => {
  connections = [];
  states.length = 0;
  [ready, refused, isRefusing] = [0, 0, false];
  server = http.createServer();
  sockets = new WebSocketServer({ server });
  sockets.on("connection", (socket, request) => {
    connections.push({ raw: request.socket, socket });
    socket.on("message", (data: Buffer) => {
      const { action } = JSON.parse(data.toString()) as { action: string };
      const status = isRefusing ? "unauthorized" : "authorized";
      const answer =
        action === "listen"
          ? { stream: "listening", data: { streams: ["trade_updates"] } }
          : { stream: "authorization", data: { status, action } };
      socket.send(Buffer.from(JSON.stringify(answer)));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
});
afterEach(async () => {
  following?.close();
  for (const { socket, raw } of connections) {
    socket.terminate();
    raw.destroy();
  }
  sockets.close();
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

function follow(times: Parameters<typeof followTradeUpdates>[3]): void {
  following = followTradeUpdates(
    `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    { keyId: "PK", secret: "s" },
    {
      onUpdate: () => undefined,
      onReady: () => (ready += 1),
      onState: (state) => states.push(state),
      onRefused: () => (refused += 1),
    },
    times,
  );
}

describe("a stream of trade updates", () => {
  it("that falls silent half-open (nothing comes, not even a pong) is opened anew, and says that it is ready (B21)", async () => {
    // The SDK's own pong watch is left out: ours alone must notice.
    follow({ silenceMs: 400, pingEveryMs: 50, pongWaitMs: 60_000, watchEveryMs: 50 });
    await expect.poll(() => ready, { timeout: 5_000 }).toBe(1);
    const [first] = connections;
    first?.raw.pause();
    await expect.poll(() => ready, { timeout: 5_000 }).toBe(2);
    expect(connections).toHaveLength(2);
    expect(states).toContain("watchdog: silent, connecting anew");
  });

  it("that is quiet but answers pings is left alone", async () => {
    follow({ silenceMs: 200, pingEveryMs: 50, watchEveryMs: 20 });
    await expect.poll(() => ready, { timeout: 5_000 }).toBe(1);
    let pongs = 0;
    connections[0]?.socket.on("ping", () => (pongs += 1));
    await expect.poll(() => pongs, { timeout: 5_000 }).toBeGreaterThan(12);
    expect(connections).toHaveLength(1);
  });

  it("that is refused is reported as refused, tried again ever more slowly, and connected again when keys are accepted (B21)", async () => {
    isRefusing = true;
    follow({ refusedPauseMs: 150, longestRefusedPauseMs: 600, watchEveryMs: 20 });
    const at: number[] = [];
    for (let n = 1; n <= 3; n += 1) {
      await expect.poll(() => refused, { timeout: 5_000, interval: 5 }).toBe(n);
      at.push(performance.now());
    }
    expect(connections).toHaveLength(3);
    const [first = 0, second = 0, third = 0] = at;
    expect(third - second).toBeGreaterThan(second - first);
    isRefusing = false;
    await expect.poll(() => ready, { timeout: 5_000 }).toBe(1);
  });
});
