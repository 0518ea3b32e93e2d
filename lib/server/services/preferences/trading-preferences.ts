import type { Given, Received } from "@/lib/contracts/endpoint.ts";
import type { preferencesApi } from "@/lib/contracts/preferences.ts";
import { callFacts, recordAudit } from "../../audit/record-audit.ts";
import type { Context } from "../../context.ts";
import { decimalTexts, preferencesView } from "../../core/preferences-view.ts";
import { requireStepUp } from "../../core/require-step-up.ts";

type Preferences = Given<typeof preferencesApi.readTrading>;

export async function readTradingPreferences({ actor, db }: Context<"user">): Promise<Preferences> {
  const { userId } = actor;
  return preferencesView(await db.tradingPreferences.upsert({ where: { userId }, create: { userId }, update: {} }));
}

/** Saves all of them; what changed is audited, from and to. Saving the same again changes and audits nothing. */
export async function saveTradingPreferences(
  { actor, db, now, request }: Context<"user">,
  input: Received<typeof preferencesApi.saveTrading>,
): Promise<Preferences> {
  const { userId } = actor;
  const data = decimalTexts(input);
  return db.$transaction(async (tx) => {
    await tx.tradingPreferences.upsert({ where: { userId }, create: { userId }, update: {} });
    // The row's lock orders two saves: each is audited against what the other left.
    await tx.$queryRaw`select 1 from "TradingPreferences" where "userId" = ${userId}::uuid for update`;
    const before = await tx.tradingPreferences.findUniqueOrThrow({ where: { userId } });
    // From here on LIVE accounts may trade.
    if (before.paperTradingOnly && !data.paperTradingOnly) requireStepUp({ actor, now });
    const after = await tx.tradingPreferences.update({ where: { userId }, data });
    const changes = changesBetween(preferencesView(before), preferencesView(after));
    if (Object.keys(changes).length > 0) {
      await recordAudit(tx, {
        at: now(),
        eventType: "TRADING_PREFERENCES_CHANGED",
        ...callFacts({ actor, request }),
        subjectUserId: userId,
        data: changes,
      });
    }
    return preferencesView(after);
  });
}

function changesBetween(before: Preferences, after: Preferences): Record<string, { from: string; to: string }> {
  const changed = (Object.keys(after) as (keyof Preferences)[]).filter(
    (name) => String(before[name]) !== String(after[name]),
  );
  return Object.fromEntries(changed.map((name) => [name, { from: String(before[name]), to: String(after[name]) }]));
}
