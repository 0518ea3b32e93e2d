// `npm start`: brings the whole product up with one command, and takes it down again with one Ctrl-C.
import fs from "node:fs";
import path from "node:path";
import { binDir, buildPaths, dataDir, lockFile, root, runFile } from "./settings.mjs";
import { ensureBuilt } from "./build.mjs";
import { databaseUrls, ensureDatabases, migrate } from "./databases.mjs";
import { ensureInstalled } from "./install.mjs";
import { supportWarning } from "./node-support.mjs";
import { startPostgres } from "./postgres.mjs";
import { fleet, reap, say, stopAll } from "./proc.mjs";
import {
  keepAlive,
  otherSettings,
  productEnv,
  secretsOf,
  startExchange,
  startMailbox,
  startWatchdog,
  startWeb,
  startWorker,
  tapeDirectory,
  webPort,
} from "./programs.mjs";
import { startRedis } from "./redis.mjs";
import { readJson, state, takeLock, writePrivate } from "./state.mjs";
import { alone, seconds, step } from "./step.mjs";

const startedAt = performance.now();
const warning = supportWarning(process.version, new Date());
if (warning) say(warning);
const SAME_SIGNAL_MS = 500;
const EXIT_CODES = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 };

const shown = path.relative(root, dataDir) || dataDir;
const lock = prepareDataDir();
let stoppingSince;

/** Web and worker first, then exchange and mailbox, then Redis, then Postgres. */
async function stop(code) {
  if (stoppingSince !== undefined) return;
  stoppingSince = performance.now();
  say("stopping");
  fs.rmSync(runFile, { force: true });
  await stopAll();
  lock.release();
  say(`stopped in ${seconds(stoppingSince)}`);
  process.exit(code);
}

function force() {
  say("forced");
  for (const proc of fleet.children) proc.kill();
  lock.release();
  process.exit(130);
}

for (const [signal, code] of Object.entries(EXIT_CODES)) {
  process.on(signal, () => {
    if (stoppingSince === undefined) return void stop(code);
    // npm and the terminal both deliver the same Ctrl-C
    if (performance.now() - stoppingSince > SAME_SIGNAL_MS) force();
  });
}
process.stdout.on("error", () => {}); // `npm start | head` continues
process.stderr.on("error", () => {});
process.on("uncaughtException", fail);
process.on("unhandledRejection", fail);

function fail(error) {
  if (stoppingSince !== undefined) return;
  console.error(`\nTradewind cannot continue: ${error?.message ?? error}\n`);
  void stop(1);
}
const giveUp = (why) => fail(new Error(why));

/** One launcher per data directory. */
function prepareDataDir() {
  try {
    fs.mkdirSync(dataDir, { recursive: true });
    fs.accessSync(dataDir, fs.constants.W_OK);
    const kept = path.join(dataDir, "state.json");
    if (fs.existsSync(kept)) fs.accessSync(kept, fs.constants.R_OK | fs.constants.W_OK);
  } catch {
    console.error(
      `${dataDir} cannot be written by this user (made by another one, perhaps root?). Give another DATA_DIR.`,
    );
    process.exit(1);
  }
  const taken = takeLock(lockFile);
  if (taken.holder) {
    const address = readJson(runFile)?.url;
    console.error(
      `Tradewind already runs on ${shown} (pid ${taken.holder}${address ? `, ${address}` : ""}). Stop it first.`,
    );
    process.exit(1);
  }
  fs.rmSync(runFile, { force: true });
  return taken;
}

/** A server that dies is restarted with its data, and at the address that every program knows. */
async function keptUp(startIt) {
  const first = await startIt();
  const again = async () => {
    const { proc, url } = await startIt();
    if (url === first.url) return proc;
    throw new Error(`The port of ${proc.name} was taken when it was to start again.`);
  };
  if (first) keepAlive(first.proc, again, giveUp);
  return first;
}

