// Our own programs: what they get to see, how each is started, when it is ready, and that one which dies is restarted.
import { randomUUID } from "node:crypto";
import fs from "node:fs";
import path from "node:path";
import { fleet, say, sleep, start, until } from "./proc.mjs";
import { buildPaths, dataDir, given, root } from "./settings.mjs";
import { portFree } from "./state.mjs";

const MINUTE_MS = 60_000;
const DEATHS_MAX = 5;
const BACKOFF_MAX_MS = 5_000;
const LEAD_SESSIONS = 12;
const node = (...args) => ["--enable-source-maps", ...args];

/** A program that ends on its own is started again; one that keeps dying stops everything, as does one that cannot be. */
export function keepAlive(proc, again, giveUp) {
  const deaths = [];
  const watch = async (current) => {
    const { code, signal } = await current.done;
    if (current.stopping || fleet.closing) return;
    const now = Date.now();
    deaths.push(now);
    const recent = deaths.filter((at) => at > now - MINUTE_MS).length;
    say(`${current.name} ended on its own (${signal ?? code}); its last lines:\n${current.tail.slice(-5).join("\n")}`);
    if (recent > DEATHS_MAX) return giveUp(`${current.name} ended ${recent} times within a minute`);
    await sleep(Math.min(250 * 2 ** (recent - 1), BACKOFF_MAX_MS));
    if (fleet.closing) return;
    say(`${current.name} starts again`);
    try {
      void watch(await again());
    } catch (error) {
      giveUp(error.message);
    }
  };
  void watch(proc);
}

const answers = async (url, headers, accept) => {
  try {
    const response = await fetch(url, { headers, signal: AbortSignal.timeout(3_000) });
    return response.ok && (await accept(response));
  } catch {
    return false;
  }
};

/** The practice exchange. Answers its address and what it says of its market. */
export async function startExchange({ st, databaseUrl, controlToken, tape, giveUp }) {
  const port = await st.port("exchangePort");
  const url = `http://127.0.0.1:${port}`;
  // A market that follows the wall clock runs in real time and has no sessions to play beforehand.
  const isWallClock = process.env.EXCHANGE_START === "now";
  const env = {
    NODE_ENV: "production",
    DATA_DIR: dataDir,
    EXCHANGE_PORT: String(port),
    EXCHANGE_DATABASE_URL: databaseUrl,
    EXCHANGE_CONTROL_TOKEN: controlToken,
    EXCHANGE_SPEED: process.env.EXCHANGE_SPEED || (isWallClock ? "1" : "60"),
    EXCHANGE_SKIP_CLOSED: process.env.EXCHANGE_SKIP_CLOSED || (isWallClock ? "0" : "1"),
    // A new market begins some sessions early: the seed lets the engine trade them for the demo trader.
    EXCHANGE_LEAD_SESSIONS: process.env.DEMO === "0" || isWallClock ? "0" : String(LEAD_SESSIONS),
    ...(tape ? { EXCHANGE_TAPE: tape } : {}),
  };
  const run = () =>
    start("exchange", process.execPath, node(buildPaths().program("workers/exchange.ts")), { cwd: root, env, rank: 2 });
  const proc = run();
  let status = {};
  const isUp = () =>
    answers(`${url}/_control/status`, { "x-control-token": controlToken }, async (response) => {
      status = await response.json();
      return true;
    });
  await until(proc, isUp, 120, "The exchange");
  keepAlive(proc, run, giveUp);
  return { url, status, speed: env.EXCHANGE_SPEED };
}

/** The directory of recorded market days, as an absolute path. */
export function tapeDirectory() {
  if (!process.env.EXCHANGE_TAPE) return undefined;
  const tape = path.resolve(root, process.env.EXCHANGE_TAPE);
  if (!fs.existsSync(tape)) throw new Error(`EXCHANGE_TAPE: there is no directory ${tape}.`);
  return tape;
}

export async function startMailbox({ st, giveUp }) {
  const smtpPort = await st.port("smtpPort");
  const webPort = await st.port("mailboxPort");
  const env = {
    MAIL_DIR: path.join(dataDir, "mail"),
    MAIL_SMTP_PORT: String(smtpPort),
    MAIL_WEB_PORT: String(webPort),
  };
  const run = () => start("mailbox", process.execPath, ["scripts/mailbox.mjs"], { cwd: root, env, rank: 2 });
  const url = `http://127.0.0.1:${webPort}`;
  const proc = run();
  await until(proc, () => answers(`${url}/messages.json`, {}, () => true), 30, "The mailbox");
  keepAlive(proc, run, giveUp);
  return { url, smtpUrl: `smtp://127.0.0.1:${smtpPort}` };
}

/** A program without a port: it sends a message when it has started. */
async function startReporting(name, file, { env, giveUp, graceS }) {
  let isReady = false;
  const onMessage = (message) => {
    if (message === "ready") isReady = true;
  };
  const program = buildPaths().program(file);
  const run = () => start(name, process.execPath, node(program), { cwd: root, env, graceS, rank: 1, onMessage });
  const proc = run();
  await until(proc, () => isReady, 60, `The ${name}`);
  keepAlive(proc, run, giveUp);
}

export const startWorker = (options) => startReporting("worker", "workers/main.ts", { ...options, graceS: 30 });

