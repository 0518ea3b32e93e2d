/** The test bench of steering the policy. Only tests import it. */
import path from "node:path";
import { pathToFileURL } from "node:url";
import { bypassingTriggers } from "../../audit/bench.ts";
import { systemContext } from "../../system-context.ts";
import { activePolicy } from "../../core/active-policy.ts";

export const WHAT_IF_PROGRAM = pathToFileURL(path.resolve("workers/threads/what-if.ts")).href;

/** Policy 2.9.0 alone, in force, as after the first start; decisions keep the versions that they were made under. */
export async function firstPolicyAlone(): Promise<void> {
  await bypassingTriggers(async (tx) => {
    for (const table of ["PolicyActivation", "WhatIf", "PendingApproval", "PolicyVersion"])
      await tx.$executeRawUnsafe(`delete from "${table}"`);
  });
  await activePolicy(systemContext("test"));
}
