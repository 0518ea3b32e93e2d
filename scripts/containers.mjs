// The containers of docker-compose.yml as plain processes: each image laid out as the Dockerfile says, nothing of it writable, each command with exactly
// its own environment, as an ordinary user, on a Postgres and a Redis of this machine. Each has to become healthy by its own check and to end well when it
// is told to. `npm run prove -- containers`. What only an engine does (networks, limits, volumes' owners, the two servers' images) is not tried.
import { spawn, spawnSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { parse } from "yaml";
import { ownPostgres, ownRedis } from "./own-services.mjs";
import { interpolate } from "./interpolate.mjs";
import { sleep } from "./proc.mjs";
import { lockFile, root } from "./settings.mjs";
import { holderOf, readJson, state } from "./state.mjs";

const HEALTHY_WITHIN_S = 120;
const isRoot = process.getuid?.() === 0;
/** Where this runs as root the programs run as the user `node` of the images would. */
const user = isRoot ? { uid: 1000, gid: 1000 } : {};

const work = fs.mkdtempSync(path.join(os.tmpdir(), "tradewind-containers-"));
fs.chmodSync(work, 0o755);
const running = new Set();

/** Stages of the Dockerfile: what is copied, set and started. */
function readStages() {
  const stages = {};
  let stage = [];
  for (const [, keyword, rest] of fs.readFileSync("Dockerfile", "utf8").matchAll(/^([A-Z]+) (.*)$/gm)) {
    const name = keyword === "FROM" && / AS (\S+)$/.exec(rest)?.[1];
    if (name) stage = stages[name] = [];
    else stage.push({ keyword, rest });
  }
  return stages;
}
const stages = readStages();
const of = (image, keyword) => stages[image].filter((each) => each.keyword === keyword).map(({ rest }) => rest);

function layOut(image) {
  const folder = path.join(work, image);
  fs.mkdirSync(folder);
  for (const line of of(image, "COPY")) {
    const [, stage, rest] = /^(?:--from=(\S+) )?(.*)$/.exec(line);
    const words = rest.split(" ");
    const to = path.join(folder, words.pop());
    if (stage === "dependencies") linkProduction(to);
    else for (const from of words.flatMap((word) => sources(word.replace(/^\/app\//, "")))) copy(from, to);
  }
  // Linked packages are the checkout's own files: they stay as they are, root's where this is root.
  const linked = image === "web" ? [] : ["-not", "-path", `${folder}/node_modules/*`];
  spawnSync("find", [folder, "-not", "-type", "l", ...linked, "-exec", "chmod", "a-w", "{}", "+"]);
  return folder;
}

const sources = (word) =>
  word.endsWith("/*.mjs")
    ? fs.readdirSync(path.dirname(word)).flatMap((name) => (name.endsWith(".mjs") ? [`scripts/${name}`] : []))
    : [word];

/** As COPY does: what is in a folder goes into the target, a file into the folder that ends with a stroke. */
function copy(from, to) {
  const isFile = fs.statSync(from).isFile();
  fs.cpSync(from, isFile ? path.join(to, path.basename(from)) : to, { recursive: true, verbatimSymlinks: true });
}

/** What `npm ci --omit=dev` would install, by the lock file; as links, so that it costs nothing. */
function linkProduction(to) {
  const { packages } = readJson("package-lock.json");
  for (const [where, { dev, devOptional }] of Object.entries(packages)) {
    if (where === "" || dev || devOptional || !fs.existsSync(where)) continue;
    const target = path.join(to, where.slice("node_modules/".length));
    if (fs.existsSync(target)) continue; // it came with the package around it
    fs.mkdirSync(path.dirname(target), { recursive: true });
    spawnSync("cp", ["-al", where, target]);
  }
}

/** What docker-compose.yml asks for, made up. */
async function prepare() {
  const [postgres, redis, ports] = [await ownPostgres(), await ownRedis(), state(work)];
  const secret = (bytes = 24) => randomBytes(bytes).toString("hex");
  const at = { postgres: new URL(postgres.urlFor("postgres")), redis: new URL(redis.url) };
  const port = {};
  for (const name of ["web", "exchange", "smtp", "mailbox"]) port[name] = String(await ports.port(name));
  const values = {
    POSTGRES_PASSWORD: at.postgres.password,
    REDIS_PASSWORD: at.redis.password,
    ...Object.fromEntries(["MIGRATION", "APP", "EXCHANGE"].map((name) => [`${name}_DATABASE_PASSWORD`, secret()])),
    NEXTAUTH_SECRET: secret(64),
    MASTER_KEYS: `1:${randomBytes(32).toString("base64")}`,
    AUDIT_KEY: secret(32),
    EXCHANGE_CONTROL_TOKEN: secret(),
    SMTP_URL: "smtp://mailbox:1025",
    ADMIN_EMAIL: "admin@tradewind.example",
    ADMIN_PASSWORD: `Aa1-${secret()}`,
  };
  const folders = Object.fromEntries(["anchors", "backups", "tmp"].map((name) => [name, path.join(work, name)]));
  for (const folder of Object.values(folders)) {
    fs.mkdirSync(folder);
    if (isRoot) fs.chownSync(folder, user.uid, user.gid);
  }
  // Names and ports of containers and their volumes, as they are here.
  const here = (text) =>
    text
      .replaceAll("@postgres:5432", `@127.0.0.1:${at.postgres.port}`)
      .replace(/(redis:\/\/.*)@redis:6379/, `$1@127.0.0.1:${at.redis.port}`)
      .replaceAll("exchange:4010", `127.0.0.1:${port.exchange}`)
      .replaceAll("mailbox:1025", `127.0.0.1:${port.smtp}`)
      .replace(/\b4010\b/, port.exchange)
      .replace(/\b8025\b/, port.mailbox)
      .replace(/^1025$/, port.smtp)
      .replace(/^3000$|(?<=127\.0\.0\.1:)3000\b/, port.web)
      .replace(/^0\.0\.0\.0$/, "127.0.0.1")
      .replace(/^\/(anchors|backups|tmp)(?=\/|$)/, (_, name) => folders[name]);
  return { values, here, folders, end: () => Promise.all([postgres.remove(), redis.remove()]) };
}

/** One service as a process. `ended` resolves with its exit code. */
function start(name, { services, images, values, here, folders }) {
  const { build, command, entrypoint = [], environment = {} } = services[name];
  const image = build.target;
  const [cmd] = of(image, "CMD");
  const words = [...entrypoint, ...(command ?? JSON.parse(cmd))].map((word) => here(interpolate(word, values)));
  const set = of(image, "ENV").flatMap((line) => line.split(" ").map((pair) => pair.split("=")));
  const env = {
    PATH: process.env.PATH,
    HOME: folders.tmp,
    TMPDIR: folders.tmp,
    ...Object.fromEntries(set),
    ...Object.fromEntries(
      Object.entries(environment).map(([key, value]) => [key, here(interpolate(String(value ?? ""), values))]),
    ),
  };
  if (words.shift() !== "node") throw new Error(`${name} does not start node`);
  const child = spawn(process.execPath, words, { cwd: images[image], env, ...user });
  const lines = [];
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (data) => lines.push(String(data)));
  running.add(child);
  const ended = new Promise((resolve) =>
    child.on("close", (code, signal) => {
      running.delete(child);
      resolve(signal ?? code);
    }),
  );
  return { name, image, env, child, ended, last: () => lines.join("").trim().split("\n").slice(-8).join("\n") };
}

function fail(proc, what) {
  throw new Error(`${proc.name} ${what}. Its last lines:\n${proc.last()}`);
}

async function once(name, stack) {
  const proc = start(name, stack);
  const code = await proc.ended;
  if (code !== 0) fail(proc, `ended with ${code}`);
  console.log(`ok  ${name} ended with 0`);
}

async function healthy(name, stack) {
  const proc = start(name, stack);
  const [, program, ...args] = stack.services[name].healthcheck.test;
  if (program !== "node") throw new Error(`the check of ${name} does not start node`);
  const words = args.map((word) => stack.here(word));
  const startedAt = performance.now();
  for (;;) {
    const check = spawnSync(process.execPath, words, { cwd: stack.images[proc.image], env: proc.env, ...user });
    if (proc.child.exitCode !== null) fail(proc, `ended with ${proc.child.exitCode}`);
    if (check.status === 0) break;
    if (performance.now() - startedAt > HEALTHY_WITHIN_S * 1000) fail(proc, "did not become healthy");
    await sleep(500);
  }
  console.log(`ok  ${name} healthy after ${((performance.now() - startedAt) / 1000).toFixed(1)} s`);
  return proc;
}

async function end(proc) {
  proc.child.kill("SIGTERM");
  const code = await proc.ended;
  if (code !== 0) fail(proc, `ended with ${code} when it was told to stop`);
  console.log(`ok  ${proc.name} told to stop, ended with 0`);
}

async function proveContainers() {
  if (holderOf(lockFile)) throw new Error("npm start runs in this checkout: its build would be replaced.");
  const prepared = await prepare();
  try {
    const { services } = parse(fs.readFileSync("docker-compose.yml", "utf8"), { merge: true });
    const images = { runtime: layOut("runtime"), web: layOut("web"), build: root };
    const stack = { ...prepared, services, images };
    for (const name of ["roles", "migrate"]) await once(name, stack);
    const [mailbox, exchange] = [await healthy("mailbox", stack), await healthy("exchange", stack)];
    await once("seed", stack);
    // One after the other: on one machine they share the name by which the check finds their beat.
    await end(await healthy("watchdog", stack));
    const [worker, web] = [await healthy("worker", stack), await healthy("web", stack)];
    await once("backup", stack);
    for (const proc of [web, worker, exchange, mailbox]) await end(proc);
  } finally {
    for (const child of running) child.kill("SIGKILL");
    await prepared.end();
  }
}

await proveContainers()
  .catch((error) => {
    console.error(error.message);
    process.exitCode = 1;
  })
  .finally(() => fs.rmSync(work, { recursive: true, force: true }));