async function bringServicesUp(st) {
  let postgres;
  if (!process.env.DATABASE_URL) {
    // The journeys' data goes with their run: it need not outlive a crash of the machine.
    const fast = process.env.THROW_AWAY_DATA === "1";
    postgres = await keptUp(() => startPostgres({ root, dataDir, st, fast }));
    say(`postgres ready in ${postgres.tookMs} ms (${postgres.isNew ? "new" : "kept"} data)`);
  }
  let redisUrl = process.env.REDIS_URL || undefined;
  if (!redisUrl) {
    const redis = await keptUp(() => startRedis({ dataDir, binDir, st, log: say }));
    if (redis) {
      redisUrl = redis.url;
      say(`redis ready in ${redis.tookMs} ms (${redis.from})`);
    } else {
      say(
        "no redis-server or valkey-server here: the queue runs on Postgres. To change that, install one or give REDIS_URL",
      );
    }
  }
  return { databases: databaseUrls(postgres), redisUrl };
}

async function bringUp() {
  await reap(path.join(dataDir, "children.json"), dataDir);
  await alone(ensureInstalled);
  const st = state(dataDir);
  const secrets = secretsOf(st);
  const tape = tapeDirectory();
  const port = await webPort();
  const { databases, redisUrl } = await bringServicesUp(st);
  await ensureDatabases(databases, !process.env.EXCHANGE_URL);
  await alone(ensureBuilt);

  const [exchange, mailbox] = await Promise.all([
    process.env.EXCHANGE_URL
      ? { url: process.env.EXCHANGE_URL }
      : startExchange({
          st,
          databaseUrl: databases.exchange,
          controlToken: secrets.EXCHANGE_CONTROL_TOKEN,
          tape,
          giveUp,
        }),
    process.env.SMTP_URL ? { smtpUrl: process.env.SMTP_URL } : startMailbox({ st, giveUp }),
    migrate(databases, redisUrl),
  ]);
  const envFor = (webPort) =>
    productEnv({
      databaseUrl: databases.product,
      redisUrl,
      smtpUrl: mailbox.smtpUrl,
      exchangeUrl: exchange.url,
      url: `http://127.0.0.1:${webPort}`,
      secrets,
    });
  const seed = ["--enable-source-maps", buildPaths().program("prisma/seed.ts")];
  const [env] = await Promise.all([
    startWeb({ port, envFor, giveUp }),
    step("seed", process.execPath, seed, { env: envFor(port) }),
  ]);
  await startWorker({ env, giveUp });
  await startWatchdog({ env, giveUp });
  announce({ exchange, mailbox, databases, redisUrl, env });
}

/** The calm block at the end, and the same for programs. */
function announce({ exchange, mailbox, databases, redisUrl, env }) {
  const demo = readJson(path.join(dataDir, "demo.json"));
  const url = env.APP_BASE_URL;
  writePrivate(runFile, {
    url,
    mailbox: mailbox.url ?? null,
    exchange: exchange.url,
    demo: demo ?? null,
    internal: {
      pid: process.pid,
      databaseUrl: databases.product,
      exchangeDatabaseUrl: databases.exchange,
      migrationDatabaseUrl: databases.migration,
      redisUrl: redisUrl ?? null,
      controlToken: env.EXCHANGE_CONTROL_TOKEN,
      env,
      settings: otherSettings(),
    },
  });
  const who = (user) => `${user.email}  /  ${user.password}`;
  const { market, name } = exchange.status ?? {};
  const days = market === "tape" ? `recorded days (${name})` : "generated days";
  const lines = [
    ["Tradewind", url],
    ...(demo?.trader ? [["Trader", who(demo.trader)]] : []),
    ...(demo?.admin ? [["Administrator", who(demo.admin)]] : []),
    ["Mailbox", mailbox.url ?? "none: mail goes out by SMTP_URL"],
    ["Exchange", exchange.url],
    ["Market", exchange.status ? `${days}, ${exchange.speed}× the speed of the clock` : "of EXCHANGE_URL"],
  ];
  const block = lines.map(([name, value]) => `  ${name.padEnd(14)}${value}`).join("\n");
  process.stdout.write(
    `\n${block}\n\n  Ready in ${seconds(startedAt)}. Ctrl-C stops everything; data stays in ${shown}.\n\n`,
  );
}

await bringUp().catch(fail);