/** Watches the worker, so it is a program of its own and begins after it. */
export const startWatchdog = (options) => startReporting("watchdog", "workers/watchdog.ts", options);

/** The first free port from 3000 on, unless PORT asks for one. */
export async function webPort() {
  if (process.env.PORT) {
    const port = Number(process.env.PORT);
    if (!Number.isInteger(port) || port < 1 || port > 65_535)
      throw new Error(`PORT: "${process.env.PORT}" is no port.`);
    if (!(await portFree(port)))
      throw new Error(`Port ${port} is taken. Give another PORT, or none for the next free one.`);
    return port;
  }
  for (let port = 3000; ; port++) if (await portFree(port)) return port;
}

/** Answers the port: another start may have taken the one that was free a moment ago. */
export async function startWeb({ port, envFor, giveUp }) {
  for (;;) {
    const env = { ...envFor(port), NEXT_DIST_DIR: buildPaths().next };
    const args = ["scripts/web.mjs", String(port), "127.0.0.1"];
    const run = () => start("web", process.execPath, args, { cwd: root, env, graceS: 15, rank: 1 });
    const proc = run();
    // Another program may answer on this port: the answer must carry our own name.
    const isOurs = (response) => response.headers.get("x-instance") === env.INSTANCE_ID;
    try {
      await until(proc, () => answers(`http://127.0.0.1:${port}/api/v1/health/live`, {}, isOurs), 60, "The web server");
    } catch (error) {
      const lostTheRace = proc.exited && proc.tail.some((line) => line.includes("EADDRINUSE"));
      if (!lostTheRace || process.env.PORT) throw error;
      port = await webPort();
      continue;
    }
    keepAlive(proc, run, giveUp);
    return env;
  }
}

/** What is set wins over what is kept. */
const setting = (name) => process.env[name] || undefined;

/** Keys are made once and kept in the data directory. */
export function secretsOf(st) {
  return {
    NEXTAUTH_SECRET: setting("NEXTAUTH_SECRET") ?? st.secret("nextAuthSecret", 64),
    // Keys of a file are read by each program itself.
    ...(setting("MASTER_KEYS_FILE")
      ? {}
      : {
          MASTER_KEYS:
            setting("MASTER_KEYS") ?? st.secret("masterKeys", 32, (bytes) => `1:${bytes.toString("base64")}`),
        }),
    AUDIT_KEY: setting("AUDIT_KEY") ?? st.secret("auditKey", 32),
    VAPID_PRIVATE_KEY:
      setting("VAPID_PRIVATE_KEY") ?? st.secret("vapidPrivateKey", 32, (bytes) => bytes.toString("base64url")),
    EXCHANGE_CONTROL_TOKEN: setting("EXCHANGE_CONTROL_TOKEN") ?? st.secret("controlToken", 24),
  };
}

/** The same for web, worker, seed and the command-line tools. */
export function productEnv({ databaseUrl, redisUrl, smtpUrl, exchangeUrl, url, secrets }) {
  return {
    NODE_ENV: "production",
    NEXT_TELEMETRY_DISABLED: "1",
    DATA_DIR: dataDir,
    DATABASE_URL: databaseUrl,
    ...(redisUrl ? { REDIS_URL: redisUrl } : {}),
    ...(smtpUrl ? { SMTP_URL: smtpUrl } : {}),
    ...(exchangeUrl ? { EXCHANGE_URL: exchangeUrl } : {}),
    APP_BASE_URL: setting("APP_BASE_URL") ?? url,
    NEXTAUTH_URL: setting("APP_BASE_URL") ?? url,
    INSTANCE_ID: randomUUID(),
    ...secrets,
  };
}

/** Settings of a single process: one that is started beside the stack has its own. */
const OF_ONE_PROCESS = new Set(["CANARY", "CRASH_AT", "INSTANCE_ID"]);
/** The stack's own programs alone have these: two cannot listen on one port, and the schema's owner is for migrations. */
const OF_THE_STACK = new Set(["WEB_METRICS_PORT", "WORKER_METRICS_PORT", "MIGRATION_DATABASE_URL"]);

/** Every other setting of the product as this start got it, for programs that are started beside the stack later; an empty one is none. */
export function otherSettings() {
  const [ofProduct] = fs.readFileSync(path.join(root, ".env.example"), "utf8").split("# ---- Read by ");
  const names = [...ofProduct.matchAll(/^(?:# )?([A-Z][A-Z0-9_]*)=/gm)].map(([, name]) => name);
  const valueOf = (name) => {
    const value = process.env[name];
    if (!value || OF_THE_STACK.has(name)) return "";
    // The other program may be that of another checkout.
    return name.endsWith("_FILE") ? path.resolve(root, value) : value;
  };
  return Object.fromEntries(names.filter((name) => !OF_ONE_PROCESS.has(name)).map((name) => [name, valueOf(name)]));
}

/**
 * The environment of a program that acts on a running stack: the stack's settings in place of those in the files of this checkout, and what the
 * caller gives for this one program; addresses and keys are the stack's in any case.
 */
export const envBeside = ({ env, settings }) => ({
  ...process.env,
  ...settings,
  ...given,
  ...env,
  ...(process.env.INSTANCE_ID && { INSTANCE_ID: process.env.INSTANCE_ID }),
});
