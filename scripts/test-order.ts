// The order in which files of tests begin: the slowest first. One that begins last leaves the other workers idle for as long as it takes.
import path from "node:path";
import { BaseSequencer, type TestSpecification } from "vitest/node";

/** Files that take long, alone or by waiting, the slowest of each stage first. The others begin by their size, as Vitest has them. */
export const SLOWEST = [
  "scripts/first-changes.test.ts",
  "workers/doors.test.ts",
  "scripts/web-edge.test.ts",
  "app/api/v1/principals.services.test.ts",
  "lib/server/services/sync/crash-recovery.services.test.ts",
  "lib/server/services/rotation/send-legs.services.test.ts",
  "lib/server/services/invariants/invariants.services.test.ts",
  "lib/server/jobs/queue.services.test.ts",
  "lib/proof/rehearsal/rehearsal.services.test.ts",
  "app/api/v1/auth/lock-out.services.test.ts",
  "lib/proof/chaos/chaos.services.test.ts",
  "workers/worker-faults.services.test.ts",
  "lib/server/services/sync/settle-books.services.test.ts",
  "lib/server/services/practice/play-history.services.test.ts",
  "lib/server/services/backtests/us-backtest.services.test.ts",
  "lib/server/services/cycles/alpaca-alone.services.test.ts",
  "lib/server/services/automation/kill-switch.services.test.ts",
  "lib/proof/practice/compare-truth.services.test.ts",
  "app/api/v1/database-outage.services.test.ts",
  "prisma/migration-faults.services.test.ts",
  "lib/admin/books.services.test.ts",
  "lib/server/services/positions/sell-crash.services.test.ts",
];

/** The place of a file among the slowest; of the others, after all of them. */
export function placeOf(file: string): number {
  const place = SLOWEST.indexOf(file);
  return place === -1 ? SLOWEST.length : place;
}

export class SlowestFirst extends BaseSequencer {
  override async sort(specifications: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(specifications);
    const place = ({ moduleId }: TestSpecification) => placeOf(path.relative(this.ctx.config.root, moduleId));
    return sorted.toSorted((a, b) => place(a) - place(b));
  }
}
