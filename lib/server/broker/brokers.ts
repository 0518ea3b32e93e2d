import * as z from "zod";
import { ACCESS_TEXT } from "@/lib/domain/account-access.ts";
import { Failure } from "@/lib/domain/failures.ts";
import { MINUTE_MS } from "@/lib/domain/time.ts";
import type { BrokerKeys, Brokers, BrokerTarget, KeyPair } from "../context.ts";
import { db } from "../db.ts";
import { env } from "../env.ts";
import { type PracticeStatus, practiceStatus } from "../providers/practice-control.ts";
import { openKeys } from "../secrets/seal.ts";
import { traced } from "../tracing.ts";
import { createAlpacaBroker } from "./alpaca.ts";
import type { Broker } from "./broker.ts";
import { createRequestBudget, type RequestBudget } from "./request-budget.ts";
import { createSharedBucket, type SharedBucket, takeForReads } from "./shared-bucket.ts";
import { createLocalBucket } from "./token-bucket.ts";

const OPEN_TIMEOUT_MS = 10_000;
/** Brokers kept: their connections are shared by the platform's fetch, so an entry is small. */
const MOST_KEPT = 5_000;

const SPEED_READ_EVERY_MS = 15_000;

/** What Alpaca's key ids begin with says where they belong. */
const KEY_ENVIRONMENTS: Record<string, BrokerTarget["environment"]> = { PK: "PAPER", AK: "LIVE" };

/** Paper keys are never sent to the live address, nor live keys to the paper address. */
function refuseMixed({ broker, environment }: BrokerTarget, keys: BrokerKeys): void {
  if ("accessToken" in keys) {
    // A token names no environment. Granted at Alpaca, it goes nowhere else.
    if (broker !== "ALPACA") throw new Failure("broker_refused", "Access that Alpaca granted is used at Alpaca alone.");
    return;
  }
  if (broker !== "ALPACA") return;
  const belongs = KEY_ENVIRONMENTS[keys.keyId.slice(0, 2)];
  if (belongs !== undefined && belongs !== environment)
    throw new Failure("broker_refused", `These are ${belongs} keys, but the environment chosen is ${environment}.`);
}

function tradingUrl({ broker, environment }: BrokerTarget): string {
  const { EXCHANGE_URL, ALPACA_PAPER_URL, ALPACA_LIVE_URL } = env();
  if (broker === "ALPACA") {
    if (new URL(ALPACA_PAPER_URL).host === new URL(ALPACA_LIVE_URL).host)
      throw new Failure("unavailable", "The addresses for paper and live trading are one and the same.");
    return environment === "LIVE" ? ALPACA_LIVE_URL : ALPACA_PAPER_URL;
  }
  if (!EXCHANGE_URL) throw new Failure("unavailable", "There is no practice market here.");
  return EXCHANGE_URL;
}

const openedAccount = z.object({ key_id: z.string().min(1), secret: z.string().min(1) });

const openPracticeAccount = (name: string): Promise<KeyPair> =>
  traced("broker", { operation: "open-account" }, () => openAtExchange(name));

async function openAtExchange(name: string): Promise<KeyPair> {
  const { EXCHANGE_URL, EXCHANGE_CONTROL_TOKEN } = env();
  if (!EXCHANGE_URL || !EXCHANGE_CONTROL_TOKEN) throw new Failure("unavailable", "There is no practice market here.");
  try {
    const answer = await fetch(`${EXCHANGE_URL}/_control/accounts`, {
      method: "POST",
      headers: { "content-type": "application/json", "x-control-token": EXCHANGE_CONTROL_TOKEN },
      body: JSON.stringify({ name }),
      redirect: "error",
      signal: AbortSignal.timeout(OPEN_TIMEOUT_MS),
    });
    if (!answer.ok) throw new Error(`HTTP ${answer.status}`);
    const opened = openedAccount.parse(await answer.json());
    return { keyId: opened.key_id, secret: opened.secret };
  } catch (error) {
    throw new Failure("broker_unavailable", "The practice market cannot be reached at the moment.", { cause: error });
  }
}

/** How fast the practice market's clock runs; null until it is known. Read now and then, so that a change is seen late. */
function createPracticeClock(): () => Pick<PracticeStatus, "speed" | "isPaused"> | null {
  let clock: PracticeStatus | null = null;
  let readAtMs = -Infinity;
  return () => {
    if (performance.now() - readAtMs > SPEED_READ_EVERY_MS) {
      readAtMs = performance.now();
      practiceStatus().then(
        (status) => (clock = status),
        () => undefined,
      );
    }
    return clock;
  };
}

/** All brokers of this installation. One Broker per account and sealed keys; new keys make a new one. */
export function createBrokers(): Brokers {
  const kept = new Map<string, { sealedKeys: string; broker: Broker; budget: RequestBudget; bucket: SharedBucket }>();
  const practiceClock = createPracticeClock();
  /** A minute of a broker in wall time: the practice market's limits count market time. */
  const minuteMsOf =
    ({ broker }: BrokerTarget) =>
    () =>
      broker === "PRACTICE" ? MINUTE_MS / (practiceClock()?.speed ?? 1) : MINUTE_MS;
  const withKeys = (target: BrokerTarget, keys: BrokerKeys, budget: RequestBudget) => {
    refuseMixed(target, keys);
    return createAlpacaBroker({ tradingUrl: tradingUrl(target), keys, budget });
  };
  return {
    withKeys: (target, keys) => withKeys(target, keys, createRequestBudget(createLocalBucket(minuteMsOf(target)))),
    forAccount(account) {
      const { id, userId, access, sealedKeys, environment } = account;
      if (sealedKeys === null) throw new Failure("conflict", ACCESS_TEXT[access].erased);
      const cached = kept.get(id);
      if (cached?.sealedKeys === sealedKeys) return cached.broker;
      const bucket = cached?.bucket ?? createSharedBucket({ db, accountId: id, minuteMs: minuteMsOf(account) });
      const budget = cached?.budget ?? createRequestBudget(bucket);
      const broker = withKeys(account, openKeys(sealedKeys, { userId, accountId: id, environment }, access), budget);
      if (kept.size >= MOST_KEPT) kept.clear();
      kept.set(id, { sealedKeys, broker, budget, bucket });
      return broker;
    },
    async reserve(accounts, count) {
      const [first] = accounts;
      if (first === undefined) return;
      const ids = accounts.map(({ id }) => id);
      for (const id of await takeForReads(db(), ids, minuteMsOf(first), count)) kept.get(id)?.bucket.receive(count);
    },
    practiceMinuteMs() {
      const clock = practiceClock();
      return clock === null || clock.isPaused ? null : MINUTE_MS / clock.speed;
    },
    get hasPracticeMarket() {
      return env().EXCHANGE_URL !== undefined;
    },
    openPracticeAccount,
  };
}
