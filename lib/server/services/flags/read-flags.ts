import type { Given } from "@/lib/contracts/endpoint.ts";
import type { flagsApi } from "@/lib/contracts/flags.ts";
import type { Context } from "../../context.ts";
import { Prisma, type Tx } from "../../db.ts";
import { env } from "../../env.ts";
import { FLAGS, type FlagName } from "./ensure-flags.ts";

/** All flags of the environment in force, by name; those of the product that have no row stand as they begin. */
export async function readFlags({ db }: Pick<Context, "db">): Promise<Given<typeof flagsApi.read>> {
  const rows = await db.featureFlag.findMany({
    where: { environment: env().FLAG_ENVIRONMENT },
    select: { name: true, enabled: true },
  });
  return Object.fromEntries([...FLAGS, ...rows].map(({ name, enabled }) => [name, enabled]));
}

/** Whether one of the flags that the product acts on is on in the environment in force. */
export async function isFlagOn({ db }: { db: Tx }, name: FlagName): Promise<boolean> {
  const [row] = await db.$queryRaw<{ isOn: boolean }[]>`select ${flagIsOn(name)} as "isOn"`;
  return row?.isOn ?? false;
}

/** The same as an expression. */
export const flagIsOn = (name: FlagName) => Prisma.sql`coalesce((
  select "enabled" from "FeatureFlag" where "name" = ${name} and "environment" = ${env().FLAG_ENVIRONMENT}::"FlagEnvironment"
), ${FLAGS.some((flag) => flag.name === name && flag.enabled)}::boolean)`;
