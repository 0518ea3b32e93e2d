/** One turn of an episode: faults are set, one worker or two are let loose, and are ended, stopped or waited for. */
import { setTimeout as delay } from "node:timers/promises";
import { isUnreachable } from "@/lib/server/db.ts";
import type { Turn, WorkerScript } from "./episode.ts";
import type { Scene } from "./play-episode.ts";
import type { Account } from "./stage.ts";
import { throwSwitch, type Thrown } from "./switches.ts";
import type { Run } from "./worker-pool.ts";

/** Nothing takes longer than this but a worker that hangs. */
const TURN_MS = 25_000;
/** When a worker is about where it is told to fall asleep. */
const SLEEPS_ABOUT_MS = 300;

export interface Tally {
  /** How often each kind of fault struck. */
  faults: Record<string, number>;
  /** How often a worker ended or slept at each point. */
  crashPoints: Record<string, number>;
  starts: number;
  kills: number;
  stops: number;
  switches: number;
  databaseCuts: number;
}

export const emptyTally = (): Tally => ({
  faults: {},
  crashPoints: {},
  starts: 0,
  kills: 0,
  stops: 0,
  switches: 0,
  databaseCuts: 0,
});

export const count = (counts: Record<string, number>, name: string, by = 1) => {
  counts[name] = (counts[name] ?? 0) + by;
};

export interface TurnAtPlay {
  scene: Scene;
  turn: Turn;
  account: Account;
  /** Symbols of the episode. */
  symbols: string[];
  decisionIds: string[];
  settleWindowMs: number;
  thrown: Thrown[];
  tally: Tally;
}

/** Answers what the workers of the turn did; all of them are over. */
export async function playTurn(play: TurnAtPlay): Promise<Run[]> {
  const { scene, turn, account, symbols, thrown, tally } = play;
  for (const fault of turn.faults) scene.exchange.control.addFault(fault);
  const running = turn.workers.map((script) => runWorker(play, script));
  const beside: Promise<void>[] = [];
  const { flip, cutsPostgresAtMs } = turn;
  if (flip)
    beside.push(
      delay(flip.atMs)
        .then(() => throwSwitch(scene.context.db, account, flip.what, symbols[flip.atMs % symbols.length] ?? ""))
        .then((one) => {
          if (one === null) return;
          thrown.push(one);
          tally.switches += 1;
        })
        // Where the database was cut at that moment, it is unknown whether it was thrown.
        .catch((error: unknown) => {
          if (!isUnreachable(error)) throw error;
        }),
    );
  const { cutPostgres } = scene;
  if (cutsPostgresAtMs !== null && cutPostgres)
    beside.push(
      delay(cutsPostgresAtMs).then(async () => {
        tally.databaseCuts += 1;
        await cutPostgres();
      }),
    );
  const runs = await Promise.all(running);
  await Promise.all(beside);
  return runs;
}

async function runWorker(play: TurnAtPlay, script: WorkerScript): Promise<Run> {
  const { scene, account, decisionIds, settleWindowMs, tally } = play;
  const { crashAt, killAfterMs, sleep, isFollowing, isLockless } = script;
  const options = { crashAt, settleWindowMs, isFollowing, isLockless, isClean: false };
  const task = { ...options, exchangeUrl: scene.witness.url, accountId: account.id, decisionIds };
  const run = await scene.pool.run(task);
  tally.starts += 1;
  let isOver = false;
  let wasKilled = false;
  const over = run.over.then((signal) => {
    isOver = true;
    return signal;
  });
  const kill = () => {
    if (isOver) return;
    wasKilled = true;
    run.kill("SIGKILL");
  };
  const send = (signal: "SIGSTOP" | "SIGCONT") => () => {
    if (!isOver) run.kill(signal);
  };
  const timers = [setTimeout(kill, TURN_MS)];
  if (killAfterMs !== null) timers.push(setTimeout(kill, killAfterMs));
  if (sleep) {
    if (sleep.atMs !== null) timers.push(setTimeout(send("SIGSTOP"), sleep.atMs));
    // Woken again and again: it may fall asleep at its point at any time.
    timers.push(setInterval(send("SIGCONT"), (sleep.atMs ?? SLEEPS_ABOUT_MS) + sleep.forMs));
    tally.stops += 1;
  }
  const signal = await over;
  for (const timer of timers) clearTimeout(timer);
  if (signal === "SIGKILL") {
    tally.kills += 1;
    count(tally.crashPoints, !wasKilled && crashAt !== null ? (crashAt.split(":")[0] ?? crashAt) : "any moment");
  }
  return run;
}
