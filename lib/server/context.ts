import type { Job } from "@/lib/contracts/job.ts";
import type { z } from "zod";
import type { Broker } from "./broker/broker.ts";
import type { Db } from "./db.ts";
import type { Log } from "./log-events.ts";
import type { MarketData } from "./providers/market-data.ts";

/** Who acts. Services scope every query by it; someone else's row is not found. */
export type Actor =
  | { kind: "anonymous" }
  | { kind: "user"; userId: string; role: "USER" | "ADMIN"; signInId: string }
  | { kind: "system"; name: string };

export interface BrokerKeys {
  keyId: string;
  secret: string;
}

/** What is needed to reach an account's broker. */
export interface BrokerTarget {
  broker: "PRACTICE" | "ALPACA";
  environment: "PAPER" | "LIVE";
}

export interface Brokers {
  /** The broker behind these keys, before anything is stored. */
  withKeys(target: BrokerTarget, keys: BrokerKeys): Broker;
  /** The broker of a stored account: opens its sealed keys. Throws `conflict` when the keys were erased. */
  forAccount(account: BrokerTarget & { id: string; userId: string; sealedKeys: string | null }): Broker;
  /** True where a practice market is configured. */
  hasPracticeMarket: boolean;
  /** Opens an account on the practice market and answers its generated keys. */
  openPracticeAccount(name: string): Promise<BrokerKeys>;
}

export interface Queue {
  /**
   * Wakes the work; while one of the same scope waits or runs, no second one is made. Never throws for a lost
   * Redis: Postgres holds what is due, the queue only wakes.
   */
  enqueue<I extends z.ZodType>(job: Job<I>, input: z.input<I>): Promise<void>;
}

/** The only injection. Doors make it, services read it. */
export interface Context {
  actor: Actor;
  /** Wall time. Market time comes from `marketData(market).clock()`. */
  now: () => Date;
  db: Db;
  log: Log;
  request: { id: string; ipAddress: string | null; userAgent: string | null };
  brokers: Brokers;
  marketData(market: "PRACTICE" | "US"): MarketData;
  queue: Queue;
}
