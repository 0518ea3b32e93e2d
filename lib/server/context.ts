import type { Access } from "@/lib/contracts/endpoint.ts";
import type { Job } from "@/lib/contracts/job.ts";
import type { z } from "zod";
import type { AccountAccessName, AccountEnvironment, BrokerName, MarketName, RoleName } from "@/lib/domain/enums.ts";
import type { Broker } from "./broker/broker.ts";
import type { Db } from "./db.ts";
import type { Log } from "./log-events.ts";
import type { MarketData } from "./providers/market-data.ts";
import type { DeviceMark } from "./secrets/device-mark.ts";

/** Who acts. Services scope every query by it; someone else's row is not found. */
export type Actor = { kind: "anonymous" } | SignedIn | { kind: "system"; name: string };

export interface SignedIn {
  kind: "user";
  userId: string;
  role: RoleName;
  /** Null where an access token calls: no sign-in is behind it. */
  signInId: string | null;
  /** Wall time of the last check of a password or second factor in this sign-in; absent where no request is behind the actor. */
  confirmedAt?: Date;
  /** What the person's program called with, in place of a sign-in. */
  accessToken?: { id: string; lastFour: string };
}

/** Who may act behind an endpoint of this access: where it asks for a sign-in, there is a user. */
export type ActorBehind<A extends Access> = A extends "public" ? Actor : SignedIn;

export interface KeyPair {
  keyId: string;
  secret: string;
}

/** Granted by the account's owner at the broker (OAuth). */
export interface AccessToken {
  accessToken: string;
}

/** What opens an account at its broker. */
export type BrokerKeys = KeyPair | AccessToken;

/** What is needed to reach an account's broker. */
export interface BrokerTarget {
  broker: BrokerName;
  environment: AccountEnvironment;
}

/** An account's row, as far as its broker is reached by it. */
export interface StoredAccess extends BrokerTarget {
  id: string;
  userId: string;
  access: AccountAccessName;
  sealedKeys: string | null;
}

export interface Brokers {
  /** The broker behind these keys, before anything is stored. */
  withKeys(target: BrokerTarget, keys: BrokerKeys): Broker;
  /** The broker of a stored account: opens its sealed keys. Throws `conflict` when they were erased. */
  forAccount(account: StoredAccess): Broker;
  /**
   * Takes the requests of a look at each of these accounts out of their budgets at once: each of the requests would take its own with a
   * statement. For brokers that were asked for before, all of one market.
   */
  reserve(accounts: readonly StoredAccess[], count: number): Promise<void>;
  /** Wall time that a minute of the practice market takes, in ms; null while its clock stands still, and until it is known. */
  practiceMinuteMs(): number | null;
  /** True where a practice market is configured. */
  hasPracticeMarket: boolean;
  /** Opens an account on the practice market and answers its generated keys. */
  openPracticeAccount(name: string): Promise<KeyPair>;
}

export interface Queue {
  /**
   * Wakes the work; while one of the same scope waits or runs, no second one is made. Never throws for a lost
   * Redis: Postgres holds what is due, the queue only wakes. Many pieces of work of one kind go in one call, in few round trips.
   */
  enqueue<I extends z.ZodType>(job: Job<I>, input: z.input<I> | readonly z.input<I>[]): Promise<void>;
}

/**
 * The only injection. Doors make it, services read it. A service that needs a signed-in user takes `Context<"user">` or
 * `Context<"admin">`, and the compiler lets it stand behind no public endpoint and behind no job.
 */
export type Context<A extends Access = "public"> = ContextOf<ActorBehind<A>>;

interface ContextOf<A extends Actor> {
  actor: A;
  /** Wall time. Market time comes from `marketData(market).clock()`. */
  now: () => Date;
  db: Db;
  log: Log;
  request: {
    id: string;
    ipAddress: string | null;
    userAgent: string | null;
    /** What the caller's device carries from an earlier sign-in. */
    device?: DeviceMark | null;
  };
  brokers: Brokers;
  marketData(market: MarketName): MarketData;
  queue: Queue;
}
