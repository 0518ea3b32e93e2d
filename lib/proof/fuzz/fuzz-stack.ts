/** The whole fuzz run: lifts the limits of the stack, makes people, sends, and says what was found. */
import { randomInt } from "node:crypto";
import { existsSync } from "node:fs";
import path from "node:path";
import { allEndpoints } from "@/lib/contracts/api.ts";
import { preferencesApi } from "@/lib/contracts/preferences.ts";
import { db } from "@/lib/server/db.ts";
import { forgetEnv } from "@/lib/server/env.ts";
import { AUTH_DOORS, doorOf, pageDoors } from "./doors.ts";
import { raiseLimits } from "./limits.ts";
import { makeRequest, type Making } from "./make-request.ts";
import type { Options } from "./options.ts";
import { makePeople, type People } from "./people.ts";
import { describeRequest, plainRequest, type FuzzRequest } from "./request.ts";
import { problemsOf, type FuzzedStack } from "./check-answer.ts";
import { runFuzz, type FuzzReport } from "./run.ts";
import { senderTo, type Send } from "./send.ts";
import { readRunFile, type RunFile } from "./stack.ts";

const HEALTH_EVERY = 500;
const SAY_EVERY = 10_000;
const NO_PEOPLE: People = {
  tokens: { user: "none", admin: "none" },
  ids: new Map(),
  canaries: { user: [], others: [] },
  secrets: [],
};

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
  // What was sent until then is reported, and the limits are put back.
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => (isStopped = true));
  try {
    return await fuzz(base, stack ? await peopleOf(stack) : NO_PEOPLE, options);
  } finally {
    await limits?.restore();
    if (stack) await db().$disconnect();
  }
}

/** People are made in the stack's own database, with its keys. */
async function peopleOf({ internal }: RunFile): Promise<People> {
  Object.assign(process.env, internal.env);
  forgetEnv();
  const people = await makePeople();
  say("made for this run: two users and an administrator, with a row in every table that can hold something of theirs");
  return people;
}

async function fuzz(base: URL, people: People, options: Options): Promise<boolean> {
  const seed = options.seed ?? randomInt(2 ** 30);
  const making: Making = {
    doors: options.validator === null ? [...allEndpoints.map(doorOf), ...pageDoors(), ...AUTH_DOORS] : described(),
    host: base.host,
    isHarmless: !options.isEarnest,
    hasRaw: options.validator === null,
    isProxied: options.validator !== null,
    ids: people.ids,
  };
  const stack: FuzzedStack = {
    doors: making.doors,
    origin: base.origin,
    hasMarket: true,
    hasFixedHeaders: true,
    hasValidator: options.validator !== null,
    slowMs: options.slowMs,
    secrets: people.secrets,
    canaries: people.canaries,
  };
  const { send, close } = senderTo(new URL(options.validator ?? base), people.tokens, options.lines);
  try {
    if (options.only !== null) return await sendOne(makeRequest(making, seed, options.only), send, stack);
    say(`seed ${seed}, ${count(options.requests)} requests to ${base.origin}, ${making.doors.length} addresses`);
    // The first call of each route loads it.
    for (const { prefix, path: address } of making.doors) await send(plainRequest(`${prefix}${address}`));
    const startedAt = performance.now();
    const sick: string[] = [];
    const report = await runFuzz(
      making,
      send,
      { seed, requests: options.requests, lines: options.lines, ...stack },
      async ({ sent }) => {
        if (sent % HEALTH_EVERY === 0) await checkHealth(base, sent, options.slowMs, sick);
        if (sent % SAY_EVERY === 0) say(`  ${count(sent)} sent`);
      },
      () => isStopped,
    );
    show(report, (performance.now() - startedAt) / 1_000);
    for (const line of sick) say(`FAULT: ${line}`);
    for (const { index, rule, text, request } of report.findings) {
      say(`FAULT: ${rule}: ${text}\n  in its smallest form: ${describeRequest(request)}`);
      say(`  npm run fuzz -- --seed ${seed} --only ${index}${options.isEarnest ? " --earnest" : ""} sends it again`);
    }
    return report.findings.length === 0 && sick.length === 0;
  } finally {
    close();
  }
}

/** A proxy that reads answers as text spoils files, and Prism makes up an answer where 501 is answered. */
const described = () =>
  allEndpoints
    .filter((endpoint) => endpoint.downloadType === undefined && endpoint !== preferencesApi.saveProfile)
    .map(doorOf);

async function sendOne(request: FuzzRequest, send: Send, stack: FuzzedStack): Promise<boolean> {
  const answer = await send(request);
  say(describeRequest(request));
  say(`  answered ${answer.status} in ${Math.round(answer.durationMs)} ms: ${answer.text.slice(0, 500)}`);
  const problems = problemsOf(request, answer, stack);
  say(problems.length === 0 ? "nothing is wrong with it" : "");
  for (const { rule, text } of problems) say(`FAULT: ${rule}: ${text}`);
  return problems.length === 0;
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
      .join(", ")}; told to retry later: ${count(shed)}`,
  );
  for (const [family, times] of Object.entries(families)) say(`  ${family}: ${count(times)}`);
}
