import { PrismaPg } from "@prisma/adapter-pg";
import pg from "pg";
import { Prisma, PrismaClient } from "@/lib/generated/prisma/client.ts";
import { env } from "./env.ts";
import { processWide } from "./process-wide.ts";
import { createStatementNames } from "./statement-names.ts";

export { Prisma };
export type Db = PrismaClient;
/** A transaction: what services hand to functions that must write together with them. */
export type Tx = Prisma.TransactionClient;

const primary = processWide<PrismaClient>("tradewindDb");
const replica = processWide<PrismaClient>("tradewindReplica");

/** Values that a list in a query may have: a statement takes 32,767 of all kinds. */
export const LISTED_MOST = 5_000;

/**
 * A connection on which nothing has come back by then is lost without an error (host gone, failover behind one address), and is given up; a
 * statement that Postgres still works at has ended before. Else the system's own timeouts hold every connection of the pool for a quarter of an hour.
 */
const ANSWER_WITHIN_MS = 20_000;

/** The driver's own word for an answer that stayed out. */
const NO_ANSWER = "Query read timeout";

/**
 * Closes its connection when an answer stays out: the driver would hand it on as it is, with a transaction that is still open, of which what
 * came after it would be a part.
 */
class ClosingClient extends pg.Client {
  override query = ((...call: Parameters<pg.Client["query"]>) => {
    const answer: unknown = super.query(...call);
    if (answer instanceof Promise)
      answer.catch((error: unknown) => {
        if (error instanceof Error && error.message === NO_ANSWER) this.connection.stream.destroy();
      });
    return answer;
  }) as pg.Client["query"];
}

const adapterTo = (url: string, poolSize: number, answerWithinMs: number) =>
  new PrismaPg(
    {
      connectionString: url,
      max: poolSize,
      Client: ClosingClient,
      connectionTimeoutMillis: 5_000,
      statement_timeout: 15_000,
      query_timeout: answerWithinMs,
      lock_timeout: 5_000,
      idle_in_transaction_session_timeout: 10_000,
    },
    { statementNameGenerator: createStatementNames() },
  );

/** `url`: asked for at each connect where it is a function. What a client has learnt of its queries outlives a change of the database. */
export function createDb(url: string | (() => string), poolSize: number, answerWithinMs = ANSWER_WITHIN_MS): Db {
  const { provider, adapterName } = adapterTo("", poolSize, answerWithinMs);
  const connect = () => adapterTo(typeof url === "string" ? url : url(), poolSize, answerWithinMs).connect();
  return new PrismaClient({
    // Longer forms print the arguments of the failed call: hashes and sealed keys would reach the log.
    errorFormat: "minimal",
    adapter: { provider, adapterName, connect },
  });
}

/** One client per process, made at first use. */
export function db(): Db {
  return primary.orMake(() => createDb(env().DATABASE_URL, env().DATABASE_POOL_SIZE));
}

/**
 * Where the rows of trades and reports that people download are read: a copy of the database that may be some seconds behind, where one is configured.
 * What is decided, shown or signed is read where it is written.
 */
export function replicaOf(written: Db): Db {
  const { DATABASE_REPLICA_URL, DATABASE_POOL_SIZE } = env();
  if (DATABASE_REPLICA_URL === undefined) return written;
  return replica.orMake(() => createDb(DATABASE_REPLICA_URL, DATABASE_POOL_SIZE));
}

/** Gives the replica's connections back. */
export async function closeReplica(): Promise<void> {
  await replica.remove()?.$disconnect();
}

interface Cause {
  kind?: string;
  code?: string;
  originalCode?: string;
}

/** Every code that an error carries: Prisma's, the driver's, and Postgres's own state, which newer codes wrap. */
function codesOf(error: unknown): string[] {
  const { code, cause, meta } = (error ?? {}) as {
    code?: unknown;
    cause?: Cause;
    meta?: { driverAdapterError?: { cause?: Cause } };
  };
  const causes = [cause, meta?.driverAdapterError?.cause];
  return [code, ...causes.flatMap((one) => [one?.kind, one?.code, one?.originalCode])].filter(
    (value): value is string => typeof value === "string",
  );
}

const CONFLICTS = new Set(["P2034", "TransactionWriteConflict", "40001", "40P01"]);

/** True when the whole transaction may be run again: a serialization conflict or deadlock, nothing else. */
export function isConflict(error: unknown): boolean {
  return codesOf(error).some((code) => CONFLICTS.has(code));
}

/** True when a unique constraint refused the row; of a raw statement Prisma hands on the state of Postgres alone. */
export function isUniqueViolation(error: unknown): boolean {
  return codesOf(error).some((code) => code === "P2002" || code === "23505");
}

const UNREACHABLE = new Set([
  "P1001",
  "P1002",
  "P1008",
  "P1017",
  "P2024",
  "P2028",
  "ECONNREFUSED",
  "ECONNRESET",
  "ENOTFOUND",
  "ETIMEDOUT",
  "EPIPE",
  "DatabaseNotReachable",
  "ConnectionClosed",
  "SocketTimeout",
  "TooManyConnections",
]);

/**
 * States of Postgres in which the same statement may work in a moment: lost or refused connections, starting up
 * or shutting down, cut off for taking too long, waiting for a lock, out of room, read-only.
 */
const AWAY_STATES = /^(08...|57P0.|57014|55P03|53...|25006|25P03)$/;
/** The driver's own words: these errors carry no code. */
const NO_CONNECTION = new Set([
  NO_ANSWER,
  "timeout exceeded when trying to connect",
  "Connection terminated due to connection timeout",
]);

/** True when the database did not answer at all: the same call may work in a moment. */
export function isUnreachable(error: unknown): boolean {
  if (error instanceof Prisma.PrismaClientInitializationError) return true;
  if (error instanceof Error && NO_CONNECTION.has(error.message)) return true;
  return codesOf(error).some((code) => UNREACHABLE.has(code) || AWAY_STATES.test(code));
}
