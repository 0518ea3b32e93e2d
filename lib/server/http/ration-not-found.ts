import { createHash, randomInt } from "node:crypto";
import { setTimeout as wait } from "node:timers/promises";
import { RateLimiterRes } from "rate-limiter-flexible";
import type { Endpoint, Given, Received } from "@/lib/contracts/endpoint.ts";
import { Failure } from "@/lib/domain/failures.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "@/lib/domain/time.ts";
import type { Context } from "../context.ts";
import { counterOf } from "./limit-counter.ts";
import { networkOf } from "./network-of.ts";
import type { Service } from "./serve.ts";

interface Rule {
  counter: string;
  points: number;
  windowMs: number;
}

/**
 * Unlike the limits of the console nobody can loosen these: they are what makes it bearable that an answer tells
 * who has an account. The first four count calls, the last two "not found" answers.
 */
const PER_NETWORK: Rule = { counter: "ration-network", points: 5, windowMs: 15 * MINUTE_MS };
const PER_NETWORK_AND_DAY: Rule = { counter: "ration-network-day", points: 20, windowMs: DAY_MS };
const PER_SUBJECT: Rule = { counter: "ration-subject", points: 3, windowMs: HOUR_MS };
const OF_EVERYBODY: Rule = { counter: "ration-everybody", points: 600, windowMs: 15 * MINUTE_MS };
const MISSES_PER_NETWORK: Rule = { counter: "ration-misses", points: 3, windowMs: HOUR_MS };
const MISSES_OF_EVERYBODY: Rule = { counter: "ration-misses-everybody", points: 100, windowMs: 10 * MINUTE_MS };
const WARNINGS: Rule = { counter: "ration-warnings", points: 1, windowMs: 10 * MINUTE_MS };

/** Callers whose address is not known share their calls, so there are more of them. */
const SHARED_FACTOR = 20;
const EVERYBODY = "everybody";

const PAUSE_MS = 400;
const JITTER_MS = 100;
const uniformPause = () => wait(PAUSE_MS + randomInt(JITTER_MS));

interface Ration<E extends Endpoint> {
  /** Whom a call is about: an email address. */
  subjectOf: (input: Received<E>) => string;
  /** What every call answers while no difference is told: the same as the service's own answer. */
  neutral: Given<E>;
  /** How long an answer takes at least; longer than the work, so that the work does not show. */
  pause?: () => Promise<unknown>;
}

/**
 * Around a service whose "not found" tells who has an account: calls are counted before anything is looked up, each
 * network learns three misses an hour and is refused from then on, whatever it asks; when misses come from
 * everywhere, or from callers whose address is not known, every call gets the neutral answer; and every answer takes
 * the same time.
 */
export function rationNotFound<E extends Endpoint>(
  service: Service<E>,
  { subjectOf, neutral, pause = uniformPause }: Ration<E>,
): Service<E> {
  return async (context, input) => {
    const network = networkOf(context.request.ipAddress);
    await spendCall(network, subjectOf(input));
    const miss = await takeMiss(context, network);
    const [outcome] = await Promise.allSettled([lookUp(service(context, input), miss), pause()]);
    if (outcome.status === "fulfilled") return outcome.value;
    if (miss === null && isNotFound(outcome.reason)) return neutral;
    throw outcome.reason;
  };
}

const isNotFound = (error: unknown) => error instanceof Failure && error.code === "not_found";

type GiveBack = () => Promise<void>;

/** Takes a point, or answers how long the window lasts. */
async function take({ counter, points, windowMs }: Rule, bucket: string): Promise<GiveBack | { fullForMs: number }> {
  try {
    return await counterOf(counter).take(bucket, points, windowMs);
  } catch (refusal) {
    if (refusal instanceof RateLimiterRes) return { fullForMs: refusal.msBeforeNext };
    throw refusal;
  }
}

const tooMany = (retryAfterMs: number) =>
  new Failure("too_many_requests", "Too many reset requests. Please try again later.", {
    retryAfterMs: Math.max(1_000, retryAfterMs),
  });

async function spendCall(network: string | null, subject: string): Promise<void> {
  const bucket = network ?? EVERYBODY;
  const widened = (rule: Rule) => (network === null ? { ...rule, points: rule.points * SHARED_FACTOR } : rule);
  const spent: [Rule, string][] = [
    [widened(PER_NETWORK), bucket],
    [widened(PER_NETWORK_AND_DAY), bucket],
    [PER_SUBJECT, createHash("sha256").update(subject).digest("base64url")],
    [OF_EVERYBODY, EVERYBODY],
  ];
  for (const [rule, of] of spent) {
    const taken = await take(rule, of);
    if (typeof taken !== "function") throw tooMany(taken.fullForMs);
  }
}

/**
 * The right to one "not found", taken before the look-up so that calls at once do not slip past. Null where no
 * difference is told.
 */
async function takeMiss({ log }: Context, network: string | null): Promise<GiveBack | null> {
  const own = await take(MISSES_PER_NETWORK, network ?? EVERYBODY);
  if (typeof own !== "function") {
    // Refusing all callers without an address would let one of them lock out the others.
    if (network === null) return null;
    throw tooMany(own.fullForMs);
  }
  const everybodys = await take(MISSES_OF_EVERYBODY, EVERYBODY);
  if (typeof everybodys === "function") return async () => void (await Promise.all([own(), everybodys()]));
  await quietly(own);
  if (typeof (await take(WARNINGS, EVERYBODY)) === "function") {
    log.warn({ reason: "too many unknown addresses" }, "answers do not tell who has an account for a while");
  }
  return null;
}

/** Gives the right back unless the answer is a miss; within the pause, so that it does not show either. */
async function lookUp<T>(work: Promise<T>, miss: GiveBack | null): Promise<T> {
  try {
    const given = await work;
    if (miss) await quietly(miss);
    return given;
  } catch (error) {
    if (miss && !isNotFound(error)) await quietly(miss);
    throw error;
  }
}

/** A point that cannot be given back ends with its window. */
const quietly = (giveBack: GiveBack) => giveBack().catch(() => undefined);
