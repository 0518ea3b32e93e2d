/** One attack after the other on one stack that trades; after each, everything has to heal and the books to agree. */
import { setTimeout as delay } from "node:timers/promises";
import pg from "pg";
import { STRATEGY_NAMES } from "@/lib/domain/enums.ts";
import { db } from "@/lib/server/db.ts";
import { forgetEnv } from "@/lib/server/env.ts";
import type { Context } from "@/lib/server/context.ts";
import { addPracticeAccount } from "@/lib/server/services/accounts/add-practice-account.ts";
import { setAccountKillState } from "@/lib/server/services/automation/set-kill-state.ts";
import { closeSystem } from "@/lib/server/services/queue/close-system.ts";
import { systemContext } from "@/lib/server/system-context.ts";
import { makeUser } from "@/prisma/factories.ts";
import { ATTACKS, type Attack, type Scene } from "./attacks.ts";
import { bareShares, compareBooks, type Comparison, readProduct } from "./compare.ts";
import { exchangeControl } from "./exchange-control.ts";
import { type Stack, startStack } from "./stack.ts";

const STRIKE_EVERY_MS = 10_000;
const LOOK_EVERY_MS = 500;
const HEAL_TIMEOUT_MS = 240_000;
/** An attack that struck nothing proves nothing: it continues for this many times as long. */
const PATIENCE = 4;
/** Attacks need something to strike. */
const POSITIONS_FIRST = 5;
const WARM_UP_MS = 240_000;
const READING_TIMEOUT_MS = 60_000;

export interface AttackOptions {
  seed: number;
  /** Market seconds per second. */
  speed: number;
  /** How long each attack lasts. */
  secondsEach: number;
  traders: number;
  /** Names of attacks; all when empty. */
  only: readonly string[];
  say: (line: string) => void;
}

export interface AttackResult extends Comparison {
  name: string;
  struck: number;
  /** Wall seconds from the end of the attack until everything was well. */
  healedInS: number | null;
  /** Longest time that one position was seen without a stop, wall seconds of a market at `speed`. */
  longestBareS: number;
}

