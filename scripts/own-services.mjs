// A Postgres or a Redis for one test alone, which may kill it, starve it or put a bad line before it.
import fs from "node:fs";
import net from "node:net";
import os from "node:os";
import path from "node:path";
import { Redis } from "ioredis";
import { sleep } from "./proc.mjs";
import { startPostgres } from "./postgres.mjs";
import { startRedis } from "./redis.mjs";
import { state } from "./state.mjs";

const root = path.resolve(import.meta.dirname, "..");

function ownDirectory() {
  const dataDir = fs.mkdtempSync(path.join(os.tmpdir(), "tradewind-own-"));
  fs.chmodSync(dataDir, 0o755); // Postgres may run as another user
  return dataDir;
}

/** `start` again after `stop` or `kill` gives the same address and the same data, unless they were `wiped`. */
async function own(startIt) {
  const dataDir = ownDirectory();
  const st = state(dataDir);
  let running = await startIt(dataDir, st);
  return {
    running: () => running,
    async start() {
      running = await startIt(dataDir, st);
    },
    stop: () => running.proc.stop(),
    async remove() {
      await running.proc.stop();
      fs.rmSync(dataDir, { recursive: true, force: true });
    },
    wipe: (folder) => fs.rmSync(path.join(dataDir, folder), { recursive: true, force: true }),
  };
}

/** Null where this machine has no Redis. */
export async function ownRedis() {
  const binDir = path.join(root, ".data/bin");
  const redis = await own(async (dataDir, st) => {
    const started = await startRedis({ dataDir, st, binDir });
    if (!started) throw new Error("There is no Redis on this machine, and none could be fetched.");
    return started;
  });
  return { ...redis, url: redis.running().url, wipe: () => redis.wipe("redis") };
}

const NODES = 3;
const SLOTS = 16_384;

/** A Redis Cluster of three servers without replicas, each with a third of the slots; any of them can be killed and started again. */
export async function ownRedisCluster() {
  const binDir = path.join(root, ".data/bin");
  const buses = [];
  const startNode = (nth) => async (dataDir, st) => {
    // Clients sign in to all of them alike.
    st.text("redisPassword", "password-of-all-nodes");
    const started = await startRedis({ dataDir, st, binDir, isNode: true });
    if (!started) throw new Error("There is no Redis on this machine, and none could be fetched.");
    buses[nth] = st.text("redisBusPort", 0);
    return started;
  };
  const nodes = await Promise.all(Array.from({ length: NODES }, (_, nth) => own(startNode(nth))));
  const urls = nodes.map((node) => node.running().url);
  const clients = urls.map((url) => new Redis(url));
  const first = (nth) => Math.floor((nth * SLOTS) / NODES);
  for (const [nth, client] of clients.entries()) {
    await client.cluster("SET-CONFIG-EPOCH", nth + 1);
    await client.call("CLUSTER", "ADDSLOTSRANGE", first(nth), first(nth + 1) - 1);
  }
  for (const client of clients)
    for (const [nth, url] of urls.entries())
      await client.call("CLUSTER", "MEET", "127.0.0.1", new URL(url).port, buses[nth]);
  for (const client of clients) while (!isWhole(await client.cluster("INFO"))) await sleep(20);
  for (const client of clients) client.disconnect();
  return { nodes, urls, remove: () => Promise.all(nodes.map((node) => node.remove())) };
}

/** Every node knows all nodes and their slots. */
const isWhole = (info) =>
  ["cluster_state:ok", `cluster_slots_ok:${SLOTS}`, `cluster_known_nodes:${NODES}`].every((line) =>
    info.includes(line),
  );

export async function ownPostgres() {
  const postgres = await own((dataDir, st) => startPostgres({ root, dataDir, st }));
  return { ...postgres, urlFor: postgres.running().urlFor };
}

/** @type {{ text: string, skip: number, isDelivered: boolean } | undefined} */
const NOTHING_LOST = undefined;

/**
 * A line to a server on this machine that can be made bad: `line.delayMs` holds every chunk back, `line.cut()`
 * resets what is open and refuses new connections until `line.mend()`, `line.silence()` swallows everything.
 * `line.losing = { text, skip, isDelivered }` ends the connection on which a client says `text`, after `skip` times:
 * the words arrive or not, the answer never does.
 */
export async function badLine(port) {
  const open = new Set();
  const line = { port: 0, delayMs: 0, isCut: false, isSilent: false, losing: NOTHING_LOST, cut, mend, silence, close };

  const server = net.createServer((client) => {
    if (line.isCut) return void client.resetAndDestroy();
    const upstream = net.connect(port, "127.0.0.1");
    const ends = [client, upstream];
    open.add(ends);
    let isLost = false;
    const pass = (from, to) =>
      from.on("data", (chunk) => {
        if (line.isSilent || (isLost && from === client)) return;
        if (isLost) {
          // The server has answered, so it has done it; no answer will arrive.
          for (const end of ends) end.destroy();
          return;
        }
        if (from === client && line.losing && chunk.includes(line.losing.text) && line.losing.skip-- === 0) {
          isLost = true;
          const { isDelivered } = line.losing;
          line.losing = undefined;
          if (!isDelivered) {
            for (const end of ends) end.destroy();
            return;
          }
        }
        if (line.delayMs === 0) return void to.write(chunk);
        setTimeout(() => to.writable && to.write(chunk), line.delayMs);
      });
    pass(client, upstream);
    pass(upstream, client);
    for (const end of ends) {
      end.on("error", () => undefined);
      end.on("close", () => {
        open.delete(ends);
        for (const other of ends) other.destroy();
      });
    }
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  line.port = server.address().port;

  function cut() {
    line.isCut = true;
    for (const ends of open) for (const end of ends) end.resetAndDestroy();
  }
  function mend() {
    line.isCut = false;
    line.isSilent = false;
    line.delayMs = 0;
  }
  function silence() {
    line.isSilent = true;
  }
  async function close() {
    for (const ends of open) for (const end of ends) end.destroy();
    await new Promise((resolve) => server.close(resolve));
  }
  return line;
}
