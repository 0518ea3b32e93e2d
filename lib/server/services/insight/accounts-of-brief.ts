import type { Prisma } from "../../db.ts";
import type { EnvironmentLabel } from "../../rows.ts";
import type { SessionDate } from "@/lib/domain/time.ts";

export type BriefAccount = Prisma.AccountGetPayload<{ include: { figures: true } }>;

/** Whose brief it is: the accounts of one environment, and the session that it is about. */
export interface BriefScope {
  environment: EnvironmentLabel;
  accounts: [BriefAccount, ...BriefAccount[]];
  session: SessionDate;
}
