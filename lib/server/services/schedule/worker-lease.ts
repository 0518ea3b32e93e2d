import type { Context } from "../../context.ts";

/** The worker beats every 5 s; a minute without a beat means that it is gone. */
const SILENCE_MS = 60_000;
const NAME = "worker";

export async function beat({ db, now }: Pick<Context, "db" | "now">, owner: string, detail: object): Promise<void> {
  const row = { owner, beatAt: now(), detail };
  await db.lease.upsert({ where: { name: NAME }, create: { name: NAME, ...row }, update: row });
}

export async function isWorkerBeating({ db, now }: Pick<Context, "db" | "now">): Promise<boolean> {
  const lease = await db.lease.findUnique({ where: { name: NAME }, select: { beatAt: true } });
  return lease !== null && now().getTime() - lease.beatAt.getTime() < SILENCE_MS;
}
