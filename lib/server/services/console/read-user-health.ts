import type { Given } from "@/lib/contracts/endpoint.ts";
import type { consoleApi } from "@/lib/contracts/console.ts";
import { accountTitle, TITLE_FIELDS } from "@/lib/domain/account-title.ts";
import type { Context } from "../../context.ts";
import { readCursor, writeCursor } from "../../cursor.ts";
import { PEOPLE } from "../../core/people.ts";
import { environmentLabel } from "../../rows.ts";

type UserHealth = Given<typeof consoleApi.metrics>["userHealth"];

interface Page {
  userHealth: UserHealth;
  pagination: { nextCursor: string | null; limit: number };
}

/** One page of all users with their accounts, newest first, without those whose data was erased. */
export async function readUserHealth(
  { db }: Pick<Context, "db">,
  { cursor, limit }: { cursor: string | undefined; limit: number },
): Promise<Page> {
  const place = cursor === undefined ? null : readCursor(cursor);
  const found = await db.user.findMany({
    where: {
      ...PEOPLE,
      ...(place === null
        ? {}
        : { OR: [{ createdAt: { lt: place.at } }, { createdAt: place.at, id: { lt: place.id } }] }),
    },
    orderBy: [{ createdAt: "desc" }, { id: "desc" }],
    take: limit + 1,
    select: {
      id: true,
      firstName: true,
      lastName: true,
      email: true,
      role: true,
      createdAt: true,
      disabledAt: true,
      killState: true,
      automationPausedAt: true,
      accounts: {
        where: { deletedAt: null },
        orderBy: [{ createdAt: "asc" }, { id: "asc" }],
        select: {
          ...TITLE_FIELDS,
          environment: true,
          status: true,
          haltReason: true,
          killState: true,
        },
      },
    },
  });
  const users = found.slice(0, limit);
  const last = users.at(-1);
  const trades = await countTrades(
    { db },
    users.flatMap(({ accounts }) => accounts.map(({ id }) => id)),
  );
  return {
    userHealth: users.map(({ accounts, disabledAt, automationPausedAt, ...user }) => ({
      ...user,
      isDisabled: disabledAt !== null,
      isPaused: automationPausedAt !== null,
      accounts: accounts.map((account) => ({
        id: account.id,
        name: accountTitle(account),
        environmentLabel: environmentLabel(account),
        status: account.status,
        haltReason: account.haltReason,
        killState: account.killState,
        trades: trades.get(account.id) ?? 0,
      })),
    })),
    pagination: {
      nextCursor: found.length > limit && last ? writeCursor({ at: last.createdAt, id: last.id }) : null,
      limit,
    },
  };
}

/** From the kept totals: a page never counts orders. */
async function countTrades({ db }: Pick<Context, "db">, accountIds: string[]): Promise<Map<string, number>> {
  const totals = await db.tradeTotals.findMany({ where: { accountId: { in: accountIds } } });
  return new Map(totals.map(({ accountId, trades }) => [accountId, trades]));
}
