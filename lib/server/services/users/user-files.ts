import type { ArchiveFile } from "../../archive.ts";
import type { Context } from "../../context.ts";
import { csvFile, CSV_PAGE as PAGE } from "../../csv-file.ts";
import { readActivity } from "../audit/read-activity.ts";
import type { HeldExport } from "./hold-export.ts";

type Row = Record<string, unknown>;

/** The files of a person's export. Each is read in pages along its key, so a row is in it once. */
export function userFiles({ db }: Context, userId: string, { beat }: HeldExport): ArchiveFile[] {
  const file = (name: string, read: (last: Row | undefined) => Promise<Row[]>) => csvFile({ name, read, beat });
  const single = (row: Promise<Row | null>) => async (last: Row | undefined) => {
    const found = last ? null : await row;
    return found ? [found] : [];
  };
  /** A page along the id, behind the last row. */
  const page = (last: Row | undefined) => ({
    orderBy: { id: "asc" as const },
    take: PAGE,
    ...(last ? { cursor: { id: last.id as string }, skip: 1 } : {}),
  });
  const own = { where: { account: { userId } } };
  /** Rows that have an account and a second part in their key. */
  const behind = (last: Row | undefined, part: string) =>
    last
      ? {
          OR: [
            { accountId: { gt: last.accountId as string } },
            { accountId: last.accountId as string, [part]: { gt: last[part] } },
          ],
        }
      : {};

  return [
    file(
      "profile",
      single(db.user.findUnique({ where: { id: userId }, omit: { passwordHash: true, tokenVersion: true } })),
    ),
    file("trading-preferences", single(db.tradingPreferences.findUnique({ where: { userId } }))),
    file("notification-preferences", single(db.notificationPreferences.findUnique({ where: { userId } }))),
    file("sign-ins", (last) => db.signIn.findMany({ where: { userId }, omit: { jti: true }, ...page(last) })),
    file("accounts", (last) =>
      db.account.findMany({ where: { userId }, omit: { sealedKeys: true, writerEpoch: true }, ...page(last) }),
    ),
    file("positions", (last) =>
      db.position.findMany({
        where: { account: { userId }, ...behind(last, "symbol") },
        omit: { review: true },
        orderBy: [{ accountId: "asc" }, { symbol: "asc" }],
        take: PAGE,
      }),
    ),
    file("decisions", (last) =>
      db.intent.findMany({ ...own, omit: { gateVerdictId: true, submitEpoch: true }, ...page(last) }),
    ),
    file("orders", (last) => db.order.findMany({ ...own, ...page(last) })),
    file("fills", (last) => db.fill.findMany({ ...own, ...page(last) })),
    file("round-trips", (last) => db.roundTrip.findMany({ ...own, ...page(last) })),
    file("cash-flows", (last) => db.cashFlow.findMany({ ...own, ...page(last) })),
    file("equity", (last) =>
      db.equityPoint.findMany({
        where: { account: { userId }, ...behind(last, "at") },
        orderBy: [{ accountId: "asc" }, { at: "asc" }],
        take: PAGE,
      }),
    ),
    file("backtests", (last) => db.backtest.findMany({ where: { userId, deletedAt: null }, ...page(last) })),
    file("notifications", (last) =>
      db.notification.findMany({ where: { userId }, omit: { dedupeKey: true }, ...page(last) }),
    ),
    file("logs", (last) =>
      db.logEvent.findMany({
        where: { userId, ...(last ? { id: { gt: last.id as bigint } } : {}) },
        orderBy: { id: "asc" },
        take: PAGE,
      }),
    ),
    file("activity", (last) =>
      readActivity(db, { userId, after: (last?.seq as bigint | undefined) ?? 0n, take: PAGE }),
    ),
  ];
}
