/** Postgres of the run's own, on a port of its own, in a folder that goes with the run. */
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { startPostgres } from "@/scripts/postgres.mjs";
import { stopAll } from "@/scripts/proc.mjs";
import { state } from "@/scripts/state.mjs";
import { migrate } from "../../../prisma/migrate.mjs";

export interface ChaosServices {
  databaseUrl: string;
  /** kill -9 on the whole server, and a start that has to recover. */
  cutPostgres(): Promise<void>;
  stop(): Promise<void>;
}

export async function startServices(root: string): Promise<ChaosServices> {
  const dataDir = fs.mkdtempSync(path.join(os.tmpdir(), "tradewind-chaos-"));
  // Postgres may run as another user.
  fs.chmodSync(dataDir, 0o755);
  const st = state(dataDir);
  // Not `fast`: what was committed must survive the cuts.
  const open = () => startPostgres({ root, dataDir, st });
  let postgres = await open();
  const databaseUrl = postgres.urlFor("postgres");
  await migrate(databaseUrl);
  return {
    databaseUrl,
    async cutPostgres() {
      postgres.proc.kill();
      await postgres.proc.done;
      postgres = await open();
    },
    async stop() {
      await stopAll();
      fs.rmSync(dataDir, { recursive: true, force: true });
    },
  };
}
