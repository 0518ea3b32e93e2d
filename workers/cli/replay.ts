/**
 * npm run replay -- --cycle ID | --account ID | --all [--from DATE] [--to DATE] [--any-engine]
 * Decides recorded decisions again in this process. Exit code 0: every one agrees byte for byte; 1: one differs;
 * 2: nothing was checked, or some records belong to another engine.
 */
import { parseArgs } from "node:util";
import { countDecisions } from "@/lib/server/services/cycles/read-decisions.ts";
import { replayDecisions, type ReplayOptions } from "@/lib/server/services/cycles/replay-decisions.ts";
import { closeSystem } from "@/lib/server/services/queue/close-system.ts";
import { systemContext } from "@/lib/server/system-context.ts";

const USE = "Use: npm run replay -- --cycle ID | --account ID | --all [--from DATE] [--to DATE] [--any-engine]";
const MOST_SHOWN = 20;
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const DATE = /^\d{4}-\d{2}-\d{2}$/;

function readOptions(): ReplayOptions {
  const { values } = parseArgs({
    options: {
      cycle: { type: "string" },
      account: { type: "string" },
      all: { type: "boolean", default: false },
      from: { type: "string" },
      to: { type: "string" },
      "any-engine": { type: "boolean", default: false },
    },
  });
  const { cycle, account, all, from, to } = values;
  if ([cycle !== undefined, account !== undefined, all].filter(Boolean).length !== 1) throw new Error(USE);
  for (const id of [cycle, account])
    if (id !== undefined && !UUID.test(id)) throw new Error(`${id} is not an id. ${USE}`);
  for (const date of [from, to])
    if (date !== undefined && !DATE.test(date)) throw new Error(`${date} is not a date like 2020-02-03. ${USE}`);
  return {
    ...(cycle === undefined ? {} : { cycleId: cycle }),
    ...(account === undefined ? {} : { accountId: account }),
    ...(from === undefined ? {} : { from }),
    ...(to === undefined ? {} : { to }),
    isAnyEngine: values["any-engine"],
  };
}

const short = (text: string) => (text.length > 200 ? `${text.slice(0, 200)}…` : text);

async function replay(options: ReplayOptions): Promise<number> {
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

const context = systemContext("replay");
try {
  process.exitCode = await replay(readOptions());
} catch (error) {
  console.error(error instanceof Error ? error.message : String(error));
  process.exitCode = 2;
} finally {
  await closeSystem(context);
}
