/** The whole fuzz run: lifts the limits of the stack, signs in, sends, and says what was found. */
import { randomInt } from "node:crypto";
import { existsSync } from "node:fs";
import path from "node:path";
import { allEndpoints } from "@/lib/contracts/api.ts";
import { doorOf } from "./doors.ts";
import { raiseLimits } from "./limits.ts";
import { makeRequest, type Making } from "./make-request.ts";
import type { Options } from "./options.ts";
import { inWords, plainRequest } from "./request.ts";
import { problemOf } from "./check-answer.ts";
import { runFuzz, type FuzzReport } from "./run.ts";
import { senderTo, type Tokens } from "./send.ts";
import { readRunFile, signIn } from "./stack.ts";

const HEALTH_EVERY = 500;
const SAY_EVERY = 10_000;
const NO_TOKENS: Tokens = { user: "none", admin: "none" };

let isStopped = false;
const say = (line: string) => console.log(line);
const count = (value: number) => value.toLocaleString("en-US");

/** True when nothing was wrong. */
export async function fuzzStack(options: Options): Promise<boolean> {
  const file = options.runFile ?? path.join(process.env.DATA_DIR || ".data", "run.json");
  const isWithoutFile = options.runFile === null && options.url !== null && !existsSync(file);
  const stack = isWithoutFile ? null : readRunFile(file);
  const base = new URL(options.url ?? stack?.url ?? "");
  const limits =
    stack &&
    (await raiseLimits({
      databaseUrl: stack.internal.databaseUrl,
      redisUrl: stack.internal.redisUrl ?? "",
      queuePrefix: stack.internal.env.QUEUE_PREFIX ?? "tradewind",
    }));
  if (limits)
    say("lifted for this run: the limits api, admin and export; the counters of sign-in calls are emptied each second");
  // What was sent until then is told, and the limits are put back.
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => (isStopped = true));
  try {
    const tokens = stack ? await signIn(base.origin, stack) : NO_TOKENS;
    return await fuzz(base, tokens, options);
  } finally {
    await limits?.restore();
  }
}

async function fuzz(base: URL, tokens: Tokens, options: Options): Promise<boolean> {
  const seed = options.seed ?? randomInt(2 ** 30);
  const making: Making = {
    doors: allEndpoints.map(doorOf),
    host: base.host,
    isHarmless: !options.isEarnest,
    hasRaw: true,
  };
  const { send, close } = senderTo(base, tokens, options.lines);
  try {
    if (options.only !== null) {
      const request = makeRequest(making, seed, options.only);
      const answer = await send(request);
      say(inWords(request));
      say(`  answered ${answer.status} in ${Math.round(answer.durationMs)} ms: ${answer.text.slice(0, 500)}`);
      const problem = problemOf(request, answer, { hasMarket: true, slowMs: options.slowMs });
      say(problem === null ? "nothing is wrong with it" : `FAULT: ${problem}`);
      return problem === null;
    }
    say(`seed ${seed}, ${count(options.requests)} requests to ${base.origin}, ${making.doors.length} endpoints`);
    // The first call of each route loads it.
    for (const door of making.doors) await send(plainRequest(door.path));
    const startedAt = performance.now();
    const sick: string[] = [];
    const report = await runFuzz(
      making,
      send,
      { seed, requests: options.requests, lines: options.lines, hasMarket: true, slowMs: options.slowMs },
      async ({ sent }) => {
        if (sent % HEALTH_EVERY === 0) await checkHealth(base, sent, options.slowMs, sick);
        if (sent % SAY_EVERY === 0) say(`  ${count(sent)} sent`);
      },
      () => isStopped,
    );
    show(report, (performance.now() - startedAt) / 1_000);
    for (const line of sick) say(`FAULT: ${line}`);
    for (const { index, problem, request } of report.findings) {
      say(`FAULT: ${problem}\n  in its smallest form: ${inWords(request)}`);
      say(`  npm run fuzz -- --seed ${seed} --only ${index}${options.isEarnest ? " --earnest" : ""} sends it again`);
    }
    return report.findings.length === 0 && sick.length === 0;
  } finally {
    close();
  }
}

async function checkHealth(base: URL, sent: number, slowMs: number, sick: string[]): Promise<void> {
  const startedAt = performance.now();
  const status = await fetch(new URL("/api/v1/health/live", base), { signal: AbortSignal.timeout(slowMs) }).then(
    (response) => response.status,
    () => 0,
  );
  if (status !== 200)
    sick.push(
      `after ${count(sent)} requests the health check answered ${status} in ${Math.round(performance.now() - startedAt)} ms`,
    );
}

function show({ sent, statuses, families, shed, slowestMs, lateOnce }: FuzzReport, seconds: number): void {
  say(
    `${count(sent)} requests in ${seconds.toFixed(1)} s (${Math.round(sent / seconds)} a second), the slowest in ${Math.round(slowestMs)} ms; too late once: ${lateOnce}`,
  );
  say(
    `answers: ${Object.entries(statuses)
      .map(([status, times]) => `${status} ${count(times)}`)
      .join(", ")}; told to come back later: ${count(shed)}`,
  );
  for (const [family, times] of Object.entries(families)) say(`  ${family}: ${count(times)}`);
}
