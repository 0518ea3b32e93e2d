import type { Given, Received } from "@/lib/contracts/endpoint.ts";
import { jobs } from "@/lib/contracts/jobs.ts";
import type { preferencesPreviewApi } from "@/lib/contracts/preferences-preview.ts";
import { PREVIEW_SESSIONS } from "@/lib/domain/backtest/preview.ts";
import { Failure } from "@/lib/domain/failures.ts";
import { accountLabel } from "@/lib/domain/insight/settings-text.ts";
import { money } from "@/lib/domain/money.ts";
import { DEFAULT_PREFERENCES, LIVE_ONLY, PREFERENCE_NAMES, type PreferencesView } from "@/lib/domain/preferences.ts";
import type { Context } from "../../context.ts";
import { activePolicy } from "../../core/active-policy.ts";
import { asJson, triedPreferencesOf } from "../../core/json.ts";
import { sizedAccount } from "../../core/sized-account.ts";
import type { Prisma } from "../../db.ts";
import { dateOf } from "../../rows.ts";
import { readTradingPreferences } from "../preferences/trading-preferences.ts";
import { isRotationTraded, readConfigRow } from "../rotation/config-row.ts";
import { preferencesOf } from "./preferences-of.ts";
import { isSame, previewView } from "./preview-view.ts";
import { CASH_DEFAULT, tradableSessions, whyNot } from "./read-options.ts";

type Asked = Omit<Prisma.SettingsPreviewUncheckedCreateInput, "draft" | "saved" | "cash" | "fromDate" | "toDate"> & {
  draft: PreferencesView;
  saved: PreferencesView;
  cash: string;
  fromDate: Date;
  toDate: Date;
};

/**
 * Queues a try of settings and wakes the worker. It takes the place of the person's try before it, whose run ends; asked
 * for again it is the same try, unless that one failed.
 */
export async function startPreview(
  context: Context<"user">,
  { settings }: Received<typeof preferencesPreviewApi.start>,
): Promise<Given<typeof preferencesPreviewApi.start>> {
  const { db, queue, actor, now } = context;
  const { userId } = actor;
  const asked = await askedOf(context, preferencesOf(settings));
  const row = await db.$transaction(async (tx) => {
    // Two requests at once take turns here, so that one try is left.
    await tx.$queryRaw`select 1 from "User" where "id" = ${userId}::uuid for update`;
    const before = await tx.settingsPreview.findUnique({ where: { userId } });
    if (before !== null && before.status !== "FAILED" && isOf(before, asked)) return before;
    await tx.settingsPreview.deleteMany({ where: { userId } });
    const { draft, saved, ...columns } = asked;
    return tx.settingsPreview.create({
      data: { ...columns, draft: asJson(draft), saved: asJson(saved), createdAt: now() },
    });
  });
  if (row.status === "QUEUED") await queue.enqueue(jobs.settingsPreview, {});
  return previewView(context, row);
}

/** Everything that the figures depend on, as it is now: later changes do not touch the try. */
async function askedOf(context: Context<"user">, draft: PreferencesView): Promise<Asked> {
  const { actor, db } = context;
  const { market, account } = await sizedAccount(context);
  const reason = await whyNot(context, market);
  if (reason !== null) throw new Failure("unavailable", reason);
  const { first, last, all } = await tradableSessions(context, market);
  const sessions = all.filter((session) => session >= first).slice(-PREVIEW_SESSIONS);
  const [policy, rotation, saved] = await Promise.all([
    activePolicy(context),
    readConfigRow(db),
    readTradingPreferences(context),
  ]);
  return {
    userId: actor.userId,
    market,
    fromDate: dateOf(sessions[0] ?? last),
    toDate: dateOf(last),
    sessions: sessions.length,
    cash: account?.equity ?? CASH_DEFAULT,
    cashOf: account && accountLabel(account),
    draft,
    saved: withoutLiveOnly(saved as PreferencesView),
    policyVersion: policy.version,
    // As it would be traded live now: a preview trades nothing.
    hasRotation: isRotationTraded(rotation),
  };
}

/** Preferences that matter in live trading alone do not change a preview: they are set to their defaults here. */
const withoutLiveOnly = (saved: PreferencesView): PreferencesView =>
  Object.fromEntries(
    PREFERENCE_NAMES.map((name) => [name, name in LIVE_ONLY ? DEFAULT_PREFERENCES[name] : saved[name]]),
  ) as unknown as PreferencesView;

/** True where a try answers what is asked. */
function isOf(row: Prisma.SettingsPreviewGetPayload<object>, asked: Asked): boolean {
  const before = triedPreferencesOf(row);
  return (
    isSame(before.draft, asked.draft) &&
    isSame(before.saved, asked.saved) &&
    row.market === asked.market &&
    row.fromDate.getTime() === asked.fromDate.getTime() &&
    row.toDate.getTime() === asked.toDate.getTime() &&
    money(row.cash).eq(asked.cash) &&
    row.cashOf === asked.cashOf &&
    row.policyVersion === asked.policyVersion &&
    row.hasRotation === asked.hasRotation
  );
}
