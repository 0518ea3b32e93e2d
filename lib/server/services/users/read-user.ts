import type { adminUsersApi } from "@/lib/contracts/admin-users.ts";
import type { Given, Received } from "@/lib/contracts/endpoint.ts";
import { accountTitle } from "@/lib/domain/account-title.ts";
import { auditText } from "@/lib/domain/audit-events.ts";
import type { AuditFacts } from "@/lib/domain/audit-phrases.ts";
import { Failure } from "@/lib/domain/failures.ts";
import { text } from "@/lib/domain/money.ts";
import type { Context } from "../../context.ts";
import type { Db } from "../../db.ts";
import { idleSince } from "../../idle.ts";
import { environmentLabel, WHERE_TRADE } from "../../rows.ts";
import { deviceOf } from "../auth/device-of.ts";
import { areTwoNeeded } from "./managed-user.ts";

type UserPage = Given<typeof adminUsersApi.read>;

const MOST_DECISIONS = 10;
const MOST_SHOWN = 20;

/** Everything that an administrator needs to help or stop a user, and nothing that opens their accounts. */
export async function readUser(context: Context, { id }: Received<typeof adminUsersApi.read>): Promise<UserPage> {
  const { db, now } = context;
  const [user, key] = await Promise.all([
    db.user.findUnique({ where: { id } }),
    db.subjectKey.findUnique({ where: { userId: id }, select: { erasedAt: true } }),
  ]);
  if (!user || key?.erasedAt) throw new Failure("not_found", "User not found.");
  const [accounts, ids] = await Promise.all([
    readAccounts(db, id),
    db.account.findMany({ where: { userId: id }, select: { id: true } }).then((rows) => rows.map((row) => row.id)),
  ]);
  const [pendingChange, isTwoPerson, decisions, orders, halts, signIns] = await Promise.all([
    readPendingChange(db, id, now()),
    areTwoNeeded(context),
    db.decisionRecord.findMany({
      where: { accountId: { in: ids } },
      orderBy: { decidedAt: "desc" },
      take: MOST_DECISIONS,
      select: { id: true, accountId: true, line: true, decidedAt: true },
    }),
    readOrders(db, ids),
    readHalts(db, id),
    readSignIns(db, id, now()),
  ]);
  return {
    id,
    email: user.email,
    firstName: user.firstName,
    lastName: user.lastName,
    role: user.role,
    accountCount: accounts.length,
    createdAt: user.createdAt,
    isDisabled: user.disabledAt !== null,
    isVerified: user.emailVerifiedAt !== null,
    disabledAt: user.disabledAt,
    kill: { state: user.killState, reason: user.killReason, since: user.killSetAt },
    pause: { since: user.automationPausedAt, reason: user.pausedReason },
    pendingChange,
    isTwoPerson,
    accounts,
    decisions,
    orders,
    halts,
    signIns,
  };
}

async function readAccounts(db: Db, userId: string): Promise<UserPage["accounts"]> {
  const rows = await db.account.findMany({
    where: { userId, deletedAt: null },
    orderBy: [{ createdAt: "desc" }, { id: "desc" }],
    include: {
      figures: { select: { equity: true, asOf: true } },
      _count: { select: { positions: { where: { strategy: { not: null } } } } },
    },
  });
  return rows.map((account) => ({
    id: account.id,
    name: accountTitle(account),
    environment: environmentLabel(account),
    status: account.status,
    haltReason: account.haltReason,
    haltedAt: account.haltedAt,
    killState: account.killState,
    killReason: account.killReason,
    isClosing: account.closingAt !== null,
    equity: account.figures === null ? null : text(account.figures.equity.toString()),
    equityAsOf: account.figures?.asOf ?? null,
    positions: account._count.positions,
    reconciledAt: account.reconciledAt,
  }));
}

async function readPendingChange(db: Db, userId: string, now: Date): Promise<UserPage["pendingChange"]> {
  const pending = await db.pendingApproval.findUnique({
    where: { kind_subject: { kind: "MAKE_ADMINISTRATOR", subject: userId } },
  });
  if (pending === null || pending.expiresAt <= now) return null;
  const first = await db.user.findUnique({ where: { id: pending.requestedById }, select: { email: true } });
  const { fingerprint: asked } = pending;
  const change = asked === "disable" || asked === "enable" ? asked : "role";
  return { change, requestedBy: first?.email ?? "A deleted administrator", expiresAt: pending.expiresAt };
}

async function readOrders(db: Db, accountIds: string[]): Promise<UserPage["orders"]> {
  const rows = await db.order.findMany({
    where: { accountId: { in: accountIds }, ...WHERE_TRADE },
    orderBy: [{ tradedAt: "desc" }, { id: "desc" }],
    take: MOST_SHOWN,
    include: { account: { select: { broker: true, environment: true } } },
  });
  return rows.map((row) => ({
    id: row.id,
    symbol: row.symbol,
    side: row.side,
    qty: row.qty?.toFixed() ?? null,
    filledQty: row.filledQty.toFixed(),
    status: row.status,
    environment: environmentLabel(row.account),
    at: row.tradedAt,
  }));
}

async function readHalts(db: Db, userId: string): Promise<UserPage["halts"]> {
  const rows = await db.auditEvent.findMany({
    where: { subjectUserId: userId, eventType: { in: ["ACCOUNT_HALTED", "ACCOUNT_RESUMED", "ACCOUNT_LATCHED"] } },
    orderBy: { seq: "desc" },
    take: MOST_SHOWN,
    select: { seq: true, at: true, eventType: true, data: true },
  });
  return rows.map(({ seq, at, eventType, data }) => ({
    id: seq.toString(),
    at,
    text: auditText(eventType, data as AuditFacts),
  }));
}

async function readSignIns(db: Db, userId: string, now: Date): Promise<UserPage["signIns"]> {
  const rows = await db.signIn.findMany({
    where: { userId },
    orderBy: [{ createdAt: "desc" }, { id: "desc" }],
    take: MOST_SHOWN,
    select: {
      id: true,
      ipAddress: true,
      userAgent: true,
      createdAt: true,
      lastSeenAt: true,
      expiresAt: true,
      revokedAt: true,
    },
  });
  return rows.map(({ userAgent, expiresAt, revokedAt, ...row }) => ({
    ...row,
    device: deviceOf(userAgent),
    isOpen: revokedAt === null && expiresAt > now && row.lastSeenAt > idleSince(now),
  }));
}
