/**
 * Workers and web processes beside those of the launcher, as on a second and third machine, and a person whose calls go to one web
 * process after the other.
 */
import { spawn, type ChildProcess } from "node:child_process";
import { closeSync, openSync } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";
import { db } from "@/lib/server/db.ts";
import { CANARY_SILENT_MS, readSplit } from "@/lib/server/jobs/canary.ts";
import { setCanaryShare } from "@/lib/server/services/schedule/set-canary-share.ts";
import { systemContext } from "@/lib/server/system-context.ts";
import { makeSignIn, makeUser } from "@/prisma/factories.ts";
import { buildPaths } from "@/scripts/settings.mjs";
import { anyPort } from "@/scripts/state.mjs";
import type { Stack } from "./stack.ts";

const MORE_WORKERS = 3;
const MORE_WEBS = 1;
const AGAIN_AFTER_MS = 1_000;
/** Well within what one person may call. */
const ASK_EVERY_MS = 1_500;
const PATIENCE_MS = 10_000;
/** A web process that starts loads for this long; one that was killed a moment ago answers nothing. */
const STARTING_MS = 60_000;
/** A worker beats every five seconds. */
const BEATING_MS = 10_000;

/** A program that is started again when it ends, as a supervisor would. */
interface Member {
  name: string;
  kill(): void;
  stop(): Promise<void>;
}

function keep(
  name: string,
  args: string[],
  env: Record<string, string>,
  logFile: string,
  againAfterMs = AGAIN_AFTER_MS,
): Member {
  let isStopping = false;
  let child: ChildProcess;
  let ended: Promise<void>;
  const run = () => {
    const log = openSync(logFile, "a");
    child = spawn(process.execPath, args, { env: { ...process.env, ...env }, stdio: ["ignore", log, log] });
    closeSync(log);
    ended = new Promise((resolve) => child.once("exit", () => resolve()));
    void ended.then(async () => {
      await delay(againAfterMs);
      if (!isStopping) run();
    });
  };
  run();
  return {
    name,
    kill: () => void child.kill("SIGKILL"),
    async stop() {
      isStopping = true;
      child.kill("SIGTERM");
      await ended;
    },
  };
}

/** A web process as a caller sees it. */
interface Web {
  url: string;
  /** When it was killed last; null once it answered a call that was made after that. */
  killedAtMs: number | null;
}

interface Answer {
  status: number;
  data: { isPaused?: boolean } | null;
}

/** Null without an answer. */
async function call(web: Web, token: string, method: "GET" | "POST", path: string): Promise<Answer | null> {
  try {
    const response = await fetch(`${web.url}/api/v1${path}`, {
      method,
      headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
      ...(method === "POST" ? { body: "{}" } : {}),
      signal: AbortSignal.timeout(PATIENCE_MS),
    });
    const body = (await response.json()) as { data?: Answer["data"] };
    return { status: response.status, data: body.data ?? null };
  } catch {
    return null;
  }
}

/** Pauses and resumes at one web process and reads at another; each answer has to say what was asked last. */
class Caller {
  readonly wrong: string[] = [];
  answered = 0;
  #isStopping = false;
  readonly #running: Promise<void>;

  constructor(
    private readonly webs: readonly Web[],
    private readonly token: string,
  ) {
    this.#running = this.#run();
  }

  async #run(): Promise<void> {
    for (let turn = 0; !this.#isStopping; turn += 1) {
      const isPausing = turn % 2 === 0;
      const asked = this.#of(turn);
      const told = await this.#tell(asked, "POST", isPausing ? "/automation/pause" : "/automation/resume");
      // Whether a call without an answer was carried out is not known: nothing is expected after it.
      if (told?.status === 200)
        for (const web of this.webs) {
          const read = await this.#tell(web, "GET", "/automation/pause");
          if (read?.status === 200 && read.data?.isPaused !== isPausing)
            this.wrong.push(
              `${web.url} says that automation is ${isPausing ? "running" : "paused"}, and ${asked.url} was told otherwise`,
            );
        }
      await delay(ASK_EVERY_MS);
    }
  }

  #of(turn: number): Web {
    return this.webs[(turn >> 1) % this.webs.length]!;
  }

  async #tell(web: Web, method: "GET" | "POST", path: string): Promise<Answer | null> {
    const beganAt = performance.now();
    const answer = await call(web, this.token, method, path);
    const { killedAtMs } = web;
    const isExcused = killedAtMs !== null && beganAt < killedAtMs + STARTING_MS;
    if (answer === null && !isExcused) this.wrong.push(`${web.url} runs and did not answer ${method} ${path}`);
    if (answer === null) return null;
    this.answered += 1;
    if (killedAtMs !== null && beganAt > killedAtMs) web.killedAtMs = null;
    if (answer.status !== 200) this.wrong.push(`${web.url} answered ${answer.status} to ${method} ${path}`);
    return answer;
  }

  async stop(): Promise<void> {
    this.#isStopping = true;
    await this.#running;
  }
}

