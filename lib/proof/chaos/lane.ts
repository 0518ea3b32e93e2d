/** A process that plays episodes one after the other, as its parent hands them out. */
import { existsSync } from "node:fs";
import { drawEpisode, type DrawOptions } from "./episode.ts";
import { playEpisode, type Outcome } from "./play-episode.ts";
import { openScene } from "./scene.ts";

export type ToLane = { kind: "play"; seed: number; options: DrawOptions } | { kind: "cut_done" } | { kind: "end" };
export type FromLane = { kind: "ready" } | { kind: "outcome"; outcome: Outcome } | { kind: "cut" };

/** A process of a second gains nothing from optimised code: without it, it costs half. */
const SHORT_LIVED = ["--no-opt", "--liftoff-only", "--max-semi-space-size=32"];

export async function serveLane(workerProgram: string): Promise<void> {
  const say = (word: FromLane) => void process.send?.(word);
  let cutDone: () => void = () => undefined;
  const cutPostgres = () =>
    new Promise<void>((resolve) => {
      cutDone = resolve;
      say({ kind: "cut" });
    });
  const hasMap = existsSync(`${workerProgram}.map`);
  const program = [...SHORT_LIVED, ...(hasMap ? ["--enable-source-maps"] : []), workerProgram];
  const scene = await openScene({ program, poolSize: 2, cutPostgres });
  process.on("message", (word: ToLane) => {
    if (word.kind === "cut_done") cutDone();
    else if (word.kind === "end") void scene.close().then(() => process.exit(0));
    else void play(word.seed, word.options);
  });
  // A Ctrl-C is for the parent, which lets the episode end.
  process.on("SIGINT", () => undefined);
  process.on("disconnect", () => process.exit(1));

  async function play(seed: number, options: DrawOptions): Promise<void> {
    const outcome = await playEpisode(scene, drawEpisode(seed, options)).then(
      (played) => played.outcome,
      (error: unknown) => failed(seed, error),
    );
    say({ kind: "outcome", outcome });
  }
  say({ kind: "ready" });
}

/** An episode that could not be played to its end is a violation too. */
function failed(seed: number, error: unknown): Outcome {
  const why = error instanceof Error ? (error.stack ?? error.message) : String(error);
  return {
    ...{ seed, isUniquenessOff: false, isPair: false, posts: 0, durationMs: 0, logs: [] },
    ...{
      violations: [`the episode could not be played: ${why}`],
      orders: 0,
      fills: 0,
      doubles: 0,
      losses: 0,
      bare: 0,
      parked: 0,
    },
    ...{ faults: {}, crashPoints: {}, starts: 0, kills: 0, stops: 0, switches: 0, databaseCuts: 0 },
  };
}
