import type { Given } from "@/lib/contracts/endpoint.ts";
import type { flagsApi } from "@/lib/contracts/flags.ts";
import type { Prisma } from "../../db.ts";
import { env } from "../../env.ts";
import { FLAGS } from "./ensure-flags.ts";

type FlagRow = Prisma.FeatureFlagGetPayload<object>;

export const isBuiltIn = (name: string) => FLAGS.some((flag) => flag.name === name);

export const flagView = (row: FlagRow): Given<typeof flagsApi.save> => ({
  ...row,
  isInForce: row.environment === env().FLAG_ENVIRONMENT,
  isBuiltIn: isBuiltIn(row.name),
});
