import type { Given, Received } from "@/lib/contracts/endpoint.ts";
import type { preferencesApi } from "@/lib/contracts/preferences.ts";
import { Failure } from "@/lib/domain/failures.ts";
import { type PreferenceName, PREFERENCE_NAMES, PREFERENCES } from "@/lib/domain/preferences.ts";
import { callFacts, recordAudit } from "../../audit/record-audit.ts";
import type { Context } from "../../context.ts";
import { decimalTexts, preferencesView } from "../../core/preferences-view.ts";
import { requireStepUp } from "../../core/require-step-up.ts";

type Preferences = Given<typeof preferencesApi.readTrading>;

export async function readTradingPreferences({ actor, db }: Context<"user">): Promise<Preferences> {
  const { userId } = actor;
  return preferencesView(await db.tradingPreferences.upsert({ where: { userId }, create: { userId }, update: {} }));
}

/**
 * Saves all of them; what changed is audited, from and to. Saving the same again changes and audits nothing. `basedOn`: as the form
 * had read them. What its person left as it was and another window or program changed since is not brought back.
 */
export async function saveTradingPreferences(
  { actor, db, now, request }: Context<"user">,
  { basedOn = {}, ...input }: Received<typeof preferencesApi.saveTrading>,
): Promise<Preferences> {
  const { userId } = actor;
  const data = decimalTexts(input);
  return db.$transaction(async (tx) => {
    await tx.tradingPreferences.upsert({ where: { userId }, create: { userId }, update: {} });
    // The row's lock orders two saves: each is audited against what the other left.
    await tx.$queryRaw`select 1 from "TradingPreferences" where "userId" = ${userId}::uuid for update`;
    const before = await tx.tradingPreferences.findUniqueOrThrow({ where: { userId } });
    refuseOutdated(preferencesView(before), data, basedOn);
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

type AsRead = { [K in PreferenceName]?: string | number | boolean | undefined };

/** Numbers and decimals by their value, choices in either case: as they stand on the wire, or in the row. */
function isSame(name: PreferenceName, one: unknown, other: unknown): boolean {
  const { kind } = PREFERENCES[name];
  if (kind === "switch" || kind === "choice") return String(one).toLowerCase() === String(other).toLowerCase();
  return Number(one) === Number(other);
}

function refuseOutdated(stored: Preferences, sent: Preferences, basedOn: AsRead): void {
  const outdated = PREFERENCE_NAMES.filter((name) => {
    const read = basedOn[name];
    return read !== undefined && isSame(name, read, sent[name]) && !isSame(name, read, stored[name]);
  });
  if (outdated.length === 0) return;
  const labels = outdated.map((name) => PREFERENCES[name].label).join(", ");
  const message = `Nothing was saved, because these settings were changed elsewhere since they were read: ${labels}.`;
  throw new Failure("conflict", message, { issues: [{ path: "basedOn", message }] });
}
