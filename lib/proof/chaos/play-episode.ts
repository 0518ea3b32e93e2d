/** Plays one episode from its account's opening to the verdict. */
import { setTimeout as delay } from "node:timers/promises";
import { randomOf } from "@/lib/exchange/market/seeded.ts";
import type { Exchange } from "@/lib/exchange/start.ts";
import type { Context } from "@/lib/server/context.ts";
import type { Episode } from "./episode.ts";
import { judge, type Evidence, type Verdict } from "./oracle.ts";
import { count, emptyTally, playTurn, type Tally } from "./play-turn.ts";
import { decideAnew, decideFirst, openStage, readPrices, SYMBOLS_AT_PLAY, type Account, type Cast } from "./stage.ts";
import { clearSwitches, type Thrown } from "./switches.ts";
import type { Witness } from "./witness.ts";
import type { Run, WorkerPool } from "./worker-pool.ts";

/** Where episodes are played, one after the other. */
export interface Scene {
  context: Context;
  exchange: Exchange;
  witness: Witness;
  pool: WorkerPool;
  /** Symbols that trade here. */
  symbols: string[];
  /** Ends Postgres like a power cut and brings it back; null where others use it too. */
  cutPostgres: (() => Promise<void>) | null;
}

export interface Outcome extends Verdict, Tally {
  seed: number;
  isUniquenessOff: boolean;
  isPair: boolean;
  posts: number;
  durationMs: number;
  /** The workers' last lines, for a person who looks into a violation. */
  logs: string[];
}

/** Wall time of a machine that may have other work: what a starved process leaves undone is no finding. */
const RECOVERY_MS = 180_000;
const MINUTES_BEFORE_THE_CLOSE = 60;

export async function playEpisode(scene: Scene, episode: Episode): Promise<{ outcome: Outcome; evidence: Evidence }> {
  const startedAt = performance.now();
  const { context, exchange, witness } = scene;
  const { control } = exchange;
  const tally = emptyTally();
  await control.clock({ paused: true, speed: episode.speed });
  control.clearFaults();
  await keepInSession(scene);
  const arrivalsBefore = witness.arrivals.length;
  const cast = await castOf(scene, episode);
  const account = await openStage(context, episode, cast, async (advanceMinutes) => {
    await control.clock({ advanceMinutes });
  });
  if (episode.isUniquenessOff) control.addFault({ kind: "uniqueness_off" });

  const decisionIds = [await decideFirst(context, account, episode, cast)];
  const thrown: Thrown[] = [];
  const runs: Run[] = [];
  const { settleWindowMs } = episode;
  await control.clock({ paused: false });
  for (const turn of episode.turns) {
    if (turn.decidesAnew) decisionIds.push(await decideAnew(context, account, cast));
    runs.push(
      ...(await playTurn({ scene, turn, account, symbols: cast.symbols, decisionIds, settleWindowMs, thrown, tally })),
    );
    await clearSwitches(context.db, account, thrown);
  }
  for (const { kind, struck } of control.faults()) if (struck > 0) count(tally.faults, kind, struck);
  const unrest = await quiesce(scene, episode, account, runs);

  const messages = runs.flatMap(({ messages }) => messages);
  const truth = control.truth().find(({ id }) => id === account.brokerAccountId);
  if (!truth) throw new Error("the exchange does not know the account");
  const arrivals = witness.arrivals.slice(arrivalsBefore);
  const evidence = { accountId: account.id, truth, arrivals, thrown, messages };
  const verdict = await judge(context, evidence);
  await retire(context, account);
  const outcome = {
    ...verdict,
    ...tally,
    violations: [...unrest, ...verdict.violations],
    starts: tally.starts + 1,
    seed: episode.seed,
    isUniquenessOff: episode.isUniquenessOff,
    isPair: episode.turns.some(({ workers }) => workers.length > 1),
    posts: arrivals.length,
    durationMs: Math.round(performance.now() - startedAt),
    logs: runs.flatMap(({ tail }) => tail),
  };
  return { outcome, evidence };
}

/** An episode needs no night: close to the end of a session the clock moves on to the next. */
async function keepInSession({ exchange }: Scene): Promise<void> {
  const { now, isOpen } = exchange.control.status();
  const minute = new Date(now).getUTCHours() * 60 + new Date(now).getUTCMinutes();
  // Sessions end at 21:00 UTC in winter and at 20:00 in summer.
  if (isOpen && minute < 20 * 60 - MINUTES_BEFORE_THE_CLOSE) return;
  await untilOpen(exchange, (then) => new Date(then).getUTCHours() < 16);
}

async function untilOpen({ control }: Exchange, isEarlyEnough: (now: string) => boolean = () => true): Promise<void> {
  for (let tries = 0; tries < 10; tries += 1) {
    const { isOpen, now } = control.status();
    if (isOpen && isEarlyEnough(now)) return;
    await control.clock({ advanceMinutes: 60 });
  }
}

/** Other symbols for every episode, so that no two compete for the volume of a minute. */
async function castOf({ symbols, exchange }: Scene, { seed }: Episode): Promise<Cast> {
  const random = randomOf(seed + 2);
  const drawn = new Set<string>();
  while (drawn.size < Math.min(SYMBOLS_AT_PLAY, symbols.length))
    drawn.add(symbols[Math.floor(random() * symbols.length)] as string);
  const chosen = [...drawn];
  return { symbols: chosen, prices: await readPrices(exchange.url, chosen) };
}

/** No more faults, whatever was late has arrived, the market stands still, and one worker makes a clean start. */
async function quiesce(scene: Scene, episode: Episode, account: Account, runs: Run[]): Promise<string[]> {
  const { exchange, witness, pool } = scene;
  const late = episode.turns.flatMap(({ faults }) => faults.map(({ ms = 0 }) => ms));
  await witness.atRest();
  await delay(Math.max(0, ...late) + 20);
  exchange.control.clearFaults();
  await exchange.control.clock({ paused: true });
  await exchange.control.clock({ advanceMinutes: 2 });
  // Shares whose price is through their stop can only be sold, in an open market.
  await untilOpen(exchange);
  const { settleWindowMs } = episode;
  const run = await pool.run({
    exchangeUrl: witness.url,
    crashAt: null,
    accountId: account.id,
    decisionIds: [],
    settleWindowMs,
    isFollowing: false,
    isLockless: false,
    isClean: true,
  });
  runs.push(run);
  const timer = setTimeout(() => run.kill("SIGKILL"), RECOVERY_MS);
  await run.over;
  clearTimeout(timer);
  const last = run.messages.at(-1);
  if (last?.kind === "done" && run.messages.some(({ kind }) => kind === "recovered")) return [];
  const why = last && "why" in last ? last.why : `it was not done after ${RECOVERY_MS} ms (${last?.kind ?? "silent"})`;
  return [`I24 the clean start did not recover the account: ${why}`];
}

/** Whatever starts after this episode leaves its account alone. */
async function retire({ db }: Context, { id }: Account): Promise<void> {
  await db.account.update({ where: { id }, data: { deletedAt: new Date(), sealedKeys: null, status: "INACTIVE" } });
}
