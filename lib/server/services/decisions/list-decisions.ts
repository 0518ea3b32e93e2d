import type { Given, Received } from "@/lib/contracts/endpoint.ts";
import type { decisionsApi } from "@/lib/contracts/decisions.ts";
import { accountTitle } from "@/lib/domain/account-title.ts";
import { addDays, newYorkInstant } from "@/lib/domain/time.ts";
import type { Context } from "../../context.ts";
import { readCursor, writeCursor } from "../../cursor.ts";
import { Prisma } from "../../db.ts";
import { env } from "../../env.ts";
import { environmentLabel, type EnvironmentLabel } from "../../rows.ts";
import { accountsOfEnvironment, isOneOf } from "../../core/accounts-of-environment.ts";
import { decisionOutcomes } from "../cycles/decision-outcomes.ts";

/** Decisions of the user's accounts of one environment, newest first. */
export async function listDecisions(
  context: Context<"user">,
  { environment: wanted, accountId, hasOrders, date, cursor, limit }: Received<typeof decisionsApi.list>,
): Promise<Given<typeof decisionsApi.list>> {
  const { db } = context;
  const { accounts: all, ...scope } = await accountsOfEnvironment(
    context,
    wanted ?? (accountId === undefined ? undefined : await environmentOfOwn(context, accountId)),
    { hasRemoved: true },
  );
  const accounts = all.filter(({ id }) => accountId === undefined || id === accountId);
  const keptDays = env().DECISIONS_KEPT_DAYS ?? null;
  if (accounts.length === 0) return { ...scope, decisions: [], pagination: { nextCursor: null, limit }, keptDays };
  const where = [isOneOf(accounts)];
  if (date !== undefined) {
    where.push(Prisma.sql`"decidedAt" >= ${new Date(newYorkInstant(date, 0, 0))}
      and "decidedAt" < ${new Date(newYorkInstant(addDays(date, 1), 0, 0))}`);
  }
  if (hasOrders === "true") where.push(Prisma.sql`("plan" #>> '{counts,orders}')::int > 0`);
  if (cursor !== undefined) {
    const after = readCursor(cursor);
    where.push(Prisma.sql`("decidedAt", "id") < (${after.at}, ${after.id}::uuid)`);
  }
  const rows = await decisionOutcomes(db, Prisma.join(where, " and "), limit + 1);
  const page = rows.slice(0, limit);
  const last = page.at(-1);
  const accountOf = new Map(accounts.map((account) => [account.id, account]));
  return {
    ...scope,
    decisions: page.map(({ accountId: of, ...row }) => {
      const account = accountOf.get(of);
      if (!account) throw new Error(`decision ${row.id} of an account that was not asked for`);
      const { id } = account;
      return { ...row, account: { id, name: accountTitle(account), environmentLabel: environmentLabel(account) } };
    }),
    pagination: {
      nextCursor: rows.length > limit && last ? writeCursor({ at: last.decidedAt, id: last.id }) : null,
      limit,
    },
    keptDays,
  };
}

async function environmentOfOwn(
  { actor, db }: Context<"user">,
  accountId: string,
): Promise<EnvironmentLabel | undefined> {
  const account = await db.account.findFirst({
    where: { id: accountId, userId: actor.userId },
    select: { broker: true, environment: true },
  });
  return account ? environmentLabel(account) : undefined;
}
