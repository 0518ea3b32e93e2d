import type { Db } from "../db.ts";

/**
 * Whether the policy in force asks administrators for a second factor and this one has none. Asked at every call of an
 * administrator, so that a rule or a removed factor is felt by the next one.
 */
export async function lacksRequiredFactor(db: Db, userId: string): Promise<boolean> {
  const [row] = await db.$queryRaw<{ lacks: boolean }[]>`
    select not exists (select 1 from "TotpFactor" t where t."userId" = ${userId}::uuid and t."confirmedAt" is not null)
       and not exists (select 1 from "Passkey" k where k."userId" = ${userId}::uuid) as "lacks"
    from "PolicyVersion" p
    where p."status" = 'ACTIVE' and p."content" -> 'orders_execution' ->> 'require_admin_second_factor' = '1'`;
  return row?.lacks === true;
}
