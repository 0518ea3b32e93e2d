import type { adminUsersApi } from "@/lib/contracts/admin-users.ts";
import type { Given, Received } from "@/lib/contracts/endpoint.ts";
import type { Context } from "../../context.ts";
import { readCursor, writeCursor } from "../../cursor.ts";
import { likeLiteral } from "../../core/like-literal.ts";
import { PEOPLE } from "../../core/people.ts";
import type { Prisma } from "../../db.ts";

/** Users whose name or address holds the words of the search, newest first. */
export async function listUsers(
  { db }: Context,
  { search = "", cursor, limit }: Received<typeof adminUsersApi.list>,
): Promise<Given<typeof adminUsersApi.list>> {
  const terms = search.split(/\s+/).filter((word) => word !== "");
  const holding = (word: string) => ({ contains: likeLiteral(word), mode: "insensitive" as const });
  const where: Prisma.UserWhereInput = {
    ...PEOPLE,
    AND: terms.map((word) => ({
      OR: [{ email: holding(word) }, { firstName: holding(word) }, { lastName: holding(word) }],
    })),
  };
  const after = cursor === undefined ? null : readCursor(cursor);
  const [found, total] = await Promise.all([
    db.user.findMany({
      where: after
        ? { ...where, OR: [{ createdAt: { lt: after.at } }, { createdAt: after.at, id: { lt: after.id } }] }
        : where,
      orderBy: [{ createdAt: "desc" }, { id: "desc" }],
      take: limit + 1,
      select: {
        id: true,
        email: true,
        firstName: true,
        lastName: true,
        role: true,
        createdAt: true,
        disabledAt: true,
        _count: { select: { accounts: { where: { deletedAt: null } } } },
      },
    }),
    db.user.count({ where }),
  ]);
  const page = found.slice(0, limit);
  const last = page.at(-1);
  return {
    users: page.map(({ disabledAt, _count, ...user }) => ({
      ...user,
      accountCount: _count.accounts,
      isDisabled: disabledAt !== null,
    })),
    pagination: {
      nextCursor: found.length > limit && last ? writeCursor({ at: last.createdAt, id: last.id }) : null,
      limit,
      total,
    },
  };
}
