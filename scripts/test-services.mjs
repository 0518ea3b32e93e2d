// Throw-away Postgres and Redis for one run of the tests, and a migrated template database.
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import pg from "pg";
import { migrate } from "../prisma/migrate.mjs";
import { prepareRoles, userOf } from "../prisma/roles.mjs";
import { startPostgres } from "./postgres.mjs";
import { isAlive } from "./proc.mjs";
import { startRedis } from "./redis.mjs";
import { state } from "./state.mjs";

/** Databases are made, filled and dropped all the time: in memory, where there is room, that costs the kernel a tenth. */
const MEMORY = "/dev/shm";
const ROOM_BYTES = 2 ** 31;
const PREFIX = "tradewind-test-";

function roomiest() {
  try {
    const { bavail, bsize } = fs.statfsSync(MEMORY);
    fs.accessSync(MEMORY, fs.constants.W_OK);
    if (bavail * bsize >= ROOM_BYTES) return MEMORY;
  } catch {
    // not a Linux, or closed to us
  }
  return os.tmpdir();
}

/** What a run that was killed left would hold memory forever: its Postgres left its number there and no longer runs. */
function clearKilled(folder) {
  for (const name of fs.readdirSync(folder).filter((each) => each.startsWith(PREFIX))) {
    const left = path.join(folder, name);
    const pidFile = path.join(left, "postgres/postmaster.pid");
    const isOurs = fs.statSync(left, { throwIfNoEntry: false })?.uid === process.getuid?.();
    if (!isOurs || !fs.existsSync(pidFile)) continue;
    const pid = Number.parseInt(fs.readFileSync(pidFile, "utf8"), 10);
    if (!isAlive(pid)) fs.rmSync(left, { recursive: true, force: true });
  }
}

export default async function ({ provide }) {
  const root = path.resolve(import.meta.dirname, "..");
  const place = roomiest();
  clearKilled(place);
  const dataDir = fs.mkdtempSync(path.join(place, PREFIX));
  fs.chmodSync(dataDir, 0o755); // Postgres may run as another user
  const st = state(dataDir);
  const [postgres, redis] = await Promise.all([
    startPostgres({ root, dataDir, st, fast: true }),
    startRedis({ dataDir, st, binDir: path.join(root, ".data/bin") }),
  ]);
  // As in the set-up: the owner migrates, and tests run as the application, so that a missing right fails one.
  const [migrationUrl, appUrl] = ["migration", "product"].map((name) => postgres.urlOf(name, "template_app"));
  await prepareRoles({ superuserUrl: postgres.url, migrationUrl, appUrl });
  await migrate(migrationUrl, { hasQueue: !redis, appRole: userOf(appUrl) });
  await query(
    postgres.urlFor("postgres"),
    "update pg_database set datistemplate = true, datallowconn = false where datname = 'template_app'",
  );
  // Bundles of programs lie beside the packages that they import.
  const bundles = path.join(dataDir, "bundles");
  fs.mkdirSync(bundles);
  fs.symlinkSync(path.join(root, "node_modules"), path.join(bundles, "node_modules"));
  provide("bundles", bundles);
  provide("superuser", postgres.urlFor("DATABASE"));
  provide("owner", postgres.urlOf("migration", "DATABASE"));
  provide("postgres", postgres.urlOf("product", "DATABASE"));
  provide("redis", redis?.url ?? "");
  return async () => {
    await Promise.all([postgres.proc.stop(), redis?.proc.stop()]);
    fs.rmSync(dataDir, { recursive: true, force: true });
  };
}

async function query(connectionString, sql) {
  const client = new pg.Client({ connectionString });
  await client.connect();
  try {
    await client.query(sql);
  } finally {
    await client.end();
  }
}
