import { hostname } from "node:os";
import { monitorEventLoopDelay } from "node:perf_hooks";
import { ORDER_PROTOCOL } from "@/lib/domain/protocol/settings.ts";
import { DAY_MS } from "@/lib/domain/time.ts";
import type { Context } from "../../context.ts";
import { env } from "../../env.ts";

const NS_PER_MS = 1_000_000;
/** A program that ended without deleting its row is listed for a day. */
const KEPT_MS = DAY_MS;

/** A program's own heartbeat: each one has its row, so that an operator sees all that run. */
export interface Pulse {
  beat(context: Pick<Context, "db" | "now">): Promise<void>;
  /** Deletes the row: the program was stopped on purpose. */
  end(context: Pick<Context, "db">): Promise<void>;
}

export function startPulse(kind: "worker" | "watchdog" | "canary", owner: string, startedAt: Date): Pulse {
  const delay = monitorEventLoopDelay({ resolution: 20 });
  delay.enable();
  return {
    async beat({ db, now }) {
      const row = {
        kind,
        build: env().INSTANCE_ID,
        orderProtocol: ORDER_PROTOCOL,
        startedAt,
        beatAt: now(),
        lagMs: Math.round(delay.max / NS_PER_MS),
      };
      delay.reset();
      await db.processBeat.upsert({ where: { owner }, create: { owner, ...row }, update: row });
      await db.processBeat.deleteMany({ where: { beatAt: { lt: new Date(now().getTime() - KEPT_MS) } } });
    },
    async end({ db }) {
      delay.disable();
      await db.processBeat.deleteMany({ where: { owner } });
    },
  };
}

let ownDelay: ReturnType<typeof monitorEventLoopDelay> | undefined;

/** The process that answers: it is alive, so it needs no row. Its lag is that since it was last asked. */
export function describeThisProcess(now: Date) {
  const lagMs = ownDelay === undefined ? 0 : Math.round(ownDelay.max / NS_PER_MS);
  ownDelay ??= monitorEventLoopDelay({ resolution: 20 });
  ownDelay.enable();
  ownDelay.reset();
  return {
    owner: `${hostname()}:${process.pid}`,
    build: env().INSTANCE_ID,
    orderProtocol: ORDER_PROTOCOL,
    startedAt: new Date(now.getTime() - Math.round(process.uptime() * 1000)),
    beatAt: now,
    lagMs,
  };
}
