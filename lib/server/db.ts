import { PrismaPg } from "@prisma/adapter-pg";
import { Prisma, PrismaClient } from "@/lib/generated/prisma/client.ts";
import { env } from "./env.ts";

export { Prisma };
export type Db = PrismaClient;
/** A transaction: what services hand to functions that must write together with them. */
export type Tx = Prisma.TransactionClient;

const shared = globalThis as unknown as { tradewindDb?: PrismaClient };

export function createDb(url: string, poolSize: number): Db {
  return new PrismaClient({
    // Longer forms print the arguments of the failed call: hashes and sealed keys would reach the log.
    errorFormat: "minimal",
    adapter: new PrismaPg({
      connectionString: url,
      max: poolSize,
      connectionTimeoutMillis: 5_000,
      statement_timeout: 15_000,
    }),
  });
}

/** One client per process, made at first use. */
export function db(): Db {
  shared.tradewindDb ??= createDb(env().DATABASE_URL, env().DATABASE_POOL_SIZE);
  return shared.tradewindDb;
}

/** True when the whole transaction may be run again: a serialization conflict or deadlock, nothing else. */
export function isConflict(error: unknown): boolean {
  if (error instanceof Prisma.PrismaClientKnownRequestError) return error.code === "P2034";
  const cause = (error as { cause?: { kind?: string; originalCode?: string } } | null)?.cause;
  return (
    cause?.kind === "TransactionWriteConflict" || cause?.originalCode === "40001" || cause?.originalCode === "40P01"
  );
}

/** True when a unique constraint refused the row. */
export function isTaken(error: unknown): boolean {
  return error instanceof Prisma.PrismaClientKnownRequestError && error.code === "P2002";
}

const UNREACHABLE_CODES = new Set([
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
]);
const UNREACHABLE_KINDS = new Set(["DatabaseNotReachable", "ConnectionClosed", "SocketTimeout", "TooManyConnections"]);

/** True when the database did not answer at all: the same call may work in a moment. */
export function isUnreachable(error: unknown): boolean {
  if (error instanceof Prisma.PrismaClientInitializationError) return true;
  const { code, cause } = (error ?? {}) as { code?: unknown; cause?: { kind?: unknown; code?: unknown } };
  // 57P0x: the server is starting up or shutting down.
  const isAway = (value: unknown) =>
    typeof value === "string" && (UNREACHABLE_CODES.has(value) || value.startsWith("57P0"));
  return isAway(code) || isAway(cause?.code) || (typeof cause?.kind === "string" && UNREACHABLE_KINDS.has(cause.kind));
}
