/** Hands episodes out to lanes; first come those that need the database for themselves. */
import { fork } from "node:child_process";
import type { DrawOptions } from "./episode.ts";
import type { FromLane, ToLane } from "./lane.ts";
import type { Outcome } from "./play-episode.ts";

export interface RunPlan {
  seeds: number[];
  parallel: number;
  options: Omit<DrawOptions, "cutsPostgres">;
  /** Seeds that are played alone, with the database cut. */
  cutSeeds: number[];
}

export async function runLanes(
  program: string,
  workerProgram: string,
  plan: RunPlan,
  cutPostgres: () => Promise<void>,
  onOutcome: (outcome: Outcome) => void,
  /** No further episode begins once it is aborted; those at play come to their end. */
  end: AbortSignal,
): Promise<void> {
  if (plan.cutSeeds.length > 0) await runLane({ ...plan.options, cutsPostgres: true }, [...plan.cutSeeds]);
  if (plan.seeds.length === 0) return;
  const together = [...plan.seeds];
  await Promise.all(
    Array.from({ length: Math.min(plan.parallel, together.length) }, () =>
      runLane({ ...plan.options, cutsPostgres: false }, together),
    ),
  );

  function runLane(options: DrawOptions, seeds: number[]): Promise<void> {
    const lane = fork(program, ["--lane", workerProgram], { stdio: ["ignore", "inherit", "inherit", "ipc"] });
    const say = (word: ToLane) => void lane.send(word);
    const next = () => {
      const seed = end.aborted ? undefined : seeds.shift();
      say(seed === undefined ? { kind: "end" } : { kind: "play", seed, options });
    };
    return new Promise((resolve, reject) => {
      lane.on("message", (word: FromLane) => {
        if (word.kind === "cut") return void cutPostgres().then(() => say({ kind: "cut_done" }), reject);
        if (word.kind === "outcome") onOutcome(word.outcome);
        next();
      });
      lane.on("error", reject);
      lane.on("exit", (code) => (code === 0 ? resolve() : reject(new Error(`a lane ended with ${code}`))));
    });
  }
}