/** Until all of them are running: a fleet that never came up would prove nothing. */
async function untilUp(webs: readonly Web[]): Promise<void> {
  const endsAt = performance.now() + STARTING_MS;
  for (;;) {
    const beating = { kind: "worker", beatAt: { gt: new Date(Date.now() - BEATING_MS) } };
    const workers = await db().processBeat.count({ where: beating });
    const answers = await Promise.all(
      webs.map(({ url }) =>
        fetch(`${url}/api/v1/health/live`).then(
          ({ ok }) => ok,
          () => false,
        ),
      ),
    );
    if (workers > MORE_WORKERS && answers.every(Boolean)) return;
    if (performance.now() > endsAt)
      throw new Error(`${workers} workers and ${answers.filter(Boolean).length} web processes came up`);
    await delay(500);
  }
}

export interface Fleet {
  /** Kills one of them; answers how many. */
  strike(random: () => number): number | Promise<number>;
  /** Stops what was added; answers what was wrong with the answers. */
  end(): Promise<string[]>;
}

/** Four workers and two web processes in all, on one Postgres and one Redis. */
export async function startFleet(stack: Stack): Promise<Fleet> {
  const { env } = stack.run.internal;
  const { program } = buildPaths(false);
  const members: Member[] = Array.from({ length: MORE_WORKERS }, (_, nth) =>
    keep(`worker ${nth + 2}`, ["--enable-source-maps", program("workers/main.ts")], env, stack.logFile),
  );
  const webs: Web[] = [{ url: stack.run.url, killedAtMs: null }];
  for (let nth = 0; nth < MORE_WEBS; nth += 1) {
    const port = await anyPort();
    members.push(keep(`web ${nth + 2}`, ["scripts/web.mjs", String(port), "127.0.0.1"], env, stack.logFile));
    webs.push({ url: `http://127.0.0.1:${port}`, killedAtMs: null });
  }
  const webOf = new Map<string, Web>([
    ["web", webs[0]!],
    ...webs.slice(1).map((web, nth) => [`web ${nth + 2}`, web] as const),
  ]);
  const targets = [
    ...(["worker", "web"] as const).map((name) => ({ name, kill: () => stack.kill(name) })),
    ...members.map(({ name, kill }) => ({ name, kill })),
  ];
  try {
    await untilUp(webs);
  } catch (error) {
    await Promise.all(members.map((member) => member.stop()));
    throw error;
  }
  const caller = new Caller(webs, await makeSignIn(db(), await makeUser(db())));
  return {
    strike(random) {
      const target = targets[Math.floor(random() * targets.length)]!;
      const web = webOf.get(target.name);
      if (web !== undefined) web.killedAtMs = performance.now();
      target.kill();
      return 1;
    },
    async end() {
      await caller.stop();
      await Promise.all(members.map((member) => member.stop()));
      return caller.answered === 0 ? ["no web process ever answered"] : caller.wrong;
    },
  };
}

const HALF = 5_000;
/** Longer than the others wait for a canary that is silent: they have its accounts until it is back. */
const CANARY_AGAIN_AFTER_MS = CANARY_SILENT_MS + 5_000;

/** Two ordinary workers and a canary that has half of the accounts; it is killed whenever it lives. */
export async function startCanary(stack: Stack): Promise<Fleet> {
  const { env } = stack.run.internal;
  const worker = ["--enable-source-maps", buildPaths(false).program("workers/main.ts")];
  const share = (of: number) => setCanaryShare(systemContext("attack"), { share: of, reason: "an attack" });
  const isAlive = async () => (await readSplit(db())).isAlive;
  const canary = keep("canary", worker, { ...env, CANARY: "1" }, stack.logFile, CANARY_AGAIN_AFTER_MS);
  const other = keep("worker 2", worker, env, stack.logFile);
  async function end(): Promise<string[]> {
    await share(0);
    await Promise.all([canary, other].map((member) => member.stop()));
    return [];
  }
  await share(HALF);
  for (const endsAt = performance.now() + STARTING_MS; !(await isAlive()); await delay(500)) {
    if (performance.now() < endsAt) continue;
    await end();
    throw new Error("the canary did not come up");
  }
  let diedAt = -Infinity;
  return {
    end,
    async strike() {
      // Its beat is fresh for a while after its death.
      if (performance.now() - diedAt < CANARY_AGAIN_AFTER_MS || !(await isAlive())) return 0;
      diedAt = performance.now();
      canary.kill();
      return 1;
    },
  };
}
