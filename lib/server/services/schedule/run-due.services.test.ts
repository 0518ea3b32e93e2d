import { expect, it } from "vitest";
import { startTestExchange } from "@/lib/proof/market/test-exchange.ts";
import { makeAccount, makeUser } from "@/prisma/factories.ts";
import type { Context } from "../../context.ts";
import { db } from "../../db.ts";
import { forgetEnv } from "../../env.ts";
import { systemContext } from "../../system-context.ts";
import { runDueSchedules } from "./run-due.ts";

it("of many workers one wakes what is due, rows are made again after a loss, and a paused queue wakes nothing", async () => {
  const exchange = await startTestExchange({
    port: 0,
    controlToken: "test-control-token",
    databaseUrl: null,
    paused: true,
  });
  process.env.EXCHANGE_URL = exchange.url;
  forgetEnv();
  const rung: string[] = [];
  const context: Context = {
    ...systemContext("test"),
    queue: {
      enqueue: (job) => {
        rung.push(job.name);
        return Promise.resolve();
      },
    },
  };
  try {
    const user = await makeUser(db());
    await makeAccount(db(), user.id);
    // The first round makes the rows; nothing is due before its time.
    await runDueSchedules(context);
    expect(rung).toEqual([]);

    await exchange.control.clock({ advanceMinutes: 20 });
    await db().schedule.updateMany({ where: { market: null }, data: { dueAt: new Date(0) } });
    await Promise.all(Array.from({ length: 8 }, () => runDueSchedules(context)));
    expect(rung.sort()).toEqual([
      "backtest-grid",
      "backtest-run",
      "bar-history",
      "companies",
      "deliveries",
      "equity",
      "insight-texts",
      "invariants",
      "mail",
      "order-status",
      "provider-check",
      "purge",
      "rotation-execution",
      "rotation-plan",
      "screening",
      "settings-preview",
      "strategy-history",
      "system-invariants",
      "weekly-summary",
      "what-if",
    ]);
    const screening = await db().schedule.findUniqueOrThrow({ where: { key: "screening:PRACTICE" } });
    expect(screening.runs).toBe(1);
    expect(screening.coalesced).toBe(3);

    // A row that waits for a time which the clock has left (another market, restored data) heals.
    await db().schedule.update({ where: { key: "screening:PRACTICE" }, data: { dueAt: new Date("2099-01-01") } });
    await runDueSchedules(context);
    const healed = await db().schedule.findUniqueOrThrow({ where: { key: "screening:PRACTICE" } });
    expect(healed.dueAt.getTime()).toBeLessThan(new Date("2098-01-01").getTime());

    rung.length = 0;
    await db().schedule.deleteMany({});
    await runDueSchedules(context);
    const rows = await db().schedule.findMany({ select: { job: true }, orderBy: { job: "asc" } });
    expect(rows.map(({ job }) => job)).toEqual([
      "backtest-grid",
      "backtest-run",
      "bar-history",
      "companies",
      "deliveries",
      "equity",
      "insight-texts",
      "invariants",
      "mail",
      "nightly",
      "order-status",
      "provider-check",
      "purge",
      "rotation-execution",
      "rotation-plan",
      "screening",
      "settings-preview",
      "strategy-history",
      "system-invariants",
      "weekly-summary",
      "what-if",
    ]);

    await db().systemState.update({ where: { id: 1 }, data: { isQueueActive: false } });
    await db().schedule.updateMany({ data: { dueAt: new Date(0) } });
    await runDueSchedules(context);
    expect(rung).toEqual([]);
  } finally {
    await exchange.close();
  }
});
