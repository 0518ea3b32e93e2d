import { accountTitle, TITLE_FIELDS } from "@/lib/domain/account-title.ts";
import { REASON_TEXT } from "@/lib/domain/engine/reasons.ts";
import { TRADE_STATUS } from "@/lib/domain/orders.ts";
import type { ArchiveFile } from "../../archive.ts";
import type { Context } from "../../context.ts";
import { csvFile, CSV_PAGE } from "../../csv-file.ts";
import { type Prisma, replicaOf } from "../../db.ts";
import { environmentLabel, sessionOf, WHERE_TRADE } from "../../rows.ts";
import { readActivity, readTrail } from "../audit/read-activity.ts";
import { viewAudit, type AuditView, type Viewer } from "../audit/view-audit.ts";
import type { HeldExport } from "../../core/hold-export.ts";

const ACCOUNT = {
  select: {
    ...TITLE_FIELDS,
    environment: true,
    user: { select: { firstName: true, lastName: true, email: true } },
  },
} as const;

type WithAccount = { include: { account: typeof ACCOUNT } };
type Trade = Prisma.OrderGetPayload<WithAccount>;
type Trip = Prisma.RoundTripGetPayload<WithAccount>;
type Held = Prisma.PositionGetPayload<WithAccount>;
type Point = Prisma.EquityPointGetPayload<WithAccount>;
type Line = Prisma.LogEventGetPayload<{ include: { user: { select: { email: true } } } }>;
type OfAccount = Pick<Trade, "accountId" | "account">;
type Columns<Row> = (readonly [title: string, cell: (row: Row) => unknown])[];

const reasonText = (reason: string | null) =>
  reason === null ? null : ((REASON_TEXT as Record<string, string>)[reason] ?? reason);

/** Rows behind the last one where the key is the account and a second part. */
const behind = <Part extends object>(last: { accountId: string }, part: Part) => ({
  OR: [{ accountId: { gt: last.accountId } }, { accountId: last.accountId, ...part }],
});

interface Scope {
  db: Context["db"];
  beat: HeldExport["beat"];
  viewer: Viewer;
  /** The accounts whose rows are read. */
  account: { accountId: { in: string[] } };
  /** The columns that say whose row it is. */
  whose: Columns<OfAccount>;
  email: Columns<{ user: { email: string } | null }>;
}

/** A page along the id, behind the last row. */
const page = (last: { id: string } | undefined) => ({
  orderBy: { id: "asc" as const },
  take: CSV_PAGE,
  ...(last ? { cursor: { id: last.id }, skip: 1 } : {}),
});

const tradesFile = ({ db, beat, account, whose }: Scope): ArchiveFile =>
  csvFile<Trade>({
    name: "trades",
    beat,
    read: (last) =>
      db.order.findMany({
        where: { ...account, ...WHERE_TRADE },
        include: { account: ACCOUNT },
        ...page(last),
      }),
    columns: [
      ["id", (row) => row.id],
      ...whose,
      ["tradedAt", (row) => row.tradedAt],
      ["symbol", (row) => row.symbol],
      ["side", (row) => row.side],
      ["quantity", (row) => row.qty],
      ["filledQuantity", (row) => row.filledQty],
      ["averagePrice", (row) => row.filledAvgPrice],
      ["totalValue", (row) => row.filledValue],
      ["status", (row) => TRADE_STATUS[row.status]],
      ["reason", (row) => reasonText(row.reason)],
      ["brokerOrderId", (row) => row.brokerOrderId],
    ],
  });

const tripsFile = ({ db, beat, account, whose }: Scope): ArchiveFile =>
  csvFile<Trip>({
    name: "round-trips",
    beat,
    read: (last) => db.roundTrip.findMany({ where: account, include: { account: ACCOUNT }, ...page(last) }),
    columns: [
      ["id", (row) => row.id],
      ...whose,
      ["symbol", (row) => row.symbol],
      ["strategy", (row) => row.strategy],
      ["openedAt", (row) => row.openedAt],
      ["closedAt", (row) => row.closedAt],
      ["quantityBought", (row) => row.qtyBought],
      ["quantitySold", (row) => row.qtySold],
      ["entryValue", (row) => row.entryValue],
      ["exitValue", (row) => row.exitValue],
      ["fees", (row) => row.fees],
      ["pnl", (row) => row.pnl],
      ["outcome", (row) => row.outcome],
      ["entryReason", (row) => reasonText(row.entryReason)],
      ["exitReason", (row) => reasonText(row.exitReason)],
    ],
  });

