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
    adapter: new PrismaPg({ connectionString: url, max: poolSize, connectionTimeoutMillis: 5_000, statement_timeout: 15_000 }),
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
  return cause?.kind === "TransactionWriteConflict" || cause?.originalCode === "40001" || cause?.originalCode === "40P01";
}

/** True when a unique constraint refused the row. */
export function isTaken(error: unknown): boolean {
  return error instanceof Prisma.PrismaClientKnownRequestError && error.code === "P2002";
}
