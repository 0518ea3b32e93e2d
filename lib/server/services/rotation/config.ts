import type { Given, Received } from "@/lib/contracts/endpoint.ts";
import type { rotationApi } from "@/lib/contracts/rotation.ts";
import type { Policy } from "@/lib/domain/policy.ts";
import { isLoosenedRotation, rotationConfigInForce, type RotationSetting } from "@/lib/domain/rotation/config.ts";
import { recordEvent } from "../../core/record-event.ts";
import type { Context } from "../../context.ts";
import { requireStepUp } from "../../core/require-step-up.ts";
import { inTransaction } from "../../core/transaction.ts";
import { activePolicy } from "../../core/active-policy.ts";
import { type ConfigRow, ensureRotationConfig, readConfigRow, settingOf } from "./config-row.ts";

type View = Given<typeof rotationApi.readConfig>;

export async function readRotationConfig(context: Context): Promise<View> {
  return viewOf(await readConfigRow(context.db), await activePolicy(context));
}

function viewOf(row: ConfigRow, policy: Policy): View {
  const setting = settingOf(row);
  const inForce = rotationConfigInForce(setting, policy);
  const isSet = (name: "cadenceDays" | "turnoverCapPctPerPeriod" | "costAwareThresholdBps") =>
    setting[name] === inForce[name];
  return {
    enabled: row.enabled,
    advisory_only: row.advisoryOnly,
    cadence_days: inForce.cadenceDays,
    turnover_cap_pct_per_period: inForce.turnoverCapPctPerPeriod,
    cost_aware_threshold_bps: inForce.costAwareThresholdBps,
    policyVersion: policy.version,
    overrides: [
      ...(isSet("cadenceDays") ? ["cadence_days" as const] : []),
      ...(isSet("turnoverCapPctPerPeriod") ? ["turnover_cap_pct_per_period" as const] : []),
      ...(isSet("costAwareThresholdBps") ? ["cost_aware_threshold_bps" as const] : []),
    ],
    updatedAt: row.updatedAt,
  };
}

/** Changes what was named, in one transaction with its audit row; the same again changes nothing. */
export async function changeRotationConfig(
  context: Context,
  input: Received<typeof rotationApi.changeConfig>,
): Promise<View> {
  await ensureRotationConfig(context);
  const policy = await activePolicy(context);
  return inTransaction(context, async (tx) => {
    await tx.$queryRaw`select 1 from "RotationConfig" where "id" = 1 for update`;
    const before = await readConfigRow(tx);
    const changes = changesOf(before, input);
    if (Object.keys(changes).length === 0) return viewOf(before, policy);
    const inForce = (setting: RotationSetting & { enabled: boolean }) => ({
      ...rotationConfigInForce(setting, policy),
      enabled: setting.enabled,
    });
    const stored = { ...settingOf(before), enabled: before.enabled };
    if (isLoosenedRotation(inForce(stored), inForce({ ...stored, ...changes }))) requireStepUp(context);
    const after = await tx.rotationConfig.update({ where: { id: 1 }, data: changes });
    await recordEvent(context, tx, {
      level: "info",
      message: describeChange(before, after),
      userId: null,
      audit: {
        eventType: "ROTATION_CONFIG_CHANGED",
        data: {
          ...("enabled" in changes ? { enabled: after.enabled } : {}),
          ...("advisoryOnly" in changes ? { advisoryOnly: after.advisoryOnly } : {}),
          ...("cadenceDays" in changes ? { cadenceDays: after.cadenceDays } : {}),
          ...("turnoverCapPctPerPeriod" in changes
            ? { turnoverCapPctPerPeriod: after.turnoverCapPctPerPeriod?.toFixed() ?? null }
            : {}),
          ...("costAwareThresholdBps" in changes
            ? { costAwareThresholdBps: after.costAwareThresholdBps?.toFixed() ?? null }
            : {}),
        },
      },
    });
    return viewOf(after, policy);
  });
}

function changesOf(
  before: ConfigRow,
  input: Received<typeof rotationApi.changeConfig>,
): Partial<RotationSetting & { enabled: boolean }> {
  const wanted = {
    enabled: input.enabled,
    advisoryOnly: input.advisory_only,
    cadenceDays: input.cadence_days,
    turnoverCapPctPerPeriod: input.turnover_cap_pct_per_period,
    costAwareThresholdBps: input.cost_aware_threshold_bps,
  };
  const current = { ...settingOf(before), enabled: before.enabled };
  return Object.fromEntries(
    Object.entries(wanted).filter(
      ([key, value]) => value !== undefined && value !== current[key as keyof typeof current],
    ),
  );
}

const NUMBERS = ["cadenceDays", "turnoverCapPctPerPeriod", "costAwareThresholdBps"] as const;

/** All that was changed, in one sentence each; the first names the rotation. */
function describeChange(before: ConfigRow, after: ConfigRow): string {
  const is = (name: (typeof NUMBERS)[number]) => String(before[name]) === String(after[name]);
  const said = [
    ...(before.enabled === after.enabled ? [] : [`was ${after.enabled ? "enabled" : "disabled"}.`]),
    ...(before.advisoryOnly === after.advisoryOnly
      ? []
      : [
          after.advisoryOnly
            ? "is in Preview Only: plans are made and not executed."
            : "is in Live Trading: plans can be executed once approved.",
        ]),
  ];
  const switched = said.map((change, nth) => `${nth === 0 ? "Biweekly rotation" : "It"} ${change}`);
  if (NUMBERS.every(is)) return switched.join(" ");
  return [
    ...switched,
    switched.length > 0 ? "Its numbers were changed." : "The numbers of the biweekly rotation were changed.",
  ].join(" ");
}
