import type { RotationSetting } from "@/lib/domain/rotation/config.ts";
import type { Context } from "../../context.ts";
import type { Prisma, Tx } from "../../db.ts";

export type ConfigRow = Prisma.RotationConfigGetPayload<object>;

/** The one row, made at the first start: enabled, and a preview until an administrator lets it trade. */
export async function ensureRotationConfig({ db }: Pick<Context, "db">): Promise<void> {
  await db.rotationConfig.createMany({ data: [{ id: 1 }], skipDuplicates: true });
}

export async function readConfigRow(db: Context["db"] | Tx): Promise<ConfigRow> {
  const row = await db.rotationConfig.findUnique({ where: { id: 1 } });
  if (row) return row;
  await db.rotationConfig.createMany({ data: [{ id: 1 }], skipDuplicates: true });
  return db.rotationConfig.findUniqueOrThrow({ where: { id: 1 } });
}

/** Whether the rotation trades; as a preview it proposes alone. */
export const isRotationTraded = ({ enabled, advisoryOnly }: ConfigRow): boolean => enabled && !advisoryOnly;

export function settingOf({
  advisoryOnly,
  cadenceDays,
  turnoverCapPctPerPeriod,
  costAwareThresholdBps,
}: ConfigRow): RotationSetting {
  return {
    advisoryOnly,
    cadenceDays,
    turnoverCapPctPerPeriod: turnoverCapPctPerPeriod?.toNumber() ?? null,
    costAwareThresholdBps: costAwareThresholdBps?.toNumber() ?? null,
  };
}
