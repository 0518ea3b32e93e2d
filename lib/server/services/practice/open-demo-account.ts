import type { Context } from "../../context.ts";
import { addPracticeAccount } from "../accounts/add-practice-account.ts";

/** Enough room for a book that shows what the product does; every bound of the settings page still holds. */
const DEMO_PREFERENCES = {
  strategy: "MOMENTUM",
  riskTolerance: "MEDIUM",
  riskLevel: "MEDIUM",
  defaultOrderSize: 6000,
  maxPositions: 10,
  maxPositionValue: 8000,
  profitTarget: 8,
  stopLoss: 4,
  checkInterval: 5,
} as const;

/** The demo trader's practice account and preferences; made once. */
export async function openDemoAccount(context: Context, userId: string): Promise<void> {
  await context.db.tradingPreferences.upsert({
    where: { userId },
    create: { userId, ...DEMO_PREFERENCES },
    update: {},
  });
  const existing = await context.db.account.count({ where: { userId, broker: "PRACTICE", deletedAt: null } });
  if (existing > 0) return;
  await context.db.tradingPreferences.update({ where: { userId }, data: DEMO_PREFERENCES });
  await addPracticeAccount({ ...context, actor: { kind: "user", userId, role: "USER", signInId: "seed" } });
}
