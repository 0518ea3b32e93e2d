/** Switches that are thrown while the workers work, and the log of every change of a state. */
import type { IntentStatusName, OrderStatusName } from "@/lib/domain/enums.ts";
import { nextOrderStatus } from "@/lib/domain/orders.ts";
import type { Db } from "@/lib/server/db.ts";
import type { Flip } from "./episode.ts";

export interface Thrown {
  what: Flip;
  /** Set where purchases of one symbol alone are stopped. */
  symbol?: string;
  /** By the database's clock: after the commit that threw it, and before the one that took it back. */
  since: Date;
  until: Date | null;
}

/** Throws a switch of the account, its user or a symbol; answers when it stood, null where the symbol was stopped already. */
export async function throwSwitch(
  db: Db,
  account: { id: string; userId: string },
  what: Flip,
  symbol: string,
): Promise<Thrown | null> {
  const { id, userId } = account;
  if (what === "HALT")
    await db.account.update({ where: { id }, data: { haltedAt: new Date(), haltReason: HALTED_BY_CHAOS } });
  else if (what === "PAUSE") await db.user.update({ where: { id: userId }, data: { automationPausedAt: new Date() } });
  else if (what === "USER_REDUCE_ONLY")
    await db.user.update({ where: { id: userId }, data: { killState: "REDUCE_ONLY", killSetAt: new Date() } });
  else if (what === "SYMBOL_STOP") {
    const isStopped = await db.$transaction(async (tx) => {
      // As the service does: orders share this lock while they are marked for sending.
      await tx.$queryRaw`select 1 from "SystemState" where "id" = 1 for update`;
      const row = { market: "PRACTICE" as const, symbol, reason: stoppedBy(id), setAt: new Date() };
      // Another lane of the run may have stopped it for itself.
      return (await tx.symbolStop.createMany({ data: row, skipDuplicates: true })).count > 0;
    });
    return isStopped ? { what, symbol, since: await databaseTime(db), until: null } : null;
  } else await db.account.update({ where: { id }, data: { killState: what } });
  return { what, since: await databaseTime(db), until: null };
}

const stoppedBy = (accountId: string) => `stopped by the chaos run for ${accountId}`;

async function databaseTime(db: Db): Promise<Date> {
  const [row] = await db.$queryRaw<{ now: Date }[]>`select clock_timestamp() as "now"`;
  return row?.now ?? new Date();
}

export const HALTED_BY_CHAOS = "halted by the chaos run";

export async function clearSwitches(db: Db, account: { id: string; userId: string }, thrown: Thrown[]): Promise<void> {
  const now = await databaseTime(db);
  for (const one of thrown) one.until ??= now;
  await db.account.updateMany({
    where: { id: account.id, haltReason: HALTED_BY_CHAOS },
    data: { haltedAt: null, haltReason: null },
  });
  await db.account.update({ where: { id: account.id }, data: { killState: "NONE" } });
  await db.user.update({
    where: { id: account.userId },
    data: { automationPausedAt: null, killState: "NONE", killSetAt: null },
  });
  await db.symbolStop.deleteMany({ where: { reason: stoppedBy(account.id) } });
}

/** Every change of an order's or an intent's status is kept, by the database itself. */
export async function logTransitions(db: Db): Promise<void> {
  await db.$executeRaw`
    create table if not exists "ChaosTransition" (
      "accountId" uuid not null, "name" text not null, "kind" text not null, "was" text not null, "became" text not null)`;
  await db.$executeRaw`create index if not exists "ChaosTransition_account" on "ChaosTransition" ("accountId")`;
  await db.$executeRaw`
    create or replace function chaos_transition() returns trigger language plpgsql as $$
    begin
      if new."status" is distinct from old."status" then
        insert into "ChaosTransition" values (new."accountId", new."clientOrderId", tg_table_name, old."status"::text, new."status"::text);
      end if;
      return new;
    end $$`;
  await db.$executeRaw`
    create or replace trigger "ChaosTransition_intent" after update on "Intent" for each row execute function chaos_transition()`;
  await db.$executeRaw`
    create or replace trigger "ChaosTransition_order" after update on "Order" for each row execute function chaos_transition()`;
}

const AT_BROKER: IntentStatusName[] = ["LIVE", "FILLED", "CANCELED", "EXPIRED", "REJECTED"];
/** What an intent may become; whatever is not named is never left. */
const INTENT_EDGES: Partial<Record<IntentStatusName, IntentStatusName[]>> = {
  PLANNED: ["GATED", "HALTED", "DENIED"],
  GATED: ["SUBMITTING", "DENIED", "HALTED"],
  SUBMITTING: ["UNKNOWN", "PARKED", "HALTED", ...AT_BROKER],
  UNKNOWN: ["PARKED", "HALTED", ...AT_BROKER],
  PARKED: AT_BROKER,
  LIVE: ["FILLED", "CANCELED", "EXPIRED", "REJECTED", "PARKED"],
  // Closed as never sent, and found at the broker after all.
  EXPIRED: ["LIVE", "FILLED", "CANCELED"],
};

/** Changes that no rule allows (I8). */
export async function forbiddenTransitions(db: Db, accountId: string): Promise<string[]> {
  const rows = await db.$queryRaw<{ name: string; kind: string; was: string; became: string }[]>`
    select "name", "kind", "was", "became" from "ChaosTransition" where "accountId" = ${accountId}::uuid`;
  return rows
    .filter(({ kind, was, became }) =>
      kind === "Order"
        ? nextOrderStatus(was as OrderStatusName, became as OrderStatusName) !== became
        : !INTENT_EDGES[was as IntentStatusName]?.includes(became as IntentStatusName),
    )
    .map(({ name, kind, was, became }) => `I8 ${kind.toLowerCase()} ${name}: ${was} became ${became}`);
}
