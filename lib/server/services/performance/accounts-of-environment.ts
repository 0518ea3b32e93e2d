import type { Context } from "../../context.ts";
import { Prisma } from "../../db.ts";
import { environmentLabel, type EnvironmentLabel } from "../../rows.ts";
import { signedInUserId } from "../auth/signed-in-user-id.ts";

/** The user's accounts of one environment: figures of different environments are never mixed. */
export interface Scope {
  /** The one asked for, else that of the oldest account; null without accounts. */
  environment: EnvironmentLabel | null;
  /** All that the user has, oldest account first. */
  environments: EnvironmentLabel[];
  accounts: { id: string; name: string | null; market: "PRACTICE" | "US" }[];
}

export async function accountsOfEnvironment(
  { actor, db }: Pick<Context, "actor" | "db">,
  wanted: EnvironmentLabel | undefined,
): Promise<Scope> {
  const all = await db.account.findMany({
    where: { userId: signedInUserId(actor), deletedAt: null },
    select: { id: true, name: true, broker: true, environment: true, market: true },
    orderBy: { createdAt: "asc" },
  });
  const environments = [...new Set(all.map(environmentLabel))];
  const environment = wanted ?? environments[0] ?? null;
  return { environment, environments, accounts: all.filter((account) => environmentLabel(account) === environment) };
}

/** `"accountId" in (…)` for these accounts; there must be one at least. */
export function isOneOf(ids: readonly { id: string }[], column = Prisma.sql`"accountId"`): Prisma.Sql {
  return Prisma.sql`${column} in (${Prisma.join(ids.map(({ id }) => Prisma.sql`${id}::uuid`))})`;
}
