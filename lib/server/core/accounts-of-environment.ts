import type { Environment } from "@/lib/domain/enums.ts";
import { defaultEnvironment, environmentLabel, environmentsOf } from "@/lib/domain/environments.ts";
import type { Context } from "../context.ts";
import { Prisma } from "../db.ts";

/** The accounts of one environment: figures of different environments are never mixed. */
export interface Scope {
  /** The one asked for, else the most real one with an active account; null without accounts. */
  environment: Environment | null;
  /** Those of all the accounts, the most real first. */
  environments: Environment[];
  /** Oldest first. */
  accounts: ScopedAccount[];
}

type ScopedAccount = Prisma.AccountGetPayload<{ select: typeof COLUMNS }>;

interface Whose {
  /** All accounts, for administrators; else the caller's own. */
  isOfAll?: boolean;
  /** Accounts that were removed are in it as well, where they left a history. */
  hasRemoved?: boolean;
}

const COLUMNS = {
  id: true,
  name: true,
  broker: true,
  keyPrefix: true,
  accountNumberEnd: true,
  environment: true,
  market: true,
  status: true,
  deletedAt: true,
} satisfies Prisma.AccountSelect;

/** A LIVE account that its owner has not confirmed has no figures and no history. */
export const IS_ACTIVE = { deletedAt: null, status: { not: "INACTIVE" } } satisfies Prisma.AccountWhereInput;
const REMOVED = {
  deletedAt: { not: null },
  OR: [{ orders: { some: {} } }, { decisions: { some: {} } }],
} satisfies Prisma.AccountWhereInput;

/** The one way from the environment that a caller asks for to the accounts that an answer is made of. */
export async function accountsOfEnvironment(
  { actor, db }: Pick<Context<"user">, "actor" | "db">,
  wanted: Environment | undefined,
  { isOfAll = false, hasRemoved = false }: Whose = {},
): Promise<Scope> {
  const all = await db.account.findMany({
    where: {
      ...(isOfAll ? {} : { userId: actor.userId }),
      ...(hasRemoved ? { OR: [IS_ACTIVE, REMOVED] } : IS_ACTIVE),
    },
    select: COLUMNS,
    orderBy: [{ createdAt: "asc" }, { id: "asc" }],
  });
  const environment =
    wanted ?? defaultEnvironment(all.map((account) => ({ ...account, isActive: account.deletedAt === null })));
  return {
    environment,
    environments: environmentsOf(all),
    accounts: all.filter((account) => environmentLabel(account) === environment),
  };
}

/** `"accountId" in (…)` for these accounts; there must be one at least. */
export function isOneOf(ids: readonly { id: string }[], column = Prisma.sql`"accountId"`): Prisma.Sql {
  return Prisma.sql`${column} in (${Prisma.join(ids.map(({ id }) => Prisma.sql`${id}::uuid`))})`;
}
