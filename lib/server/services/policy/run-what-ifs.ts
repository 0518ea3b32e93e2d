import { activePolicy } from "../../core/active-policy.ts";
import { asJson } from "../../core/json.ts";
import type { Context } from "../../context.ts";
import { runWaiting } from "../queue/run-waiting.ts";
import { claimWhatIf, WHAT_IFS } from "./claim-what-if.ts";
import type { WhatIfOutcome, WhatIfProgress, WhatIfTask } from "./serve-what-if.ts";
import { contentOf } from "./stored-policy.ts";
import type { WhatIfRow } from "./what-if-view.ts";

/** Makes the what-ifs that wait. */
export const runWhatIfs = (context: Context, program: string): Promise<void> =>
  runWaiting(context, program, {
    kind: WHAT_IFS,
    claim: claimWhatIf,
    heapMb: 1_024,
    what: "The what-if",
    ask: "Choose fewer cycles.",
    taskOf,
    progressOf: ({ done, total }: WhatIfProgress) => ({ decisionsDone: done, decisionsTotal: total }),
    resultOf: (outcome: WhatIfOutcome) => {
      const count = outcome.environments.reduce((all, part) => all + part.decisions, 0);
      return { columns: { report: asJson(outcome), decisionsDone: count, decisionsTotal: count }, count };
    },
  });

async function taskOf(context: Context, row: WhatIfRow): Promise<WhatIfTask> {
  return {
    policy: contentOf({ version: row.version, content: row.policy }),
    inForce: await activePolicy(context),
    cycles: row.cycles,
  };
}
