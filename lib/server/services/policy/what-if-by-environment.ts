import { ENVIRONMENTS, type Environment } from "@/lib/domain/enums.ts";
import type { Context } from "../../context.ts";
import { countDecisions } from "../cycles/read-decisions.ts";
import { compareUnderPolicies, type WhatIfInput, type WhatIfReport } from "./what-if.ts";

/** One report for each environment in which something was decided: their figures are never added up. */
export async function compareByEnvironment(
  context: Pick<Context, "db">,
  {
    onProgress,
    ...input
  }: Omit<WhatIfInput, "environment" | "onProgress"> & { onProgress?: (done: number, total: number) => void },
): Promise<({ environment: Environment } & WhatIfReport)[]> {
  const { draft: _, ...scope } = input;
  const counts = new Map<Environment, number>();
  for (const environment of ENVIRONMENTS)
    counts.set(environment, await countDecisions(context, { ...scope, environment }));
  const total = [...counts.values()].reduce((all, count) => all + count, 0);
  const reports: ({ environment: Environment } & WhatIfReport)[] = [];
  let before = 0;
  for (const [environment, count] of counts) {
    if (count === 0) continue;
    const report = await compareUnderPolicies(context, {
      ...input,
      environment,
      onProgress: (done) => onProgress?.(before + done, total),
    });
    before += count;
    reports.push({ environment, ...report });
  }
  return reports;
}
