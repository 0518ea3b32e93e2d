import type { TodayFacts } from "@/lib/domain/insight/today-facts.ts";
import type { Context } from "../../context.ts";
import { readHeld } from "../portfolio/list-positions.ts";
import { positionFacts } from "./read-positions.ts";

/** What the caller's deleted accounts left at their brokers, as far as it is still read there. */
export async function readLeft({ actor, db }: Pick<Context<"user">, "actor" | "db">): Promise<TodayFacts["left"]> {
  const removed = await db.account.findMany({
    where: { userId: actor.userId, deletedAt: { not: null } },
    select: {
      ...{ id: true, broker: true, brokerAccountId: true, environment: true, sealedKeys: true },
      _count: { select: { positions: true } },
    },
    orderBy: [{ createdAt: "desc" }, { id: "desc" }],
  });
  // An account that was connected again took over what its former row held.
  const byBroker = new Map<string, (typeof removed)[number]>();
  for (const account of removed) {
    const key = `${account.broker} ${account.brokerAccountId}`;
    if (!byBroker.has(key)) byBroker.set(key, account);
  }
  const holding = [...byBroker.values()].filter(({ _count }) => _count.positions > 0);
  const read = holding.filter(({ sealedKeys }) => sealedKeys !== null);
  return {
    accounts: read.length,
    unreadAccounts: holding.length - read.length,
    positions: positionFacts(await readHeld({ db }, read)).map(({ symbol, isCovered }) => ({ symbol, isCovered })),
  };
}
