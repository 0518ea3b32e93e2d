import type { Given } from "@/lib/contracts/endpoint.ts";
import type { flagsApi } from "@/lib/contracts/flags.ts";
import type { Prisma } from "../../db.ts";
import { env } from "../../env.ts";
import { FLAGS } from "./ensure-flags.ts";

type FlagRow = Prisma.FeatureFlagGetPayload<object>;

const isInForce = ({ environment }: FlagRow) => environment === env().FLAG_ENVIRONMENT;

/** Whether the product acts on this very row: one of the same name in another environment has no effect here. */
export const isBuiltIn = (row: FlagRow) => isInForce(row) && FLAGS.some(({ name }) => name === row.name);

export const flagView = (row: FlagRow): Given<typeof flagsApi.save> => ({
  ...row,
  isInForce: isInForce(row),
  isBuiltIn: isBuiltIn(row),
});
