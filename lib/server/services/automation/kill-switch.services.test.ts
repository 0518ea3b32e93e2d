import { expect, it } from "vitest";
import { forgetEnv } from "../../env.ts";
import type { KillTrial } from "@/lib/proof/kill-trial-figures.ts";
import { runKillTrials } from "@/lib/proof/kill-trials.ts";

/** The first eight trials of seed 7 have every level, state and fault in them. The long run: `npm run prove -- kill-switch`. */
const trials = Number(process.env.KILL_TRIALS ?? 8);
const seed = Number(process.env.KILL_SEED ?? 7);
const perTrialMs = 25_000;

function point({ exchangeUrl, redisUrl }: { exchangeUrl: string; redisUrl: string | undefined }): void {
  process.env.EXCHANGE_URL = exchangeUrl;
  process.env.REDIS_URL = redisUrl ?? "";
  forgetEnv();
}

const asText = (rows: KillTrial[]) => rows.map((row) => JSON.stringify(row)).join("\n");

it(
  `a stop at any moment: no entry arrives later than a second after its commit, open ones are asked back within five, with and without Redis (H6)`,
  async () => {
    const rows = await runKillTrials({ trials, redisDownShare: 0.5, seed, point });
    const most = (of: (row: KillTrial) => number) => Math.max(...rows.map(of));
    console.log(
      `kill switch, seed ${seed}: ${rows.length} trials, ${rows.filter(({ isRedisDown }) => isRedisDown).length} without Redis; ` +
        `${rows.reduce((total, row) => total + row.entriesBefore, 0)} entries before the stops, ` +
        `${rows.reduce((total, row) => total + row.inFlight, 0)} of them without an answer yet, ` +
        `last entry at most ${most((row) => row.lastEntryAfterMs)} ms after, ` +
        `cancels asked for within ${most((row) => row.slowestCancelMs)} ms, ` +
        `${rows.reduce((total, row) => total + row.refused, 0)} entries refused`,
    );
    expect(rows).toHaveLength(trials);
    expect(asText(rows.filter((row) => row.lastEntryAfterMs > 1_000))).toBe("");
    expect(asText(rows.filter((row) => row.slowestCancelMs > 5_000 || row.stillWorking > 0))).toBe("");
    // The stop met a stream of entries, refused what came after it, and left the other account alone.
    expect(asText(rows.filter((row) => row.entriesBefore === 0 || row.refused === 0 || row.othersAfter === 0))).toBe(
      "",
    );
    expect(rows.filter(({ isRedisDown }) => isRedisDown)).toHaveLength(Math.floor(trials / 2));
  },
  trials * perTrialMs,
);