const positionsFile = ({ db, beat, account, whose }: Scope): ArchiveFile =>
  csvFile<Held>({
    name: "positions",
    beat,
    read: (last) =>
      db.position.findMany({
        where: { ...account, ...(last ? behind(last, { symbol: { gt: last.symbol } }) : {}) },
        include: { account: ACCOUNT },
        orderBy: [{ accountId: "asc" }, { symbol: "asc" }],
        take: CSV_PAGE,
      }),
    columns: [
      ...whose,
      ["symbol", (row) => row.symbol],
      ["quantity", (row) => row.qty],
      ["averageEntryPrice", (row) => row.avgEntryPrice],
      ["currentPrice", (row) => row.currentPrice],
      ["marketValue", (row) => row.marketValue],
      ["unrealizedPnl", (row) => row.unrealizedPnl],
      ["stopPrice", (row) => row.stopPrice],
      ["targetPrice", (row) => row.targetPrice],
      ["openedAt", (row) => row.openedAt],
    ],
  });

const equityFile = ({ db, beat, account, whose }: Scope): ArchiveFile =>
  csvFile<Point>({
    name: "equity",
    beat,
    read: (last) =>
      db.equityPoint.findMany({
        where: { ...account, ...(last ? behind(last, { at: { gt: last.at } }) : {}) },
        include: { account: ACCOUNT },
        orderBy: [{ accountId: "asc" }, { at: "asc" }],
        take: CSV_PAGE,
      }),
    columns: [
      ...whose,
      ["at", (row) => row.at],
      ["session", (row) => sessionOf(row.sessionDate)],
      ["isClose", (row) => row.isClose],
      ["equity", (row) => row.equity],
      ["cash", (row) => row.cash],
      ["longMarketValue", (row) => row.longMarketValue],
      ["netDeposits", (row) => row.netDeposits],
    ],
  });

const auditFile = ({ db, beat, viewer, email }: Scope): ArchiveFile =>
  csvFile<AuditView>({
    name: "audit",
    beat,
    read: async (last) => {
      const after = last === undefined ? 0n : BigInt(last.id);
      const rows = viewer.isAdmin
        ? await readTrail(db, { where: { seq: { gt: after } }, orderBy: { seq: "asc" }, take: CSV_PAGE })
        : await readActivity(db, { userId: viewer.userId, after, take: CSV_PAGE });
      return viewAudit(db, rows, viewer);
    },
    columns: [
      ["id", (row) => row.id],
      ["at", (row) => row.timestamp],
      ["eventType", (row) => row.eventType],
      ["event", (row) => row.text],
      ["by", (row) => row.actor.name],
      ...email,
      ["ipAddress", (row) => row.ipAddress],
      ["data", (row) => row.eventData],
    ],
  });

const logsFile = ({ db, beat, viewer: { isAdmin, userId }, email }: Scope): ArchiveFile =>
  csvFile<Line>({
    name: "logs",
    beat,
    read: (last) =>
      db.logEvent.findMany({
        where: { ...(isAdmin ? {} : { userId }), ...(last ? { id: { gt: last.id } } : {}) },
        include: { user: { select: { email: true } } },
        orderBy: { id: "asc" },
        take: CSV_PAGE,
      }),
    columns: [
      ["id", (row) => row.id],
      ["at", (row) => row.at],
      ["marketAt", (row) => row.marketAt],
      ["level", (row) => row.level],
      ["message", (row) => row.message],
      ...email,
      ["accountId", (row) => row.accountId],
      ["cycleId", (row) => row.cycleId],
    ],
  });

/**
 * The tables of reports.zip: of one user, or of all users with the owner of each row. What was traded and held is that of the
 * accounts. Each is read in pages along its key.
 */
export function reportFiles(
  { db }: Context,
  { viewer, accountIds, held: { beat } }: { viewer: Viewer; accountIds: string[]; held: HeldExport },
): ArchiveFile[] {
  const person: Columns<OfAccount> = [
    ["user", ({ account: { user } }) => `${user.firstName} ${user.lastName}`],
    ["email", (row) => row.account.user.email],
  ];
  const scope: Scope = {
    db: replicaOf(db),
    beat,
    viewer,
    account: { accountId: { in: accountIds } },
    whose: [
      ...(viewer.isAdmin ? person : []),
      ["accountId", (row) => row.accountId],
      ["account", (row) => accountTitle(row.account)],
      ["environment", (row) => environmentLabel(row.account)],
    ],
    email: viewer.isAdmin ? [["user", (row) => row.user?.email]] : [],
  };
  return [tradesFile, tripsFile, positionsFile, equityFile, auditFile, logsFile].map((file) => file(scope));
}
