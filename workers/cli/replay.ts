/** npm run replay: decides recorded decisions again in this process. */
import { date, flag, id, readArguments, refuse, runCommandLine } from "@/lib/command.ts";
import type { Context } from "@/lib/server/context.ts";
import { countDecisions } from "@/lib/server/services/cycles/read-decisions.ts";
import { replayDecisions, type ReplayOptions } from "@/lib/server/services/cycles/replay-decisions.ts";
import { closeSystem } from "@/lib/server/services/queue/close-system.ts";
import { systemContext } from "@/lib/server/system-context.ts";

const USE = "Usage: npm run replay -- --cycle ID | --account ID | --all [--from DATE] [--to DATE] [--any-engine]";
const HELP = `${USE}

Decides recorded decisions again and compares them byte for byte with what was recorded.

  --cycle ID   --account ID   --all   which decisions
  --from DATE  --to DATE              first and last session
  --any-engine                        records of other engines too

Exit code 0: every one agrees; 1: one differs; 2: nothing was checked, or some records belong to another engine.
`;
const MOST_SHOWN = 20;

const OPTIONS = {
  cycle: id.optional(),
  account: id.optional(),
  all: flag,
  from: date.optional(),
  to: date.optional(),
  "any-engine": flag,
};

function readOptions(args: string[]): ReplayOptions | null {
  const given = readArguments(args, OPTIONS);
  if (given === null) return null;
  const { cycle, account, all, from, to, ...values } = given.values;
  if ([cycle !== undefined, account !== undefined, all].filter(Boolean).length !== 1)
    throw refuse(`Give one of --cycle, --account and --all. ${USE}`);
  return {
    ...(cycle === undefined ? {} : { cycleId: cycle }),
    ...(account === undefined ? {} : { accountId: account }),
    ...(from === undefined ? {} : { from }),
    ...(to === undefined ? {} : { to }),
    isAnyEngine: values["any-engine"],
  };
}

const short = (text: string) => (text.length > 200 ? `${text.slice(0, 200)}…` : text);

async function replay(context: Context, options: ReplayOptions): Promise<number> {
  const total = await countDecisions(context, options);
  let done = 0;
  let different = 0;
  const refused = new Map<string, number>();
  for await (const { refusal, differences, ...decision } of replayDecisions(context, options)) {
    done += 1;
    if (refusal !== null) refused.set(refusal, (refused.get(refusal) ?? 0) + 1);
    if (differences.length > 0) {
      different += 1;
      if (different <= MOST_SHOWN) {
        console.log(`cycle ${decision.cycleId}, account ${decision.accountId}, decided ${decision.decidedAt}:`);
        for (const { path, recorded, recomputed } of differences)
          console.log(`  ${path}: recorded ${short(recorded)}, recomputed ${short(recomputed)}`);
      }
    }
    if (done % 50 === 0 && process.stderr.isTTY) process.stderr.write(`\r${done} of ${total}`);
  }
  if (process.stderr.isTTY && done >= 50) process.stderr.write("\n");
  if (different > MOST_SHOWN) console.log(`… and ${different - MOST_SHOWN} more that differ`);
  for (const [refusal, count] of refused)
    console.log(`not replayed: ${count} ${refusal}. --any-engine replays them all the same.`);
  const replayed = done - [...refused.values()].reduce((sum, count) => sum + count, 0);
  if (replayed === 0) console.log("no recorded decision was replayed");
  else if (different === 0) console.log(`replayed ${replayed} decisions: all agree byte for byte`);
  else console.log(`replayed ${replayed} decisions: ${different} DIFFER`);
  return different > 0 ? 1 : replayed === 0 || refused.size > 0 ? 2 : 0;
}

await runCommandLine(
  HELP,
  readOptions,
  async (options) => {
    const context = systemContext("replay");
    try {
      return await replay(context, options);
    } finally {
      await closeSystem(context);
    }
  },
  { failureCode: 2 },
);
