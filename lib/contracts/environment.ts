import * as z from "zod";
import { ENVIRONMENTS } from "@/lib/domain/enums.ts";

export const environmentOut = z.enum(ENVIRONMENTS);

/** What every endpoint of money takes: absent, the most real environment with an active account is answered for. */
export const environmentIn = { environment: environmentOut.optional() };

/** What every answer about money says: figures of different environments are never added up and never share a curve. */
export const environmentScopeOut = {
  /** The one that the answer is of: as asked for, else the most real one with an active account; null without accounts. */
  environment: environmentOut.nullable(),
  /** All in which there are accounts, the most real first. */
  environments: z.array(environmentOut),
};
