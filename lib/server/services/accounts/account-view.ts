import type { accountsApi } from "@/lib/contracts/accounts.ts";
import type { Given } from "@/lib/contracts/endpoint.ts";
import type { Prisma } from "../../db.ts";

/** Everything of an account that may be shown; the sealed keys are not read to show it. */
export const accountColumns = {
  id: true,
  name: true,
  accountType: true,
  environment: true,
  broker: true,
  access: true,
  status: true,
  keyPrefix: true,
  accountNumberEnd: true,
  haltReason: true,
  createdAt: true,
} satisfies Prisma.AccountSelect;

type AccountRow = Prisma.AccountGetPayload<{ select: typeof accountColumns }>;

/** A key prefix is there exactly as long as the keys are; granted access is there as long as the account is (a check of the table). */
export function accountView({ keyPrefix, ...account }: AccountRow): Given<typeof accountsApi.add> {
  return { ...account, alpacaKey: keyPrefix, hasKeys: account.access === "OAUTH" || keyPrefix !== null };
}
