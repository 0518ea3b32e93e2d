// A private Redis: redis-server or valkey-server of the machine, else a private copy of Debian's package, else none.
import { spawnSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { isAlive, kill, onPath, processes, sleep, start } from "./proc.mjs";
import { onKeptPort, startOnPort } from "./postgres.mjs";

const BREW = ["/opt/homebrew/bin", "/usr/local/bin", "/usr/bin"];

async function binary(binDir, log) {
  const system = onPath("redis-server", BREW) ?? onPath("valkey-server", BREW);
  if (system) return { program: system, env: {}, from: "of this machine" };
  return privateCopy(binDir) ?? (await fetchWithApt(binDir, log));
}

function privateCopy(binDir) {
  const folder = path.join(binDir, "redis/root");
  const program = path.join(folder, "usr/bin/redis-server");
  if (!fs.existsSync(program)) return undefined;
  const lib = path.join(folder, "usr/lib");
  const folders = fs.existsSync(lib) ? fs.readdirSync(lib).filter((name) => name.includes("linux-gnu")) : [];
  const env = {
    LD_LIBRARY_PATH: [lib, ...folders.map((name) => path.join(lib, name)), path.join(folder, "lib")].join(":"),
  };
  const works = spawnSync(program, ["--version"], { env: { ...process.env, ...env } }).status === 0;
  return works ? { program, env, from: "a private copy of the system's package" } : undefined;
}

/** Debian and Ubuntu: the signed package, unpacked into our own folder. No root needed, nothing is installed. */
async function fetchWithApt(binDir, log) {
  if (!onPath("apt-get") || !onPath("dpkg-deb")) return undefined;
  log("fetching redis-server with apt into the project (nothing is installed on the machine)");
  const work = path.join(binDir, `redis.${process.pid}`);
  for (const name of ["archives/partial", "lists/partial", "root"]) {
    fs.mkdirSync(path.join(work, name), { recursive: true });
  }
  const own = [`Dir::Cache::Archives=${work}/archives`, "Dir::Cache::pkgcache=", "Dir::Cache::srcpkgcache="];
  const safe = ["Debug::NoLocking=1", "APT::Sandbox::User=", "APT::Get::AllowUnauthenticated=false"];
  const options = (list) => list.flatMap((option) => ["-o", option]);
  const ownLists = options([`Dir::State::Lists=${work}/lists`]);
  const run = async (command, args) => {
    const proc = start("apt", command, args, { quiet: true, env: { LC_ALL: "C", DEBIAN_FRONTEND: "noninteractive" } });
    const late = setTimeout(() => void proc.stop(), 120_000);
    const { code } = await proc.done;
    clearTimeout(late);
    return code === 0;
  };
  const apt = (lists, ...args) => run("apt-get", [...options([...own, ...safe]), ...lists, "-qq", ...args]);
  const download = ["install", "-y", "--no-install-recommends", "--download-only", "redis-server"];
  const fetched =
    (await apt([], ...download)) || ((await apt(ownLists, "update")) && (await apt(ownLists, ...download)));
  if (fetched) {
    const packages = fs.readdirSync(`${work}/archives`).filter((name) => name.endsWith(".deb"));
    for (const name of packages) await run("dpkg-deb", ["-x", `${work}/archives/${name}`, `${work}/root`]);
    const home = path.join(binDir, "redis");
    fs.rmSync(home, { recursive: true, force: true });
    fs.mkdirSync(home, { recursive: true });
    fs.renameSync(path.join(work, "root"), path.join(home, "root"));
  }
  fs.rmSync(work, { recursive: true, force: true });
  return privateCopy(binDir);
}

/**
 * Started and ready: `{ proc, url, from, tookMs }`; undefined when this machine has none and none can be fetched. `isNode`: as a node of
 * a cluster that continues without those that are down; who starts it makes them meet.
 */
export async function startRedis({ dataDir, binDir, st, quiet = true, log = () => {}, isNode = false }) {
  const found = await binary(binDir, log);
  if (!found) return undefined;
  const startedAt = performance.now();
  const dir = path.join(dataDir, "redis");
  fs.mkdirSync(dir, { recursive: true, mode: 0o700 });
  const conf = path.join(dir, "redis.conf");
  const pidFile = path.join(dir, "redis.pid");
  await stopOrphan(pidFile, conf);
  const password = st.secret("redisPassword");
  const run = async (port) => {
    const bus = isNode ? await st.port("redisBusPort") : 0;
    const asNode = ["cluster-enabled yes", `cluster-port ${bus}`, "cluster-require-full-coverage no"];
    const lines = [
      `port ${port}`,
      "bind 127.0.0.1",
      `requirepass ${password}`, // in a file, so that it stays out of the process list
      `dir "${dir}"`,
      "appendonly yes",
      "appendfsync everysec",
      'save ""',
      "maxmemory-policy noeviction", // the queue must lose nothing
      "daemonize no",
      'logfile ""',
      `pidfile "${pidFile}"`,
      ...(isNode ? asNode : []),
    ];
    fs.writeFileSync(conf, `${lines.join("\n")}\n`, { mode: 0o600 });
    const options = { env: found.env, cwd: dir, graceS: 15, quiet, rank: 3 };
    return startOnPort("redis", found.program, [conf], options, "Ready to accept connections");
  };
  const { proc, port } = await onKeptPort(st, "redisPort", run, "Redis");
  return {
    proc,
    from: found.from,
    url: `redis://:${password}@127.0.0.1:${port}/0`,
    tookMs: Math.round(performance.now() - startedAt),
  };
}

/** Two servers on one append-only file would ruin it: one that a killed launcher left is stopped first. */
async function stopOrphan(pidFile, conf) {
  if (!fs.existsSync(pidFile)) return;
  const pid = Number(fs.readFileSync(pidFile, "utf8"));
  const orphans = processes().filter(
    (found) =>
      /redis-server|valkey-server/.test(found.args) &&
      (found.args.includes(conf) || (found.pid === pid && worksIn(pid, path.dirname(conf)))),
  );
  for (const orphan of orphans) {
    kill(orphan.pid, "SIGTERM");
    for (let tries = 0; tries < 200 && isAlive(orphan.pid); tries++) await sleep(50);
  }
  fs.rmSync(pidFile, { force: true });
}

/** The pid may have been given to another Redis since. */
function worksIn(pid, dir) {
  try {
    return fs.realpathSync(`/proc/${pid}/cwd`) === fs.realpathSync(dir);
  } catch {
    return process.platform !== "linux";
  }
}
