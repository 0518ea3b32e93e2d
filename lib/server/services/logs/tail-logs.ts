import type { Given, Received } from "@/lib/contracts/endpoint.ts";
import type { logsApi } from "@/lib/contracts/logs.ts";
import { accountTitle, TITLE_FIELDS } from "@/lib/domain/account-title.ts";
import type { Context } from "../../context.ts";
import { environmentLabel } from "../../rows.ts";

/** The last events, newest last: of the caller's own automation, or of the whole system for administrators. */
export async function tailLogs(
  { actor, db }: Context<"user">,
  { limit }: Received<typeof logsApi.tail>,
): Promise<Given<typeof logsApi.tail>> {
  const { userId } = actor;
  const isAdmin = actor.role === "ADMIN";
  const events = await db.logEvent.findMany({
    where: isAdmin ? {} : { userId },
    orderBy: { id: "desc" },
    take: limit,
    omit: { context: true },
    include: { user: { select: { firstName: true, lastName: true, email: true } } },
  });
  const accountIds = distinct(events.map(({ accountId }) => accountId));
  const cycleIds = distinct(events.map(({ cycleId }) => cycleId));
  const [accounts, decisions] = await Promise.all([
    db.account.findMany({
      where: { id: { in: accountIds } },
      select: { ...TITLE_FIELDS, userId: true, environment: true },
    }),
    db.decisionRecord.findMany({
      where: { cycleId: { in: cycleIds }, accountId: { in: accountIds } },
      select: { id: true, cycleId: true, accountId: true },
    }),
  ]);
  const accountOf = new Map(accounts.map((account) => [account.id, account]));
  const decisionOf = new Map(decisions.map((decision) => [`${decision.cycleId} ${decision.accountId}`, decision.id]));
  return {
    logs: events.reverse().map(({ id, at, level, message, marketAt, accountId, cycleId, user }) => {
      const account = accountOf.get(accountId ?? "");
      return {
        id: id.toString(),
        timestamp: at,
        level,
        message,
        marketAt,
        accountId,
        cycleId,
        account: account ? { name: accountTitle(account), environmentLabel: environmentLabel(account) } : null,
        // The page of a decision is its owner's.
        decisionId: account?.userId === userId ? (decisionOf.get(`${cycleId} ${accountId}`) ?? null) : null,
        user: isAdmin ? user : null,
      };
    }),
  };
}

const distinct = (ids: (string | null)[]) => [...new Set(ids.filter((id) => id !== null))];
