import type { Endpoint, Given, Received } from "@/lib/contracts/endpoint.ts";
import { Failure, type FailureCode } from "@/lib/domain/failures.ts";
import { networkOf } from "@/lib/domain/network-of.ts";
import { MAILS_A_DAY } from "@/lib/domain/rate-limits.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "@/lib/domain/time.ts";
import type { Context } from "../context.ts";
import { counterOf } from "../limits/limit-counter.ts";
import { addressBucket } from "../limits/rate-limit.ts";
import { accountKey } from "../secrets/device-mark.ts";
import type { Service } from "./serve.ts";
import { inUniformTime, uniformPause, type Pause } from "./uniform-time.ts";

interface Rule {
  counter: string;
  points: number;
  windowMs: number;
}

/** How often a call may be made at all, whatever it answers. */
interface CallRules {
  /** What one caller is: an address, or all addresses of a network. */
  callers: "address" | "network";
  caller: Rule;
  callerAndDay: Rule;
  subject: Rule;
  subjectAndDay: Rule;
  /** Where callers without an address count as one caller; else they are counted by subject alone. */
  isUnknownCounted: boolean;
  /** Where a network that was told enough is refused; else it is answered without being told. */
  refusesAfterReveal: boolean;
  allCallers: Rule | null;
}

const rulesOf = (
  name: string,
  callers: CallRules["callers"],
  [perCaller, perDay, perSubject]: [number, number, number],
) => ({
  callers,
  caller: { counter: `guard-${name}-${callers}`, points: perCaller, windowMs: 15 * MINUTE_MS },
  callerAndDay: { counter: `guard-${name}-${callers}-day`, points: perDay, windowMs: DAY_MS },
  subject: { counter: `guard-${name}-subject`, points: perSubject, windowMs: HOUR_MS },
  subjectAndDay: { counter: `guard-${name}-subject-day`, points: MAILS_A_DAY, windowMs: DAY_MS },
});

/**
 * The console cannot loosen these limits: without them, responses that reveal who has an account would be
 * an enumeration hole.
 */
const CALLS: Record<"reset" | "registration", CallRules> = {
  // The way back for who is locked out: nothing that all callers or the neighbours of a network share may close it. The
  // rules of the subject bound the mails.
  reset: {
    ...rulesOf("reset", "address", [5, 20, 3]),
    isUnknownCounted: false,
    refusesAfterReveal: false,
    allCallers: null,
  },
  registration: {
    ...rulesOf("registration", "network", [10, 40, 5]),
    isUnknownCounted: true,
    refusesAfterReveal: true,
    allCallers: { counter: "guard-registration-everybody", points: 600, windowMs: 15 * MINUTE_MS },
  },
};

/** Revealing answers of all guarded routes together. */
const REVEALED_TO_NETWORK: Rule = { counter: "guard-revealed", points: 3, windowMs: HOUR_MS };
const REVEALED_TO_ALL: Rule = { counter: "guard-revealed-everybody", points: 100, windowMs: 10 * MINUTE_MS };
const WARNINGS: Rule = { counter: "guard-warnings", points: 1, windowMs: 10 * MINUTE_MS };

/** Callers whose address is not known share their calls, so there are more of them. */
const SHARED_FACTOR = 20;
/** As the counters of all callers are named in Redis. */
const ALL_CALLERS = "everybody";

interface GuardOptions<E extends Endpoint> {
  calls: keyof typeof CALLS;
  /** The failure that reveals whether an address has an account. */
  revealingCode: FailureCode;
  /** Whom a call is about: an email address. */
  subjectOf: (input: Received<E>) => string;
  /** The answer instead of the revealing one: it looks like the success of the service, and takes as much work together with it. */
  instead: (context: Context<E["access"]>, input: Received<E>, refusal: Failure) => Promise<Given<E>>;
  /** The sentence of a call too many. */
  tooMany: string;
  /** Called for a call that is refused because there were too many about its subject; such a call costs its caller a point. */
  onSubjectFull?: (context: Context<E["access"]>, input: Received<E>) => Promise<unknown>;
  /** Called when unknown addresses are asked for from many networks, at most once in ten minutes. */
  onFlood: (context: Context) => Promise<unknown>;
  pause?: Pause;
}

/**
 * Guards a service one of whose failures reveals who has an account: calls are counted before any lookup, those that fail
 * for another reason cost nothing, and each network gets three revealing answers an hour. From then on a registration is refused,
 * whatever it asks, and each call for a reset looks like a success. So does every call when too many such answers go to all networks,
 * or when the caller's address is not known; and every answer takes the same time.
 */
