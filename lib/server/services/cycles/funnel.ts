import type { Plan } from "@/lib/domain/engine/plan.ts";
import { money } from "@/lib/domain/money.ts";
import type { Db, Prisma } from "../../db.ts";

/** What a decision's intents have to bring along so that it can be said what was bought. */
export const INTENTS_OF_FUNNEL = {
  leg: true,
  purpose: true,
  orders: { where: { parentId: null }, select: { id: true, filledQty: true } },
} as const satisfies Prisma.IntentSelect;

type IntentOfFunnel = Prisma.IntentGetPayload<{ select: typeof INTENTS_OF_FUNNEL }>;

/** Legs that bought: entries of which something was filled. A leg that was tried again is one. */
export function boughtLegs(intents: readonly IntentOfFunnel[]): ReadonlySet<number> {
  const filled = intents.filter(
    ({ purpose, orders }) => purpose === "ENTRY" && orders.some(({ filledQty }) => money(filledQty).gt(0)),
  );
  return new Set(filled.map(({ leg }) => leg));
}

/** How many were left at each step of a recorded decision. */
export function funnelOf({ counts, orders }: Pick<Plan, "counts" | "orders">, intents: readonly IntentOfFunnel[]) {
  const { screened, seated, signals } = counts;
  const entries = orders.filter(({ purpose }) => purpose === "ENTRY").length;
  return { screened, seated, signals, entries, bought: boughtLegs(intents).size };
}

/** What each of some decisions bought. */
export async function boughtByEach(db: Db, ids: readonly string[]): Promise<ReadonlyMap<string, number>> {
  if (ids.length === 0) return new Map();
  const intents = await db.intent.findMany({
    where: { planId: { in: [...ids] }, purpose: "ENTRY" },
    select: { ...INTENTS_OF_FUNNEL, planId: true },
  });
  const byPlan = new Map<string, IntentOfFunnel[]>();
  for (const intent of intents) byPlan.set(intent.planId, [...(byPlan.get(intent.planId) ?? []), intent]);
  return new Map([...byPlan].map(([planId, of]) => [planId, boughtLegs(of).size]));
}
