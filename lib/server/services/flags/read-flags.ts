import type { Given } from "@/lib/contracts/endpoint.ts";
import type { flagsApi } from "@/lib/contracts/flags.ts";
import type { Context } from "../../context.ts";
import type { Tx } from "../../db.ts";
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
  const row = await db.featureFlag.findUnique({
    where: { name_environment: { name, environment: env().FLAG_ENVIRONMENT } },
    select: { enabled: true },
  });
  return row?.enabled ?? FLAGS.find((flag) => flag.name === name)?.enabled ?? false;
}
