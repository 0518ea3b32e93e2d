import type { Given } from "@/lib/contracts/endpoint.ts";
import type { operationsApi } from "@/lib/contracts/operations.ts";
import { accountTitle } from "@/lib/domain/account-title.ts";
import { WORKING_STATUSES } from "@/lib/domain/orders.ts";
import { waitsForPerson } from "@/lib/domain/protocol/recovery.ts";
import type { Context } from "../../context.ts";
import type { Db, Prisma } from "../../db.ts";
import { environmentLabel, sessionOf } from "../../rows.ts";

type Operations = Given<typeof operationsApi.read>;

const MOST_SHOWN = 50;

const OWNED = { user: { select: { id: true, email: true } } } as const;
type Owned = Prisma.AccountGetPayload<{ include: typeof OWNED }>;

const whereOf = (account: Owned) => ({
  accountId: account.id,
  account: accountTitle(account),
  environment: environmentLabel(account),
  ownerId: account.user.id,
  owner: account.user.email,
});

/** Everything that waits for a person, beside the parked orders that the broker is still asked about; each list is bounded and says how long it is. */
export async function readOperations({ db }: Context): Promise<Operations> {
  const [parked, halted, working, activities, mails] = await Promise.all([
    readParked(db),
    readHalted(db),
    readWorking(db),
    readActivities(db),
    readMails(db),
  ]);
  return { parked, halted, working, activities, mails };
}

async function readParked(db: Db): Promise<Operations["parked"]> {
  const where = { status: "PARKED", account: { deletedAt: null } } as const;
  const [total, needPerson, rows] = await Promise.all([
    db.intent.count({ where }),
    db.intent.count({ where: { ...where, nextAskAt: null } }),
    db.intent.findMany({
      where,
      orderBy: { createdAt: "asc" },
      take: MOST_SHOWN,
      include: { account: { include: OWNED } },
    }),
  ]);
  return {
    total,
    needPerson,
    rows: rows.map((intent) => ({
      ...whereOf(intent.account),
      id: intent.id,
      clientOrderId: intent.clientOrderId,
      side: intent.side,
      qty: intent.qty.toFixed(),
      symbol: intent.symbol,
      why: intent.lastError,
      needsPerson: waitsForPerson(intent),
      decidedAt: intent.decidedAt,
    })),
  };
}

async function readHalted(db: Db): Promise<Operations["halted"]> {
  const where = { haltedAt: { not: null }, deletedAt: null } as const;
  const [total, rows] = await Promise.all([
    db.account.count({ where }),
    db.account.findMany({ where, orderBy: { haltedAt: "asc" }, take: MOST_SHOWN, include: OWNED }),
  ]);
  return {
    total,
    rows: rows.flatMap((account) =>
      account.haltedAt === null
        ? []
        : [
            {
              ...whereOf(account),
              reason: account.haltReason,
              since: account.haltedAt,
              hasKeys: account.sealedKeys !== null,
              isDrawdownHalted: account.killSource === "DRAWDOWN",
            },
          ],
    ),
  };
}

/** In halted accounts alone: elsewhere reconciliation finds every order at the broker, or halts the account. */
async function readWorking(db: Db): Promise<Operations["working"]> {
  const where = {
    origin: "OURS",
    parentId: null,
    status: { in: [...WORKING_STATUSES] },
    account: { haltedAt: { not: null }, deletedAt: null },
  } satisfies Prisma.OrderWhereInput;
  const [total, rows] = await Promise.all([
    db.order.count({ where }),
    db.order.findMany({
      where,
      orderBy: { createdAt: "asc" },
      take: MOST_SHOWN,
      include: { account: { include: OWNED } },
    }),
  ]);
  return {
    total,
    rows: rows.map((order) => ({
      ...whereOf(order.account),
      id: order.id,
      clientOrderId: order.clientOrderId,
      side: order.side,
      qty: order.qty?.toFixed() ?? null,
      symbol: order.symbol,
      status: order.status,
      createdAt: order.createdAt,
      isMissing: order.missingSince !== null,
    })),
  };
}

async function readActivities(db: Db): Promise<Operations["activities"]> {
  const where = { settlement: null } as const;
  const [total, rows] = await Promise.all([
    db.quarantinedActivity.count({ where }),
    db.quarantinedActivity.findMany({
      where,
      orderBy: [{ date: "asc" }, { accountId: "asc" }, { activityId: "asc" }],
      take: MOST_SHOWN,
      include: { account: { include: OWNED } },
    }),
  ]);
  return {
    total,
    rows: rows.map((row) => ({
      ...whereOf(row.account),
      activityId: row.activityId,
      type: row.type,
      symbol: row.symbol,
      qty: row.qty?.toFixed() ?? null,
      amount: row.amount.toFixed(),
      date: sessionOf(row.date),
    })),
  };
}

async function readMails(db: Db): Promise<Operations["mails"]> {
  const where = { failedAt: { not: null }, sentAt: null } as const;
  const [total, rows] = await Promise.all([
    db.outbox.count({ where }),
    db.outbox.findMany({ where, orderBy: { failedAt: "asc" }, take: MOST_SHOWN }),
  ]);
  return {
    total,
    rows: rows.flatMap(({ id, recipient, template, failedAt, attempts, lastError }) =>
      failedAt === null ? [] : [{ id, recipient, template, failedAt, attempts, error: lastError }],
    ),
  };
}
