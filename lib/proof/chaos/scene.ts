import { startTestExchange } from "@/lib/proof/market/test-exchange.ts";
import { forgetEnv } from "@/lib/server/env.ts";
import { systemContext } from "@/lib/server/system-context.ts";
import { CONTROL_TOKEN } from "@/lib/proof/fixtures/orders.ts";
import { closeAccountWriters } from "@/lib/server/core/account-writer.ts";
import type { Scene } from "./play-episode.ts";
import { readSymbols } from "./stage.ts";
import { logTransitions } from "./switches.ts";
import { openWitness } from "./witness.ts";
import { openWorkerPool } from "./worker-pool.ts";

export interface SceneOptions {
  /** The worker's program with the arguments of node before it. */
  program: string[];
  poolSize: number;
  cutPostgres: (() => Promise<void>) | null;
}

/** An exchange in memory, a witness before it and workers that wait. The database is the environment's. */
export async function openScene(options: SceneOptions): Promise<Scene & { close(): Promise<void> }> {
  const exchange = await startTestExchange({ port: 0, databaseUrl: null, controlToken: CONTROL_TOKEN, paused: true });
  await exchange.control.clock({ advanceMinutes: 6 });
  const context = systemContext("chaos");
  const witness = await openWitness(exchange.port, context.db);
  process.env.EXCHANGE_URL = exchange.url;
  forgetEnv();
  await logTransitions(context.db);
  const symbols = await readSymbols(exchange.url, await exchange.control.createAccount());
  const pool = openWorkerPool(options.program, options.poolSize, {
    NODE_ENV: "test",
    LOG_LEVEL: "warn",
    DATABASE_POOL_SIZE: "3",
  });
  return {
    context,
    exchange,
    witness,
    pool,
    symbols,
    cutPostgres: options.cutPostgres,
    async close() {
      pool.close();
      await witness.close();
      await exchange.close();
      await closeAccountWriters();
      await context.db.$disconnect();
    },
  };
}