export function guardEnumeration<E extends Endpoint>(
  service: Service<E>,
  { calls, revealingCode, subjectOf, instead, tooMany, onSubjectFull, onFlood, pause = uniformPause }: GuardOptions<E>,
): Service<E> {
  const isRevealing = (error: unknown): error is Failure => error instanceof Failure && error.code === revealingCode;
  const refusal = (retryAfterMs: number) =>
    new Failure("too_many_requests", tooMany, { retryAfterMs: Math.max(1_000, retryAfterMs) });

  /** Gives the point back unless the answer reveals an account; within the pause, so that timing reveals nothing either. */
  async function answer(context: Context<E["access"]>, input: Received<E>, right: Right) {
    try {
      const given = await service(context, input);
      await quietly(right);
      return given;
    } catch (error) {
      if (!isRevealing(error)) {
        await quietly(right);
        throw error;
      }
      if (right !== null) throw error;
      return instead(context, input, error);
    }
  }

  return inUniformTime<E>(async (context, input) => {
    const rules = CALLS[calls];
    const { ipAddress } = context.request;
    const network = networkOf(ipAddress);
    const caller = network !== null && rules.callers === "address" ? addressBucket(ipAddress) : network;
    const noteFull = onSubjectFull && (() => notedQuietly(context, () => onSubjectFull(context, input)));
    const spent = await spendCall(rules, caller, subjectOf(input), { refusal, noteFull });
    try {
      // Refusing all callers without an address would let one of them lock out the others.
      const refuseAfterReveal = rules.refusesAfterReveal && network !== null ? refusal : null;
      return await answer(context, input, await takeRight(context, network, refuseAfterReveal, onFlood));
    } catch (error) {
      // What failed for another reason, such as a password that is too common, registered and told nothing: counted, it would let a
      // stranger use up the calls of an address, and its owner after a few attempts.
      if (!isRevealing(error)) await giveBackAll(spent);
      throw error;
    }
  }, pause);
}

type GiveBack = () => Promise<void>;
/** The permission for one revealing answer; null where none may be given. */
type Right = GiveBack | null;
type Refusal = (retryAfterMs: number) => Failure;

const take = ({ counter, points, windowMs }: Rule, bucket: string) => counterOf(counter).take(bucket, points, windowMs);

/**
 * Counts the call under each rule, or throws: a refused call costs nothing, but for one that is noted because its subject had too
 * many: noting it is work, which the caller's own rules bound.
 */
async function spendCall(
  rules: CallRules,
  caller: string | null,
  subject: string,
  { refusal, noteFull }: { refusal: Refusal; noteFull: (() => Promise<void>) | undefined },
): Promise<GiveBack[]> {
  const isWidened = caller === null;
  const widened = (rule: Rule) => (isWidened ? { ...rule, points: rule.points * SHARED_FACTOR } : rule);
  const callerRules = isWidened && !rules.isUnknownCounted ? [] : [rules.caller, rules.callerAndDay];
  const spent: [Rule, string][] = [
    ...callerRules.map((rule): [Rule, string] => [widened(rule), caller ?? ALL_CALLERS]),
    ...[rules.subject, rules.subjectAndDay].map((rule): [Rule, string] => [rule, accountKey(subject)]),
    ...(rules.allCallers ? [[rules.allCallers, ALL_CALLERS] satisfies [Rule, string]] : []),
  ];
  const given: GiveBack[] = [];
  for (const [rule, of] of spent) {
    const taken = await take(rule, of);
    if (!taken.isFull) {
      given.push(taken.giveBack);
      continue;
    }
    const isOfSubject = rule === rules.subject || rule === rules.subjectAndDay;
    if (isOfSubject && noteFull) await noteFull();
    else await giveBackAll(given);
    throw refusal(taken.freeInMs);
  }
  return given;
}

/** Taken before the look-up so that calls at once do not slip past. Null where the caller may be told nothing more. */
async function takeRight(
  context: Context,
  network: string | null,
  refuseAfterReveal: Refusal | null,
  onFlood: (context: Context) => Promise<unknown>,
): Promise<Right> {
  const own = await take(REVEALED_TO_NETWORK, network ?? ALL_CALLERS);
  if (own.isFull) {
    if (refuseAfterReveal === null) return null;
    throw refuseAfterReveal(own.freeInMs);
  }
  const shared = await take(REVEALED_TO_ALL, ALL_CALLERS);
  if (!shared.isFull) return async () => void (await Promise.all([own.giveBack(), shared.giveBack()]));
  await quietly(own.giveBack);
  if (!(await take(WARNINGS, ALL_CALLERS)).isFull) await warn(context, onFlood);
  return null;
}

/** Whatever comes of it, the refusal is the same. */
async function notedQuietly({ log }: Context, note: () => Promise<unknown>): Promise<void> {
  try {
    await note();
  } catch (error) {
    log.error("refused-registration.not-noted", { err: error });
  }
}

async function warn(context: Context, onFlood: (context: Context) => Promise<unknown>): Promise<void> {
  context.log.warn("enumeration-guard.activated", {});
  try {
    await onFlood(context);
  } catch (error) {
    context.log.error("enumeration-alert.failed", { err: error });
  }
}

const giveBackAll = (given: GiveBack[]) => Promise.all(given.map(quietly));

/** A point that cannot be given back ends with its window. */
const quietly = async (giveBack: Right) => {
  await giveBack?.().catch(() => undefined);
};