/** A small linear congruential generator (Numerical Recipes): the same seed attacks in the same order. */
function randomOf(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

export async function runAttacks(options: AttackOptions): Promise<AttackResult[]> {
  const { only } = options;
  const unknown = only.filter((name) => !ATTACKS.some((attack) => attack.name === name));
  if (unknown.length > 0)
    throw new Error(
      `There is no attack "${unknown.join('", "')}". There are: ${ATTACKS.map(({ name }) => name).join(", ")}.`,
    );
  const stack = await startStack(options.speed);
  try {
    return await attackStack(stack, options);
  } finally {
    await stack.stop();
  }
}

async function attackStack(stack: Stack, options: AttackOptions): Promise<AttackResult[]> {
  const { say, only } = options;
  const { exchange: exchangeUrl, internal } = stack.run;
  Object.assign(process.env, internal.env, { LOG_LEVEL: "error" });
  forgetEnv();
  const context = systemContext("attack");
  const books = new BooksReader(internal.databaseUrl);
  const scene: Scene = {
    stack,
    exchange: exchangeControl(exchangeUrl, internal.controlToken),
    random: randomOf(options.seed),
    fleet: null,
  };
  const results: AttackResult[] = [];
  try {
    say(`the stack runs on ${stack.run.url}; its log is ${stack.logFile}`);
    await addTraders(context, options.traders);
    await warmUp(context);
    for (const attack of ATTACKS.filter(({ name }) => only.length === 0 || only.includes(name))) {
      await addTraders(context, options.traders);
      const result = await runAttack(attack, scene, context, books, options);
      results.push(result);
      say(describeResult(result));
      for (const difference of result.differences.slice(0, 10)) say(`    ${difference}`);
      for (const bare of result.bare) say(`    no stop: ${bare}`);
    }
  } finally {
    await scene.fleet?.end();
    await books.close();
    await closeSystem(context);
  }
  return results;
}

export function describeResult({
  name,
  struck,
  healedInS,
  longestBareS,
  doubled,
  lost,
  bare,
  orders,
  fills,
  differences,
}: AttackResult): string {
  const healed = healedInS === null ? "NOT HEALED" : `healed in ${healedInS.toFixed(1)} s`;
  return (
    `${name.padEnd(14)} ${String(struck).padStart(4)} strikes, ${healed}, ${orders} orders, ${fills} fills: ` +
    `${doubled} doubled, ${lost} lost, ${bare.length} without a stop (longest seen ${longestBareS.toFixed(1)} s), ${differences.length} differences`
  );
}

/** New accounts buy when they first look, so that each attack meets orders on their way. */
async function addTraders(context: Context, traders: number): Promise<void> {
  for (let nth = 0; nth < traders; nth += 1) {
    const { id: userId } = await makeUser(db());
    await db().tradingPreferences.update({
      where: { userId },
      data: {
        strategy: STRATEGY_NAMES[nth % STRATEGY_NAMES.length] ?? "MOMENTUM",
        riskLevel: "HIGH",
        defaultOrderSize: 4_000,
        maxPositions: 8,
        maxPositionValue: 8_000,
        stopLoss: 2,
        profitTarget: 3,
      },
    });
    await addPracticeAccount({ ...context, actor: { kind: "user", userId, role: "USER", signInId: "attack" } });
  }
}

async function warmUp({ db: { position } }: Context): Promise<void> {
  const endsAt = performance.now() + WARM_UP_MS;
  while (performance.now() < endsAt && (await position.count({ where: { qty: { gt: 1 } } })) < POSITIONS_FIRST)
    await delay(1_000);
}

/** A connection of its own that is made anew after Postgres was killed. */
class BooksReader {
  readonly #url: string;
  #client: pg.Client | null = null;

  constructor(url: string) {
    this.#url = url;
  }

  async read() {
    try {
      if (this.#client === null) {
        const client = new pg.Client({ connectionString: this.#url });
        client.on("error", () => (this.#client = null));
        await client.connect();
        this.#client = client;
      }
      return await readProduct(this.#client);
    } catch (error) {
      await this.close();
      throw error;
    }
  }

  async close(): Promise<void> {
    const client = this.#client;
    this.#client = null;
    await client?.end().catch(() => undefined);
  }
}

async function runAttack(
  attack: Attack,
  scene: Scene,
  context: Context,
  books: BooksReader,
  { secondsEach }: AttackOptions,
): Promise<AttackResult> {
  const { exchange } = scene;
  const watch = watchBare(scene, books);
  let struck = 0;
  scene.fleet = (await attack.beside?.(scene.stack)) ?? null;
  for (const fault of attack.faults ?? []) await exchange.addFault(fault);
  const begunAt = performance.now();
  const strikes = async () => struck + (await exchange.faults()).reduce((total, fault) => total + fault.struck, 0);
  let endsAt = begunAt + secondsEach * 1_000;
  let flattened: string | null = null;
  while (performance.now() < endsAt) {
    struck += (await attack.strike?.(scene)) ?? 0;
    const isUnstruck = (await strikes().catch(() => struck)) === 0;
    if (isUnstruck)
      endsAt = Math.max(endsAt, Math.min(performance.now() + 1_000, begunAt + PATIENCE * secondsEach * 1_000));
    // Sales cancel stops: some happen in every attack, whatever the market does.
    flattened ??= await flattenOne(context).catch(() => null);
    await delay(Math.min(STRIKE_EVERY_MS, Math.max(0, endsAt - performance.now())));
  }
  const endedAt = performance.now();
  const withPatience = <T>(work: () => Promise<T>) => retried(work, READING_TIMEOUT_MS);
  struck = await withPatience(strikes);
  await withPatience(() => exchange.clearFaults());
  // Refused while an order's outcome is unknown: an account that stays flattened disturbs no other.
  if (flattened !== null) await withPatience(() => releaseOne(context, flattened)).catch(() => undefined);
  const besides = (await scene.fleet?.end()) ?? [];
  scene.fleet = null;
  const comparison = await healed(scene, books);
  comparison.differences.push(...besides);
  const isWell = comparison.differences.length + comparison.bare.length === 0;
  return {
    ...comparison,
    name: attack.name,
    struck,
    healedInS: isWell ? (performance.now() - endedAt) / 1_000 : null,
    longestBareS: await watch.stop(),
  };
}

async function retried<T>(work: () => Promise<T>, timeoutMs: number): Promise<T> {
  const endsAt = performance.now() + timeoutMs;
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (performance.now() > endsAt) throw error;
      await delay(500);
    }
  }
}

/** Sells everything of one account that holds something. */
async function flattenOne(context: Context): Promise<string | null> {
  const account = await context.db.account.findFirst({
    where: { deletedAt: null, killState: "NONE", haltedAt: null, positions: { some: { qty: { gt: 0 } } } },
    orderBy: { createdAt: "asc" },
  });
  if (account === null) return null;
  await setAccountKillState(context, { id: account.id, killState: "FLATTEN", reason: "an attack" });
  return account.id;
}

async function releaseOne(context: Context, id: string): Promise<void> {
  await setAccountKillState(context, { id, killState: "NONE", reason: "the attack is over" });
}

/** Looks until the books agree at rest and every share has its stop; answers the last look. */
async function healed({ exchange }: Scene, books: BooksReader): Promise<Comparison> {
  const endsAt = performance.now() + HEAL_TIMEOUT_MS;
  for (;;) {
    const comparison = await readAtRest(exchange, books).catch((error: unknown) => failed(error));
    const isWell = comparison.differences.length + comparison.bare.length === 0;
    if (isWell || performance.now() > endsAt) return comparison;
    await delay(1_000);
  }
}

const failed = (error: unknown): Comparison => ({
  differences: [`could not be read: ${error instanceof Error ? error.message : String(error)}`],
  orders: 0,
  fills: 0,
  doubled: 0,
  lost: 0,
  bare: [],
});

/** Both sides with the market's clock stopped, read twice: a reading counts where the exchange's side did not move. */
async function readAtRest(exchange: Scene["exchange"], books: BooksReader): Promise<Comparison> {
  await exchange.pause(true);
  try {
    const endsAt = performance.now() + 10_000;
    for (;;) {
      const before = await exchange.truth();
      const product = await books.read();
      const after = await exchange.truth();
      const comparison = compareBooks(product, after);
      const isAtRest = JSON.stringify(before) === JSON.stringify(after);
      const isWell = comparison.differences.length + comparison.bare.length === 0;
      if ((isAtRest && isWell) || performance.now() > endsAt) return comparison;
      await delay(LOOK_EVERY_MS);
    }
  } finally {
    await exchange.pause(false);
  }
}

/** Follows how long each position is without a stop while the market is open, from the exchange's own books. */
function watchBare({ exchange }: Scene, books: BooksReader) {
  const since = new Map<string, number>();
  let longestMs = 0;
  let isStopped = false;
  const look = async () => {
    const [status, truth, product] = [await exchange.status(), await exchange.truth(), await books.read()];
    const now = performance.now();
    const bare = new Set(status.isOpen && !status.isPaused ? bareShares(product, truth) : []);
    for (const name of since.keys()) if (!bare.has(name)) since.delete(name);
    for (const name of bare) {
      const from = since.get(name) ?? now;
      since.set(name, from);
      longestMs = Math.max(longestMs, now - from);
    }
  };
  const running = (async () => {
    while (!isStopped) {
      await look().catch(() => since.clear());
      await delay(LOOK_EVERY_MS);
    }
  })();
  return {
    async stop(): Promise<number> {
      isStopped = true;
      await running;
      return longestMs / 1_000;
    },
  };
}
