/**
 * Stands between the workers and the exchange and writes down what arrives. Each order is held against the database
 * before it is passed on: what was not committed by then does not count.
 */
import { createServer, request as send, type IncomingMessage, type ServerResponse } from "node:http";
import { connect, type AddressInfo, type Socket } from "node:net";
import type { Db } from "@/lib/server/db.ts";

export interface Arrival {
  clientOrderId: string;
  symbol: string;
  side: string;
  /** What the database had committed when the request arrived; null when there was no such intent. */
  intent: {
    status: string;
    /** The last look let it pass as the protection of bare shares. */
    isProtective: boolean;
    /** When the transaction of the last look began; null where none had passed. By the database's clock. */
    markedAt: Date | null;
    hasPassedBefore: boolean;
  } | null;
  /** Why it could not be looked up: the database was cut. */
  blind: string | null;
}

export interface Witness {
  url: string;
  /** In the order of arrival. */
  arrivals: Arrival[];
  /** Resolves when no request is on its way. */
  atRest(): Promise<void>;
  close(): Promise<void>;
}

async function lookUp(db: Db, clientOrderId: string): Promise<Pick<Arrival, "intent" | "blind">> {
  try {
    const [row] = await db.$queryRaw<
      { status: string; isProtective: boolean; markedAt: Date | null; hasPassedBefore: boolean }[]
    >`
      select i."status"::text as "status", i."side" = 'SELL' and exists (select 1 from "GateVerdict" g
          where g."intentId" = i."id" and g."phase" = 'T2' and g."passed" and g."inputs" ->> 'isProtective' = 'true') as "isProtective",
        (select max(g."createdAt") from "GateVerdict" g where g."intentId" = i."id" and g."phase" = 'T2' and g."passed") as "markedAt",
        exists (select 1 from "GateVerdict" g where g."id" = i."gateVerdictId" and g."phase" = 'T1' and g."passed") as "hasPassedBefore"
      from "Intent" i where i."clientOrderId" = ${clientOrderId}`;
    return { intent: row ?? null, blind: null };
  } catch (error) {
    return { intent: null, blind: String(error) };
  }
}

export async function openWitness(upstreamPort: number, db: Db): Promise<Witness> {
  const arrivals: Arrival[] = [];
  const underWay = new Set<Promise<void>>();

  async function note(body: Buffer): Promise<void> {
    const order = JSON.parse(body.toString("utf8")) as { client_order_id?: string; symbol: string; side: string };
    const clientOrderId = order.client_order_id ?? "";
    const { symbol, side } = order;
    arrivals.push({ clientOrderId, symbol, side, ...(await lookUp(db, clientOrderId)) });
  }

  async function pass(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
    const body = Buffer.concat(chunks);
    const { method, url, headers } = request;
    if (method === "POST" && url === "/v2/orders") await note(body);
    await new Promise<void>((resolve) => {
      const up = send({ host: "127.0.0.1", port: upstreamPort, method, path: url, headers }, (answer) => {
        response.writeHead(answer.statusCode ?? 502, answer.headers);
        answer.pipe(response);
        answer.on("close", resolve);
      });
      up.on("error", () => {
        request.socket.destroy();
        resolve();
      });
      up.end(body);
    });
  }

  const server = createServer((request, response) => {
    response.on("error", () => undefined);
    const passing = pass(request, response).catch(() => void request.socket.destroy());
    underWay.add(passing);
    void passing.finally(() => underWay.delete(passing));
  });
  const sockets = new Set<Socket>();
  server.on("upgrade", (request, socket: Socket, head: Buffer) => {
    const up = connect(upstreamPort, "127.0.0.1", () => {
      const lines = Object.entries(request.headers).map(([name, value]) => `${name}: ${String(value)}`);
      up.write(`GET ${request.url ?? "/"} HTTP/1.1\r\n${lines.join("\r\n")}\r\n\r\n`);
      up.write(head);
      up.pipe(socket).pipe(up);
    });
    for (const [one, other] of [
      [socket, up],
      [up, socket],
    ] as const) {
      sockets.add(one);
      one.on("error", () => other.destroy());
      one.on("close", () => {
        sockets.delete(one);
        other.destroy();
      });
    }
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    arrivals,
    async atRest() {
      while (underWay.size > 0) await Promise.allSettled([...underWay]);
    },
    async close() {
      for (const socket of sockets) socket.destroy();
      server.closeAllConnections();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}
